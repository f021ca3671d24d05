"""Alarms of drift: on the screen, as lines of JSON, and in the model."""

import json

from program import refused, run, run_json

STREAM = "gen:recurring?n=20000"
STILL = "gen:checkerboard?n=20000"


def events(*args, **options):
    return [json.loads(line) for line in run(*args, "--json-lines", **options).stdout.splitlines()]


def test_alarms_are_told_as_they_happen(tmp_path):
    done = run("train", STREAM, "-o", tmp_path / "model")
    told = [line for line in done.stderr.splitlines() if "drift since about" in line]
    assert told and all("recent error" in line and "usually" in line for line in told)
    result = run_json("train", STREAM)
    assert len(told) == result["drift_alarms"] == len(result["drift"])
    for line, alarm in zip(told, result["drift"]):
        assert line.split()[0].replace(",", "") == str(alarm["at"])
        assert 0 <= alarm["since"] <= alarm["at"] <= 20000
    assert f"{len(told)} alarm" in done.stdout


def test_lines_of_json_are_events_in_order_and_end_with_the_result():
    all_events = events("train", STREAM, "--quiet")
    kinds = [event["event"] for event in all_events]
    assert kinds[-1] == "result" and kinds.count("result") == 1
    assert "progress" in kinds and "drift" in kinds
    result = all_events[-1]
    drift = [{k: v for k, v in event.items() if k != "event"} for event in all_events if event["event"] == "drift"]
    assert drift == result["drift"]
    progress = [event["examples"] for event in all_events if event["event"] == "progress"]
    assert progress == sorted(progress) and progress[-1] == 20000


def test_a_still_stream_raises_no_alarm():
    done = run("train", STILL)
    assert "drift" not in done.stderr and "drift" not in done.stdout
    assert run_json("train", STILL)["drift_alarms"] == 0


def test_alarms_are_the_same_after_a_resume(tmp_path):
    rows = tmp_path / "rows"
    rows.write_text(run("gen", STREAM).stdout)
    whole = run_json("train", rows, "-o", tmp_path / "whole")
    lines = rows.read_text().splitlines(keepends=True)
    beginning = tmp_path / "beginning"
    beginning.write_text("".join(lines[:7001]))
    folder = ["--checkpoint", tmp_path / "state"]
    run_json("train", beginning, *folder)
    beginning.write_text("".join(lines))
    again = events("train", beginning, *folder, "--resume", "-o", tmp_path / "resumed")
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "whole").read_bytes()
    assert again[-1]["drift"] == whole["drift"]
    told = [event["at"] for event in again if event["event"] == "drift"]
    assert told == [alarm["at"] for alarm in whole["drift"] if alarm["at"] > 7001]


def test_the_report_marks_the_alarms_along_the_stream(tmp_path):
    result = run_json("train", STREAM, "--report", tmp_path / "drift.html")
    page = (tmp_path / "drift.html").read_text()
    alarms = [alarm["at"] for alarm in result["drift"]]
    assert page.count(json.dumps(alarms, separators=(",", ":"))) == 2  # the errors, and who led
    run_json("train", STILL, "--report", tmp_path / "still.html")
    assert '"alarms":[]' in (tmp_path / "still.html").read_text()


def test_what_does_not_go_together_is_refused():
    assert "--json-lines" in refused("train", STILL, "--json", "--json-lines")


def test_a_leader_may_leave_at_the_end_of_the_chunk_that_raises_an_alarm(tmp_path):
    result = run_json("train", "gen:recurring?n=100000&drift=2000", "-o", tmp_path / "model")
    assert result["examples"] == 100000 and result["drift_alarms"] > 10
