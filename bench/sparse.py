#!/usr/bin/env python3
"""Sparse rows against dense support vectors: processor time and accuracy of two programs, or of two kinds of storage.

    bench/sparse.py [--old PROGRAM] [--data DIR] [--runs 5] [--budget 500] [--algo bpegasos] [SET ...]

Without --old, the same program with --storage dense is the old side. Both sides run alternately on the same shuffled rows,
and the shortest times count. Times are processor microseconds per example of the whole process: of one pass, as the
difference between a run of several passes and a run of one, so that the start of the program does not count. "Reading" is
the same for a learner with a budget of one vector (stoptron): it reads and scales the rows and does hardly anything else.
A data set NAME needs NAME.xz, and NAME.t.xz to measure accuracy, in the data folder.
"""
import argparse
import json
import lzma
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINGLET = os.environ.get("KINGLET", ROOT / "build" / "kinglet")
PASSES = 6


def run(command):
    """Return what a command prints and the processor seconds it took."""
    with tempfile.TemporaryFile("w+") as output:
        child = subprocess.Popen([str(word) for word in command], stdout=output, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise SystemExit(f"failed: {command}")
        output.seek(0)
        return output.read(), usage.ru_utime + usage.ru_stime


def shuffled(folder, name, target):
    """Writes the rows in random order; returns their number and the mean number of nonzero values."""
    with lzma.open(folder / f"{name}.xz", "rt") as file:
        lines = file.readlines()
    random.Random(1).shuffle(lines)
    target.write_text("".join(lines))
    return len(lines), sum(line.count(":") for line in lines) / len(lines)


def measure(flags, sides, name, scratch):
    rows = scratch / name
    count, nonzero = shuffled(flags.data, name, rows)
    learner = ["--algo", flags.algo, "--budget", flags.budget]
    reader = ["--algo", "stoptron", "--budget", 1]
    seconds = {}
    for _ in range(flags.runs):
        for side, (program, storage) in sides.items():
            for work, options in (("train", learner), ("read", reader)):
                for passes in (1, PASSES):
                    command = [program, "train", rows, *options, *storage, "--passes", passes, "--quiet"]
                    key = side, work, passes
                    seconds[key] = min(seconds.get(key, 1e9), run(command)[1])
    cells = [name]
    test = flags.data / f"{name}.t.xz"
    accuracy = []
    for program, storage in sides.values():
        more = ["--test", test] if test.exists() else []
        result = json.loads(run([program, "train", rows, *learner, *storage, "--json", "--quiet", *more])[0])
        accuracy.append(f"{100 * result['test_accuracy']:.2f}" if more else "")
    cells += [str(result["dimension"]), f"{nonzero:.0f}"]
    per_example = {
        (side, work): 1e6 * (seconds[side, work, PASSES] - seconds[side, work, 1]) / ((PASSES - 1) * count)
        for side in sides
        for work in ("train", "read")
    }
    old, new = (per_example[side, "train"] for side in sides)
    old_alone, new_alone = (per_example[side, "train"] - per_example[side, "read"] for side in sides)
    cells += [f"{old:.2f}", f"{new:.2f}", f"**{old / new:.2f}**"]
    cells += [f"{old_alone:.2f}", f"{new_alone:.2f}", f"**{old_alone / new_alone:.2f}**", *accuracy]
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("sets", nargs="*", metavar="SET", default=["a9a", "w8a", "mushrooms", "dna", "mnist"])
    flags.add_argument("--old", help="another build of kinglet")
    flags.add_argument("--data", type=pathlib.Path,
                       default=os.environ.get("KINGLET_TEST_DATA", ROOT.parent / "shared" / "data"))
    flags.add_argument("--runs", type=int, default=5)
    flags.add_argument("--budget", type=int, default=500)
    flags.add_argument("--algo", default="bpegasos")
    flags = flags.parse_args()
    sides = {"old": (flags.old, []) if flags.old else (KINGLET, ["--storage", "dense"]), "new": (KINGLET, [])}
    print("| data | features | nonzero | old, µs | new, µs | speed-up | old without reading | new without reading "
          "| speed-up | accuracy % old | new |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        for name in flags.sets:
            if (flags.data / f"{name}.xz").exists():
                measure(flags, sides, name, pathlib.Path(scratch))
            else:
                print(f"{name}: {name}.xz not found in {flags.data}", file=sys.stderr)


if __name__ == "__main__":
    main()
