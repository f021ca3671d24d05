"""The learned metric: what info and the report show, compression, and what is refused."""

import random

import pytest
from program import refused, run, run_json


def write_ring(path, rows, seed):
    """Two of eight columns decide, the others are noise; one is constant."""
    rng = random.Random(seed)
    names = ["noise1", "near", "noise2", "same", "noise3", "far", "noise4", "noise5"]
    lines = [",".join(["bird", *names])]
    for _ in range(rows):
        x = [rng.gauss(0, 1) for _ in names]
        x[3] = 7
        label = "wren" if x[1] ** 2 + x[5] ** 2 > 1.4 else "robin"
        lines.append(",".join([label, *(f"{value:.4f}" for value in x)]))
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="module")
def ring(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ring")
    data, test = write_ring(folder / "ring.csv", 4000, 1), write_ring(folder / "test.csv", 2000, 2)
    model = folder / "ring.kinglet"
    accuracy = {}
    for metric in ("none", "learned"):
        result = run_json("train", data, "-o", model, "--budget", 100, "--metric", metric, "--algo", "bpegasos", "--test", test)
        accuracy[metric] = result["test_accuracy"]
    assert accuracy["learned"] > accuracy["none"] + 0.02
    return model, data, test


def test_info_lists_the_most_important_columns_first(ring):
    model, _, _ = ring
    lines = run("info", model).stdout.splitlines()
    first = lines.index("feature importances") + 1
    assert {line.split()[0] for line in lines[first : first + 2]} == {"near", "far"}
    importances = run_json("info", model)["feature_importances"]
    assert sum(importances) == pytest.approx(1)
    assert importances[3] == 0  # never varied
    assert min(importances[1], importances[5]) > 2 * max(importances[0], importances[2], importances[4])


def test_info_has_no_importances_without_a_metric(ring, tmp_path):
    _, data, _ = ring
    run("train", data, "-o", tmp_path / "plain.kinglet", "--algo", "bpegasos", "--budget", 20, "--quiet")
    assert "feature importances" not in run("info", tmp_path / "plain.kinglet").stdout
    assert run_json("info", tmp_path / "plain.kinglet")["feature_importances"] is None


def test_the_report_draws_the_importances(ring, tmp_path):
    _, data, _ = ring
    run("train", data, "--budget", 20, "--metric", "learned", "--algo", "bpegasos", "--report", tmp_path / "r.html", "--quiet")
    page = (tmp_path / "r.html").read_text()
    assert "Feature importances" in page and "noise5" in page


def test_a_compressed_model_predicts_in_the_same_metric(ring, tmp_path):
    model, _, test = ring
    small = tmp_path / "small.kinglet"
    run("compress", model, "--budget", 50, "-o", small)
    truth = run("predict", test, "-m", model).stdout.splitlines()
    got = run("predict", test, "-m", small).stdout.splitlines()
    assert sum(a == b for a, b in zip(got, truth)) > 0.97 * len(truth)


@pytest.mark.parametrize(
    "options, reason",
    [
        (["--kernel", "linear", "--budget-rule", "smallest"], "Gaussian or the Laplacian kernel"),
        (["--scale", "unit"], "--scale unit"),
        (["--budget-rule", "project"], "inverse of the kernel matrix"),
        (["--algo", "lasvm"], "not an option of lasvm"),
    ],
)
def test_what_a_metric_cannot_do_is_refused(ring, options, reason):
    _, data, _ = ring
    if "--algo" not in options:
        options = ["--algo", "bpegasos", *options]
    assert reason in refused("train", data, "--metric", "learned", *options)
