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
    assert "two or more" in refused("mix", model, "-o", out)
    assert "No space" in refused("mix", model, parts / "1.kinglet", "-o", "/dev/full")
    assert "is a start" in refused("predict", "gen:checkerboard?n=10", "-m", parts / "start.kinglet")
    assert not out.exists()
