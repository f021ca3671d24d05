#!/usr/bin/env python3
"""Runs the papers' experiments in full and writes what comes out into docs/reproduction.md.

    KINGLET=build/kinglet python3 bench/reproduction.py [NAME...]

Every experiment of `kinglet paper list`, or those named, replaces its block in the document: from <!-- paper NAME --> to
<!-- end -->. A page of charts for each goes to build/paper/. The data sets are those of KINGLET_DATA, or of ../shared/data.
"""

import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
KINGLET = os.path.abspath(os.environ.get("KINGLET", ROOT / "build" / "kinglet"))
DATA = os.environ.get("KINGLET_DATA", str(ROOT.parent / "shared" / "data"))
DOCUMENT = ROOT / "docs" / "reproduction.md"
PAGES = ROOT / "build" / "paper"


def experiments():
    listed = subprocess.run([KINGLET, "paper", "list"], check=True, capture_output=True, text=True).stdout
    return [line.split()[0] for line in listed.splitlines()[1:]]


def run(name):
    begin = time.monotonic()
    arguments = ["paper", name, "--data", DATA, "--markdown", "--report", str(PAGES / f"{name}.html")]
    text = subprocess.run([KINGLET, *arguments], check=True, capture_output=True, text=True).stdout
    minutes = (time.monotonic() - begin) / 60
    return f"`kinglet paper {name}` took {minutes:.1f} minutes on {os.cpu_count()} cores.\n\n{text}"


def replace(document, name, text):
    pattern = re.compile(rf"(<!-- paper {re.escape(name)} -->\n).*?(<!-- end -->)", re.S)
    if not pattern.search(document):
        sys.exit(f"{DOCUMENT}: there is no block <!-- paper {name} -->")
    return pattern.sub(lambda match: match[1] + "\n" + text + "\n" + match[2], document)


def main():
    PAGES.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or experiments():
        print(f"reproduction: {name}", flush=True)
        text = run(name)
        DOCUMENT.write_text(replace(DOCUMENT.read_text(), name, text))


if __name__ == "__main__":
    main()
