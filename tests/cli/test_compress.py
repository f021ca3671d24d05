"""kinglet compress: fewer support vectors, nearly the same predictions."""

import itertools
import lzma
import os
import shutil
import subprocess

import pytest
from program import DATA, refused, run, run_json


@pytest.fixture(scope="session")
def big_model(shop, board):
    path = shop / "big.kinglet"
    run("train", "gen:checkerboard?n=2000&seed=5", "-o", path, "--algo", "svm", "--C", 10, "--gamma", 8, "--quiet")
    return path


TEST = "gen:checkerboard?n=5000&seed=6"


def test_a_third_of_the_vectors_predicts_nearly_as_well(big_model, tmp_path):
    out = tmp_path / "small.kinglet"
    result = run_json("compress", big_model, "--budget", 90, "--test", TEST, "-o", out)
    assert result["support_vectors"] <= 90 < result["support_vectors_before"]
    assert result["after"]["accuracy"] > result["before"]["accuracy"] - 0.01
    assert result["distance"] <= result["distance_refitted"] <= result["distance_begun"]
    assert result["file_bytes"] < result["file_bytes_before"]
    # Like any other model, it can be evaluated, inspected, exported and compressed again.
    assert run_json("eval", TEST, "-m", out)["accuracy"] == pytest.approx(result["after"]["accuracy"])
    info = run_json("info", out)
    assert info["support_vectors"] == result["support_vectors"] and "compressed to 90" in info["origin"]
    assert "compressed to 90" in run("info", out).stdout
    run("export", out, "-o", tmp_path / "small.c")
    again = tmp_path / "again.kinglet"
    run("compress", out, "--budget", 30, "-o", again)
    assert run_json("info", again)["support_vectors"] <= 30


def test_the_same_command_gives_the_same_bytes(big_model, tmp_path):
    made = []
    for threads in (1, 2, 1):
        out = tmp_path / "small.kinglet"
        run("compress", big_model, "--budget", 40, "--rounds", 5, "--threads", threads, "-o", out)
        made.append(out.read_bytes())
    assert made[0] == made[1] == made[2]


def test_a_budget_that_is_large_enough_changes_no_score(words, words_model, tmp_path):
    out = tmp_path / "same.kinglet"
    text = run("compress", words_model, "--budget", 1000, "--test", words, "-o", out).stdout
    assert "within the budget" in text and "+0.00 points" in text
    before = run("predict", words, "-m", words_model, "--scores").stdout.splitlines()
    after = run("predict", words, "-m", out, "--scores").stdout.splitlines()
    for a, b in zip(before, after):
        label, *scores = a.split("\t")
        same, *others = b.split("\t")
        assert label == same and [float(s) for s in scores] == pytest.approx([float(s) for s in others], abs=1e-5)


@pytest.mark.parametrize(
    "options",
    [
        ["--kernel", "laplacian", "--budget-rule", "smallest"],
        ["--kernel", "poly", "--degree", 2, "--budget-rule", "smallest"],
        ["--kernel", "linear", "--budget-rule", "smallest"],
        ["--task", "novelty"],
    ],
)
def test_other_kernels_and_tasks(options, tmp_path):
    model, out = tmp_path / "model.kinglet", tmp_path / "small.kinglet"
    data = "gen:waveform?n=3000&seed=3" if "novelty" not in options else "gen:checkerboard?n=3000&seed=3"
    if "novelty" in options:
        plain = run("gen", "checkerboard", "-n", 3000).stdout
        data = tmp_path / "data"
        data.write_text("".join("1 " + line.split(" ", 1)[1] + "\n" for line in plain.splitlines()))
    run("train", data, "-o", model, "--budget", 60, "--quiet", *options)
    result = run_json("compress", model, "--budget", 20, "--test", data, "-o", out)
    assert result["support_vectors"] <= 20
    assert result["distance"] <= result["distance_refitted"] <= result["distance_begun"]
    assert abs(result["after"]["accuracy"] - result["before"]["accuracy"]) < 0.1


def test_a_linear_kernel_needs_one_vector_for_each_function(tmp_path):
    model, out = tmp_path / "model", tmp_path / "small"
    run("train", "gen:waveform?n=1000", "-o", model, "--kernel", "linear", "--budget-rule", "smallest", "--quiet")
    text = run("compress", model, "--budget", 5, "-o", out).stdout
    assert "one per function" in text and run_json("info", out)["support_vectors"] == 3


def test_regression(tmp_path):
    data, model, out = tmp_path / "data", tmp_path / "model.kinglet", tmp_path / "small.kinglet"
    lines = [f"{(i % 97) ** 2 / 1000} 1:{i % 97} 2:{i % 7}" for i in range(2000)]
    data.write_text("\n".join(lines) + "\n")
    run("train", data, "-o", model, "--task", "regress", "--budget", 80, "--quiet")
    result = run_json("compress", model, "--budget", 30, "--test", data, "-o", out)
    assert result["after"]["rmse"] < result["before"]["rmse"] + 0.5


def test_what_it_made_does_not_learn(big_model, tmp_path):
    first = tmp_path / "x"
    run("train", TEST, "--checkpoint", tmp_path, "-o", first, "--quiet")
    checkpoint = tmp_path / "checkpoint.kinglet"
    run("compress", big_model, "--budget", 20, "--rounds", 0, "-o", checkpoint)
    assert "can only predict" in refused("train", TEST, "--checkpoint", tmp_path, "--resume", "-o", first, "--quiet")


def test_wrong_arguments_are_refused(big_model, tmp_path):
    out = tmp_path / "small.kinglet"
    assert "--budget is missing" in refused("compress", big_model, "-o", out)
    assert "--budget must be at least 1" in refused("compress", big_model, "--budget", 0, "-o", out)
    assert "-o FILE" in refused("compress", big_model, "--budget", 5)
    assert "MODEL" in refused("compress")
    assert "no such file" in refused("compress", tmp_path / "nothing", "--budget", 5, "-o", out)
    assert "would be replaced" in refused("compress", big_model, "--budget", 5, "-o", big_model)
    assert "--test FILE" in refused("compress", big_model, "--budget", 5, "-o", out, "--format", "csv")
    assert "never ends" in refused("compress", big_model, "--budget", 5, "-o", out, "--test", "gen:checkerboard")
    message = refused("compress", big_model, "--budget", 5, "-o", out, "--data", "test.libsvm")
    assert "--data names the folder" in message and "--test FILE" in message
    assert "does not exist" in refused("compress", big_model, "--budget", 5, "-o", tmp_path / "no" / "x")
    assert os.listdir(tmp_path) == []


def test_a_kernel_without_distances_is_refused(tmp_path):
    model = tmp_path / "model.kinglet"
    run("train", "gen:checkerboard?n=500", "-o", model, "--kernel", "sigmoid", "--budget-rule", "oldest", "--budget", 30, "--quiet")
    assert "sigmoid" in refused("compress", model, "--budget", 5, "-o", tmp_path / "small.kinglet")


def test_an_svm_of_real_data_keeps_its_accuracy(tmp_path):
    """The first 10,000 rows of ijcnn1: less than a fifth of the vectors loses at most half a percentage point."""
    if shutil.which("svm-train") is None:
        pytest.skip("no svm-train here: it is in the package libsvm-tools (packages.txt)")
    paths = []
    for name, rows in (("ijcnn1", 10000), ("ijcnn1.t", 10000)):
        packed = DATA / f"{name}.xz"
        if not packed.exists():
            pytest.skip(f"no {packed.name} in {DATA}: set KINGLET_TEST_DATA to the folder of the data sets")
        paths.append(tmp_path / name)
        with lzma.open(packed, "rt") as file:
            paths[-1].write_text("".join(itertools.islice(file, rows)))
    model = tmp_path / "svm.model"
    subprocess.run(["svm-train", "-q", "-c", "32", "-g", "2", str(paths[0]), str(model)], check=True)
    result = run_json("compress", model, "--budget", 100, "--rounds", 20, "--test", paths[1], "-o", tmp_path / "small.kinglet", timeout=600)
    assert result["support_vectors_before"] > 500 and result["support_vectors"] == 100
    assert result["after"]["accuracy"] >= result["before"]["accuracy"] - 0.005
