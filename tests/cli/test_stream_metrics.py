"""kinglet train --metrics and --delay: measures along the stream, and labels that come late."""

import pytest
from program import blobs, refused, run, run_json

STREAM = "gen:moving-gaussians?n=20000&drift=4000"
LEARNER = ["--algo", "bpa-nn", "--budget", 100]


def test_metrics_are_those_of_the_predictions_before_learning(tmp_path):
    result = run_json("train", STREAM, *LEARNER, "--metrics")
    stream = result["stream"]
    assert stream["delay"] == 0 and stream["examples"] == 20000
    assert stream["accuracy"] == pytest.approx(1 - result["online_error"])
    assert stream["kappa_t"] == pytest.approx(
        (stream["accuracy"] - stream["repetition_accuracy"]) / (1 - stream["repetition_accuracy"])
    )
    assert 0.45 < stream["repetition_accuracy"] < 0.55 and 0.45 < stream["majority_accuracy"] < 0.55
    assert sum(each["examples"] for each in stream["classes"]) == 20000
    assert [each["label"] for each in stream["classes"]] == ["-1", "1"]


def test_people_see_them_only_when_asked():
    shown = run("train", STREAM, *LEARNER, "--metrics").stdout
    for name in ("along the stream, 20,000 examples", "Kappa-M", "Kappa-T", "recall"):
        assert name in shown
    assert "Kappa" not in run("train", STREAM, *LEARNER).stdout


def test_late_labels_change_the_judgement_and_not_the_model(tmp_path):
    prompt = run_json("train", STREAM, *LEARNER, "--metrics", "-o", tmp_path / "prompt")
    late = run_json("train", STREAM, *LEARNER, "--delay", 500, "-o", tmp_path / "late")
    assert (tmp_path / "prompt").read_bytes() == (tmp_path / "late").read_bytes()
    assert late["stream"]["examples"] == 20000 - 1024 - 500
    assert late["stream"]["accuracy"] < prompt["stream"]["accuracy"] - 0.05
    assert late["online_error"] == prompt["online_error"]  # of predictions just before learning


def test_late_labels_of_numbers():
    late = run_json("train", "gen:friedman?n=5000", "--task", "regress", "--delay", 10)["stream"]
    assert late["examples"] == 5000 - 1024 - 10 and 0 < late["rmse"] < 4


def test_a_late_stream_goes_on_from_its_checkpoint(tmp_path):
    rows = tmp_path / "rows"
    rows.write_text(run("gen", STREAM).stdout)
    whole = ["train", rows, *LEARNER, "--delay", 300]
    run_json(*whole, "-o", tmp_path / "whole")
    beginning = tmp_path / "beginning"
    beginning.write_text("".join(rows.read_text().splitlines(keepends=True)[:9000]))
    folder = ["--checkpoint", tmp_path / "state"]
    run_json("train", beginning, *LEARNER, "--delay", 300, *folder)
    rows.rename(beginning)
    again = run_json("train", beginning, *LEARNER, "--delay", 300, *folder, "--resume", "-o", tmp_path / "resumed")
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "whole").read_bytes()
    assert again["stream"]["examples"] == 20000 - 9000 - 300


def test_what_does_not_go_together_is_refused(tmp_path):
    rows = tmp_path / "rows"
    blobs(rows, 50)
    assert "only one pass" in refused("train", rows, "--delay", 5, "--passes", 2)
    assert "--delay" in refused("train", rows, "--delay", -1)
    assert "--delay" in refused("train", rows, "--delay", 10**9)
    together = ["--query-out", tmp_path / "q", "--labels-in", tmp_path / "l"]
    (tmp_path / "l").write_text("")
    assert "the label of every row" in refused("train", rows, "--delay", 5, *together, "--query", "ramp")
    assert "the label of every row" in refused("train", rows, "--delay", 5, *together, "--query-budget", 7)
