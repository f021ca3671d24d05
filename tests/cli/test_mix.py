"""kinglet span, train --from START and kinglet mix."""

import filecmp

import pytest
from program import refused, run, run_json


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """A start and three models that learned from it, apart."""
    folder = tmp_path_factory.mktemp("parts")
    run("span", "gen:checkerboard?n=5000&seed=9", "--budget", "60", "--gamma", "8", "-o", folder / "start.kinglet")
    for i in range(3):
        run("train", f"gen:checkerboard?n=3000&seed={i}", "--from", folder / "start.kinglet", "-o", folder / f"{i}.kinglet")
    return folder


def test_parts_add_up_in_any_order(parts, tmp_path):
    models = [parts / f"{i}.kinglet" for i in range(3)]
    run("mix", *models, "-o", tmp_path / "a.kinglet")
    run("mix", *reversed(models), "-o", tmp_path / "b.kinglet")
    assert filecmp.cmp(tmp_path / "a.kinglet", tmp_path / "b.kinglet", shallow=False)
    shown = run_json("eval", "gen:checkerboard?n=5000&seed=5", "-m", tmp_path / "a.kinglet")
    assert shown["accuracy"] > 0.9
    info = run_json("info", tmp_path / "a.kinglet")
    assert info["examples"] == 9000
    assert info["start"] == run_json("info", parts / "start.kinglet")["start"]


def test_a_mixture_goes_on_and_starts_again(parts, tmp_path):
    mixture = tmp_path / "m.kinglet"
    run("mix", parts / "0.kinglet", parts / "1.kinglet", "-o", mixture)
    run("train", "gen:checkerboard?n=1000&seed=7", "--from", mixture, "-o", tmp_path / "more.kinglet")
    assert run_json("info", tmp_path / "more.kinglet")["examples"] == 7000
    run("span", "--again", mixture, "-o", tmp_path / "again.kinglet")
    assert run_json("info", tmp_path / "again.kinglet")["examples"] == 0


def test_what_does_not_go_together_is_refused_in_one_line(parts, tmp_path):
    model, out = parts / "0.kinglet", tmp_path / "out.kinglet"
    (tmp_path / "cut.kinglet").write_bytes(model.read_bytes()[:1000])
    run("train", "gen:checkerboard?n=2000", "--algo", "bpegasos", "--gamma", "8", "-o", tmp_path / "other.kinglet")
    for other, reason in (
        (model, "count twice"),
        (tmp_path / "cut.kinglet", "truncated"),
        (tmp_path / "none.kinglet", "no such file"),
        (tmp_path / "other.kinglet", "scaled differently"),
    ):
        assert reason in refused("mix", model, other, "-o", out)
    assert "shared start (kinglet span)" in refused("mix", model, tmp_path / "other.kinglet", "-o", out)
    run("span", "gen:waveform?n=2000", "--budget", "20", "--gamma", "8", "-o", tmp_path / "wide-start.kinglet")
    run("train", "gen:waveform?n=2000", "--from", tmp_path / "wide-start.kinglet", "-o", tmp_path / "wide.kinglet")
    assert "21 and 2 features" in refused("mix", model, tmp_path / "wide.kinglet", "-o", out)
    assert "two or more" in refused("mix", model, "-o", out)
    assert "No space" in refused("mix", model, parts / "1.kinglet", "-o", "/dev/full")
    assert "is a start" in refused("predict", "gen:checkerboard?n=10", "-m", parts / "start.kinglet")
    assert not out.exists()


def test_an_average_does_not_learn(tmp_path):
    for seed in (1, 2):
        data = f"gen:checkerboard?n=1000&seed={seed}"
        run("train", data, "--algo", "bpegasos", "--scale", "none", "--gamma", 8, "-o", tmp_path / f"{seed}.kinglet")
    average = tmp_path / "average.kinglet"
    run("mix", tmp_path / "1.kinglet", tmp_path / "2.kinglet", "-o", average)
    message = refused("train", "gen:checkerboard?n=100", "--from", average, "-o", tmp_path / "out.kinglet")
    assert "average.kinglet: this model can only predict (average of 2 models); train the original instead" in message


def test_a_sum_is_not_reduced(parts, tmp_path):
    models, out = [parts / "0.kinglet", parts / "1.kinglet"], tmp_path / "out.kinglet"
    assert "--budget has no effect: models of one start add up" in refused("mix", *models, "--budget", "20", "-o", out)
    assert "--rounds has no effect: models of one start add up" in refused("mix", *models, "--rounds", "60", "-o", out)
    assert not out.exists()


def test_the_help_names_the_default_algorithm():
    assert "(default span; bnorma for --task novelty)" in " ".join(run("span", "--help").stdout.split())
    assert "(default auto;" in run("train", "--help").stdout


def test_columns_are_compared_by_name(tmp_path):
    run("gen", "checkerboard", "-n", "2000", "--format", "csv", "-o", tmp_path / "a.csv")
    rows = (tmp_path / "a.csv").read_text()
    (tmp_path / "b.csv").write_text(rows.replace("x2", "height", 1))
    for name in "ab":
        options = ("--algo", "bpegasos", "--gamma", "8", "--scale", "none", "--quiet")
        run("train", tmp_path / f"{name}.csv", *options, "-o", tmp_path / f"{name}.kinglet")
    told = refused("mix", tmp_path / "a.kinglet", tmp_path / "b.kinglet", "-o", tmp_path / "out.kinglet")
    assert "feature 2 is" in told and "x2" in told and "height" in told


def test_starts_that_cannot_be_used_are_refused_in_one_line(parts, tmp_path):
    start, out = parts / "start.kinglet", tmp_path / "out.kinglet"
    (tmp_path / "cut.kinglet").write_bytes(start.read_bytes()[:1000])
    (tmp_path / "text.kinglet").write_text("label,x1,x2\n")
    data = "gen:checkerboard?n=1000"
    for other, reason in (("cut", "truncated"), ("text", "not a kinglet model"), ("none", "no such file")):
        assert reason in refused("train", data, "--from", tmp_path / f"{other}.kinglet", "-o", out)
    assert "was trained with --gamma 8" in refused("train", data, "--from", start, "--gamma", "3", "-o", out)
    assert "give neither DATA" in refused("span", data, "--again", parts / "0.kinglet", "-o", out)
    assert "--query is an option of train only" in refused("span", data, "--query", "ramp", "-o", out)
    assert "take --algo span" in refused("span", data, "--algo", "auto", "-o", out)
    assert not out.exists()
