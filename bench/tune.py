#!/usr/bin/env python3
"""Compare `kinglet tune` with the papers' way of finding settings: tenfold cross-validation over a grid.

    bench/tune.py [--data FOLDER] [--sets banana,ijcnn1] [--budget 500] [--quick]

The grid has 11 values of gamma, 2^-5 to 2^5 (Lu, Zhao, Hoi: SDM 2016), and 7 of lambda, 10^-7 to 10^-1. The winner of each
method learns the training set in the same five orders and is measured on the test set. `tune` runs with five seeds, the
grid search once. Times are processor time of the whole search; reading the file again for each setting of the grid is a
hundredth of it. --quick uses one tenth of the rows and every other value of the grid.
"""
import argparse
import json
import lzma
import os
import pathlib
import random
import resource
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINGLET = os.environ.get("KINGLET", ROOT / "build" / "kinglet")
SEEDS = range(1, 6)


def rows(folder, name):
    with lzma.open(folder / f"{name}.xz", "rt") as lines:
        return lines.readlines()


def split_file(folder, name, tested):
    """Split a data set that comes in one file: a fixed random selection of its rows is the test set."""
    everything = rows(folder, name)
    random.Random(1).shuffle(everything)
    return everything[tested:], everything[:tested]


def generated(count):
    def make(n, seed):
        done = subprocess.run([KINGLET, "gen", "checkerboard", "-n", str(n), "--seed", str(seed)], check=True,
                              capture_output=True, text=True)  # fmt: skip
        return done.stdout.splitlines(keepends=True)

    return make(count, 1), make(10000, 2)


SETS = {
    "banana": lambda folder: split_file(folder, "banana", 1000),
    "satimage": lambda folder: (rows(folder, "satimage"), rows(folder, "satimage.t")),
    "letter": lambda folder: split_file(folder, "letter", 4000),
    "ijcnn1": lambda folder: (rows(folder, "ijcnn1"), rows(folder, "ijcnn1.t")),
    "checkerboard": lambda folder: generated(20000),
}


def run(*arguments):
    """Return the JSON that a command prints and the processor time it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([KINGLET, *map(str, arguments), "--json", "--quiet"], check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(done.stdout), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def setting(gamma, value):
    return ["--gamma", gamma, "--lambda", value]


def cross_validated(data, budget, options):
    result, seconds = run("compare", data, "--folds", 10, "--runs", 1, "--budget", budget, *options)
    return result["learners"][0]["accuracy"]["mean"], seconds


def by_grid(data, budget, quick):
    step = 2 if quick else 1
    best, total = (-1, []), 0
    for gamma in range(-5, 6, step):
        for exponent in range(-7, 0, step):
            options = setting(2.0**gamma, f"1e{exponent}")
            accuracy, seconds = cross_validated(data, budget, options)
            best = max(best, (accuracy, options), key=lambda item: item[0])
            total += seconds
    return best[1], total


def by_tune(data, budget, seed):
    result, seconds = run("tune", data, "--budget", budget, "--seed", seed)
    found = result["best"]["searched"]
    return setting(found["gamma"], found["lambda"]), seconds


def measured(data, test, budget, options):
    result, _ = run("compare", data, "--test", test, "--runs", len(SEEDS), "--budget", budget, *options)
    return [100 * accuracy for accuracy in result["learners"][0]["scores"]]


def spread(numbers):
    return f"{statistics.mean(numbers):.2f} ± {statistics.stdev(numbers):.2f}"


def compare(name, train_rows, test_rows, budget, quick):
    if quick:
        train_rows = train_rows[::10]
    with tempfile.TemporaryDirectory() as place:
        data, test = pathlib.Path(place, "train.libsvm"), pathlib.Path(place, "test.libsvm")
        data.write_text("".join(train_rows))
        test.write_text("".join(test_rows))
        grid, grid_seconds = by_grid(data, budget, quick)
        tuned = [by_tune(data, budget, seed) for seed in SEEDS]
        of_grid = measured(data, test, budget, grid)
        of_tune = [accuracy for options, _ in tuned for accuracy in measured(data, test, budget, options)]
        seconds = statistics.mean(seconds for _, seconds in tuned)
    found = f"γ {grid[1]:g}, λ {grid[3]}"
    print(f"| {name} | {len(train_rows)} | {budget} | {found} | {spread(of_grid)} | {grid_seconds:.1f} | {spread(of_tune)} "
          f"| {seconds:.2f} | {grid_seconds / seconds:.0f} |", flush=True)  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--budget", type=int, default=500)
    parser.add_argument("--quick", action="store_true")
    flags = parser.parse_args()
    print("| set | rows | B | grid’s best | test accuracy % | grid, s | test accuracy % of tune | tune, s | speed-up |")
    print("|---|---|---|---|---|---|---|---|---|")
    for each in flags.sets.split(","):
        compare(each, *SETS[each](flags.data), flags.budget, flags.quick)
