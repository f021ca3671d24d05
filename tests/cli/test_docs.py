"""Every command in a ```console block of README.md and docs/guide.md runs, and prints what stands there; docs/algorithms.md
says what the registry says.

The commands of one document run in order, in one empty folder. A block opened with ```console exit=2 shows commands
that end with that exit code; all others must succeed. Output is compared line by line with every number (and its unit)
taken as equal to any other, because speed and memory differ from machine to machine. A line with nothing but … stands
for any number of lines.

`python3 tests/cli/test_docs.py` writes what the commands print now into the documents.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pytest
from program import KINGLET, ROOT

DOCUMENTS = ["README.md", "docs/guide.md"]
BLOCK = re.compile(r"^```console(?: exit=(\d+))?\n(.*?)^```$", re.M | re.S)
NUMBER = re.compile(r"\d[\d,]*(\.\d+)?(e[-+]?\d+)?[kMG]?(?![\w-])( m?s\b| [KMGT]?i?B\b)?")


def steps(block):
    """The commands of a block with the output that follows each."""
    found = []
    for line in block.splitlines():
        if found and found[-1][0].endswith("\\") and not found[-1][1]:
            found[-1][0] += "\n" + line
        elif line.startswith("$ "):
            found.append([line[2:], []])
        else:
            found[-1][1].append(line)
    return found


def execute(command, folder):
    """Exit code and output of a command, with the program first in the path."""
    tools = pathlib.Path(folder, ".tools")
    tools.mkdir(exist_ok=True)
    if not (tools / "kinglet").exists():
        (tools / "kinglet").symlink_to(KINGLET)
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["bash", "-c", command], cwd=folder, env={**os.environ, "PATH": path}, timeout=120, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
    return done.returncode, done.stdout.splitlines()


def without_numbers(line):
    return " ".join(NUMBER.sub("#", line).replace("# min #", "#").split())


def agrees(shown, printed):
    """Whether the lines of the document describe the lines that were printed."""
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "…" else re.escape(without_numbers(line)) + r"\n" for line in shown)
    return re.fullmatch(pattern, "".join(without_numbers(line) + "\n" for line in printed)) is not None


@pytest.mark.parametrize("name", DOCUMENTS)
def test_commands_in_the_documents_run_and_print_what_is_shown(name, tmp_path):
    blocks = BLOCK.findall((ROOT / name).read_text())
    assert blocks, "no console blocks found"
    for code, block in blocks:
        for command, shown in steps(block):
            exit_code, printed = execute(command, tmp_path)
            assert exit_code == int(code or 0), command + "\n" + "\n".join(printed)
            assert agrees(shown, printed), f"$ {command}\n" + "\n".join(printed)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name):
    document = ROOT / name
    for target in re.findall(r"\]\(([^)#]+)", document.read_text()):
        assert target.startswith("https://") or (document.parent / target).exists(), target


def test_dev_commands_that_are_named_exist():
    known = subprocess.run([ROOT / "dev", "help"], capture_output=True, text=True).stdout
    for name in DOCUMENTS:
        for command in re.findall(r"\./dev (\w+)", (ROOT / name).read_text()):
            assert re.search(rf"^  {command}\b", known, re.M), command


ALGORITHMS = ROOT / "docs" / "algorithms.md"
GENERATED = "<!-- From here on: kinglet algorithms --markdown -->\n"


def algorithms_document():
    """docs/algorithms.md as the registry has it: the part below the mark comes from the program."""
    by_hand = ALGORITHMS.read_text().split(GENERATED)[0]
    done = subprocess.run([KINGLET, "algorithms", "--markdown"], capture_output=True, text=True, check=True)
    return by_hand + GENERATED + done.stdout


def test_the_list_of_algorithms_is_that_of_the_registry():
    assert ALGORITHMS.read_text() == algorithms_document(), "python3 tests/cli/test_docs.py writes it anew"


def refresh(document):
    """Writes what the commands print now into the document; output shortened with … stays."""
    with tempfile.TemporaryDirectory() as folder:

        def renewed(match):
            lines = []
            for command, shown in steps(match[2]):
                _, printed = execute(command, folder)
                lines += ["$ " + command] + (shown if any(line.strip() == "…" for line in shown) else printed)
            opening = match[0].splitlines()[0]
            return "\n".join([opening, *lines, "```"])

        document.write_text(BLOCK.sub(renewed, document.read_text()))


if __name__ == "__main__":
    for each in sys.argv[1:] or DOCUMENTS:
        refresh(ROOT / each)
    ALGORITHMS.write_text(algorithms_document())
