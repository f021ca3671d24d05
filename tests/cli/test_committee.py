"""--algo auto: what train, info, export and compress say and do about a committee."""

import re

import pytest
from program import DATA, refused, run, run_json


@pytest.fixture(scope="module")
def settled(board, tmp_path_factory):
    """A committee that has learned the board, and what train said."""
    path = tmp_path_factory.mktemp("committee") / "auto.kinglet"
    return path, run_json("train", board, "--algo", "auto", "--budget", 100, "-o", path, "--test", board)


def test_train_says_what_it_settled_on_and_why(board, settled):
    _, result = settled
    assert result["algorithm"] == "auto" and result["options"]["gammas"] == "grid"
    assert result["settled"]["state"] == "leading"
    assert result["gamma"] == result["settled"]["gamma"] != result["options"]["gamma"]
    assert result["settled"]["recent_error"] <= result["runner_up"]["recent_error"]
    assert result["support_vectors"] <= result["budget"] == 100
    assert result["test_accuracy"] > 0.97
    text = run("train", board, "--algo", "auto", "--budget", 100).stdout
    assert re.search(r"^settled on  +\S+, gamma [\d.e+-]+: recent error 0\.\d+$", text, re.M)
    assert re.search(r"^runner-up  +", text, re.M)
    assert not re.search(r"^gamma ", text, re.M)


def test_a_sorted_file_is_learned_as_a_whole(board, tmp_path):
    """Rows of one class after those of the other: what a pass in this order forgets, a sample of all rows brings back."""
    lines = sorted(board.read_text().splitlines(keepends=True), key=lambda line: line.split()[0])
    path = tmp_path / "sorted.libsvm"
    path.write_text("".join(lines))
    result = run_json("train", path, "--budget", 100, "--test", board)
    assert result["settled"]["reviewed"] and result["test_accuracy"] > 0.9
    text = run("train", path, "--budget", 100).stdout
    assert "on a sample of all rows in random order, because their order mattered\n" in text
    assert run_json("train", board, "--budget", 100)["settled"]["reviewed"] is False


def test_info_shows_the_standings(settled):
    path, result = settled
    info = run_json("info", path)
    assert info["settled"] == result["settled"]
    states = [member["state"] for member in info["members"]]
    assert states.count("leading") == 1 and "left" in states
    assert info["members"][states.index("leading")] == info["settled"]
    ends = [window["end"] for window in info["leaders"]]
    assert ends == sorted(set(ends)) and ends[-1] == 20000 // 64 * 64
    assert all(window["member"] < len(states) for window in info["leaders"])
    text = run("info", path).stdout
    assert re.search(r"^  \S.* leads$", text, re.M) and re.search(r" left at [\d,]+$", text, re.M)


def test_other_models_have_no_standings(board, tmp_path):
    run("train", board, "--algo", "bpegasos", "--budget", 50, "-o", tmp_path / "m", "--quiet")
    text = run("info", tmp_path / "m").stdout
    assert "settled" not in text and "members" not in text
    assert "settled" not in run_json("info", tmp_path / "m")


def test_the_predictor_can_be_exported_and_compressed(settled, board, tmp_path):
    path, result = settled
    run("compress", path, "-o", tmp_path / "small.kinglet", "--budget", 60)
    assert run_json("eval", board, "--model", tmp_path / "small.kinglet")["accuracy"] > 0.9
    run("export", path, "-o", tmp_path / "model.c")
    run("compress", path, "-o", tmp_path / "same.kinglet", "--budget", 100)
    same = run_json("eval", board, "--model", tmp_path / "same.kinglet")["accuracy"]
    assert same == pytest.approx(result["test_accuracy"], abs=1e-3)


@pytest.mark.parametrize("every", [37, 1500, 5000])
def test_checkpoints_do_not_change_the_model(board, tmp_path, every):
    args = ["train", board, "--algo", "auto", "--budget", 40, "--quiet"]
    run(*args, "-o", tmp_path / "whole")
    run(*args, "-o", tmp_path / "saved", "--checkpoint", tmp_path / "state", "--every", every)
    assert (tmp_path / "saved").read_bytes() == (tmp_path / "whole").read_bytes()


def test_given_options_are_those_of_all_members(board, tmp_path):
    path = tmp_path / "m.kinglet"
    run("train", board, "--algo", "auto", "--budget", 20, "--update", "norma", "--lambda", "0.001", "-o", path, "--quiet")
    members = run_json("info", path)["members"]
    assert len(members) > 1
    assert all(m["options"]["update"] == "norma" and m["options"]["lambda"] == 0.001 for m in members)


def test_what_no_member_takes_is_refused(board):
    message = refused("train", board, "--algo", "auto", "--margin", 1)
    assert "no member of --algo auto takes these options together: --margin is not an option of --update pegasos" in message
    assert "use --algo bnorma" in refused("train", board, "--algo", "auto", "--task", "novelty")
    assert "nothing to search" in refused("tune", board, "--algo", "auto")


@pytest.mark.parametrize("memory", ["20K", "64K", "1M", "8M"])
def test_all_members_together_stay_within_the_memory(board, memory):
    limit = int(memory[:-1]) << (10 if memory.endswith("K") else 20)
    result = run_json("train", board, "--algo", "auto", "--memory", memory)
    assert 0 < result["memory_bytes"] <= limit


def test_the_report_draws_who_led(board, tmp_path):
    run("train", board, "--algo", "auto", "--budget", 50, "--quiet", "--report", tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text()
    assert "The committee" in page and "Who led" in page


@pytest.mark.skipif(not (DATA / "transient-chessboard.xz").exists(), reason="needs the data sets")
def test_a_stream_that_changes_is_followed():
    auto = run_json("train", DATA / "transient-chessboard.xz", "--algo", "auto", "--budget", 200)
    alone = run_json("train", DATA / "transient-chessboard.xz", "--algo", "bpegasos", "--budget", 200)
    assert auto["online_error"] < 0.1 < alone["online_error"]
