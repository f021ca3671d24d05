#!/usr/bin/env python3
"""kinglet on Spark against one pass of the command on one machine: accuracy, processor time, bytes exchanged, memory.

    bench/spark.py [--sets covtype,checkerboard,kddcup] [--parts 2,8,32] [--rows 20000000] [--data FOLDER]
                   [--again] [--write]

Spark runs on local-cluster: two executors of one core each, in processes of their own. Both sides learn the same rows with the
same options (algorithm span): the command a CSV file, Spark a Parquet folder. gamma is that of the committee on 20,000 training
rows. The same rows are also divided into parts that are learned one after the other without Spark.

Results go to build/bench/spark/results.jsonl; with --write to bench/spark.jsonl, and the tables of all results there to
docs/benchmarks.md. What is there already is measured again only with --again.
Needs PySpark and Java; ./dev bench spark installs them.
"""

import argparse
import copy
import json
import lzma
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
import pages

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINGLET = os.environ.get("KINGLET", ROOT / "build" / "kinglet")
WORK = ROOT / "build" / "bench" / "spark"
PUBLISHED = ROOT / "bench" / "spark.jsonl"
BUDGETS = {"covtype": 500, "checkerboard": 200, "kddcup": 200}
FILES = 64  # of a Parquet folder
SAMPLE = 20_000
BATCH_ROWS = 10_000  # of Spark's Arrow batches
WITHOUT_SPARK = {"covtype": [2, 8, 32], "checkerboard": [2, 8, 32, 1000], "kddcup": [2, 8, 32]}  # numbers of parts
THIN_AFTER = 40_000  # the default of the option, which kinglet.spark divides by the number of parts


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


def processor_time(command):
    """Runs a command. Its processor time in seconds, and what it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, told


def one_machine(folder, budget, gamma):
    """One pass of the command, with reading; and what a start of a sample says about state and memory of each part."""
    model, start, sample = folder / "plain.kinglet", folder / "start.kinglet", folder / "sample.csv"
    options = ["--algo", "span", "--budget", str(budget), "--gamma", str(gamma), "--proba", "--threads", "1", "--seed", "1"]
    seconds, told = processor_time([KINGLET, "train", folder / "train.csv", *options, "-o", model, "--json", "--quiet"])
    learned = json.loads(told)
    _, told = processor_time([KINGLET, "eval", folder / "test.csv", "-m", model, "--json"])
    with open(folder / "train.csv", encoding="ascii") as rows, open(sample, "w", encoding="ascii") as head:
        head.writelines(line for line, _ in zip(rows, range(SAMPLE + 1)))
    processor_time([KINGLET, "span", sample, *options, "--scout", str(SAMPLE), "-o", start])
    _, about = processor_time([KINGLET, "info", start, "--json"])
    return {
        "seconds": seconds,
        "accuracy": json.loads(told)["accuracy"],
        "rows": learned["examples"],
        "features": learned["dimension"],
        "start_bytes": start.stat().st_size,
        "memory": json.loads(about)["memory_bytes"],
    }


def learning_alone(folder, budget, gamma):
    """Processor time of one pass over rows that are in memory."""
    import kinglet

    x, y = arrays(folder / "train.csv")
    learner = kinglet.KernelClassifier(algo="span", budget=budget, gamma=gamma, random_state=1)
    begin = time.process_time()
    for i in range(0, len(y), BATCH_ROWS):
        learner.partial_fit(x[i : i + BATCH_ROWS], y[i : i + BATCH_ROWS])
    return {"seconds": time.process_time() - begin}


def parts_without_spark(folder, budget, gamma, numbers_of_parts):
    """Learns parts one after the other, from one start. Prints what accuracy they have together, and what adding up costs."""
    import kinglet

    x, y = arrays(folder / "train.csv")
    test = arrays(folder / "test.csv")
    for parts in numbers_of_parts:
        thin_after = THIN_AFTER // parts
        sample = kinglet.KernelClassifier(
            algo="span", budget=budget, gamma=gamma, thin_after=thin_after, scout=SAMPLE + 1, random_state=1
        )
        start = kinglet.make_start(sample.partial_fit(x[:SAMPLE], y[:SAMPLE]))
        begin = time.process_time()
        models = []
        for i in range(parts):
            rows = slice(i * len(y) // parts, (i + 1) * len(y) // parts)
            models.append(copy.deepcopy(start).partial_fit(x[rows], y[rows]))
        learned = time.process_time()
        mixture = kinglet.mix(models)
        seconds = {"learn_seconds": learned - begin, "mix_seconds": time.process_time() - learned}
        accuracy = float(np.mean(mixture.predict(test[0]) == test[1]))
        print(json.dumps({"parts": parts, "spark": False, "accuracy": accuracy, **seconds}), flush=True)


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
        "spark.eventLog.logBlockUpdates.enabled": "true",
        "spark.eventLog.dir": f"file://{log}",
        "spark.sql.files.openCostInBytes": "0",
        "spark.sql.files.minPartitionNum": str(FILES),
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(BATCH_ROWS),
    }.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def exchanged(log):
    """Bytes so far, from Spark's event log: results of tasks, which go to the driver, and broadcasts, which executors fetch."""
    time.sleep(2)  # events are written in the background
    results = broadcasts = 0
    for file in pathlib.Path(log).iterdir():
        for line in file.read_text().splitlines():
            event = json.loads(line)
            if event["Event"] == "SparkListenerTaskEnd":
                results += event["Task Metrics"]["Result Size"]
            elif event["Event"] == "SparkListenerBlockUpdated":
                block = event["Block Updated Info"]
                if block["Block Manager ID"]["Executor ID"] != "driver" and re.match(r"broadcast_\d+_piece", block["Block ID"]):
                    broadcasts += block["Memory Size"] + block["Disk Size"]
    return np.array([results, broadcasts])


def fits(folder, budget, gamma, numbers_of_parts):
    """Fits once for each number of parts, in one session. Prints a line of JSON for each."""
    with tempfile.TemporaryDirectory() as log:
        session = session_of(log)
        rows = session.read.parquet(f"file://{folder}/train")
        session.range(0, 4, 1, 4).mapInArrow(warm_up, "id bigint").collect()
        started = java_seconds()
        for parts in numbers_of_parts:
            before, sent = java_seconds(), exchanged(log)
            result = fit(folder, rows, budget, gamma, parts)
            result["java_seconds"] = java_seconds() - before
            result["to_driver"], result["to_executors"] = map(int, exchanged(log) - sent)
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
        "spark": True,
        "parts": len(learned),
        "learn_seconds": sum(part.learn_seconds for part in learned),
        "task_seconds": sum(part.task_seconds for part in learned),
        "start_seconds": summary.start_seconds,
        "mix_seconds": summary.rounds[0].mix_seconds,
        "sample_rows": summary.sample_rows,
        "start_bytes": summary.start_bytes,
        "state_bytes": float(np.mean([part.model_bytes for part in learned])),
        "grown": max(part.process_bytes[1] - part.process_bytes[0] for part in learned),
    }


# --- results and tables -----------------------------------------------------------------------------------------------


def in_a_process(flag, folder, budget, gamma, *more):
    """Runs this script with a hidden flag, and yields the lines of JSON that it prints."""
    command = [sys.executable, "-B", __file__, flag, str(folder), str(budget), str(gamma), *more]
    with tempfile.TemporaryFile("w+") as errors, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as process:
        yield from (json.loads(line) for line in process.stdout if line.startswith("{"))
        if process.wait() != 0:
            errors.seek(0)
            sys.exit(errors.read()[-4000:])


def key_of(result):
    return result["data"], result["spark"], result["parts"]


def kept(file):
    """Results by data set, whether with Spark, and number of parts; 0 parts: one machine."""
    if not file.exists():
        return {}
    results = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return {key_of(result): result for result in results}


def keep(file, result):
    print(json.dumps(result), file=sys.stderr, flush=True)
    results = {**kept(file), key_of(result): result}
    lines = [json.dumps(results[key]) + "\n" for key in sorted(results)]
    file.write_text("".join(lines), encoding="utf-8")


def measure(name, flags, file):
    def missing(spark, numbers):
        return [parts for parts in numbers if flags.again or (name, spark, parts) not in kept(file)]

    alone = missing(False, [0])
    apart = missing(False, WITHOUT_SPARK[name])
    fitted = missing(True, flags.parts)
    if not (alone or apart or fitted):
        return
    folder, budget = prepare(name, flags), BUDGETS[name]
    task = (folder, budget, gamma_of(folder, budget))
    if alone:
        one = {"data": name, "spark": False, "parts": 0, "budget": budget, "gamma": task[2], **one_machine(*task)}
        (learning,) = in_a_process("--alone", *task)
        keep(file, {**one, "learn_seconds": learning["seconds"]})
    for flag, numbers in (("--apart", apart), ("--fit", fitted)):
        for result in in_a_process(flag, *task, "--parts", ",".join(map(str, numbers))) if numbers else []:
            keep(file, {"data": name, **result})


def one_of(results, data):
    return results[data, False, 0]


def learning_of(result):
    """Processor time of learning itself: the tasks with reading Arrow batches, the start and the mixture."""
    return result["task_seconds"] + result["start_seconds"] + result["mix_seconds"]


def accuracy_and_time(results):
    lines = []
    for (data, spark, parts), result in results.items():
        one = one_of(results, data)
        accuracy = f"{100 * result['accuracy']:.2f}"
        if parts == 0:
            about = f"{data}, {one['rows']:,} rows, B = {one['budget']}"
            lines.append([about, "one machine", accuracy, "", f"{one['seconds']:.1f}", "1", f"{one['learn_seconds']:.1f}", "1", ""])
            continue
        difference = f"{100 * (result['accuracy'] - one['accuracy']):+.2f}"
        alone = [f"{result['learn_seconds']:.1f}", f"{result['learn_seconds'] / one['learn_seconds']:.2f}"]
        if not spark:
            lines.append(["", f"{parts}, without Spark", accuracy, difference, "", "", *alone, ""])
            continue
        learning = learning_of(result)
        whole = [f"{learning:.1f}", f"{learning / one['seconds']:.2f}"]
        lines.append(["", str(parts), accuracy, difference, *whole, *alone, f"{result['java_seconds']:.0f}"])
    return pages.table(
        ["data", "partitions", "test accuracy %", "difference", "learning s", "ratio", "without reading s", "ratio", "Java s"], lines
    )


def computed_state(one):
    """The bytes of a part's model: those of the start, and half of the 15 observations that may be pending (docs/model-format.md)."""
    return one["start_bytes"] + 7.5 * (8 * one["budget"] + 8 * 16)


def computed_memory(one):
    """What a task needs beside Python: the learner, the start and the result as bytes, twice each, and three batches."""
    return one["memory"] + 4 * one["start_bytes"] + 3 * BATCH_ROWS * (4 * one["features"] + 8)


def bytes_and_memory(results):
    lines = []
    for (data, spark, parts), result in results.items():
        if not spark:
            continue
        one = one_of(results, data)
        state = computed_state(one)
        sample = result["sample_rows"] * (4 * one["features"] + 8)
        lines.append([
            data, str(parts), f"{state / 1e3:.0f}", f"{result['state_bytes'] / 1e3:.0f}",
            f"{(parts * state + sample) / 1e6:.1f}", f"{result['to_driver'] / 1e6:.1f}", f"{result['to_executors'] / 1e6:.1f}",
            f"{100 * parts * state / 1e9:.2f}", f"{computed_memory(one) / 1e6:.1f}", f"{result['grown'] / 1e6:.1f}",
        ])  # fmt: skip
    title = ["data", "partitions", "state kB, computed", "measured", "to the driver MB, computed", "measured",
             "to the executors MB", "rows of which models are 1 %, GB", "task MB, computed", "measured"]  # fmt: skip
    return pages.table(title, lines)


def growth(results):
    """What 10^11 rows on a thousand executors of one core would take, from the constants of the fit with most partitions."""
    executors, all_rows = 1000, 10**11
    lines = []
    for data in sorted({data for data, spark, _ in results if spark}):
        one = one_of(results, data)
        parts = max(parts for of, spark, parts in results if of == data and spark)
        result = results[data, True, parts]
        learning, java = result["task_seconds"] / one["rows"], result["java_seconds"] / one["rows"]
        mixing, state = result["mix_seconds"] / parts, computed_state(one)
        row_bytes = 4 * one["features"] + 8
        balance = (learning * all_rows / mixing) ** 0.5  # executors with which learning takes as long as adding up
        lines.append([
            data, f"{1e6 * learning:.2f}", f"{1e6 * java:.1f}", f"{1e3 * mixing:.1f}", f"{state / 1e6:.2f}",
            f"{learning * all_rows / executors:,.0f}", f"{java * all_rows / executors:,.0f}", f"{mixing * executors:.1f}",
            f"{state * executors / 1e9:.2f}", f"{all_rows * row_bytes / 1e12:.1f}",
            f"{100 * state * executors / (all_rows * row_bytes):.3f}", f"{balance:,.0f}",
        ])  # fmt: skip
    title = ["data", "learning µs/row", "Java µs/row", "adding up ms/model", "state MB", "learning s", "Java s", "adding up s",
             "to the driver GB", "rows TB", "share %", "balance"]  # fmt: skip
    return pages.table(title, lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=lambda text: text.split(","), default=list(BUDGETS))
    parser.add_argument("--parts", type=lambda text: [int(n) for n in text.split(",")], default=[2, 8, 32])
    parser.add_argument("--rows", type=int, default=20_000_000, help="rows of the checkerboard")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(os.environ.get("KINGLET_TEST_DATA", ROOT / ".." / "shared" / "data")))
    parser.add_argument("--again", action="store_true", help="measure again what is kept")
    parser.add_argument("--write", action="store_true", help="keep the results in bench/spark.jsonl and write docs/benchmarks.md")
    for step in ("--fit", "--alone", "--apart"):
        parser.add_argument(step, nargs=3, metavar=("FOLDER", "BUDGET", "GAMMA"), help=argparse.SUPPRESS)
    flags = parser.parse_args()
    step = flags.fit or flags.alone or flags.apart
    if step:
        task = (pathlib.Path(step[0]), int(step[1]), float(step[2]))
        if flags.fit:
            fits(*task, flags.parts)
        elif flags.apart:
            parts_without_spark(*task, flags.parts)
        else:
            print(json.dumps(learning_alone(*task)))
        return
    WORK.mkdir(parents=True, exist_ok=True)
    file = PUBLISHED if flags.write else WORK / "results.jsonl"
    for name in flags.sets:
        measure(name, flags, file)
    results = kept(file)
    for name, make in (("spark", accuracy_and_time), ("spark bytes", bytes_and_memory), ("spark growth", growth)):
        print(f"\n{make(results)}")
        if flags.write:
            pages.put(f"bench {name}", make(results))


if __name__ == "__main__":
    main()
