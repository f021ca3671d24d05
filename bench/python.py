#!/usr/bin/env python3
"""Speed of kinglet in Python, compared with C++ (`speed`) and with scikit-learn, River and LIBSVM (`peers`).

    bench/python.py [speed] [peers] [--rows N] [--data FOLDER] [--limit SECONDS]

Needs the package with its test requirements (pip install '.[test]') and build/bench/array_bench. Times are processor
time, so other programs on the machine do not count. Each contestant of `peers` runs in its own process, which is stopped
after the limit. LIBSVM takes part if svm-train and svm-predict are installed.
"""
import argparse
import json
import lzma
import os
import pathlib
import pickle
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import timeit

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARRAY_BENCH = os.environ.get("KINGLET_ARRAY_BENCH", ROOT / "build" / "bench" / "array_bench")
ROWS, DIMENSION, BUDGET = 1_000_000, 54, 500
# All contestants share the kernel width and, if they have a budget, the number of vectors or features.
PEERS = {
    "ijcnn1": {"gamma": 0.2, "lambda": 1e-5, "budget": 500},
    "magic04": {"gamma": 0.1, "lambda": 1e-4, "budget": 500},
}


# --- compared with C++ ------------------------------------------------------------------------------------------------


def stream(rows):
    """Rows of 54 numbers with two classes that no plane separates."""
    draw = np.random.default_rng(1)
    X = draw.standard_normal((rows, DIMENSION), dtype=np.float32)
    y = ((X[:, :3] ** 2).sum(axis=1) + 0.3 * draw.standard_normal(rows, dtype=np.float32) > 2.4).astype(np.int64)
    return X, y


def in_cpp(data, rows, proba):
    command = [str(ARRAY_BENCH), str(rows), str(DIMENSION), str(BUDGET), proba]
    with open(data, "rb") as file:
        return json.loads(subprocess.run(command, stdin=file, capture_output=True, check=True).stdout)


def seconds_of(work):
    begin = time.thread_time()
    work()
    return time.thread_time() - begin


def one_row_microseconds(work, rows):
    """The best of many short runs, as in C++."""
    row = iter(range(1 << 60))
    timer = timeit.Timer(lambda: work(rows[next(row) % len(rows)]))
    return 1e6 * min(timer.repeat(repeat=200, number=50)) / 50


def speed(count, rounds=3):
    from kinglet import KernelClassifier

    X, y = stream(count)
    cpp, plain, fit, shuffled, wide = [], [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder) / "array"
        data.write_bytes(X.tobytes() + y.astype(np.uint8).tobytes())
        model = KernelClassifier(algo="bpegasos", budget=BUDGET, passes=1, shuffle=False, random_state=1)
        for _ in range(rounds):  # alternate, so that a busy machine slows both
            cpp.append(in_cpp(data, count, "true"))
            plain.append(in_cpp(data, count, "false"))
            fit.append(seconds_of(lambda: model.fit(X, y)))
            shuffled.append(seconds_of(lambda: KernelClassifier(algo="bpegasos", budget=BUDGET, passes=1, random_state=1).fit(X, y)))
        few = min(count, 200_000)
        wide_rows = X[:few].astype(np.float64)
        for _ in range(rounds):
            wide.append(
                seconds_of(lambda: model.fit(wide_rows, y[:few]))
                / seconds_of(lambda: model.fit(X[:few], y[:few]))
            )
        model.fit(X, y)
    best = min(run["learn_seconds"] for run in cpp)
    print(f"fit, {count:,} rows of {DIMENSION} float32, budget {BUDGET}, one pass, processor time")
    print(f"  C++                      {best:8.3f} s")
    print(f"  C++ without proba        {min(run['learn_seconds'] for run in plain):8.3f} s")
    print(f"  Python, in order         {min(fit):8.3f} s   {min(fit) / best:.3f} of C++")
    print(f"  Python, shuffled         {min(shuffled):8.3f} s   {min(shuffled) / best:.3f} of C++")
    print(f"  float64 / float32        {min(wide):8.3f}")
    rows = [X[i : i + 1] for i in range(1000)]
    one = min(run["predict_microseconds"] for run in cpp)
    print("predict, one row")
    print(f"  C++                      {one:8.2f} µs")
    for name in ("predict", "decision_function", "predict_proba"):
        here = one_row_microseconds(getattr(model, name), rows)
        print(f"  {name:24} {here:8.2f} µs   {here - one:.2f} µs more than C++")


# --- compared with other libraries ------------------------------------------------------------------------------------


def load(folder, name):
    """Standardised float32 rows and labels 0 and 1. Without a test file, three quarters of the rows are for training."""
    from sklearn.datasets import load_svmlight_file

    parts = []
    for path in (folder / f"{name}.xz", folder / f"{name}.t.xz"):
        if path.exists():
            with lzma.open(path) as file:
                parts.append(load_svmlight_file(file))
    width = max(part[0].shape[1] for part in parts)
    tables = []
    for X, y in parts:
        dense = np.zeros((X.shape[0], width), np.float32)
        dense[:, : X.shape[1]] = X.toarray()
        tables.append((dense, (y == np.unique(parts[0][1])[-1]).astype(np.int64)))
    if len(tables) == 1:
        X, y = tables[0]
        order = np.random.default_rng(1).permutation(len(y))
        cut = 3 * len(y) // 4
        tables = [(X[order[:cut]], y[order[:cut]]), (X[order[cut:]], y[order[cut:]])]
    (X, y), (X_test, y_test) = tables
    order = np.random.default_rng(2).permutation(len(y))
    mean, deviation = X.mean(axis=0), X.std(axis=0)
    deviation[deviation == 0] = 1
    return (X[order] - mean) / deviation, y[order], (X_test - mean) / deviation, y_test


def contestants():
    from sklearn.kernel_approximation import Nystroem, RBFSampler
    from sklearn.linear_model import SGDClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import SVC

    from kinglet import KernelClassifier

    def machine(kind):
        return lambda s: make_pipeline(
            kind(gamma=s["gamma"], n_components=s["budget"], random_state=1),
            SGDClassifier(alpha=s["lambda"], random_state=1),
        )

    return {
        "kinglet, one pass": lambda s: KernelClassifier(
            algo="bpegasos", gamma=s["gamma"], reg_lambda=s["lambda"], budget=s["budget"], scale="none", passes=1, random_state=1
        ),
        "kinglet, five passes": lambda s: KernelClassifier(
            algo="bpegasos", gamma=s["gamma"], reg_lambda=s["lambda"], budget=s["budget"], scale="none", passes=5, random_state=1
        ),
        "scikit-learn SVC": lambda s: SVC(gamma=s["gamma"], C=s["C"], cache_size=1000),
        "scikit-learn SGD + Nyström": machine(Nystroem),
        "scikit-learn SGD + RBFSampler": machine(RBFSampler),
    }


def river_contestants():
    from river import feature_extraction, linear_model, neighbors, optim

    from kinglet.river import KernelClassifier

    return {
        "River: kinglet": lambda s: KernelClassifier(
            algo="bpegasos", gamma=s["gamma"], reg_lambda=s["lambda"], budget=s["budget"], scale="none", seed=1
        ),
        "River: RBFSampler + logistic": lambda s: feature_extraction.RBFSampler(
            gamma=s["gamma"], n_components=s["budget"], seed=1
        )
        | linear_model.LogisticRegression(optim.SGD(0.1)),
        "River: nearest neighbours": lambda s: neighbors.KNNClassifier(
            n_neighbors=5, engine=neighbors.LazySearch(window_size=s["budget"])
        ),
    }


def megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run_river(make, settings, X, y, X_test, y_test):
    """Train a River model one dictionary at a time. 5,000 test rows are enough, as some models are slow."""
    model = make(settings)
    rows = [dict(enumerate(row)) for row in X.tolist()]
    labels = y.astype(bool).tolist()
    before = megabytes()
    begin = time.process_time()
    for x, label in zip(rows, labels):
        model.learn_one(x, label)
    seconds = time.process_time() - begin
    chosen = np.random.default_rng(3).permutation(len(y_test))[:5000]
    right = sum(model.predict_one(dict(enumerate(X_test[i].tolist()))) == bool(y_test[i]) for i in chosen)
    used = megabytes() - before
    return {"seconds": seconds, "accuracy": right / len(chosen), "memory": used, "size": len(pickle.dumps(model))}


def run_sklearn(make, settings, X, y, X_test, y_test):
    model = make(settings)
    before = megabytes()
    begin = time.process_time()
    model.fit(X, y)
    seconds = time.process_time() - begin
    used = megabytes() - before
    accuracy = model.score(X_test, y_test)
    return {"seconds": seconds, "accuracy": accuracy, "memory": used, "size": len(pickle.dumps(model))}


def run_libsvm(settings, X, y, X_test, y_test):
    def write(path, rows, labels):
        with open(path, "w") as file:
            for row, label in zip(rows.tolist(), labels.tolist()):
                file.write(f"{label} " + " ".join(f"{i + 1}:{v:.6g}" for i, v in enumerate(row) if v != 0) + "\n")

    with tempfile.TemporaryDirectory() as folder:
        train, test, model, out = (pathlib.Path(folder) / name for name in ("train", "test", "model", "out"))
        write(train, X, y)
        write(test, X_test, y_test)
        options = ["-q", "-g", str(settings["gamma"]), "-c", str(settings["C"]), "-m", "1000"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(["svm-train", *options, str(train), str(model)], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = ["svm-predict", str(test), str(model), str(out)]
        text = subprocess.run(command, check=True, capture_output=True, text=True)
        return {
            "seconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            "accuracy": float(text.stdout.split("Accuracy = ")[1].split("%")[0]) / 100,
            "memory": after.ru_maxrss / 1024,
            "size": model.stat().st_size,
        }


def one_contest(folder, name, contestant):
    X, y, X_test, y_test = load(folder, name)
    # λ of the regularised form corresponds to C = 1/(λ n).
    settings = {**PEERS[name], "C": min(100.0, 1 / (PEERS[name]["lambda"] * len(y)))}
    if contestant == "LIBSVM":
        result = run_libsvm(settings, X, y, X_test, y_test)
    elif contestant.startswith("River"):
        result = run_river(river_contestants()[contestant], settings, X, y, X_test, y_test)
    else:
        result = run_sklearn(contestants()[contestant], settings, X, y, X_test, y_test)
    print(json.dumps(result))


def peers(folder, limit):
    names = [*contestants(), *river_contestants()] + (["LIBSVM"] if shutil.which("svm-train") else [])
    print("| data | learner | training s | test accuracy % | memory MB | model KB |\n|---|---|---|---|---|---|")
    for data in PEERS:
        if not (folder / f"{data}.xz").exists():
            print(f"{data}.xz not found in {folder}; set the folder with --data", file=sys.stderr)
            continue
        for name in names:
            command = [sys.executable, "-B", __file__, "--data", str(folder), "--contest", data, name]
            environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
            try:
                run = subprocess.run(
                    command, capture_output=True, text=True, timeout=limit, check=True, env=environment
                )
            except subprocess.TimeoutExpired:
                print(f"| {data} | {name} | stopped after {limit} | – | – | – |", flush=True)
                continue
            r = json.loads(run.stdout)
            print(
                f"| {data} | {name} | {r['seconds']:.2f} | {100 * r['accuracy']:.2f} | {r['memory']:.0f} | "
                f"{r['size'] / 1024:.0f} |",
                flush=True,
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", nargs="*", metavar="speed|peers", help="what to measure (default: both)")
    parser.add_argument("--rows", type=int, default=ROWS, help="rows that `speed` learns")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT / ".." / "shared" / "data")
    parser.add_argument("--limit", type=int, default=600, help="stop a contestant after this many seconds")
    parser.add_argument("--contest", nargs=2, metavar=("DATA", "NAME"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.contest:
        one_contest(arguments.data, *arguments.contest)
        return
    if not set(arguments.what) <= {"speed", "peers"}:
        parser.error("choose speed, peers or both")
    for what in arguments.what or ["speed", "peers"]:
        if what == "speed":
            speed(arguments.rows)
        else:
            peers(arguments.data, arguments.limit)


if __name__ == "__main__":
    main()
