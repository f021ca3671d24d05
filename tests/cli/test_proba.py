"""Probabilities in the program: train, predict, eval and info with --proba."""

import csv
import io
import math

import pytest
from program import blobs, refused, run, run_json


@pytest.fixture(scope="module")
def noisy(tmp_path_factory):
    """A model with probabilities that was trained on waveform data, and test data."""
    folder = tmp_path_factory.mktemp("proba")
    run("train", "gen:waveform?n=6000&seed=1", "-o", folder / "model", "--proba", "--quiet")
    run("gen", "gen:waveform?n=2000&seed=2", "-o", folder / "test")
    return folder / "model", folder / "test"


def table(text):
    return list(csv.reader(io.StringIO(text), delimiter="\t"))


def test_predict_prints_a_table_of_probabilities(noisy):
    model, test = noisy
    header, *rows = table(run("predict", test, "-m", model, "--proba").stdout)
    assert header == ["label", "0", "1", "2"] and len(rows) == 2000
    labels = run("predict", test, "-m", model).stdout.split()
    for row, label in zip(rows, labels):
        p = [float(value) for value in row[1:]]
        assert row[0] == label == header[1 + p.index(max(p))]
        assert sum(p) == pytest.approx(1, abs=1e-5)


def test_eval_measures_the_probabilities(noisy):
    model, test = noisy
    result = run_json("eval", test, "-m", model, "--proba")
    truth = [line.split()[0] for line in test.read_text().splitlines()]
    header, *rows = table(run("predict", test, "-m", model, "--proba").stdout)
    brier = loss = 0
    for row, y in zip(rows, truth):
        p = dict(zip(header[1:], map(float, row[1:])))
        brier += sum((p[c] - (c == y)) ** 2 for c in p)
        loss -= math.log(p[y])
    assert result["brier_score"] == pytest.approx(brier / 2000, rel=1e-5)
    assert result["log_loss"] == pytest.approx(loss / 2000, rel=1e-5)
    bins = result["reliability"]
    assert len(bins) == 10 and sum(b["examples"] for b in bins) == 2000
    error = sum(b["examples"] * abs(b["mean_probability"] - b["came_true"]) for b in bins if b["examples"])
    assert result["calibration_error"] == pytest.approx(error / 2000)
    assert result["calibration_error"] < 0.06
    text = run("eval", test, "-m", model).stdout
    assert "Brier score" in text and "probability of the predicted class" in text and "observed" in text


def test_labels_and_errors_are_those_without(noisy, tmp_path):
    model, test = noisy
    run("train", "gen:waveform?n=6000&seed=1", "-o", tmp_path / "plain", "--quiet")
    assert run("predict", test, "-m", tmp_path / "plain", "--scores").stdout == run(
        "predict", test, "-m", model, "--scores").stdout  # fmt: skip


def test_train_and_info_tell_how_they_turned_out(noisy, tmp_path):
    model, test = noisy
    trained = run_json("train", "gen:waveform?n=6000&seed=1", "-o", tmp_path / "m", "--proba", "--test", test)
    assert (tmp_path / "m").read_bytes() == model.read_bytes()
    assert trained["test_brier_score"] == run_json("eval", test, "-m", model)["brier_score"]
    info = run_json("info", model)
    assert info["online_brier_score"] == trained["online_brier_score"]
    assert sum(b["examples"] for b in info["online_reliability"]) == 6000
    assert "online Brier score" in run("info", model).stdout


def test_two_classes_are_about_the_second(tmp_path):
    data = blobs(tmp_path / "two", labels=("-1", "1"))
    run("train", data, "-o", tmp_path / "m", "--proba", "--quiet")
    header, *rows = table(run("predict", data, "-m", tmp_path / "m", "--proba").stdout)
    assert header == ["label", "-1", "1"] and len(rows[0]) == 3
    assert "probability of class 1" in run("eval", data, "-m", tmp_path / "m").stdout


def test_a_checkpoint_has_them(tmp_path):
    train = ["train", "gen:waveform?n=5000&seed=3", "--proba", "--quiet"]
    state = ["--checkpoint", tmp_path / "state", "--every", 2000]
    run(*train, "-o", tmp_path / "whole", *state)
    answers = run("predict", "gen:waveform?n=500", "-m", tmp_path / "state" / "checkpoint.kinglet", "--proba").stdout
    assert answers.startswith("label\t") and len(answers.splitlines()) == 501
    run(*train, "-o", tmp_path / "again", *state, "--resume")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "whole").read_bytes()


def test_what_cannot_be_is_refused(noisy, tmp_path):
    _, test = noisy
    run("train", test, "-o", tmp_path / "plain", "--quiet")
    for command in ("predict", "eval"):
        line = refused(command, test, "-m", tmp_path / "plain", "--proba")
        assert "plain has no probabilities" in line and "not trained with --proba" in line
    assert "--scores or --proba" in refused("predict", test, "-m", noisy[0], "--proba", "--scores")
    for task in ("regress", "novelty"):
        line = refused("train", test, "-o", tmp_path / "never", "--task", task, "--proba")
        assert "--proba is not an option of --task " + task in line
    assert "--proba is an option of train only" in refused("compare", test, "--algo", "bpegasos,bnorma", "--proba")
    assert "learns at the end of a pass" in refused("train", test, "-o", tmp_path / "never", "--algo", "svm", "--proba")


def test_a_report_draws_the_reliability(noisy, tmp_path):
    _, test = noisy
    page = tmp_path / "page.html"
    run("train", test, "--proba", "--quiet", "--report", page)
    assert "Reliability of the online predictions" in page.read_text()
    run("train", test, "--proba", "--quiet", "--report", page, "--test", test)
    assert "Reliability on the test data" in page.read_text()
