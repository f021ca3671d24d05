"""Makes the picture of docs/metric.md: the importances of the features of waveform40, 19 of which are noise, and the test
error on ijcnn1 along one pass with and without the learned metric.

    bench/metric.py FOLDER [--kinglet build/kinglet]     FOLDER holds waveform40.xz, ijcnn1.xz and ijcnn1.t.xz

Prints the numbers and writes docs/metric.svg.
"""

import argparse
import json
import lzma
import pathlib
import random
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
GAMMA = "0.1"  # for ijcnn1, the best on held-back training rows
SHUFFLES = 5
COUNTS = [1000, 2000, 4000, 8000, 16000, 32000, 49990]
SIGNALS = 21  # of the 40 features of waveform40
COLOURS = {"none": "#888888", "learned": "#3b6ea5"}
WIDTH, HEIGHT, TOP, BOTTOM = 800, 300, 30, 44
BARS = (40, 350)  # left and right end of the bars
CURVES = (420, 640)
HIGHEST = {"importance": 8, "error": 10}  # per cent


def train(kinglet, rows, *options):
    with tempfile.TemporaryDirectory() as folder:
        data, model = pathlib.Path(folder, "data.libsvm"), pathlib.Path(folder, "model.kinglet")
        data.write_text("".join(rows), encoding="utf-8")
        command = [kinglet, "train", data, "--algo", "bpegasos", "--budget", "500", "-o", model, "--json", *options]
        result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        info = subprocess.run([kinglet, "info", model, "--json"], check=True, capture_output=True, text=True).stdout
    return result, json.loads(info)


def shuffled(path, seed):
    with lzma.open(path, "rt") as file:
        rows = file.readlines()
    random.Random(seed).shuffle(rows)
    return rows


def errors_along(kinglet, folder, metric):
    """The mean test error over the shuffles after each of COUNTS examples."""
    totals = [0.0] * len(COUNTS)
    for seed in range(1, SHUFFLES + 1):
        rows = shuffled(folder / "ijcnn1.xz", seed)
        for i, count in enumerate(COUNTS):
            options = ["--gamma", GAMMA, "--metric", metric, "--test", folder / "ijcnn1.t.xz"]
            totals[i] += 100 * (1 - train(kinglet, rows[:count], *options)[0]["test_accuracy"])
    return [total / SHUFFLES for total in totals]


def height(kind, value):
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - min(value, HIGHEST[kind]) / HIGHEST[kind])


def text(x, y, content, extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {extra}>{content}</text>'


def axis(kind, ends, step, title, below):
    parts = [text(ends[0], TOP - 14, title, 'fill="#222222"')]
    for value in range(0, HIGHEST[kind] + 1, step):
        y = height(kind, value)
        parts.append(f'<line x1="{ends[0]}" y1="{y:.1f}" x2="{ends[1]}" y2="{y:.1f}" stroke="#dddddd"/>')
        parts.append(text(ends[0] - 6, y + 4, f"{value} %", 'text-anchor="end" fill="#444444"'))
    return [*parts, text(sum(ends) / 2, HEIGHT - 8, below, 'text-anchor="middle" fill="#444444"')]


def bars(importances):
    parts = axis("importance", BARS, 2, "waveform40: importances", "features 1 … 21, then 19 of pure noise")
    width = (BARS[1] - BARS[0]) / len(importances)
    for k, share in enumerate(importances):
        y = height("importance", 100 * share)
        colour = COLOURS["learned" if k < SIGNALS else "none"]
        parts.append(
            f'<rect x="{BARS[0] + k * width + 1:.1f}" y="{y:.1f}" width="{width - 2:.1f}" '
            f'height="{height("importance", 0) - y:.1f}" fill="{colour}"/>'
        )
    return parts


def curves(errors):
    parts = axis("error", CURVES, 2, "ijcnn1: test error along one pass", "examples learned")
    at = lambda count: CURVES[0] + (CURVES[1] - CURVES[0]) * count / COUNTS[-1]
    for count in (0, 25000, 50000):
        parts.append(text(at(count), height("error", 0) + 16, f"{count:,}", 'text-anchor="middle" fill="#444444"'))
    for metric, along in errors.items():
        points = " ".join(f"{at(count):.1f},{height('error', error):.1f}" for count, error in zip(COUNTS, along))
        parts.append(f'<polyline points="{points}" stroke="{COLOURS[metric]}" stroke-width="2.5" fill="none"/>')
        label = f"metric {metric}: {along[-1]:.2f} %"
        shift = -4 if metric == "none" else 10
        parts.append(text(CURVES[1] + 6, height("error", along[-1]) + shift, label, f'fill="{COLOURS[metric]}"'))
    return parts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--kinglet", default=ROOT / "build" / "kinglet")
    arguments = parser.parse_args()
    rows = shuffled(arguments.folder / "waveform40.xz", 1)
    importances = train(arguments.kinglet, rows, "--metric", "learned")[1]["feature_importances"]
    print(f"waveform40: {100 * sum(importances[SIGNALS:]):.1f} % of the importances are those of the 19 noisy features")
    errors = {metric: errors_along(arguments.kinglet, arguments.folder, metric) for metric in COLOURS}
    for metric, along in errors.items():
        print(f"ijcnn1, metric {metric}: " + "  ".join(f"{c:,}: {e:.2f}" for c, e in zip(COUNTS, along)))
    start = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">'
    white = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
    page = "\n".join([start, white, *bars(importances), *curves(errors), "</svg>", ""])
    (ROOT / "docs" / "metric.svg").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
