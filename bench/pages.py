"""What scripts share that keep their results in the documents: tables, blocks of pages, and the revision of the code."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BENCHMARKS = ROOT / "docs" / "benchmarks.md"
CODE = ["CMakeLists.txt", "cmake", "include", "src"]  # what decides kinglet's results


def table(titles, lines):
    """A table in Markdown; lines are lists of texts."""
    return "\n".join([f"| {' | '.join(titles)} |", f"|{'---|' * len(titles)}", *(f"| {' | '.join(line)} |" for line in lines)])


def put(name, text, documents=(BENCHMARKS,)):
    """Puts a text between <!-- NAME --> and <!-- end --> in every document that has such a block; at least one must."""
    block = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)", re.S)
    places = 0
    for document in documents:
        before = document.read_text(encoding="utf-8")
        after, found = block.subn(lambda match: f"{match[1]}\n{text.rstrip()}\n\n{match[2]}", before)
        document.write_text(after, encoding="utf-8")
        places += found
    if places == 0:
        sys.exit(f"no document has a block <!-- {name} -->")


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], check=True, capture_output=True, text=True).stdout.strip()


def revision():
    """The last commit that changed the code; + if there are changes that are not committed."""
    changed = git("status", "--porcelain", "--", *CODE)
    return git("log", "-1", "--format=%h", "--abbrev=10", "--", *CODE) + ("+" if changed else "")
