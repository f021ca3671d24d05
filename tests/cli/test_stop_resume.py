"""Ctrl-C, kill -9 and resuming: an interrupted run gives the same model as an uninterrupted one."""

import gzip
import os
import random
import select
import signal
import subprocess
import time

import pytest
from program import TIMEOUT, blobs, refused, run, run_json, start, stopped, wait_for_handler, wait_until


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_signal_stops_at_the_next_batch_and_saves(tmp_path, number):
    model = tmp_path / "m.kinglet"
    child = start("train", "gen:waveform", "-o", model, "--json", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for_handler(child)
    time.sleep(0.2)
    child.send_signal(number)
    out, err = child.communicate(timeout=TIMEOUT)
    assert child.returncode == 128 + number, err
    assert "stopped after" in err and str(model) in err and '"stopped": true' in out
    assert run_json("info", model)["examples"] > 0


def test_ctrl_c_in_the_first_batch_keeps_no_checkpoint_that_would_spoil_the_run(tmp_path):
    # The first 1,024 rows determine the scaling and gamma, so a run that began with only 500 rows cannot continue as a
    # whole run does.
    rows = blobs(tmp_path / "rows", rows=3000)
    head = "".join(rows.read_text().splitlines(keepends=True)[:500])
    flags = ["-o", tmp_path / "m", "--budget", 30, "--checkpoint", tmp_path / "state", "--quiet"]
    stopped("train", "-", *flags, text=head)
    assert run_json("info", tmp_path / "m")["examples"] == 500 and os.listdir(tmp_path / "state") == ["lock"]
    run("train", rows, *flags, "--resume")
    resumed = (tmp_path / "m").read_bytes()
    run("train", rows, "-o", tmp_path / "m", "--budget", 30, "--quiet")
    assert (tmp_path / "m").read_bytes() == resumed


def test_ctrl_c_before_the_first_example(tmp_path):
    assert "before the first example" in stopped("train", "-", "-o", tmp_path / "m", pause=0)[1]
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("command", ["compare", "tune", "eval", "test"])
def test_ctrl_c_while_nothing_has_come_to_measure(tmp_path, command):
    run("train", "gen:gauss?n=100", "-o", tmp_path / "m", "--quiet")
    args = {
        "compare": ["compare", "-"],
        "tune": ["tune", "-"],
        "eval": ["eval", "-", "-m", tmp_path / "m"],
        "test": ["compare", "gen:gauss?n=100", "--test", "-"],
    }[command]
    out, err = stopped(*args)
    assert out == ""
    assert err == {
        "compare": "note: stopped while reading the data\n",
        "tune": "note: stopped while reading the data\n",
        "eval": "note: stopped before the first example\n",
        "test": "note: stopped while reading the data\n",
    }[command]


def test_ctrl_c_while_predicting_to_a_file_writes_nothing(tmp_path):
    run("train", "gen:gauss?n=100", "-o", tmp_path / "m", "--quiet")
    _, err = stopped("predict", "-", "-m", tmp_path / "m", "-o", tmp_path / "out")
    assert err == "note: stopped; nothing was written\n"
    assert not (tmp_path / "out").exists()


def test_a_second_ctrl_c_ends_at_once(tmp_path):
    # Saving to a pipe that nobody reads blocks for ever, also after the first Ctrl-C.
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    child = start("train", "gen:checkerboard?n=3000", "-o", pipe, "--quiet")
    wait_for_handler(child)
    time.sleep(0.2)
    child.send_signal(signal.SIGINT)
    time.sleep(0.2)
    assert child.poll() is None
    child.send_signal(signal.SIGINT)
    assert child.wait(10) == 130


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_while_a_model_is_compressed_writes_nothing(tmp_path, number):
    model, out, data = tmp_path / "model", tmp_path / "small", tmp_path / "data"
    run("train", "gen:waveform?n=4500", "-o", model, "--budget", 1500, "--quiet")
    out.write_text("old")
    os.mkfifo(data)
    flags = ["--budget", 700, "--rounds", 100000, "--test", data]
    child = start("compress", model, *flags, "-o", out, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    data.write_text(run("gen", "waveform", "-n", 100).stdout)  # test data for the model before compression

    def has_read_data():
        fds = f"/proc/{child.pid}/fd"
        return all(target(f"{fds}/{fd}") != str(data) for fd in os.listdir(fds))

    def target(link):
        try:
            return os.readlink(link)
        except FileNotFoundError:  # closed in the meantime
            return None

    wait_until(has_read_data)
    time.sleep(0.1)
    child.send_signal(number)
    assert child.wait(20) == 128 + number
    assert child.stderr.read() == "note: stopped; nothing was written\n"
    child.stderr.close()
    assert out.read_text() == "old" and sorted(os.listdir(tmp_path)) == ["data", "model", "small"]


def test_ctrl_c_while_an_export_is_written_leaves_nothing(board_model, tmp_path):
    # The header is a pipe, so writing it blocks until somebody reads. The source then exists under its temporary name.
    source, header = tmp_path / "x.c", tmp_path / "x.h"
    source.write_text("old")
    os.mkfifo(header)
    child = start("export", board_model, "-o", source, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: len(os.listdir(tmp_path)) == 3)
    child.send_signal(signal.SIGINT)
    time.sleep(0.1)
    reader = os.open(header, os.O_RDONLY | os.O_NONBLOCK)
    assert child.wait(20) == 130
    os.close(reader)
    assert child.stderr.read() == "note: stopped; nothing was written\n"
    child.stderr.close()
    assert source.read_text() == "old" and sorted(os.listdir(tmp_path)) == ["x.c", "x.h"]


def configurations(folder):
    """Arguments of train, by name of the configuration. Each run takes some tenths of a second."""
    early = blobs(folder / "early", rows=8000, labels=("red", "green", "blue"))
    late = blobs(folder / "late", rows=12000, labels=("red", "green", "blue", "white"))
    spots = folder / "spots"
    spots.write_text(early.read_text() + late.read_text())
    packed = folder / "board.libsvm.gz"
    with gzip.open(packed, "wb", compresslevel=1) as out:
        out.write(run("gen", "checkerboard", "-n", 300000).stdout.encode())
    return {
        "passes": ["gen:waveform?n=80000&classes=2", "--budget", "500", "--passes", "3", "--every", "9000"],
        "compressed": [packed, "--budget", "500", "--every", "12000", "--algo", "bnorma", "--gamma", "8"],
        "classes": [spots, "--budget", "1000", "--every", "17100", "--update", "mp", "--budget-rule", "random",
                    "--scale", "minmax", "--gamma", "100", "--passes", "40"],
        "numbers": ["gen:friedman?n=60000", "--budget", "300", "--every", "7000", "--task", "regress", "--update", "pa2",
                    "--C", "0.1", "--passes", "2"],
        "novelties": ["gen:ring?n=200000", "--budget", "300", "--every", "11000", "--task", "novelty", "--lambda", "0.01",
                      "--gamma", "4", "--passes", "4"],
    }  # fmt: skip


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return configurations(tmp_path_factory.mktemp("runs"))


def without(args, flag):
    at = args.index(flag)
    return args[:at] + args[at + 2 :]


@pytest.mark.parametrize("name", ["passes", "compressed", "classes", "numbers", "novelties"])
def test_killed_twenty_times_and_resumed_gives_the_same_bytes(runs, name, tmp_path):
    args = runs[name]
    begin = time.monotonic()
    run("train", *without(args, "--every"), "-o", tmp_path / "whole", "--quiet")
    whole_time = time.monotonic() - begin
    whole = (tmp_path / "whole").read_bytes()
    model, state = tmp_path / "m", tmp_path / "state"
    flags = ["-o", model, "--checkpoint", state, "--resume", "--quiet"]
    rng = random.Random(name)
    kills = resumed = 0
    while kills < 20:
        resumed += (state / "checkpoint.kinglet").exists()
        child = start("train", *args, *flags)
        try:
            child.wait(rng.uniform(0.05, 0.6) * whole_time)
        except subprocess.TimeoutExpired:
            child.kill()
            kills += child.wait() == -signal.SIGKILL
            continue
        assert child.returncode == 0
        assert model.read_bytes() == whole
        model.unlink()
        (state / "checkpoint.kinglet").unlink()
    assert resumed >= 5, "the kills came before the first checkpoint"
    run("train", *args, *flags)
    assert model.read_bytes() == whole
    assert sorted(os.listdir(state)) == ["checkpoint.kinglet", "lock"]


@pytest.mark.parametrize("every", [37, 1024, 1500, 5000])
def test_checkpoints_do_not_change_the_model(tmp_path, every):
    data = ["gen:checkerboard?n=4000", "--budget", 40, "--passes", 2]
    run("train", *data, "-o", tmp_path / "plain", "--quiet")
    run("train", *data, "-o", tmp_path / "m", "--checkpoint", tmp_path / "state", "--every", every, "--quiet")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "plain").read_bytes()


def test_a_finished_run_resumed_writes_its_model_again(tmp_path):
    args = ["train", "gen:checkerboard?n=5000", "--budget", 40, "--checkpoint", tmp_path / "state", "--every", 1000]
    run(*args, "-o", tmp_path / "first", "--quiet")
    done = run_json(*args, "-o", tmp_path / "second", "--resume")
    assert done["examples"] == 5000
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


def test_ctrl_c_and_resume_gives_the_same_bytes(tmp_path):
    args = ["train", "gen:waveform?n=200000", "--budget", "300", "--quiet"]
    run(*args, "-o", tmp_path / "whole")
    flags = ["-o", tmp_path / "m", "--checkpoint", tmp_path / "state", "--every", "1000000", "--resume"]
    child = start(*args, *flags, stderr=subprocess.DEVNULL)
    wait_for_handler(child)
    time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    assert child.wait(10) == 130
    run(*args, *flags)
    assert (tmp_path / "m").read_bytes() == (tmp_path / "whole").read_bytes()


def test_resume_wants_the_same_options_and_the_same_data(tmp_path):
    state = ["--checkpoint", tmp_path / "state", "--resume"]
    done = run("train", "gen:checkerboard?n=3000", "--budget", 40, "--lambda", "1e-4", *state)
    assert "from the beginning" in done.stderr
    line = refused("train", "gen:checkerboard?n=3000", "--budget", 50, *state, "--quiet")
    assert "--budget 40" in line and "50" in line
    run("train", "gen:checkerboard?n=3000", "--budget", 40, "--lambda", "0.0001", *state)
    assert "continuing from" in run("train", "gen:checkerboard?n=3000", "--passes", 2, *state).stderr
    (tmp_path / "state" / "checkpoint.kinglet").write_bytes(b"junk")
    assert "checkpoint.kinglet" in refused("train", "gen:checkerboard?n=3000", *state)


def test_resume_with_other_data_is_refused(tmp_path, board):
    args = ["--budget", 40, "--checkpoint", tmp_path / "state", "--quiet"]
    run("train", board, *args)
    told = "does not begin with the same rows"
    other = tmp_path / "other"
    lines = board.read_text().splitlines(keepends=True)
    for changed in [lines[1:], ["1 1:1 2:1\n", *lines[1:]], [lines[0].replace("2:", "3:"), *lines[1:]],
                    [str(-int(lines[0].split()[0])) + " " + lines[0].split(" ", 1)[1], *lines[1:]]]:  # fmt: skip
        other.write_text("".join(changed))
        for passes in [1, 2]:
            assert told in refused("train", other, *args, "--passes", passes, "--resume")
    assert told in refused("train", "gen:gauss?n=20000", *args, "--passes", 2, "--resume")
    # The same rows are accepted from a compressed file and from the generator.
    for data in [gzip_of(board, tmp_path / "packed"), "gen:checkerboard?n=20000"]:
        run("train", data, *args, "--passes", 2, "--resume")


def test_resume_with_other_numbers_is_refused(tmp_path):
    args = ["--task", "regress", "--update", "pa2", "--checkpoint", tmp_path / "state", "--quiet"]
    run("train", "gen:friedman?n=3000", *args)
    assert "other data" in refused("train", "gen:friedman?n=3000&seed=2", *args, "--passes", 2, "--resume")
    assert "other data" in refused("train", "gen:friedman?n=3000&noise=2", *args, "--passes", 2, "--resume")
    run("train", "gen:friedman?n=3000", *args, "--passes", 2, "--resume")


def gzip_of(path, packed):
    packed.write_bytes(gzip.compress(path.read_bytes()))
    return packed


def test_resume_on_shorter_data_is_refused(tmp_path):
    rows = blobs(tmp_path / "rows", rows=4000)
    state = ["--checkpoint", tmp_path / "state", "--every", "2500", "--budget", 30, "--quiet"]
    child = start("train", "-", *map(str, state), stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    child.stdin.write(rows.read_bytes())
    child.stdin.flush()
    wait_until((tmp_path / "state" / "checkpoint.kinglet").exists)
    child.kill()
    child.wait()
    child.stdin.close()
    short = blobs(tmp_path / "short", rows=1000)
    assert "other data" in refused("train", short, *state, "--resume")


def test_resume_checks_all_rows_that_it_skips(tmp_path, board):
    lines = board.read_text().splitlines(keepends=True)
    args = ["--budget", 40, "--checkpoint", tmp_path / "state", "--every", 1000, "--quiet"]
    data = tmp_path / "data"
    data.write_text("".join(lines[:9000]))
    run("train", data, *args)
    state = (tmp_path / "state" / "checkpoint.kinglet").read_bytes()
    for changed in [2, 100, 5000, 8999]:
        other = list(lines)
        label, rest = other[changed].split(" ", 1)
        other[changed] = f"{-int(label)} {rest}"
        data.write_text("".join(other))
        line = refused("train", data, *args, "--resume")
        assert "other data" in line and ("first 9000 rows" in line or changed < 64)
    assert (tmp_path / "state" / "checkpoint.kinglet").read_bytes() == state


@pytest.mark.parametrize("passes", [1, 2])
def test_resume_learns_the_rows_that_were_appended(tmp_path, board, passes):
    lines = board.read_text().splitlines(keepends=True)
    args = ["--budget", 40, "--checkpoint", tmp_path / "state", "--passes", passes, "--quiet"]
    data = tmp_path / "data"
    for end in [5000, 5001, 9000]:
        data.write_text("".join(lines[:end]))
        run("train", data, "-o", tmp_path / "m", *args, "--resume")
    new = {1: 9000, 2: 5000 + 9000}[passes]  # with two passes, the new rows came too late for the first one
    assert run_json("info", tmp_path / "m")["examples"] == new
    if passes == 1:
        run("train", data, "-o", tmp_path / "whole", "--budget", 40, "--quiet")
        assert (tmp_path / "m").read_bytes() == (tmp_path / "whole").read_bytes()


def test_a_checkpoint_is_not_overwritten_unless_asked(tmp_path):
    args = ["train", "gen:checkerboard?n=3000", "--budget", 40, "--checkpoint", tmp_path / "state", "--quiet"]
    run(*args)
    checkpoint = tmp_path / "state" / "checkpoint.kinglet"
    before = checkpoint.read_bytes()
    line = refused(*args, "--budget-rule", "random")
    assert "--resume" in line and "--restart" in line and checkpoint.read_bytes() == before
    run(*args, "--budget-rule", "random", "--restart")
    assert checkpoint.read_bytes() != before
    assert "not both" in refused(*args, "--resume", "--restart")
    assert "--restart needs --checkpoint" in refused("train", "gen:gauss?n=10", "--restart")


def test_two_runs_cannot_use_one_folder_and_a_killed_one_leaves_no_lock(tmp_path):
    args = ["--budget", 40, "--checkpoint", tmp_path / "state", "--quiet"]
    child = start("train", "-", *args, stdin=subprocess.PIPE)
    wait_for_handler(child)
    line = refused("train", "gen:checkerboard?n=3000", *args)
    assert "another run is using" in line and str(tmp_path / "state") in line
    child.kill()
    child.wait()
    child.stdin.close()
    run("train", "gen:checkerboard?n=3000", *args)


def test_a_checkpoint_without_the_hash_of_its_rows_still_resumes(tmp_path):
    # As older versions wrote it: a stopped run's model is such a file.
    args = ["train", "gen:waveform?n=200000", "--budget", "300", "--quiet"]
    child = start(*args, "-o", tmp_path / "m", stderr=subprocess.DEVNULL)
    wait_for_handler(child)
    time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    assert child.wait(10) == 130
    (tmp_path / "state").mkdir()
    (tmp_path / "m").rename(tmp_path / "state" / "checkpoint.kinglet")
    run(*args, "-o", tmp_path / "m", "--checkpoint", tmp_path / "state", "--resume")
    run(*args, "-o", tmp_path / "whole")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "whole").read_bytes()


# --- --from ---


def test_training_goes_on_with_a_model(tmp_path, board):
    lines = board.read_text().splitlines(keepends=True)
    head, tail = tmp_path / "head", tmp_path / "tail"
    head.write_text("".join(lines[:8000]))
    tail.write_text("".join(lines[8000:]))
    run("train", head, "-o", tmp_path / "first", "--budget", 40, "--gamma", 8, "--quiet")
    before = (tmp_path / "first").read_bytes()
    done = run_json("train", tail, "--from", tmp_path / "first", "-o", tmp_path / "second", "--test", head)
    assert done["examples"] == 20000 and done["options"]["gamma"] == 8
    assert (tmp_path / "first").read_bytes() == before
    first = run_json("info", tmp_path / "first")
    second = run_json("info", tmp_path / "second")
    assert (first["examples"], second["examples"]) == (8000, 20000)
    assert "continuing from" in run("train", tail, "--from", tmp_path / "first").stderr
    # In place, and interrupted.
    args = ["train", tail, "--from", tmp_path / "first", "--checkpoint", tmp_path / "state", "--every", 3000, "--resume", "--quiet"]
    tail.write_text("".join(lines[8000:15000]))
    run(*args, "-o", tmp_path / "cut")
    tail.write_text("".join(lines[8000:]))
    run(*args, "-o", tmp_path / "cut")
    assert (tmp_path / "cut").read_bytes() == (tmp_path / "second").read_bytes()


def test_a_model_to_go_on_with_must_fit_the_options(tmp_path, board_model, words_model):
    args = ["train", "gen:checkerboard?n=3000", "--from", board_model]
    line = refused(*args, "--budget", 99)
    assert "--budget 99" in line and "--budget 100" in line and "without --from" in line
    run(*args, "--budget", 100, "--quiet")
    run("compress", board_model, "--budget", 20, "-o", tmp_path / "small")
    assert "can only predict" in refused("train", "gen:checkerboard?n=3000", "--from", tmp_path / "small")
    assert "no such file" in refused("train", "gen:checkerboard?n=3000", "--from", tmp_path / "none")


# --- progress by time ---


def test_a_slow_producer_is_told_about(tmp_path):
    child = start("train", "-", "-o", tmp_path / "m", stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    for line in blobs(tmp_path / "rows", rows=37).read_bytes().splitlines(keepends=True):
        child.stdin.write(line)
    child.stdin.flush()
    assert select.select([child.stderr], [], [], 60)[0], "no note came"
    assert child.stderr.readline() == b"note: waiting for the first 1,024 rows: 37 so far\n"
    child.communicate(timeout=TIMEOUT)
    assert child.returncode == 0 and run_json("info", tmp_path / "m")["examples"] == 37
