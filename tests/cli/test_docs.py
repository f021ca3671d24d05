"""Runs the commands in the ```console blocks of README.md and of the DOCUMENTS in docs/ and compares their output with what is
shown.
Also compares docs/algorithms.md with the registry.

The commands of one document run in order, in one empty folder. A block opened with ```console exit=2 shows commands
that end with that exit code; all others must succeed. Output is compared line by line, including spaces. Only what
differs from run to run is ignored: times, rates, the memory of the process, and the number of examples after which a run
was stopped. A line that contains only … stands for any number of lines.

All other numbers must be those that the program prints with AVX2 (KINGLET_ISA=avx2): other instruction sets round sums
differently, which may change the last digit. On a machine without AVX2, numbers are therefore ignored altogether.

`python3 tests/cli/test_docs.py` updates the documents with what the commands print now.
"""

import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pytest
from program import KINGLET, ROOT

DOCUMENTS = ["README.md", "docs/guide.md", "docs/mix.md", "docs/streams.md"]
BLOCK = re.compile(r"^```console(?: exit=(\d+))?\n(.*?)^```$", re.M | re.S)
ISA = "avx2"

NUMBER = r"\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?"
VARYING = [  # what differs from run to run: the group of each pattern
    re.compile(rf"({NUMBER} min {NUMBER} s|{NUMBER} (?:ns|µs|ms|s|min|h))(?!\w)"),
    re.compile(rf"({NUMBER}[kMG]?)/s\b"),
    re.compile(rf"process at most ({NUMBER} [KMG]?i?B)"),
    re.compile(rf"stopped after ({NUMBER}) examples"),
    re.compile(rf'"(?:seconds|examples_per_second|peak_rss_bytes)": ({NUMBER})'),
]
VARYING_COLUMNS = re.compile(r"(?<=  )(?:examples/s|seconds)(?=  |$)")  # titles of right-aligned columns
ANY_NUMBER = re.compile(rf"({NUMBER}[kMG]?)(?![\w-])")


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


@functools.cache
def has_fixed_isa():
    """Whether this machine has the instruction set that the documents were written with."""
    run = subprocess.run([KINGLET, "gen", "gauss", "-n", "1"], env={**os.environ, "KINGLET_ISA": ISA}, capture_output=True)
    return run.returncode == 0


def execute(command, folder):
    """Exit code and output of a command, with the program first in the path."""
    tools = pathlib.Path(folder, ".tools")
    tools.mkdir(exist_ok=True)
    if not (tools / "kinglet").exists():
        (tools / "kinglet").symlink_to(KINGLET)
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    if has_fixed_isa():
        environment["KINGLET_ISA"] = ISA
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, timeout=120, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
    return done.returncode, done.stdout.splitlines()


def blanked(lines, every_number=False):
    """Replaces what differs from run to run, and the spaces around it, by #. Optionally replaces every number and collapses
    all spaces."""
    patterns = [*VARYING, ANY_NUMBER] if every_number else VARYING
    columns = []  # where the varying columns of the current table end
    result = []
    for line in lines:
        titles = [title.end() for title in VARYING_COLUMNS.finditer(line)]
        columns = titles if titles or not line.strip() else columns
        spans = [match.span() for match in re.finditer(r"(?<!\S)\d\S*", line) if match.end() in columns]
        for pattern in patterns:
            spans += [match.span(1) for match in pattern.finditer(line)]
        for begin, end in sorted(spans, reverse=True):
            line = line[:begin] + "#" + line[end:]
        # A column is as wide as its values, so spaces beside a varying value vary too.
        result.append(" ".join(line.split()) if every_number else re.sub(r" *# *", " # ", line).rstrip())
    return result


def agrees(shown, printed, every_number=False):
    """Whether the lines of the document describe the lines that were printed."""
    pattern = ""
    for line in blanked(shown, every_number):
        pattern += r"(?:.*\n)*?" if line.strip() == "…" else re.escape(line) + r"\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in blanked(printed, every_number))) is not None


def test_only_what_varies_is_ignored():
    assert agrees(["50,000 in 1 min 21 s, 2.44M/s"], ["50,000 in   3.6 ms, 12/s"])
    assert not agrees(["online error      0.1"], ["online error   0.1"])
    assert agrees(["online error      0.1"], ["online error   0.1"], every_number=True)
    assert not agrees(["50,000 in 21 ms, 2.44M/s"], ["50,001 in 21 ms, 2.44M/s"])
    assert agrees(["learner 18.1 KiB, process at most 16.9 MiB"], ["learner 18.1 KiB, process at most 1 GiB"])
    assert not agrees(["learner 14.1 KiB, process at most 16.9 MiB"], ["learner 18.1 KiB, process at most 16.9 MiB"])
    table = ["  learner  error %  seconds   memory", "", "  learner  error %  seconds   memory", "  bmp         3.17   0.0101  25 KiB"]
    assert agrees(table, [*table[:3], "  bmp         3.17        7  25 KiB"])
    assert not agrees(table, [*table[:3], "  bmp         3.18   0.0101  25 KiB"])
    assert agrees(["…", "b 2"], ["a", "", "b 2"]) and not agrees(["…", "b 2"], ["a", "b 3"])
    assert agrees(["0.9762 on 10 examples"], ["0.97 on 11 examples"], every_number=True)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_commands_in_the_documents_run_and_print_what_is_shown(name, tmp_path):
    blocks = BLOCK.findall((ROOT / name).read_text())
    assert blocks, "no console blocks found"
    fixed = has_fixed_isa()
    for code, block in blocks:
        for command, shown in steps(block):
            exit_code, printed = execute(command, tmp_path)
            assert exit_code == int(code or 0), command + "\n" + "\n".join(printed)
            assert agrees(shown, printed, every_number=not fixed), f"$ {command}\n" + "\n".join(printed)


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
    """What docs/algorithms.md should contain: its part written by hand, then what the program prints."""
    by_hand = ALGORITHMS.read_text().split(GENERATED)[0]
    done = subprocess.run([KINGLET, "algorithms", "--markdown"], capture_output=True, text=True, check=True)
    return by_hand + GENERATED + done.stdout


def test_the_list_of_algorithms_is_that_of_the_registry():
    assert ALGORITHMS.read_text() == algorithms_document(), "python3 tests/cli/test_docs.py writes it anew"


def refresh(document):
    """Updates a document with what its commands print now. Output that agrees or is shortened with … stays; other output
    is replaced as a whole, so that all times of a block are of one run."""
    with tempfile.TemporaryDirectory() as folder:

        def renewed(match):
            lines = []
            for command, shown in steps(match[2]):
                _, printed = execute(command, folder)
                stays = agrees(shown, printed) or any(line.strip() == "…" for line in shown)
                if stays and not agrees(shown, printed):
                    print(f"{document.name}: shortened by hand, and no longer true: $ {command}", *printed, sep="\n")
                lines += ["$ " + command] + (shown if stays else printed)
            opening = match[0].splitlines()[0]
            return "\n".join([opening, *lines, "```"])

        document.write_text(BLOCK.sub(renewed, document.read_text()))


if __name__ == "__main__":
    if not has_fixed_isa():
        sys.exit(f"the documents show what the program prints with {ISA}, which this machine does not have")
    for each in sys.argv[1:] or DOCUMENTS:
        refresh(ROOT / each)
    ALGORITHMS.write_text(algorithms_document())
