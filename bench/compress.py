#!/usr/bin/env python3
"""Compress LIBSVM models: accuracy and distance for several budgets, and the size of the exported C code.

    bench/compress.py [--data FOLDER] [--sets a9a,ijcnn1] [--budgets 100,200,500,1000]

svm-train learns the training set with the settings below. kinglet compress reduces its support vectors, and kinglet export
writes the result as C with float and with int8 vectors. Accuracy is measured on the test set, in percent.
"""
import argparse
import json
import lzma
import os
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINGLET = os.environ.get("KINGLET", ROOT / "build" / "kinglet")
SETTINGS = {"a9a": ["-c", "1", "-g", "0.05"], "ijcnn1": ["-c", "32", "-g", "2"]}


def run(*arguments):
    done = subprocess.run([KINGLET, *map(str, arguments), "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def unpack(folder, name, to):
    with lzma.open(folder / f"{name}.xz", "rb") as packed:
        (to / name).write_bytes(packed.read())
    return to / name


def train(folder, name, to):
    data, model = unpack(folder, name, to), to / f"{name}.model"
    begin = time.monotonic()
    subprocess.run(["svm-train", "-q", "-m", "500", *SETTINGS[name], data, model], check=True)
    print(f"{name}: svm-train {' '.join(SETTINGS[name])} took {time.monotonic() - begin:.0f} s\n")
    return model


def table(model, test, budgets, to):
    print("| vectors | accuracy % | lost, points | distance | seconds | C float, bytes | C int8, bytes |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for budget in budgets:
        small = to / "small.kinglet"
        result = run("compress", model, "--budget", budget, "--test", test, "-o", small)
        before, after = (100 * result[when]["accuracy"] for when in ("before", "after"))
        if budget == budgets[0]:
            print(f"| {result['support_vectors_before']:,} | {before:.2f} | | | | | |")
        sizes = [run("export", small, "-o", to / "small.c", "--type", kind)["table_bytes"] for kind in ("float", "int8")]
        print(f"| {result['support_vectors']:,} | {after:.2f} | {before - after:.2f} | {result['relative_distance']:.3f} "
              f"| {result['seconds']:.1f} | {sizes[0]:,} | {sizes[1]:,} |", flush=True)
    print()


def main():
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    data = os.environ.get("KINGLET_TEST_DATA", ROOT.parent / "shared" / "data")
    flags.add_argument("--data", type=pathlib.Path, default=pathlib.Path(data))
    flags.add_argument("--sets", default="a9a,ijcnn1")
    flags.add_argument("--budgets", default="100,200,500,1000")
    given = flags.parse_args()
    for name in given.sets.split(","):
        if not (given.data / f"{name}.xz").exists():
            print(f"{name}: not in {given.data}; give --data FOLDER")
            continue
        with tempfile.TemporaryDirectory() as folder:
            to = pathlib.Path(folder)
            model = train(given.data, name, to)
            table(model, unpack(given.data, f"{name}.t", to), [int(b) for b in given.budgets.split(",")], to)


if __name__ == "__main__":
    main()
