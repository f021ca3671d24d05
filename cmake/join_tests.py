"""Joins the test files of a folder into one, so that the compiler reads GoogleTest and our headers once for all of them.

    python3 join_tests.py OUTPUT FILE...

The anonymous namespace of each file gets the name of the file: helpers of the same name in two files stay apart. Files are
named relative to the project, so that the compiler cache knows them in every clone.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def joined(files):
    parts = []
    for path in map(pathlib.Path, files):
        text = path.read_text().replace("\nnamespace {\n", f"\nnamespace {path.stem} {{\n")
        if re.search(r"^(static|inline) ", text, re.M):
            sys.exit(f"{path}: put this into the anonymous namespace, or it clashes with other tests")
        parts.append(f'#line 1 "{path.resolve().relative_to(ROOT)}"\n{text}')
    return "\n".join(parts)


if __name__ == "__main__":
    output = pathlib.Path(sys.argv[1])
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(joined(sys.argv[2:]))
