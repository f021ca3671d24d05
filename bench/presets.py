#!/usr/bin/env python3
"""Every preset on five data sets: test accuracy, training time, support vectors. One pass, B = 500 (checkerboard: 100).

    bench/presets.py [FOLDER] [--quick]     FOLDER holds the real data sets; the others are generated

Gamma is chosen per data set, step sizes and regularisation per update rule (SETTINGS, the same for all sets). Presets
without a budget and those of O(B²) see only the first 20,000 examples: without a budget, cost grows with the square of
the stream length.
"""

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
UNBOUNDED_ROWS = 20_000

# name, training data, test data, gamma, budget, rows to train on
SETS = [
    ("checkerboard", "gen:checkerboard?n={n}&seed=1", "gen:checkerboard?n=50000&seed=2", "6", 100, 200_000),
    ("gauss", "gen:gauss?n={n}&seed=1", "gen:gauss?n=50000&seed=2", "0.5", 500, 50_000),
    ("a9a", "a9a", "a9a.t", "0.004", 500, 32_561),
    ("ijcnn1", "ijcnn1", "ijcnn1.t", "0.15", 500, 49_990),
    ("letter", "letter.scale", "letter.scale.t", "0.3", 500, 15_000),
]

# Options that differ from the defaults, by update rule.
SETTINGS = {
    "pegasos": ["--lambda", "1e-4"],
    "norma": ["--lambda", "1e-4", "--eta", "1"],
    "ogd": ["--lambda", "1e-4", "--eta", "0.25"],
    "mp": ["--eta", "0.25"],
    "ilk": ["--lambda", "1e-4", "--eta", "0.25"],
    "pa1": ["--C", "0.25"],
    "oskl": ["--eta", "0.25"],
    "spa": ["--eta", "1"],
}


def call(*arguments):
    return subprocess.run([KINGLET, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def shuffled(folder, name, rows, place):
    """Write the first rows of a shuffled real data set to a file."""
    path = place / f"{name}-{rows}"
    if not path.exists():
        with lzma.open(folder / f"{name}.xz", "rt") as lines:
            lines = lines.readlines()
        random.Random(1).shuffle(lines)
        path.write_text("".join(lines[:rows]))
    return path


def cell(preset, data, folder, place, quick):
    name, train, test, gamma, budget, rows = data
    bounded = preset["maintain"] != "none"
    rows = min(rows, 5_000 if quick else rows)
    if not bounded or "B²" in preset["cost"]:
        rows = min(rows, UNBOUNDED_ROWS)
    options = ["--algo", preset["name"], "--gamma", gamma, *SETTINGS.get(preset["update"], [])]
    if bounded:
        options += ["--budget", budget]
    if preset["update"] == "spa":
        options += ["--expected-budget", budget]
    train = train.format(n=rows) if train.startswith("gen:") else shuffled(folder, train, rows, place)
    test = test if test.startswith("gen:") else folder / f"{test}.xz"
    result = json.loads(call("train", train, "--test", test, "--json", *options))
    accuracy, seconds = 100 * result["test_accuracy"], result["seconds"]
    note = "" if rows == data[5] or quick else "*"
    return f"{accuracy:.1f} %, {seconds:.2f} s{note}, {result['support_vectors']}"


def main():
    quick = "--quick" in sys.argv
    given = [a for a in sys.argv[1:] if not a.startswith("--")]
    folder = pathlib.Path(given[0] if given else os.environ.get("KINGLET_TEST_DATA", ROOT / ".." / "shared" / "data"))
    sets = [s for s in SETS if s[1].startswith("gen:") or (folder / f"{s[1]}.xz").exists()]
    for missing in (s[0] for s in SETS if s not in sets):
        print(f"{missing}: skipped, not found in {folder}", file=sys.stderr)
    print("Test accuracy, training time, support vectors.")
    if not quick:
        print(f"*: on the first {UNBOUNDED_ROWS} examples.")
    print("\n| preset | " + " | ".join(f"{s[0]}, B = {s[4]}" for s in sets) + " |\n|---|" + "---|" * len(sets))
    with tempfile.TemporaryDirectory() as place:
        for preset in json.loads(call("algorithms", "--json"))["algorithms"]:
            if preset["dual"]:  # kinglet paper ramp-table1 measures dual learners
                continue
            cells = [cell(preset, s, folder, pathlib.Path(place), quick) for s in sets]
            print(f"| {preset['name']} | " + " | ".join(cells) + " |", flush=True)


main()
