#!/usr/bin/env python3
"""Runs build/bench/spa_rules_bench (spa_rules_bench.cpp) and writes its two tables into docs/reproduction.md.

    bench/spa_rules.py FOLDER    FOLDER holds the data sets
"""

import pathlib
import subprocess
import sys

import pages

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "reproduction.md"


def main():
    program = ROOT / "build" / "bench" / "spa_rules_bench"
    output = subprocess.run([program, sys.argv[1]], check=True, capture_output=True, text=True).stdout
    print(output)
    tables = [part for part in output.split("\n\n") if part.startswith("|")]
    for name, table in zip(("RBP", "average"), tables, strict=True):
        pages.put(f"spa rules: {name}", table, [DOCUMENT])


if __name__ == "__main__":
    main()
