#!/usr/bin/env python3
"""Is a new version as fast as an old one? Runs the benchmarks of two builds in turn and compares their medians.

    bench/same_speed.py OLD_BUILD NEW_BUILD [--runs 15] [--data FOLDER]

Both folders were configured with -DKINGLET_BUILD_BENCH=ON. Each run calls training_bench and then scoring_bench, first of
one build, then of the other, so that both see the same machine; the benchmarks count processor time. Prints the median
rates (millions of examples per second) and how much faster (+) or slower (-) the new build is. The exit code is 1 if a
rate lost more than 3 %.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys

LIMIT = 0.03
# Benchmark: titles of the columns that name a row, and of those with rates.
BENCHMARKS = {
    "training_bench": (["data", "B"], ["scoring in blocks", "training"]),
    "scoring_bench": (["(B, d)"], ["kinglet, blocks", "kinglet, single"]),
}


def rates(program, arguments):
    """The rates that a benchmark prints, by row and column."""
    output = subprocess.run([program, *arguments], check=True, capture_output=True, text=True,
                            env={**os.environ, "KINGLET_ISA": os.environ.get("KINGLET_ISA", "avx2")}).stdout  # fmt: skip
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in output.splitlines() if line.startswith("|")]
    titles = table[0]
    names, columns = BENCHMARKS[program.name]
    found = {}
    for row in table[2:]:
        if len(row) != len(titles):
            continue  # the data set was skipped
        cells = dict(zip(titles, row))
        for column in columns:
            found[" ".join([program.name, *(cells[name] for name in names), column])] = float(cells[column])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--data", help="folder of ijcnn1.xz, a9a.xz and covtype.xz")
    arguments = parser.parse_args()
    measured = {"old": {}, "new": {}}
    for run in range(arguments.runs):
        for benchmark in BENCHMARKS:
            words = [arguments.data] if arguments.data and benchmark == "training_bench" else []
            for side in ("old", "new") if run % 2 == 0 else ("new", "old"):
                build = getattr(arguments, side)
                for name, rate in rates((build / "bench" / benchmark).resolve(), words).items():
                    measured[side].setdefault(name, []).append(rate)
        print(f"run {run + 1} of {arguments.runs}", file=sys.stderr, flush=True)
    slower = 0
    print("| benchmark | old | new | change |\n|---|---|---|---|")
    for name, values in measured["old"].items():
        old, new = statistics.median(values), statistics.median(measured["new"][name])
        slower += new < (1 - LIMIT) * old
        print(f"| {name} | {old:.3f} | {new:.3f} | {100 * (new / old - 1):+.1f} % |")
    sys.exit(1 if slower else 0)


if __name__ == "__main__":
    main()
