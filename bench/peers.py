#!/usr/bin/env python3
"""Compare kinglet with programs from the package manager, on the same data, in one run.

    bench/peers.py [--data FOLDER]

The others are LIBSVM (svm-train, svm-predict), dlib's svm_pegasos with a bounded number of vectors (build/bench/dlib_peer)
and scikit-learn's SGDClassifier on Nyström features. Data are standardised once and written as LIBSVM files for all
programs. Times are those of training if the program reports them, else of the whole command. A command is stopped after
LIMIT seconds.
"""
import argparse
import json
import lzma
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINGLET = os.environ.get("KINGLET", ROOT / "build" / "kinglet")
DLIB = ROOT / "build" / "bench" / "dlib_peer"
LIMIT = 180

SKLEARN = """
import json, resource, sys, time
import numpy
from sklearn.datasets import load_svmlight_file
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import SGDClassifier
train, test, gamma, alpha, budget = sys.argv[1:]
x, y = load_svmlight_file(train)
t, u = load_svmlight_file(test, n_features=x.shape[1])
x, t = x.toarray(), t.toarray()
begin = time.perf_counter()
features = Nystroem(gamma=float(gamma), n_components=int(budget), random_state=1)
model = SGDClassifier(alpha=float(alpha), max_iter=1, tol=None, random_state=1).fit(features.fit_transform(x), y)
seconds = time.perf_counter() - begin
print(json.dumps({"seconds": seconds, "test_accuracy": float(model.score(features.transform(t), u)),
                  "support_vectors": int(budget),
                  "peak_rss_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))
"""


def standardised(train, test):
    """Lines of both sets, scaled so that each feature has mean 0 and deviation 1 on the training rows."""
    def parse(line):
        label, *pairs = line.split()
        return label, {int(k): float(v) for k, v in (pair.split(":") for pair in pairs)}
    train, test = [parse(line) for line in train], [parse(line) for line in test]
    sums, squares = {}, {}
    for _, row in train:
        for k, v in row.items():
            sums[k] = sums.get(k, 0) + v
            squares[k] = squares.get(k, 0) + v * v
    n = len(train)
    mean = {k: s / n for k, s in sums.items()}
    deviation = {k: max(0, squares[k] / n - mean[k] ** 2) ** 0.5 for k in sums}
    kept = sorted(k for k in sums if deviation[k] > 0)

    def lines(rows):
        for label, row in rows:
            values = (f"{k}:{(row.get(k, 0) - mean[k]) / deviation[k]:.6g}" for k in kept)
            yield f"{label} {' '.join(values)}\n"
    return lines(train), lines(test)


def run(command):
    begin = time.perf_counter()
    done = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True,
                          timeout=LIMIT)
    return done.stdout, time.perf_counter() - begin


def kinglet(train, test, gamma, lam, budget):
    out, _ = run([KINGLET, "train", train, "--test", test, "--algo", "bpegasos", "--scale", "none", "--gamma", gamma,
                  "--lambda", lam, "--budget", budget, "--json"])
    return json.loads(out)


def libsvm(train, test, gamma, lam, _budget):
    model = train.with_suffix(".model")
    n = sum(1 for _ in open(train))
    # λ of the regularised form corresponds to C = 1/(λ n).
    cost = min(100.0, 1 / (float(lam) * n))
    _, seconds = run(["svm-train", "-q", "-g", gamma, "-c", cost, "-m", "1000", train, model])
    out, _ = run(["svm-predict", test, model, os.devnull])
    accuracy = float(re.search(r"Accuracy = ([0-9.]+)%", out).group(1)) / 100
    vectors = int(re.search(r"total_sv (\d+)", model.read_text()).group(1))
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    return {"seconds": seconds, "test_accuracy": accuracy, "support_vectors": vectors, "peak_rss_bytes": memory}


def dlib(train, test, gamma, lam, budget):
    return json.loads(run([DLIB, train, test, gamma, lam, budget])[0])


def sklearn(train, test, gamma, lam, budget):
    return json.loads(run(["/usr/bin/python3", "-c", SKLEARN, train, test, gamma, lam, budget])[0])


PEERS = [("kinglet bpegasos", kinglet), ("LIBSVM (exact)", libsvm), ("dlib svm_pegasos", dlib),
         ("scikit-learn SGD + Nyström", sklearn)]


def compare(name, train_lines, test_lines, gamma, lam, budget, place):
    train, test = place / "train", place / "test"
    random.Random(1).shuffle(train_lines)
    scaled_train, scaled_test = standardised(train_lines, test_lines)
    train.write_text("".join(scaled_train))
    test.write_text("".join(scaled_test))
    ours = None
    for peer, measure in PEERS:
        if peer.startswith("LIBSVM") and shutil.which("svm-train") is None:
            print(f"| {name} | {peer} | svm-train is not installed |")
            continue
        if peer.startswith("dlib") and not DLIB.exists():
            print(f"| {name} | {peer} | {DLIB.name} is not built |")
            continue
        try:
            result = measure(train, test, gamma, lam, budget)
        except subprocess.TimeoutExpired:
            more = LIMIT / ours if ours else 0
            print(f"| {name} | {peer} | stopped after {LIMIT} | > {more:.0f} × | – | – | – |", flush=True)
            continue
        ours = ours or result["seconds"]
        print(f"| {name} | {peer} | {result['seconds']:.3f} | {result['seconds'] / ours:.1f} × | "
              f"{100 * result['test_accuracy']:.2f} | {result['support_vectors']} | "
              f"{result['peak_rss_bytes'] / 1e6:.0f} |", flush=True)


def main():
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--data", type=pathlib.Path,
                       default=pathlib.Path(os.environ.get("KINGLET_TEST_DATA", ROOT / ".." / "shared" / "data")))
    folder = flags.parse_args().data
    print("| data | program | training s | relative to kinglet | test accuracy % | vectors | peak MB |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        sets = []
        for seed, n in ((1, 20000), (2, 20000)):
            out, _ = run([KINGLET, "gen", f"gen:checkerboard?n={n}&seed={seed}"])
            sets.append(out.splitlines(keepends=True))
        compare("checkerboard 20 k", *sets, "8", "1e-5", "500", place)
        for name, gamma, lam in (("ijcnn1", ".15", "3e-5"), ("a9a", ".003", "3e-4")):
            if not (folder / f"{name}.xz").exists():
                print(f"| {name} | skipped: not found in the data folder; set it with --data |")
                continue
            rows = [lzma.open(folder / f"{part}.xz", "rt").readlines() for part in (name, f"{name}.t")]
            compare(name, *rows, gamma, lam, "500", place)


if __name__ == "__main__":
    main()
