#!/usr/bin/env python3
"""Cost and quality of probabilities: training alternately with and without --proba, and calibration on the test set.

    bench/proba.py [--data DIR] [--runs 5] [--budget 500] [SET ...]

Times are processor seconds of the whole program including reading, the minimum over all runs. A data set NAME needs
NAME.xz and NAME.t.xz in the data folder.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINGLET = os.environ.get("KINGLET", ROOT / "build" / "kinglet")


def run(arguments):
    """Return the JSON that a command prints and the processor seconds it took."""
    with tempfile.TemporaryFile("w+") as output:
        child = subprocess.Popen([KINGLET, *arguments], stdout=output)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise SystemExit(child.returncode)
        output.seek(0)
        return json.load(output), usage.ru_utime + usage.ru_stime


def measure(folder, name, flags):
    train = ["train", f"{folder}/{name}.xz", "--algo", "bpegasos", "--budget", str(flags.budget), "--json", "--quiet"]
    seconds = {"": [], "--proba": []}
    for _ in range(flags.runs):
        for option, times in seconds.items():
            times.append(run(train + ([option] if option else []))[1])
    test, _ = run([*train, "--proba", "--test", f"{folder}/{name}.t.xz"])
    plain, with_proba = (min(times) for times in seconds.values())
    print(f"| {name} | {test['classes']} | {plain:.2f} | {with_proba:.2f} | {100 * (with_proba / plain - 1):+.1f} % "
          f"| {test['test_accuracy']:.4f} | {test['test_brier_score']:.4f} | {test['test_log_loss']:.4f} "
          f"| {test['test_calibration_error']:.4f} |", flush=True)


def main():
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("sets", nargs="*", metavar="SET", default=["a9a", "ijcnn1", "letter.scale", "usps"])
    flags.add_argument("--data", default=os.environ.get("KINGLET_DATA", ROOT.parent / "shared" / "data"))
    flags.add_argument("--runs", type=int, default=5)
    flags.add_argument("--budget", type=int, default=500)
    flags = flags.parse_args()
    print("| set | classes | seconds | with --proba | cost | accuracy | Brier score | log loss | calibration error |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in flags.sets:
        if pathlib.Path(flags.data, f"{name}.t.xz").exists():
            measure(flags.data, name, flags)
        else:
            print(f"{name}: {name}.t.xz not found in {flags.data}; download it with kinglet data get", file=sys.stderr)


if __name__ == "__main__":
    main()
