"""Runs the unit tests in several processes for each core.

    python3 tests/dev/shards.py RESULTS LOGS JOBS COMMAND...

COMMAND runs a GoogleTest program. One process for each test would take several times as long, most of it for starting; one for
each core would leave a core idle when another has the longer tests. Writes RESULTS-N.xml (JUnit) and LOGS-N.log for each process.
One that ends badly without a failed test, by a crash or a leak, leaves a failed test in its results.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as xml

SHARDS_PER_JOB = 8
TIME_LIMIT = 1200  # seconds for one process
LINES_SHOWN = 40


def has_failures(results):
    try:
        return xml.parse(results).getroot().find(".//failure") is not None
    except (OSError, xml.ParseError):
        return False


def write_crash(results, name, outcome, log):
    """Results with one failed test."""
    suite = xml.Element("testsuite", name=name, tests="1", failures="1")
    case = xml.SubElement(suite, "testcase", name=f"{name} {outcome}")
    output = log.read_text(errors="replace").splitlines()[-LINES_SHOWN:]
    # XML allows no other control characters.
    text = "".join(c if c.isprintable() or c == "\n" else "?" for c in "\n".join(output))
    xml.SubElement(case, "failure", message=outcome).text = text
    xml.ElementTree(suite).write(results, encoding="unicode")


def run(command, shard, shards, results, logs):
    results = pathlib.Path(f"{results}-{shard}.xml")
    log = pathlib.Path(f"{logs}-{shard}.log")
    results.unlink(missing_ok=True)
    environment = {**os.environ, "GTEST_TOTAL_SHARDS": str(shards), "GTEST_SHARD_INDEX": str(shard)}
    with log.open("w") as file:
        try:
            code = subprocess.run([*command, "--gtest_brief=1", f"--gtest_output=xml:{results}"], env=environment, stdout=file,
                                  stderr=subprocess.STDOUT, timeout=TIME_LIMIT).returncode  # fmt: skip
            outcome = f"ended with {code}"
        except subprocess.TimeoutExpired:
            code, outcome = -1, f"took more than {TIME_LIMIT} seconds"
    if code != 0 and not has_failures(results):
        write_crash(results, results.stem, outcome, log)


def main(results, logs, jobs, *command):
    shards = SHARDS_PER_JOB * int(jobs)
    with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
        list(pool.map(lambda shard: run(command, shard, shards, results, logs), range(shards)))


if __name__ == "__main__":
    main(*sys.argv[1:])
