"""The summary of ./dev test, on files as ctest, GoogleTest and pytest write them."""

import summary

CTEST = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="Linux-c++" tests="4" failures="1" disabled="0" skipped="1">
  <testcase name="Merge.Works" classname="Merge.Works" time="0.1" status="run"><system-out>fine</system-out></testcase>
  <testcase name="Merge.Fails" classname="Merge.Fails" time="0.1" status="fail">
    <failure message=""/><system-out>merge_test.cpp:12: Failure</system-out></testcase>
  <testcase name="Data.Absent" classname="Data.Absent" time="0" status="notrun">
    <skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/></testcase>
  <testcase name="Data.There" classname="Data.There" time="0" status="run"/>
</testsuite>
"""
GTEST = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" name="AllTests"><testsuite name="Race" tests="3" failures="1" skipped="1">
  <testcase name="Ends" status="run" result="completed" time="0.1" classname="Race" />
  <testcase name="Fails" status="run" result="completed" time="0.1" classname="Race">
    <failure message="race_test.cpp:9" type=""><![CDATA[race_test.cpp:9: Failure]]></failure></testcase>
  <testcase name="NeedsData" status="run" result="skipped" time="0" classname="Race"><skipped message="no data" /></testcase>
</testsuite></testsuites>
"""
PYTEST = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" errors="1" failures="1" skipped="2" tests="5">
  <testcase classname="test_a" name="test_passes" time="0.1"/>
  <testcase classname="test_a" name="test_fails" time="0.1"><failure message="assert 1 == 2">E  assert 1 == 2</failure></testcase>
  <testcase classname="test_a" name="test_breaks" time="0.1"><error message="no fixture">no fixture</error></testcase>
  <testcase classname="test_a" name="test_is_skipped"><skipped type="pytest.skip" message="no onnx">no onnx</skipped></testcase>
  <testcase classname="test_a" name="test_is_known"><skipped type="pytest.xfail" message="known"/></testcase>
</testsuite></testsuites>
"""


def printed(capsys, folder, *failed):
    code = summary.main(folder, *failed)
    return code, capsys.readouterr().out.splitlines()


def test_counts_what_googletest_wrote(tmp_path, capsys):
    (tmp_path / "unit-0.xml").write_text(GTEST)
    code, lines = printed(capsys, tmp_path)
    assert code == 1
    assert lines[-1] == "tests: 1 passed, 1 failed, 1 skipped"
    assert "FAILED unit-0: Race.Fails" in lines and "  race_test.cpp:9: Failure" in lines


def test_counts_what_ctest_and_pytest_wrote(tmp_path, capsys):
    (tmp_path / "unit.xml").write_text(CTEST)
    (tmp_path / "python.xml").write_text(PYTEST)
    code, lines = printed(capsys, tmp_path)
    assert code == 1
    assert lines[-1] == "tests: 4 passed, 3 failed, 2 skipped"
    assert "FAILED unit: Merge.Fails" in lines and "  merge_test.cpp:12: Failure" in lines
    assert "FAILED python: test_fails" in lines and "  E  assert 1 == 2" in lines
    assert "FAILED python: test_breaks" in lines


def test_a_failed_build_is_a_failed_test(tmp_path, capsys):
    (tmp_path / "unit.xml").write_text(CTEST.replace('status="fail"', 'status="run"').replace('<failure message=""/>', ""))
    assert printed(capsys, tmp_path) == (0, ["tests: 3 passed, 0 failed, 1 skipped"])
    code, lines = printed(capsys, tmp_path, "build asan")
    assert code == 1 and lines == ["FAILED build asan", "tests: 3 passed, 1 failed, 1 skipped"]


def test_no_result_is_no_success(tmp_path, capsys):
    assert printed(capsys, tmp_path) == (1, ["tests: 0 passed, 0 failed"])
    (tmp_path / "unit.xml").write_text("<testsuite")
    code, lines = printed(capsys, tmp_path)
    assert code == 1 and lines[-1] == "tests: 0 passed, 1 failed"
