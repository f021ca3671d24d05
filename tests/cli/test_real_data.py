"""Real data sets, if the folder KINGLET_TEST_DATA has them: the accuracy is what these methods are known to reach."""

import lzma
import random

import pytest
from program import DATA, run, run_json


def data_file(name):
    path = DATA / f"{name}.xz"
    if not path.exists():
        pytest.skip(f"no {path.name} in {DATA}: set KINGLET_TEST_DATA to the folder of the data sets")
    return path


def shuffled(name, folder):
    """Writes the set in random order: some files are sorted by label, and train learns rows in the order of the file."""
    with lzma.open(data_file(name), "rt") as file:
        lines = file.readlines()
    random.Random(1).shuffle(lines)
    path = folder / name
    path.write_text("".join(lines))
    return path


@pytest.mark.parametrize(
    "name, options, least",
    [
        ("ijcnn1", ["--budget", 200], 0.95),
        ("a9a", ["--budget", 100], 0.82),
        ("pendigits", ["--budget", 200], 0.93),
        ("satimage", ["--budget", 200], 0.83),
    ],
)
def test_accuracy_on_the_test_file(name, options, least, tmp_path):
    result = run_json("train", shuffled(name, tmp_path), "--test", data_file(name + ".t"), *options)
    assert result["test_accuracy"] >= least
    assert result["test_accuracy"] > 1 - result["test_majority_error"]


def test_wide_sparse_rows(tmp_path):
    result = run_json("train", shuffled("w7a", tmp_path), "--test", data_file("w7a.t"), "--budget", 100)
    assert result["test_accuracy"] > 0.96


def test_every_small_set_reads_and_learns(tmp_path):
    names = ["banana", "breast-cancer", "diabetes", "german.numer", "heart_scale", "ionosphere", "iris", "sonar", "wdbc",
             "wine"]  # fmt: skip
    for name in names:
        result = run_json("train", shuffled(name, tmp_path), "--budget", 100, "--passes", 3)
        assert result["online_error"] < result["majority_error"], name


def test_predictions_of_a_real_set_have_its_labels(tmp_path):
    model = tmp_path / "m"
    run("train", shuffled("iris", tmp_path), "-o", model, "--quiet")
    labels = run("predict", data_file("iris"), "-m", model).stdout.split()
    assert len(labels) == 150 and set(labels) == {"1", "2", "3"}
