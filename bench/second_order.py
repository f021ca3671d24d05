"""Makes the picture of docs/second-order.md: the test error on letter after so many examples of one shuffle, one pass.

    bench/second_order.py FOLDER [--kinglet build/kinglet]     FOLDER holds letter.scale.xz and letter.scale.t.xz

Prints the numbers as a table and writes docs/second-order.svg.
"""

import argparse
import json
import lzma
import pathlib
import random
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEARNERS = [("bpegasos", 500, "#888888"), ("bpegasos", 2000, "#d08770"), ("bnewton", 500, "#3b6ea5")]
GAMMA = "0.1"
COUNTS = [500, 1000, 2000, 3000, 4000, 5000, 6000, 8000, 10000, 12000, 15000]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 340, 56, 150, 20, 44
HIGHEST = 40  # per cent


def test_error(kinglet, rows, test, algo, budget):
    with tempfile.NamedTemporaryFile("w", suffix=".libsvm") as file:
        file.writelines(rows)
        file.flush()
        run = subprocess.run(
            [kinglet, "train", file.name, "--algo", algo, "--budget", str(budget), "--gamma", GAMMA, "--test", test, "--json"],
            check=True,
            capture_output=True,
            text=True,
        )
    return 100 * (1 - json.loads(run.stdout)["test_accuracy"])


def place(examples, error):
    x = LEFT + (WIDTH - LEFT - RIGHT) * examples / COUNTS[-1]
    y = TOP + (HEIGHT - TOP - BOTTOM) * (1 - min(error, HIGHEST) / HIGHEST)
    return f"{x:.1f},{y:.1f}"


def text(at, content, extra=""):
    x, y = at.split(",")
    return f'<text x="{x}" y="{y}" {extra}>{content}</text>'


def picture(curves):
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for error in range(0, HIGHEST + 1, 10):
        ends = f"{place(0, error)} {place(COUNTS[-1], error)}"
        parts.append(f'<polyline points="{ends}" stroke="#dddddd" fill="none"/>')
        parts.append(text(place(0, error), f"{error} %", 'dx="-8" dy="4" text-anchor="end" fill="#444444"'))
    for examples in range(0, COUNTS[-1] + 1, 5000):
        parts.append(text(place(examples, 0), f"{examples:,}", 'dy="18" text-anchor="middle" fill="#444444"'))
    parts.append(text(place(COUNTS[-1] / 2, 0), "examples learned", 'dy="36" text-anchor="middle" fill="#444444"'))
    for (algo, budget, colour), errors in zip(LEARNERS, curves):
        points = " ".join(place(n, error) for n, error in zip(COUNTS, errors))
        parts.append(f'<polyline points="{points}" stroke="{colour}" stroke-width="2.5" fill="none"/>')
        label = f"{algo}, B = {budget}: {errors[-1]:.1f} %"
        parts.append(text(place(COUNTS[-1], errors[-1]), label, f'dx="8" dy="4" fill="{colour}"'))
    return "\n".join([*parts, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--kinglet", default=ROOT / "build" / "kinglet")
    arguments = parser.parse_args()
    rows = lzma.open(arguments.folder / "letter.scale.xz", "rt").readlines()
    random.Random(1).shuffle(rows)
    test = arguments.folder / "letter.scale.t.xz"
    curves = []
    for algo, budget, _ in LEARNERS:
        curves.append([test_error(arguments.kinglet, rows[:n], test, algo, budget) for n in COUNTS])
        print(f"| {algo} | {budget} | " + " | ".join(f"{error:.1f}" for error in curves[-1]) + " |")
    (ROOT / "docs" / "second-order.svg").write_text(picture(curves), encoding="utf-8")


if __name__ == "__main__":
    main()
