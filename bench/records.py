#!/usr/bin/env python3
"""Learn raw records with nothing set but the label: kinglet and LightGBM on the same five folds.

    bench/records.py [--folds N] [--seed N] [--write]

The rows of each file are shuffled once; every fold tests on one fifth of them and trains on the others, in the shuffled order.
kinglet reads the CSV text as it is, in one pass with its defaults. LightGBM has its defaults, too: pandas reads the same text
with `?` as a missing value, columns of text become categories, and 100 trees are grown. Both use one thread; seconds are
processor time, for kinglet with reading and starting, for LightGBM with fitting alone. --write puts the table into
docs/benchmarks.md.

Needs the Python packages lightgbm, scikit-learn and pandas (./dev bench records has them) and the folder KINGLET_TEST_DATA.
"""

import argparse
import dataclasses
import json
import lzma
import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile

import pages

ROOT = pathlib.Path(__file__).resolve().parent.parent


@dataclasses.dataclass
class Task:
    """A file, its label, and the accuracy in % that was asked of kinglet before the work began."""

    file: str
    label: str
    asked: float
    separator: str = ","
    ignored: tuple = ()

    def __str__(self):
        return self.file + "".join(f" without `{column}`" for column in self.ignored)


TASKS = [
    Task("adult.csv", "income", 85.3),
    Task("bank-marketing.csv", "y", 91, separator=";"),
    Task("bank-marketing.csv", "y", 89.9, separator=";", ignored=("duration",)),
]


def folds_of(task, folder, count, seed):
    """Pairs of CSV texts, to train on and to test on."""
    with lzma.open(folder / f"{task.file}.xz", "rt", encoding="utf-8") as file:
        header, *rows = (line + "\n" for line in file.read().splitlines())
    random.Random(seed).shuffle(rows)
    for fold in range(count):
        train = [row for i, row in enumerate(rows) if i % count != fold]
        yield "".join([header, *train]), "".join([header, *rows[fold::count]])


def processor_seconds(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


# --- learners: accuracy in % and seconds of one fold ------------------------------------------------------------------


def kinglet(task, train, test, flags):
    arguments = ["--label-column", task.label, "--threads", "1"]
    for column in task.ignored:
        arguments += ["--ignore", column]
    before = processor_seconds(resource.RUSAGE_CHILDREN)
    done = subprocess.run([flags.program, "train", train, "--test", test, "--json", *arguments],
                          check=True, capture_output=True, text=True)  # fmt: skip
    seconds = processor_seconds(resource.RUSAGE_CHILDREN) - before
    return 100 * json.loads(done.stdout)["test_accuracy"], seconds


def lightgbm(task, train, test, flags):
    import lightgbm
    import pandas

    tables = [pandas.read_csv(path, sep=task.separator, skipinitialspace=True, na_values="?") for path in (train, test)]
    texts = [name for name in tables[0].columns if tables[0][name].dtype.kind not in "if" and name != task.label]
    for name in texts:
        values = sorted(tables[0][name].dropna().unique())  # others are missing to LightGBM
        for table in tables:
            table[name] = pandas.Categorical(table[name].where(table[name].isin(values)), categories=values)
    x, x_test = (table.drop(columns=[task.label, *task.ignored]) for table in tables)
    before = processor_seconds(resource.RUSAGE_SELF)
    model = lightgbm.LGBMClassifier(verbose=-1, n_jobs=1).fit(x, tables[0][task.label])
    seconds = processor_seconds(resource.RUSAGE_SELF) - before
    return 100 * (model.predict(x_test) == tables[1][task.label]).mean(), seconds


LEARNERS = {"kinglet": kinglet, "LightGBM": lightgbm}


# --- table --------------------------------------------------------------------------------------------------------------


def measure(task, flags):
    """By learner: accuracy and seconds in each fold."""
    results = {name: [] for name in LEARNERS}
    with tempfile.TemporaryDirectory() as folder:
        train, test = pathlib.Path(folder, "train.csv"), pathlib.Path(folder, "test.csv")
        for texts in folds_of(task, flags.data, flags.folds, flags.seed):
            train.write_text(texts[0], encoding="utf-8"), test.write_text(texts[1], encoding="utf-8")
            for name, learner in LEARNERS.items():
                results[name].append(learner(task, train, test, flags))
                print(task, name, results[name][-1], file=sys.stderr, flush=True)
    return results


def line(task, results):
    cells = [str(task), f"{task.asked:.1f}"]
    for folds in results.values():
        accuracy, seconds = zip(*folds)
        cells += [f"{statistics.mean(accuracy):.2f} ± {statistics.stdev(accuracy):.2f}", f"{statistics.median(seconds):.2f}"]
    return cells


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1, help="of the shuffle")
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    parser.add_argument("--program", default=os.environ.get("KINGLET", ROOT / "build" / "kinglet"))
    parser.add_argument("--data", type=pathlib.Path,
                        default=pathlib.Path(os.environ.get("KINGLET_TEST_DATA", ROOT / ".." / "shared" / "data")))  # fmt: skip
    flags = parser.parse_args()
    if not flags.data.is_dir():
        print(f"The folder {flags.data} does not exist, so nothing is measured; set it with --data.")
        return
    title = ["file", "asked %", *(f"{name}, {what}" for name in LEARNERS for what in ("accuracy %", "seconds"))]
    table = pages.table(title, [line(task, measure(task, flags)) for task in TASKS])
    print(table)
    if flags.write:
        pages.put("bench records", table)


if __name__ == "__main__":
    main()
