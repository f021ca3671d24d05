#!/usr/bin/env python3
"""Accuracy of BPegasos after one pass over standardised data, compared with a target and with the paper.

    bench/accuracy.py [--data FOLDER] [--quick]

Runs build/kinglet on generated data sets and, if the folder of benchmark data exists, on real ones. Each real training
file is shuffled with seeds 1 to 5; the table shows mean and standard deviation over the shuffles. --quick uses one tenth
of the checkerboard and one shuffle.
"""
import argparse
import json
import lzma
import os
import pathlib
import random
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINGLET = os.environ.get("KINGLET", ROOT / "build" / "kinglet")


def train(data, test, *options):
    command = [KINGLET, "train", data, "--test", test, "--algo", "bpegasos", "--json", *options]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def rows(folder, name):
    with lzma.open(folder / f"{name}.xz", "rt") as lines:
        return lines.readlines()


def shuffled(lines, seed, path):
    lines = list(lines)
    random.Random(seed).shuffle(lines)
    path.write_text("".join(lines))


def report(name, maintain, budget, results, wanted, paper):
    accuracies = [100 * r["test_accuracy"] for r in results]
    spread = f" ± {statistics.stdev(accuracies):.2f}" if len(accuracies) > 1 else ""
    rate = statistics.mean(r["examples_per_second"] for r in results)
    asked = f"≥ {wanted}" if wanted else ""
    mean = statistics.mean(accuracies)
    print(f"| {name} | {maintain} | {budget} | {mean:.2f}{spread} | {asked} | {paper} | {rate / 1e6:.3f} |", flush=True)


def generated(quick):
    n = 1_000_000 if quick else 10_000_000
    board, fresh = f"gen:checkerboard?n={n}&seed=1", "gen:checkerboard?n=200000&seed=2"
    for budget, wanted, paper in ((100, 99.4, 99.55), (500, 99.6, 99.83)):
        result = train(board, fresh, "--budget", str(budget), "--gamma", "6", "--lambda", "1e-5")
        report(f"checkerboard {n // 1_000_000} M", "merge", budget, [result], None if quick else wanted, paper)
    n = 100_000 if quick else 1_000_000
    board = f"gen:checkerboard?n={n}&seed=1"
    for maintain, paper in (("smallest", 79.19), ("project", 99.25), ("merge", 99.55)):
        result = train(board, fresh, "--budget-rule", maintain, "--budget", "100", "--gamma", "6", "--lambda", "1e-4")
        report(f"checkerboard {n // 1000} k, λ = 1e-4", maintain, 100, [result], None, paper)


# name, budget rule, budget, options, target, paper
REAL = [
    ("ijcnn1", "merge", 500, ["--gamma", ".15", "--lambda", "3e-5"], 97.5, 98.08),
    ("a9a", "merge", 500, ["--gamma", ".004", "--lambda", "3e-4"], 84.0, "83.93 (another Adult file)"),
    ("usps", "merge", 500, ["--gamma", ".006", "--lambda", "3e-4"], 92.5, "92.91 (smoothed pixels)"),
    ("letter", "merge", 500, ["--gamma", ".3", "--lambda", "1e-4"], 88.0, 89.68),
    ("ijcnn1", "smallest", 500, ["--gamma", ".15", "--lambda", "1e-4"], None, 93.30),
    ("ijcnn1", "project", 500, ["--gamma", ".05", "--lambda", "1e-5"], None, 97.52),
]


def real(folder, shuffles):
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        for name, maintain, budget, options, wanted, paper in REAL:
            if name == "letter":
                everything = rows(folder, name)
                train_rows, test_rows = everything[:16000], everything[16000:]
            else:
                train_rows, test_rows = rows(folder, name), rows(folder, f"{name}.t")
            (place / "test").write_text("".join(test_rows))
            results = []
            for seed in range(1, shuffles + 1):
                shuffled(train_rows, seed, place / "train")
                results.append(train(place / "train", place / "test", "--budget-rule", maintain, "--budget", str(budget),
                                     *options))
            report(name, maintain, budget, results, wanted, paper)


def main():
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--data", type=pathlib.Path,
                       default=pathlib.Path(os.environ.get("KINGLET_TEST_DATA", ROOT / ".." / "shared" / "data")))
    flags.add_argument("--quick", action="store_true")
    given = flags.parse_args()
    print("| data | budget rule | B | test accuracy % | target | paper | M examples/s |\n|---|---|---|---|---|---|---|")
    generated(given.quick)
    if given.data.is_dir():
        real(given.data, 1 if given.quick else 5)
    else:
        print(f"\nThe folder {given.data} does not exist, so real data sets are skipped; set it with --data.")


if __name__ == "__main__":
    main()
