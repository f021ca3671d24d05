#!/usr/bin/env python3
"""Makes the pictures of docs/streams.md: the error along three streams, and the accuracy of all learners of bench/streams.py.

    bench/stream_pictures.py [--program build/kinglet]

Uses what bench/streams.py has kept in docs/benchmarks/streams.jsonl, and runs kinglet along the three streams.
Writes docs/streams.svg and docs/streams-accuracy.svg.
"""

import argparse
import html
import json
import os
import pathlib
import re
import subprocess
import tempfile

import streams

DOCS = streams.ROOT / "docs"
ALONG = {"electricity": "electricity prices", "transient chessboard": "transient chessboard", "recurring": "recurring concepts"}
TREE = "Hoeffding adaptive tree"
WIDTH, LEFT, RIGHT = 760, 48, 24
COLOURS = {
    "kinglet": "#1f6f8b",
    "last label again": "#8a8f98",
    TREE: "#d08770",
    "kNN": "#a3791c",
    "adaptive random forest": "#5b8c3e",
    "leveraging bagging": "#8e5ea2",
    "streaming random patches": "#c0476b",
}


def text(x, y, content, extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {extra}>{html.escape(content)}</text>'


def line(x1, y1, x2, y2, colour, extra=""):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" {extra}/>'


def write(name, height, parts):
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">'
    page = [head, f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>', *parts, "</svg>", ""]
    (DOCS / name).write_text("\n".join(page), encoding="utf-8")


def legend(names, y):
    x, parts = LEFT, []
    for name in names:
        parts.append(f'<rect x="{x}" y="{y - 9}" width="11" height="11" rx="2" fill="{COLOURS[name]}"/>')
        parts.append(text(x + 16, y, name, 'fill="#222222"'))
        x += 34 + 6.3 * len(name)
    return parts


# --- the error along a stream ---------------------------------------------------------------------------------------------


def kinglet_along(program, path):
    """The errors in windows, (last row, error), which the report of a run contains, and the rows at which it gave the alarm."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.html"
        command = [program, "train", path, "--json", "--quiet", "--threads", "1", "--report", report]
        result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        page = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', report.read_text(), re.S)[1]
    blocks = [block for section in json.loads(page)["sections"] for block in section["blocks"]]
    chart = next(block for block in blocks if block.get("title") == "Online error")
    series = next(series for series in chart["series"] if series["name"] == "recent error")
    return [(point["x"], point["y"]) for point in series["points"]], [alarm["at"] for alarm in result["drift"]]


def peer_along(result):
    return [((i + 1) * streams.WINDOW, 1 - right / streams.WINDOW) for i, right in enumerate(result["right_along"])]


def band(title, lines, alarms, top, height):
    """One stream: lines of errors in windows, and a mark below for each alarm."""
    last = max(x for points in lines.values() for x, _ in points)
    highest = max(0.1, min(1, max(y for points in lines.values() for _, y in points)))

    def place(x, y):
        return LEFT + (WIDTH - LEFT - RIGHT) * x / last, top + height * (1 - y / highest)

    parts = [text(LEFT, top - 8, title, 'fill="#222222" font-weight="bold"')]
    for share in (0, highest / 2, highest):
        _, y = place(0, share)
        parts += [line(LEFT, y, WIDTH - RIGHT, y, "#e4e6ea"), text(LEFT - 6, y + 4, f"{100 * share:.0f} %", 'text-anchor="end" fill="#555555"')]
    for rows in range(0, last + 1, 10_000):
        x, _ = place(rows, 0)
        parts.append(text(x, top + height + 26, f"{rows:,}", 'text-anchor="middle" fill="#555555"'))
    for name, points in lines.items():
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in points))
        thick = 2 if name == "kinglet" else 1.2
        parts.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[name]}" stroke-width="{thick}"/>')
    for at in alarms:
        x, _ = place(at, 0)
        parts.append(f'<path d="M{x:.1f} {top + height + 3:.1f} l4 8 h-8 z" fill="#b3261e"/>')
    return parts


def along_streams(results, flags):
    names = ["kinglet", TREE, "last label again"]
    height, gap, parts = 120, 62, legend(names, 20)
    parts.append(text(WIDTH - RIGHT, 20, "▲ drift alarm of kinglet", 'text-anchor="end" fill="#b3261e"'))
    for place, (name, title) in enumerate(ALONG.items()):
        stream = next(each for each in streams.STREAMS if each.name == name)
        path, _ = streams.prepared(stream, False, flags)
        ours, alarms = kinglet_along(flags.program, path)
        lines = {peer: peer_along(results[name, peer, False]) for peer in names[1:]}
        parts += band(title, {**lines, "kinglet": ours}, alarms, 58 + place * (height + gap), height)
        print(f"{name}: alarms at {alarms}")
    write("streams.svg", 58 + len(ALONG) * (height + gap) - 20, parts)


# --- all learners ---------------------------------------------------------------------------------------------------------


def all_learners(results):
    """One row for each stream; a dot is the accuracy of a learner."""
    left, step, top = 170, 26, 76
    names = [name for name in COLOURS if name in streams.LEARNERS]
    parts = legend(names[:4], 20) + legend(names[4:], 42)
    for share in range(0, 101, 20):
        x = left + (WIDTH - left - RIGHT) * share / 100
        parts += [line(x, top - 14, x, top + step * (len(streams.STREAMS) - 1) + 14, "#e4e6ea"),
                  text(x, top + step * len(streams.STREAMS) + 8, f"{share} %", 'text-anchor="middle" fill="#555555"')]  # fmt: skip
    for place, stream in enumerate(streams.STREAMS):
        y = top + step * place
        parts.append(text(left - 12, y + 4, stream.name, 'text-anchor="end" fill="#222222"'))
        for name in reversed(names):
            result = results.get((stream.name, name, False))
            if streams.finished(result):
                x = left + (WIDTH - left - RIGHT) * streams.accuracy(result) / 100
                size = 6 if name == "kinglet" else 4.5
                parts.append(f'<circle cx="{x:.1f}" cy="{y}" r="{size}" fill="{COLOURS[name]}" stroke="#ffffff"/>')
    write("streams-accuracy.svg", top + step * len(streams.STREAMS) + 22, parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=os.environ.get("KINGLET", streams.ROOT / "build" / "kinglet"))
    parser.add_argument("--data", type=pathlib.Path,
                        default=pathlib.Path(os.environ.get("KINGLET_TEST_DATA", streams.ROOT / ".." / "shared" / "data")))  # fmt: skip
    flags = parser.parse_args()
    results = streams.kept_results()
    along_streams(results, flags)
    all_learners(results)


if __name__ == "__main__":
    main()
