#!/usr/bin/env python3
"""What the committee and the second-order learner cost, compared with bpegasos with given gamma and lambda.

    bench/committee_cost.py [--runs 5] [--program PATH] [--sets NAME...]

Streams of 200,000 examples: checkerboard, covtype, ijcnn1 (repeated) and friedman (regression). The contestants take turns.
Times are processor seconds, the median over the runs. Reading is measured by a learner that keeps one vector; `learning` is
the time of the program without it. Memory is the largest that the learner reports. A contestant that the program does not
have is left out; without --algo auto, the default takes its place.
"""

import argparse
import itertools
import json
import lzma
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

from first_try import run

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = 200_000
# gamma and lambda for bpegasos by stream
STREAMS = {
    "checkerboard": ["--gamma", "8", "--lambda", "1e-5"],
    "covtype": ["--gamma", "0.1", "--lambda", "1e-5"],
    "ijcnn1": ["--gamma", "0.15", "--lambda", "3e-5"],
    "friedman": ["--task", "regress", "--gamma", "0.05", "--lambda", "1e-5"],
}


def lines_of(name, folder, program):
    if name in ("checkerboard", "friedman"):
        command = [program, "gen", name, "-n", str(EXAMPLES)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines(keepends=True)
    with lzma.open(folder / f"{name}.xz", "rt") as file:
        lines = file.readlines()
    random.Random(1).shuffle(lines)
    return list(itertools.islice(itertools.cycle(lines), EXAMPLES))


def contestants(name, known):
    """Options by contestant."""
    *task, gamma, gamma_value, _, _ = given = STREAMS[name]
    committee = ("auto", ["--algo", "auto"]) if "auto" in known else ("default", [])
    runs = {"reading": [*task, "--update", "pa1", "--budget-rule", "stop", "--budget", "1"],
            "bpegasos B = 500": ["--algo", "bpegasos", "--budget", "500", *given],
            f"{committee[0]} B = 500": [*committee[1], "--budget", "500", *task]}  # fmt: skip
    if name == "covtype":
        runs["bpegasos B = 100"] = ["--algo", "bpegasos", "--budget", "100", *given]
    if "bnewton" in known:
        for budget in ("500", "100") if name == "covtype" else ("500",):
            runs[f"bnewton B = {budget}"] = ["--algo", "bnewton", "--budget", budget, *task, gamma, gamma_value]
    return runs


def measure(name, flags, known, place):
    data = place / name
    data.write_text("".join(lines_of(name, flags.data, flags.program)))
    runs = contestants(name, known)
    seconds, last = {key: [] for key in runs}, {}
    for _ in range(flags.runs):
        for key, options in runs.items():
            last[key], took = run([flags.program, "train", data, *options, "--quiet", "--json"])
            seconds[key].append(took)
    median = {key: statistics.median(times) for key, times in seconds.items()}
    for key in runs:
        if key == "reading":
            continue
        budget = key.split(" ", 1)[1]
        ratio = median[key] / median[f"bpegasos {budget}"]
        learning = median[key] - median["reading"]
        learning_ratio = learning / (median[f"bpegasos {budget}"] - median["reading"])
        memory = last[key].get("peak_memory_bytes", last[key]["memory_bytes"])
        print(f"| {name} | {key} | {median[key]:.2f} | {ratio:.2f} | {learning:.2f} | {learning_ratio:.2f} | "
              f"{EXAMPLES / learning:,.0f} | {memory / 1e6:.2f} | {last[key]['memory_bytes'] / 1e6:.2f} |", flush=True)  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", choices=list(STREAMS), default=list(STREAMS), metavar="NAME")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--program", default=os.environ.get("KINGLET", ROOT / "build" / "kinglet"))
    parser.add_argument("--data", type=pathlib.Path,
                        default=pathlib.Path(os.environ.get("KINGLET_TEST_DATA", ROOT / ".." / "shared" / "data")))  # fmt: skip
    flags = parser.parse_args()
    registry = json.loads(subprocess.run([flags.program, "algorithms", "--json"], check=True, capture_output=True).stdout)
    known = {algorithm["name"] for algorithm in registry["algorithms"]}
    print("| stream | learner | program s | ratio | learning s | ratio | examples/s | peak MB | end MB |\n|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as place:
        for name in flags.sets:
            if name in ("covtype", "ijcnn1") and not (flags.data / f"{name}.xz").exists():
                print(f"{name}: not found in {flags.data}; set the folder with --data", file=sys.stderr)
                continue
            measure(name, flags, known, pathlib.Path(place))


if __name__ == "__main__":
    main()
