"""Whatever ends a run, what was learned is kept: in MODEL.partial after an error, after a signal in MODEL if there is none yet."""

import os
import resource
import signal
import subprocess

import pytest
from program import TIMEOUT, blobs, refused, run, run_json, start, stopped, wait_for_handler


def with_bad_rows(path, lines, *numbers):
    lines = list(lines)
    for number in numbers:
        lines[number - 1] = lines[number - 1].replace("1:", "1:x", 1)
    path.write_text("".join(lines))
    return path


@pytest.fixture
def rows(tmp_path):
    return blobs(tmp_path / "rows", rows=6000).read_text().splitlines(keepends=True)


@pytest.mark.parametrize("number", [1025, 1026, 4001])
def test_a_bad_row_ends_the_run_after_all_rows_before_it(tmp_path, rows, number):
    bad = with_bad_rows(tmp_path / "bad", rows, number)
    before = tmp_path / "before"
    before.write_text("".join(rows[: number - 1]))
    model = tmp_path / "m"
    model.write_text("complete")
    line = refused("train", bad, "-o", model, "--budget", 30, "--quiet")
    count = f"{number - 1:,} examples"
    assert line.startswith(f"kinglet: {bad}:{number}:") and f"(what was learned from {count} is in {model}.partial)" in line
    assert model.read_text() == "complete"
    partial = run_json("info", f"{model}.partial")
    assert partial["examples"] == number - 1
    run("train", before, "-o", tmp_path / "same", "--budget", 30, "--quiet")
    expected = run("predict", before, "-m", tmp_path / "same").stdout
    assert run("predict", before, "-m", f"{model}.partial").stdout == expected


def test_rows_before_a_class_that_does_not_fit_are_learned_and_counted(tmp_path):
    rows = [f"{'ab'[i % 2]} 1:{i % 2} 2:{i % 7}\n" for i in range(1500)]
    (tmp_path / "rows").write_text("".join(rows) + "c 1:5 2:5\n" + "".join(rows))
    line = refused("train", tmp_path / "rows", "-o", tmp_path / "m", "--algo", "tvm", "--memory", "20K", "--quiet")
    assert "with 3 classes" in line and "what was learned from 1,500 examples is in" in line
    assert run_json("info", tmp_path / "m.partial")["examples"] == 1500


@pytest.mark.parametrize("number", [1, 2, 1024])
def test_a_bad_row_among_the_first_ones_leaves_nothing_to_keep(tmp_path, rows, number):
    line = refused("train", with_bad_rows(tmp_path / "bad", rows, number), "-o", tmp_path / "m")
    assert "partial" not in line and not (tmp_path / "m.partial").exists()


def test_without_a_file_name_the_message_says_what_is_lost(tmp_path, rows):
    assert "4,000 examples is lost, because -o was not given" in refused("train", with_bad_rows(tmp_path / "bad", rows, 4001), "--quiet")


def test_a_learner_that_learns_at_the_end_has_nothing_to_keep(tmp_path, rows):
    line = refused("train", with_bad_rows(tmp_path / "bad", rows, 2001), "-o", tmp_path / "m", "--algo", "svm", "--quiet")
    assert "svm learns only at the end of a pass, so there is nothing to keep" in line
    assert not (tmp_path / "m.partial").exists()


# After an error in the first rows there is no checkpoint, which would spoil the next run.
@pytest.mark.parametrize("number, every", [(500, 100), (4001, 1500)])
def test_after_the_bad_row_was_corrected_resume_gives_the_model_of_one_run(tmp_path, rows, number, every):
    data = with_bad_rows(tmp_path / "data", rows, number)
    flags = ["--budget", 30, "--checkpoint", tmp_path / "state", "--every", every, "--quiet"]
    refused("train", data, "-o", tmp_path / "m", *flags)
    data.write_text("".join(rows))
    run("train", data, "-o", tmp_path / "m", *flags, "--resume")
    run("train", data, "-o", tmp_path / "whole", "--budget", 30, "--quiet")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "whole").read_bytes()


def limited(kind, limit):
    return lambda: resource.setrlimit(kind, (limit, limit))


def test_a_full_checkpoint_disk(tmp_path, rows):
    state = tmp_path / "state"
    flags = ["-o", tmp_path / "m", "--budget", 30, "--checkpoint", state, "--every", 3000, "--quiet"]
    child = start("train", "-", *flags, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for_handler(child)
    (state / "checkpoint.kinglet").symlink_to("/dev/full")
    line = child.communicate("".join(rows), timeout=TIMEOUT)[1]
    assert child.returncode == 2
    assert line.startswith(f"kinglet: cannot write to {state}/checkpoint.kinglet: No space left on device (what was learned from")
    assert f"3,000 examples is in {tmp_path}/m.partial" in line and not (tmp_path / "m").exists()
    assert run_json("info", tmp_path / "m.partial")["examples"] == 3000


def test_a_full_disk_at_the_end_names_the_checkpoint(tmp_path, rows):
    (tmp_path / "rows").write_text("".join(rows))
    line = refused("train", tmp_path / "rows", "-o", "/dev/full", "--checkpoint", tmp_path / "state", "--quiet")
    assert "No space left on device" in line and f"(what was learned is in {tmp_path}/state/checkpoint.kinglet)" in line


def test_out_of_memory(tmp_path):
    # Each row becomes a support vector of 20,000 numbers.
    data = tmp_path / "wide"
    data.write_text("".join(f"{'ab'[i % 2]} {i % 9999 + 1}:1 {20000 - i % 7777}:1\n" for i in range(8000)))
    model = tmp_path / "m"
    flags = ["--storage", "dense", "--algo", "perceptron", "--gamma", 10, "--scale", "none", "--quiet"]
    done = run("train", data, "-o", model, *flags, code=2, preexec_fn=limited(resource.RLIMIT_AS, 400 << 20))
    assert "out of memory" in done.stderr and f"is in {model}.partial" in done.stderr
    assert run_json("info", f"{model}.partial")["examples"] >= 1024
    few = tmp_path / "few"
    few.write_text("".join(data.read_text().splitlines(keepends=True)[:300]))
    assert len(run("predict", few, "-m", f"{model}.partial").stdout.splitlines()) == 300


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_saves_the_model_and_is_told_by_the_exit_code(tmp_path, number):
    _, err = stopped("train", "-", "-o", tmp_path / "m", "--budget", 30, text=text_of_blobs(tmp_path), number=number)
    assert f"stopped after 3,000 examples; the model is saved in {tmp_path}/m\n" in err
    assert run_json("info", tmp_path / "m")["examples"] == 3000


def text_of_blobs(tmp_path):
    return blobs(tmp_path / "piped", rows=3000).read_text()


def test_a_stopped_run_leaves_the_model_of_another_run_alone(tmp_path):
    model = tmp_path / "m"
    model.write_text("complete")
    _, err = stopped("train", "-", "-o", model, "--budget", 30, text=text_of_blobs(tmp_path))
    assert f"the model is saved in {model}.partial, because {model} is there already" in err
    assert model.read_text() == "complete" and run_json("info", f"{model}.partial")["examples"] == 3000


def test_a_stopped_run_of_a_learner_that_learns_at_the_end_saves_nothing(tmp_path):
    _, err = stopped("train", "-", "-o", tmp_path / "m", "--algo", "svm", text=text_of_blobs(tmp_path))
    assert "so there is no model yet" in err and not (tmp_path / "m").exists()


def test_a_stopped_prediction_keeps_the_answers_so_far(tmp_path):
    run("train", blobs(tmp_path / "rows", rows=3000), "-o", tmp_path / "m", "--budget", 30, "--quiet")
    _, err = stopped("predict", "-", "-m", tmp_path / "m", "-o", tmp_path / "out", text=text_of_blobs(tmp_path))
    assert err == f"note: stopped; the predictions so far are in {tmp_path}/out.partial\n"
    assert len((tmp_path / "out.partial").read_text().splitlines()) == 3000 and not (tmp_path / "out").exists()
    assert "is an input file" in refused("predict", tmp_path / "out.partial", "-m", tmp_path / "m", "-o", tmp_path / "out")


def test_a_run_under_nohup_goes_on(tmp_path):
    child = start("train", "-", "-o", tmp_path / "m", "--quiet", stdin=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    wait_for_handler(child)
    child.send_signal(signal.SIGHUP)
    child.stdin.write(blobs(tmp_path / "rows", rows=3000).read_bytes())
    child.stdin.close()
    assert child.wait(20) == 0
    assert run_json("info", tmp_path / "m")["examples"] == 3000


def test_a_lost_reader_of_the_progress_does_not_end_the_run(tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    child = start("train", "gen:checkerboard?n=5000", "-o", tmp_path / "m", "--json", stdout=subprocess.DEVNULL, stderr=writer)
    os.close(writer)
    assert child.wait(20) == 0
    assert run_json("info", tmp_path / "m")["examples"] == 5000


# --- --skip-bad ---


def test_bad_rows_are_skipped_counted_and_shown(tmp_path, rows):
    numbers = [3, 1024, 1025, 2000, 4001, 5000, 6000]
    bad = with_bad_rows(tmp_path / "bad", rows, *numbers)
    good = tmp_path / "good"
    good.write_text("".join(line for i, line in enumerate(rows) if i + 1 not in numbers))
    done = run("train", bad, "-o", tmp_path / "m", "--budget", 30, "--skip-bad", 7)
    assert "bad rows          7 skipped" in done.stdout
    for number in numbers[:5]:
        assert f"note: skipped a bad row: {bad}:{number}:" in done.stderr
    assert f"{bad}:5000:" not in done.stderr
    run("train", good, "-o", tmp_path / "same", "--budget", 30, "--quiet")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "same").read_bytes()
    result = run_json("train", bad, "--passes", 2, "--budget", 30, "--skip-bad", 10)
    assert result["skipped_rows"] == 7 and result["examples"] == 2 * 5993


def test_bad_rows_of_a_short_file_are_shown(tmp_path, rows):
    bad = with_bad_rows(tmp_path / "bad", rows[:600], 3, 600)
    text = run("train", bad, "--skip-bad", 2).stderr
    assert f"skipped a bad row: {bad}:3:" in text and f"skipped a bad row: {bad}:600:" in text


def test_one_bad_row_too_many_ends_the_run(tmp_path, rows):
    bad = with_bad_rows(tmp_path / "bad", rows, 10, 20, 4001)
    line = refused("train", bad, "-o", tmp_path / "m", "--skip-bad", 2, "--quiet")
    assert f"{bad}:4001:" in line and "one bad row more than --skip-bad 2 allows" in line
    assert "what was learned from 3,998 examples is in" in line


def test_bad_rows_of_a_csv_file(tmp_path):
    good = ["a,1,2\n", "b,2,1\n"] * 1000
    bad = list(good)
    bad[1500:1500] = ["a,1\n", "a,1,2,3\n", "b,x,2\n", 'b,x,"two\nlines"\n', 'a,"1,2\n', ",1,2\n"]
    (tmp_path / "good.csv").write_text("".join(good))
    (tmp_path / "bad.csv").write_text("".join(bad))
    run("train", tmp_path / "good.csv", "-o", tmp_path / "same", "--budget", 10, "--quiet")
    result = run_json("train", tmp_path / "bad.csv", "-o", tmp_path / "m", "--budget", 10, "--skip-bad", 9)
    assert (result["skipped_rows"], result["unlabelled_rows"]) == (5, 1)
    assert (tmp_path / "m").read_bytes() == (tmp_path / "same").read_bytes()


def test_a_file_without_any_good_row(tmp_path):
    (tmp_path / "bad").write_text("a 1:x\nb 1:y\n")
    assert "all 2 were skipped, because each has an error" in refused("train", tmp_path / "bad", "--skip-bad", 5)


# --- predict ---


def test_predict_prints_every_answer_before_the_bad_row(tmp_path, rows):
    bad = with_bad_rows(tmp_path / "bad", rows, 4001)
    (tmp_path / "good").write_text("".join(rows))
    run("train", tmp_path / "good", "-o", tmp_path / "m", "--budget", 30, "--quiet")
    answers = run("predict", tmp_path / "good", "-m", tmp_path / "m").stdout.splitlines()
    done = run("predict", bad, "-m", tmp_path / "m", code=2)
    assert done.stdout.splitlines() == answers[:4000] and f"{bad}:4001:" in done.stderr
    out = tmp_path / "out"
    out.write_text("old")
    line = refused("predict", bad, "-m", tmp_path / "m", "-o", out)
    assert f"(the predictions for the rows before are in {out}.partial)" in line and out.read_text() == "old"
    assert (tmp_path / "out.partial").read_text().splitlines() == answers[:4000]


def test_predict_has_no_skip_bad_as_line_n_answers_row_n(tmp_path, rows):
    assert "unknown option --skip-bad" in refused("predict", "x", "-m", "y", "--skip-bad", 3)
