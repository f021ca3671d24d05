#!/usr/bin/env python3
"""kinglet on Spark against one pass of the command on one machine: accuracy, processor time, bytes exchanged, memory.

    bench/spark.py [--sets covtype,checkerboard,kddcup] [--parts 2,8,32] [--rows 20M] [--data FOLDER]

Spark runs on local-cluster: two executors of one core each, in processes of their own. Both sides learn the same rows with the
same options (algorithm span): the command a CSV file, Spark a Parquet folder. gamma is that of the committee on 20,000 training rows.
Needs PySpark and Java; ./dev bench spark installs them.
"""
import argparse
import json
import lzma
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINGLET = os.environ.get("KINGLET", ROOT / "build" / "kinglet")
WORK = ROOT / "build" / "bench" / "spark"
BUDGETS = {"covtype": 500, "checkerboard": 200, "kddcup": 200}
FILES = 64  # of a Parquet folder
SAMPLE = 20_000
BATCH_ROWS = 10_000  # of Spark's Arrow batches


# --- data -------------------------------------------------------------------------------------------------------------


def table_of(x, y):
    import pyarrow as pa

    columns = {"label": pa.array(y, pa.float64())}
    columns.update({f"x{i + 1}": pa.array(np.ascontiguousarray(x[:, i])) for i in range(x.shape[1])})
    return pa.table(columns)


def real_data(path, positive):
    """Shuffled rows of a LIBSVM file: four fifths to learn and one fifth to test."""
    from sklearn.datasets import load_svmlight_file

    with lzma.open(path) as file:
        x, y = load_svmlight_file(file)
    x = x.toarray().astype(np.float32)
    if positive is not None:
        y = (y == positive).astype(float)
    order = np.random.default_rng(1).permutation(len(y))
    cut = 4 * len(y) // 5
    return table_of(x[order[:cut]], y[order[:cut]]), table_of(x[order[cut:]], y[order[cut:]])


def generated(rows, seed, path):
    import pyarrow as pa
    from pyarrow import csv

    subprocess.run([KINGLET, "gen", "checkerboard", "-n", str(rows), "--seed", str(seed), "--format", "csv", "-o", path], check=True)
    types = {"label": pa.float64(), "x1": pa.float32(), "x2": pa.float32()}
    return csv.read_csv(path, convert_options=csv.ConvertOptions(column_types=types))


def prepare(name, flags):
    """The folder with train.csv, test.csv and the Parquet folder `train` of a data set; made once."""
    from pyarrow import csv, parquet

    folder = WORK / (f"{name}-{flags.rows}" if name == "checkerboard" else name)
    if (folder / "done").exists():
        return folder
    (folder / "train").mkdir(parents=True, exist_ok=True)
    if name == "checkerboard":
        train, test = generated(flags.rows, 1, folder / "train.csv"), generated(100_000, 2, folder / "test.csv")
    else:
        file, positive = {"covtype": ("covtype.xz", 2), "kddcup": ("kddcup99.10pct.xz", None)}[name]
        train, test = real_data(flags.data / file, positive)
        csv.write_csv(train, folder / "train.csv")
        csv.write_csv(test, folder / "test.csv")
    rows = len(train)
    for i in range(FILES):
        begin, end = i * rows // FILES, (i + 1) * rows // FILES
        parquet.write_table(train.slice(begin, end - begin), folder / "train" / f"{i:03}.parquet")
    (folder / "done").touch()
    return folder


def arrays(path, rows=None):
    from pyarrow import csv

    table = csv.read_csv(path) if rows is None else next(iter(csv.open_csv(path, csv.ReadOptions(block_size=64 << 20))))
    table = table.slice(0, rows)
    names = [name for name in table.schema.names if name != "label"]
    return np.column_stack([table[name].to_numpy() for name in names]).astype(np.float32), table["label"].to_numpy()


def gamma_of(folder, budget):
    """The kernel width of the committee, from the first training rows."""
    from kinglet import KernelClassifier

    file = folder / "gamma"
    if not file.exists():
        x, y = arrays(folder / "train.csv", SAMPLE)
        committee = KernelClassifier(budget=budget, random_state=1, passes=1).fit(x, y.astype(int))
        file.write_text(committee.settled_["gamma"])
    return float(file.read_text())


# --- one machine ------------------------------------------------------------------------------------------------------


def plain(folder, budget, gamma):
    """One pass of the command: processor time with reading, and test accuracy."""
    model = folder / "plain.kinglet"
    options = ["--algo", "span", "--budget", str(budget), "--gamma", str(gamma), "--proba", "--threads", "1", "--seed", "1"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([KINGLET, "train", folder / "train.csv", *options, "-o", model, "--quiet"], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = subprocess.run([KINGLET, "eval", folder / "test.csv", "-m", model, "--json"], check=True, capture_output=True)
    return {
        "seconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "accuracy": json.loads(told.stdout)["accuracy"],
    }


# --- Spark, in a process of its own -----------------------------------------------------------------------------------


def descendants():
    """Processes below this one: process id, whether it is Java, and its processor time with that of children that ended."""
    parents, found = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            text = (entry / "stat").read_text()
        except OSError:
            continue
        name, rest = text[text.index("(") + 1 : text.rindex(")")], text[text.rindex(")") + 2 :].split()
        parents[int(entry.name)] = int(rest[1])
        found[int(entry.name)] = (name == "java", sum(map(int, rest[11:15])) / os.sysconf("SC_CLK_TCK"))
    here = {os.getpid()}
    for _ in parents:
        more = {pid for pid, parent in parents.items() if parent in here} - here
        if not more:
            break
        here |= more
    return {pid: found[pid] for pid in here - {os.getpid()}}


def java_seconds():
    return sum(seconds for is_java, seconds in descendants().values() if is_java)


def warm_up(batches):
    """Starts the Python processes and imports the package in them."""
    import kinglet.spark  # noqa: F401

    time.sleep(1)  # so that both executors get a task
    yield from batches


def session_of(log):
    import pyspark
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("kinglet bench")
    for name, value in {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.log.level": "ERROR",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.rolling.enabled": "false",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": f"file://{log}",
        "spark.sql.files.openCostInBytes": "0",
        "spark.sql.files.minPartitionNum": str(FILES),
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(BATCH_ROWS),
    }.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def bytes_to_driver(log):
    """The results of all tasks so far, from Spark's event log."""
    total = 0
    for file in pathlib.Path(log).iterdir():
        for line in file.read_text().splitlines():
            event = json.loads(line)
            if event["Event"] == "SparkListenerTaskEnd":
                total += event["Task Metrics"]["Result Size"]
    return total


def fits(folder, budget, gamma, numbers_of_parts):
    """Fits once for each number of parts, in one session. Prints a line of JSON for each."""
    with tempfile.TemporaryDirectory() as log:
        session = session_of(log)
        rows = session.read.parquet(f"file://{folder}/train")
        session.range(0, 4, 1, 4).mapInArrow(warm_up, "id bigint").collect()
        started = java_seconds()
        for parts in numbers_of_parts:
            before, sent = java_seconds(), bytes_to_driver(log)
            result = fit(folder, rows, budget, gamma, parts)
            result["java_seconds"] = java_seconds() - before
            result["exchanged"] = bytes_to_driver(log) - sent
            result["started_seconds"] = started
            print(json.dumps(result), flush=True)
        session.stop()


def fit(folder, rows, budget, gamma, parts):
    from kinglet.spark import KernelClassifier

    features = [name for name in rows.columns if name != "label"]
    classifier = KernelClassifier(
        features_col=features, budget=budget, gamma=gamma, num_workers=parts, sample_rows=SAMPLE, seed=1
    )
    model = classifier.fit(rows)
    x, y = arrays(folder / "test.csv")
    local = model.to_local()._model
    codes = np.empty(len(y), np.int64)
    local.predict(x, codes)
    summary = model.summary
    learned = summary.rounds[0].parts
    return {
        "accuracy": float(np.mean(np.array([float(text) for text in local.labels])[codes] == y)),
        "parts": len(learned),
        "learn_seconds": sum(part.learn_seconds for part in learned),
        "task_seconds": sum(part.task_seconds for part in learned),
        "start_seconds": summary.start_seconds,
        "mix_seconds": summary.rounds[0].mix_seconds,
        "sample_rows": summary.sample_rows,
        "features": len(features),
        "outputs": local.stats()["outputs"],
        "start_bytes": summary.start_bytes,
        "state_bytes": float(np.mean([part.model_bytes for part in learned])),
        "memory": max(part.memory_bytes for part in learned),
        "grown": max(part.process_bytes[1] - part.process_bytes[0] for part in learned),
    }


# --- tables -----------------------------------------------------------------------------------------------------------


def computed_state(budget, features, outputs, classes):
    """The bytes of a model: sums (double) and covariance (float) of which half is kept, centres, coefficients, calibration."""
    return 6 * budget * (budget + 1) + budget * (4 * features + 20 * outputs) + 16_000 * max(1, classes - 1)


def computed_memory(result, state):
    """What a worker needs beside Python: the learner, the start and the result as bytes, and three batches."""
    return result["memory"] + 4 * state + 3 * BATCH_ROWS * (4 * result["features"] + 8)


def row_of(name, parts, result, one):
    learning = result["task_seconds"] + result["start_seconds"] + result["mix_seconds"]
    return (
        f"| {name} | {parts} | {100 * result['accuracy']:.2f} | {100 * (result['accuracy'] - one['accuracy']):+.2f} | {learning:.1f} | "
        f"{learning / one['seconds']:.2f} | {result['java_seconds']:.1f} | {result['started_seconds']:.0f} |"
    )


def bytes_row(name, parts, result, budget):
    state = result["state_bytes"]
    sample = result["sample_rows"] * (4 * result["features"] + 8)
    computed = parts * state + sample
    return (
        f"| {name} | {parts} | {budget} | {state / 1024:.0f} | {computed / 1e6:.1f} | {result['exchanged'] / 1e6:.1f} | "
        f"{100 * state * parts / 1e9:.1f} | {computed_memory(result, state) / 2**20:.1f} | {result['grown'] / 2**20:.1f} |"
    )


def measure(flags):
    accuracy, exchange = [], []
    for name in flags.sets:
        folder, budget = prepare(name, flags), BUDGETS[name]
        gamma = gamma_of(folder, budget)
        one = plain(folder, budget, gamma)
        print(json.dumps({"set": name, "gamma": gamma, "budget": budget, **one}), file=sys.stderr, flush=True)
        accuracy.append(f"| {name} | one machine | {100 * one['accuracy']:.2f} | | {one['seconds']:.1f} | 1 | | |")
        numbers = ",".join(map(str, flags.parts))
        command = [sys.executable, "-B", __file__, "--parts", numbers, "--fit", str(folder), str(budget), str(gamma)]
        with tempfile.TemporaryFile("w+") as errors, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as process:
            results = [json.loads(line) for line in process.stdout if line.startswith("{")]
            if process.wait() != 0:
                errors.seek(0)
                sys.exit(errors.read()[-4000:])
        for parts, result in zip(flags.parts, results):
            print(json.dumps({"set": name, **result}), file=sys.stderr, flush=True)
            accuracy.append(row_of(name, parts, result, one))
            exchange.append(bytes_row(name, parts, result, budget))
    print("| data | partitions | test accuracy % | difference | learning s | of one machine | Java s | before the fit s |")
    print("|---|---|---|---|---|---|---|---|")
    print("\n".join(accuracy))
    print()
    print("| data | partitions | B | state KiB | to the driver MB, computed | measured | share of 1 GB of rows % | worker MiB, computed | measured |")
    print("|---|---|---|---|---|---|---|---|---|")
    print("\n".join(exchange))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sets", type=lambda text: text.split(","), default=list(BUDGETS))
    parser.add_argument("--parts", type=lambda text: [int(n) for n in text.split(",")], default=[2, 8, 32])
    parser.add_argument("--rows", type=int, default=20_000_000, help="rows of the checkerboard")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(os.environ.get("KINGLET_TEST_DATA", ROOT / ".." / "shared" / "data")))
    parser.add_argument("--fit", nargs=3, metavar=("FOLDER", "BUDGET", "GAMMA"), help=argparse.SUPPRESS)
    flags = parser.parse_args()
    if flags.fit:
        folder, budget, gamma = flags.fit
        fits(pathlib.Path(folder), int(budget), float(gamma), flags.parts)
    else:
        measure(flags)


if __name__ == "__main__":
    main()
