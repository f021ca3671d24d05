"""Files sorted by class are recognised, and --shuffle learns them in random order."""

import signal
import subprocess
import time

import pytest
from program import refused, run, run_json, start, wait_for_handler


@pytest.fixture(scope="module")
def sorted_board(board, tmp_path_factory):
    path = tmp_path_factory.mktemp("sorted") / "sorted.libsvm"
    path.write_text("".join(sorted(board.read_text().splitlines(keepends=True))))
    return path


FLAGS = ["--algo", "bpegasos", "--budget", 100, "--gamma", 8]


def accuracy(data, board, *flags):
    return run_json("train", data, *FLAGS, "--test", board, *flags)["test_accuracy"]


def test_a_sorted_file_is_told_once_and_a_mixed_one_is_not(board, sorted_board):
    note = f"note: {sorted_board}: the first 10,240 examples come in only 2 runs of the same label; a pass"
    done = run("train", sorted_board, *FLAGS, "--passes", 2)
    assert done.stderr.count("runs of the same label") == 1 and note in done.stderr and "use --shuffle all" in done.stderr
    assert "runs of the same label" not in run("train", board, *FLAGS).stderr
    assert "runs of the same label" not in run("train", sorted_board, *FLAGS, "--shuffle", "all").stderr
    assert run("train", sorted_board, *FLAGS, "--quiet").stderr == ""
    piped = run("train", "-", *FLAGS, input=sorted_board.read_text()).stderr
    assert "use --shuffle N" in piped
    assert "give --shuffle more rows" in run("train", sorted_board, *FLAGS, "--shuffle", 10).stderr


def test_a_sorted_file_is_learned_in_random_order(board, sorted_board):
    mixed = accuracy(board, board)
    assert mixed > 0.9 and accuracy(sorted_board, board) < 0.8
    assert accuracy(sorted_board, board, "--shuffle", "all") > mixed - 0.03
    assert accuracy(sorted_board, board, "--shuffle", 15000) > mixed - 0.1


def test_the_order_depends_on_the_seed_only(sorted_board, tmp_path):
    def model(*flags):
        run("train", sorted_board, *FLAGS, "-o", tmp_path / "m", "--quiet", *flags)
        return (tmp_path / "m").read_bytes()

    assert model("--shuffle", "all") == model("--shuffle", "all")
    assert model("--shuffle", "all") == model("--shuffle", 20000) == model("--shuffle", 99999)
    assert model("--shuffle", "all") != model()


@pytest.mark.parametrize("shuffle", ["all", "3000"])
def test_a_shuffled_run_resumes_exactly(sorted_board, tmp_path, shuffle):
    args = ["train", sorted_board, *FLAGS, "--shuffle", shuffle, "--passes", 40, "--quiet"]
    state = ["--checkpoint", tmp_path / "state", "--every", 1500]
    child = start(*args, "-o", tmp_path / "m", *state, stderr=subprocess.DEVNULL)
    wait_for_handler(child)
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    assert child.wait(20) == 130
    run(*args, "-o", tmp_path / "m", *state, "--resume")
    run(*args, "-o", tmp_path / "whole")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "whole").read_bytes()
    other = ["train", sorted_board, *FLAGS, "--passes", 41, "--quiet", *state, "--resume"]
    assert "other data" in refused(*other, "--shuffle", 77)
    assert "other data" in refused(*other)


def test_limits(board, tmp_path):
    assert "can be read only once; give --shuffle N" in refused("train", "-", "--shuffle", "all", input="")
    assert "never ends" in refused("train", "gen:gauss", "--shuffle", "all")
    for bad in ["0", "x", "-3", "1.5"]:
        assert "--shuffle must be all or the number of rows" in refused("train", board, f"--shuffle={bad}")
