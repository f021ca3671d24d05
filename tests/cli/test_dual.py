"""Dual learners: training and prediction, the examples they store, options they refuse, and resuming."""

import os
import pathlib
import signal

import pytest
from program import TIMEOUT, refused, run, run_json, start, wait_for_handler

BOARD = ["gen:ncheckerboard?n=2000&seed=1", "--gamma", 8]
TEST = ["--test", "gen:checkerboard?n=2000&seed=2"]


@pytest.mark.parametrize("algorithm", ["onlinesvmr", "onlineasvmr", "svmr", "idsvm", "lasvm", "svm", "tvm"])
def test_every_dual_learner_trains_predicts_and_tells_of_itself(algorithm, tmp_path):
    model = tmp_path / "model.kinglet"
    result = run_json("train", *BOARD, *TEST, "--algo", algorithm, "--C", 10, "-o", model, "--quiet")
    assert result["test_accuracy"] > 0.85
    assert result["algorithm"] == algorithm and result["update"] is None
    assert result["stored_examples"] >= result["support_vectors"] or algorithm == "tvm"
    assert (result["online_error"] is None) == (algorithm in ("svm", "svmr"))
    info = run_json("info", model)
    assert info["support_vectors"] == result["support_vectors"]
    evaluated = run_json("eval", TEST[1], "-m", model)
    assert evaluated["accuracy"] == pytest.approx(result["test_accuracy"])


def test_noise_does_not_become_support_vectors():
    noisy = {a: run_json("train", *BOARD, *TEST, "--algo", a, "--C", 10, "--quiet") for a in ("onlinesvmr", "svm")}
    assert noisy["onlinesvmr"]["support_vectors"] < noisy["svm"]["support_vectors"] / 2
    assert noisy["onlinesvmr"]["kernel_evaluations"] > 0 and noisy["svm"]["kernel_evaluations"] is None


def test_the_removal_step_keeps_few_examples():
    kept = run_json("train", *BOARD, "--algo", "onlinesvmr", "--C", 10, "--keep-non-sv", 50, "--quiet")
    assert kept["stored_examples"] <= kept["support_vectors"] + 50


def test_refuses_what_a_dual_learner_cannot_do():
    assert "has no update and budget rules" in refused("train", *BOARD, "--algo", "idsvm", "--update", "pegasos")
    assert "--budget is not an option" in refused("train", *BOARD, "--algo", "idsvm", "--budget", 10)
    assert "count them twice" in refused("train", *BOARD, "--algo", "svm", "--passes", 2)
    assert "learns only at the end of a pass" in refused("train", *BOARD, "--algo", "svm", "--query", "ramp")
    assert "--cache must be an amount" in refused("train", *BOARD, "--algo", "lasvm", "--cache", "lots")
    assert "whole number" in refused("train", *BOARD, "--algo", "onlinesvmr", "--keep-non-sv", 2.5)
    assert "no laplacian" in refused("train", *BOARD, "--algo", "svm", "--kernel", "laplacian")


def test_a_stopped_run_goes_on_to_the_same_model(tmp_path):
    data = ["gen:ncheckerboard?n=20000&seed=3", "--gamma", 8, "--algo", "onlinesvmr", "--C", 10, "--keep-non-sv", 200]
    whole, part = tmp_path / "whole", tmp_path / "part"
    run("train", *data, "-o", whole, "--quiet")
    state = tmp_path / "state"
    child = start("train", *data, "-o", part, "--checkpoint", state, "--every", 1000, "--quiet")
    wait_for_handler(child)
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=TIMEOUT)
    run("train", *data, "-o", part, "--checkpoint", state, "--every", 1000, "--resume", "--quiet")
    assert pathlib.Path(whole).read_bytes() == pathlib.Path(part).read_bytes()
    assert os.path.getsize(whole) > 0
