"""Runs the code of docs/python.md from top to bottom. Run as a program, it writes the pictures of the guide to docs/."""

import os
import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def run_guide(folder):
    """Runs every block in one namespace; the pictures go into `folder`."""
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    names = {"__name__": "guide"}
    here = Path.cwd()
    os.chdir(folder)
    try:
        for match in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            # Empty lines in front, so that line numbers in a traceback are those of the guide.
            lines_before = text.count("\n", 0, match.start(1))
            exec(compile("\n" * lines_before + match[1], str(DOCS / "python.md"), "exec"), names)
    finally:
        os.chdir(here)
    return re.findall(r"!\[.*?\]\((\S+)\)", text)


def test_guide(tmp_path):
    pictures = run_guide(tmp_path)
    assert len(pictures) == 2
    for picture in pictures:
        assert (tmp_path / picture).stat().st_size > 1000
        assert (DOCS / picture).exists()


if __name__ == "__main__":
    import matplotlib

    matplotlib.use("Agg")
    run_guide(DOCS)
    (DOCS / "moons.kinglet").unlink()
