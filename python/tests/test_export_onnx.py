"""kinglet export --to onnx: onnxruntime gives the same labels, and scores within 1e-4."""

import os
import pathlib
import random
import subprocess

import numpy as np
import onnx
import onnxruntime
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINGLET = os.path.abspath(os.environ.get("KINGLET", ROOT / "build" / "kinglet"))
FEATURES = 6

# name, task, options of train
MODELS = [
    ("binary", "two", ["--budget", "60"]),
    ("many", "three", ["--budget", "80"]),
    ("words", "words", ["--budget", "40"]),
    ("minmax", "two", ["--budget", "40", "--scale", "minmax"]),
    ("unit", "three", ["--budget", "40", "--scale", "unit"]),
    ("none", "two", ["--budget", "40", "--scale", "none"]),
    ("narrow", "two", ["--budget", "60", "--gamma", "4"]),
    ("laplacian", "three", ["--budget", "40", "--kernel", "laplacian", "--budget-rule", "smallest"]),
    ("linear", "three", ["--budget", "40", "--kernel", "linear", "--budget-rule", "smallest"]),
    ("poly", "two", ["--budget", "40", "--kernel", "poly", "--degree", "2", "--budget-rule", "smallest"]),
    ("hpoly", "two", ["--budget", "40", "--kernel", "hpoly", "--degree", "3", "--budget-rule", "smallest"]),
    ("sigmoid", "two", ["--budget", "40", "--kernel", "sigmoid", "--budget-rule", "oldest"]),
    ("average", "two", ["--algo", "oskl"]),
    ("svm", "three", ["--algo", "svm"]),
    ("sparse", "three", ["--budget", "60", "--storage", "sparse"]),
    ("metric", "three", ["--budget", "60", "--metric", "learned"]),
    ("weights", "two", ["--budget", "60", "--metric", "learned", "--scale", "none"]),
    ("missing", "missing", ["--budget", "40", "--missing", "mean"]),
    ("regress", "number", ["--budget", "60", "--task", "regress"]),
    ("novelty", "normal", ["--budget", "60", "--task", "novelty"]),
]


def run(*arguments):
    done = subprocess.run([KINGLET, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def label_of(task, x, rng):
    if task == "two" or task == "missing":
        return 1 if x[0] + 0.3 * x[1] * x[2] > 0.2 else -1
    if task == "number":
        return round(x[0] - 0.5 * x[1] + rng.gauss(0, 0.1), 4)
    if task == "normal":
        return 1
    kind = 0 if x[0] > 0.8 else 1 if x[1] > 0.5 else 2
    return ("wren", "robin", "finch")[kind] if task == "words" else (3, 7, 5)[kind]


def write_csv(path, task, rows, seed):
    """Writes rows with the label first. Returns the features as an array, with NaN for missing values."""
    rng = random.Random(seed)
    lines, table = [], []
    for _ in range(rows):
        x = [round(rng.gauss(0, 1) * (1 + 3 * (f % 3)) + f % 2, 4) for f in range(FEATURES)]
        fields = [str(value) for value in x]
        label = label_of(task, x, rng)
        if task == "missing" and rng.random() < 0.3:
            gap = rng.randrange(FEATURES)
            fields[gap], x[gap] = "", float("nan")
        lines.append(",".join([str(label), *fields]))
        table.append(x)
    path.write_text("\n".join(lines) + "\n")
    return np.array(table, dtype=np.float32)


def expected(model, test, task, extra=()):
    """The labels (or numbers) and the scores that kinglet predict prints."""
    regress = task == "number"
    lines = run("predict", test, "-m", model, *extra, *([] if regress else ["--scores"])).splitlines()
    parts = [line.split("\t") for line in lines]
    scores = [[float(parts[i][0])] if regress else [float(s) for s in parts[i][1:]] for i in range(len(parts))]
    return [part[0] for part in parts], np.array(scores)


@pytest.mark.parametrize("name, task, options", MODELS, ids=[model[0] for model in MODELS])
def test_onnxruntime_says_what_kinglet_says(name, task, options, tmp_path):
    data, test, model, out = (tmp_path / part for part in ("data.csv", "test.csv", "model.kinglet", "model.onnx"))
    write_csv(data, task, 900, 1)
    x = write_csv(test, task, 1200, 2)
    run("train", data, "-o", model, "--quiet", *options)
    run("export", model, "-o", out)
    onnx.checker.check_model(onnx.load(out), full_check=True)
    labels, scores = expected(model, test, task, ["--missing", "mean"] if task == "missing" else [])

    session = onnxruntime.InferenceSession(str(out), providers=["CPUExecutionProvider"])
    size = max(1.0, np.abs(scores).max())
    if task == "number":
        (value,) = session.run(["value"], {"x": x})
        assert value.shape == scores.shape and np.abs(value - scores).max() < 1e-4 * size
        return
    label, got = session.run(["label", "scores"], {"x": x})
    assert got.dtype == np.float32 and got.shape == scores.shape
    assert np.abs(got - scores).max() < 1e-4 * size
    assert label.dtype == (object if task == "words" else np.int64)
    assert [str(each) for each in label] == labels
    # A batch of one row gives the same label.
    assert str(session.run(["label"], {"x": x[:1]})[0][0]) == labels[0]


def test_votes_of_a_libsvm_model(tmp_path):
    """A LIBSVM model with one function for each pair of classes. It is written by hand, so the test needs no svm-train."""
    svm = tmp_path / "svm.model"
    svm.write_text(
        "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 3\ntotal_sv 3\nrho 0.1 -0.2 0.3\nlabel 4 2 9\n"
        "nr_sv 1 1 1\nSV\n1 0.5 1:1 2:0.5\n-1 0.7 1:-1\n-0.5 -0.7 2:-1\n"
    )
    run("compress", svm, "--budget", 10, "-o", tmp_path / "same.kinglet")
    run("export", svm, "-o", tmp_path / "svm.onnx")
    onnx.checker.check_model(onnx.load(tmp_path / "svm.onnx"), full_check=True)
    draw = np.random.default_rng(1)
    x = draw.normal(size=(500, 2)).astype(np.float32)
    test = tmp_path / "test.csv"
    test.write_text("\n".join(f"0,{a:.9g},{b:.9g}" for a, b in x) + "\n")
    labels, votes = expected(tmp_path / "same.kinglet", test, "votes")
    session = onnxruntime.InferenceSession(str(tmp_path / "svm.onnx"), providers=["CPUExecutionProvider"])
    label, got = session.run(["label", "scores"], {"x": x})
    assert [str(each) for each in label] == labels
    assert np.array_equal(got, votes)
    assert set(labels) == {"4", "2", "9"}
