"""Adds up the results of all test steps.

    python3 tests/dev/summary.py FOLDER [FAILED...]
    python3 tests/dev/summary.py --step NAME FOLDER

FOLDER holds JUnit files (*.xml) as ctest, GoogleTest and pytest write them. Each FAILED names a step that failed without
writing such a file, for example a build. Prints each failure with the end of its output, then the line

    tests: N passed, N failed[, N skipped]

The exit code is 0 if nothing failed and something passed. With --step, prints only the counts of one step, whose files are
NAME.xml or NAME-*.xml.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as xml

LINES_SHOWN = 40


def outcome(case):
    """The outcome of a test case (passed, failed or skipped) and its output. Expected failures of pytest count as passed."""
    problems = [each for tag in ("failure", "error") for each in case.findall(tag)]
    output = "\n".join(element.text or "" for element in [*problems, *case.findall("system-out")])
    if problems or case.get("status") == "fail":
        return "failed", output
    skipped = case.find("skipped")
    if skipped is not None and skipped.get("type") != "pytest.xfail":
        return "skipped", output
    if case.get("status") in ("notrun", "disabled"):
        return "skipped", output
    return "passed", output


def name_of(case):
    """The name of a test case: SUITE.TEST for GoogleTest, recognised by the attribute `result`, which only it writes."""
    return f"{case.get('classname')}.{case.get('name')}" if case.get("result") else case.get("name")


def results_of(path):
    """(name, outcome, output) for each test of a JUnit file; an unreadable file, or one without tests, is a failure."""
    try:
        cases = list(xml.parse(path).getroot().iter("testcase"))
    except (OSError, xml.ParseError) as error:
        return [(f"{path.stem}: results cannot be read", "failed", str(error))]
    if not cases:
        return [(f"{path.stem}: no test was run", "failed", "")]
    return [(f"{path.stem}: {name_of(case)}", *outcome(case)) for case in cases]


def counted(results):
    count = {kind: sum(result == kind for _, result, _ in results) for kind in ("passed", "failed", "skipped")}
    skipped = f", {count['skipped']} skipped" if count["skipped"] else ""
    return count, f"{count['passed']} passed, {count['failed']} failed{skipped}"


def step(name, folder):
    paths = [path for path in sorted(pathlib.Path(folder).glob("*.xml")) if re.fullmatch(rf"{re.escape(name)}(-\d+)?", path.stem)]
    print(f"test: {name}:", counted([result for path in paths for result in results_of(path)])[1])


def main(folder, *failed_before):
    results = [(name, "failed", "") for name in failed_before]
    for path in sorted(pathlib.Path(folder).glob("*.xml")):
        results += results_of(path)
    for name, result, output in results:
        if result == "failed":
            print(f"FAILED {name}", *output.strip().splitlines()[-LINES_SHOWN:], sep="\n  ")
    count, text = counted(results)
    print(f"tests: {text}")
    return 1 if count["failed"] or not count["passed"] else 0


if __name__ == "__main__":
    sys.exit(step(*sys.argv[2:]) if sys.argv[1] == "--step" else main(*sys.argv[1:]))
