"""Makes the picture of docs/committee.md: who led a committee along a stream, and with which recent error.

    bench/committee.py FILE... [--kinglet build/kinglet]     FILE: a stream, such as letter.scale.xz transient-chessboard.xz

Writes docs/committee.svg with one band for each file, and prints the online errors of the committee and of bpegasos.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLOURS = {"bpegasos": "#b0b7c3", "bnewton": "#3b6ea5", "bpa-nn": "#d08770", "pa1 + oldest": "#c9a227", "bpa-m": "#b0b7c3"}
WIDTH, LEFT, RIGHT, BAND, GAP, TOP = 720, 20, 20, 110, 58, 44


def run(kinglet, *arguments):
    done = subprocess.run([kinglet, *map(str, arguments), "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def text(x, y, content, extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {extra}>{content}</text>'


def band(info, name, top):
    """The windows of one stream: the colour says who led, the height its recent error."""
    windows = info["leaders"]
    last = windows[-1]["end"]
    highest = max(window["recent_error"] or 0 for window in windows[2:]) or 1
    parts = [text(LEFT, top - 8, f"{name}: online error {100 * info['online_error']:.1f} %", 'fill="#222222"')]
    begin = 0
    for window in windows:
        x = LEFT + (WIDTH - LEFT - RIGHT) * begin / last
        width = (WIDTH - LEFT - RIGHT) * (window["end"] - begin) / last
        height = BAND * min(1, (window["recent_error"] or 0) / highest)
        colour = COLOURS.get(info["members"][window["member"]]["algorithm"], "#777777")
        parts.append(f'<rect x="{x:.1f}" y="{top + BAND:.1f}" width="{width:.2f}" height="8" fill="{colour}"/>')
        parts.append(
            f'<rect x="{x:.1f}" y="{top + BAND - height:.1f}" width="{width:.2f}" height="{height:.1f}" '
            f'fill="{colour}" fill-opacity="0.55"/>'
        )
        begin = window["end"]
    parts.append(text(LEFT, top + BAND + 22, "0", 'fill="#444444"'))
    parts.append(text(WIDTH - RIGHT, top + BAND + 22, f"{last:,} examples", 'text-anchor="end" fill="#444444"'))
    parts.append(text(WIDTH - RIGHT, top - 8, f"highest: {100 * highest:.0f} %", 'text-anchor="end" fill="#444444"'))
    return parts, {info["members"][window["member"]]["algorithm"] for window in windows}


def picture(streams):
    height = TOP + len(streams) * (BAND + GAP)
    parts, seen = [], set()
    for place, (name, info) in enumerate(streams):
        drawn, leaders = band(info, name, TOP + 8 + place * (BAND + GAP))
        parts += drawn
        seen |= leaders
    x = LEFT
    legend = []
    for name in [name for name in COLOURS if name in seen]:
        legend.append(f'<rect x="{x}" y="10" width="12" height="12" fill="{COLOURS[name]}"/>')
        legend.append(text(x + 17, 20, name, 'fill="#222222"'))
        x += 34 + 7 * len(name)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">'
    return "\n".join([head, f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>', *legend, *parts, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--kinglet", default=ROOT / "build" / "kinglet")
    arguments = parser.parse_args()
    streams = []
    with tempfile.TemporaryDirectory() as folder:
        for path in arguments.files:
            model = pathlib.Path(folder) / "model.kinglet"
            name = path.name.removesuffix(".xz")
            run(arguments.kinglet, "train", path, "--algo", "auto", "-o", model)
            streams.append((name, run(arguments.kinglet, "info", model)))
            alone = run(arguments.kinglet, "train", path, "--algo", "bpegasos")
            print(f"{name}: auto {streams[-1][1]['online_error']:.4f}, bpegasos {alone['online_error']:.4f}")
    (ROOT / "docs" / "committee.svg").write_text(picture(streams), encoding="utf-8")


if __name__ == "__main__":
    main()
