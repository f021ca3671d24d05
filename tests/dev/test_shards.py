"""The processes that run the unit tests, with a program that behaves as GoogleTest does."""

import shards
import summary

PROGRAM = """#!/bin/sh
for argument; do case $argument in --gtest_output=xml:*) results=${argument#--gtest_output=xml:} ;; esac; done
begin='<testsuites><testsuite><testcase name="T" classname="S" status="run" result="completed"'
end='</testsuite></testsuites>'
case $GTEST_SHARD_INDEX in
  3) printf '%s><failure>no</failure></testcase>%s' "$begin" "$end" >"$results"; exit 1 ;;
  5) printf 'ERROR: \\033 leak'; printf '%s/>%s' "$begin" "$end" >"$results"; exit 23 ;;
  7) echo 'gone'; exit 139 ;;
  *) printf '%s/>%s' "$begin" "$end" >"$results" ;;
esac
"""


def test_each_shard_leaves_results_also_if_it_crashes(tmp_path, capsys):
    program = tmp_path / "program"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    results = tmp_path / "results"
    results.mkdir()
    shards.main(str(results / "unit"), str(tmp_path / "log"), "1", str(program))
    assert summary.main(results) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "tests: 5 passed, 3 failed"
    assert "FAILED unit-3: S.T" in lines
    assert "FAILED unit-5: unit-5 ended with 23" in lines and "  ERROR: ? leak" in lines
    assert "FAILED unit-7: unit-7 ended with 139" in lines and "  gone" in lines
