"""Memory is checked before it is taken, and what is taken follows the data."""

import os
import resource
import signal
import subprocess
import time

import program
from program import refused, run, run_json


def peak_of(*args, **options):
    """Runs a command; returns what it printed and its largest resident size in MB."""
    child = program.start(*args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    out, error = child.stdout.read(), child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    child.stdout.close()
    child.stderr.close()
    return child.returncode, error.decode(), usage.ru_maxrss / 1024


def test_one_wrong_index_costs_nothing(tmp_path):
    rows = tmp_path / "rows.libsvm"
    rows.write_text("b 1:1\na 1000000000:1\n")
    for more in (
        ["--memory", "64K"],
        ["--memory", "64K", "--storage", "sparse"],
        ["--storage", "dense"],
        [],
        ["--algo", "lasvm"],
        ["--algo", "tvm", "--memory", "1M"],
        ["--scale", "none", "--gamma", "1"],
    ):
        code, error, megabytes = peak_of("train", rows, "--quiet", *more)
        assert code == 2 and error.count("\n") == 1, error
        assert f"{rows}:2: index 1000000000 gives 1000000000 features; " in error
        assert "correct the index (with --dimension, higher ones are errors)" in error
        assert "lower --budget" not in error
        assert megabytes < 200, more


def test_much_memory_is_said(tmp_path):
    rows = tmp_path / "rows.libsvm"
    rows.write_text("a 1:1\nb 2:1\na 30000000:1\n")
    error = run("train", rows, "--algo", "bpegasos", "--storage", "sparse").stderr
    assert f"note: {rows}:3: index 30000000 gives 30000000 features; the model takes up to 1" in error


def test_a_wrong_index_further_on_is_named(tmp_path):
    rows = tmp_path / "rows.libsvm"
    lines = [f"{'ab'[i % 2]} 1:{i % 7} 2:{i % 5}\n" for i in range(3000)]
    lines[2500] = "a 1:1 900000000:2\n"
    rows.write_text("".join(lines))
    error = run("train", rows, code=2).stderr.splitlines()[-1]
    assert f"{rows}:2501: index 900000000 gives 900000000 features; the learner would take" in error
    error = run("train", rows, "--memory", "64K", code=2).stderr.splitlines()[-1]
    assert f"{rows}:2501: index 900000000 gives 900000000 features; " in error
    assert "even one support vector takes more than --memory 64K" in error


def test_a_large_budget_takes_what_the_rows_need(tmp_path):
    rows = tmp_path / "rows.libsvm"
    run("gen", "checkerboard", "-n", 2000, "-o", rows)
    model = tmp_path / "model"
    _, _, usual = peak_of("train", rows, "--quiet", "--budget", 2000, "-o", model)
    small = model.read_bytes()
    code, error, megabytes = peak_of("train", rows, "--quiet", "--budget", 10_000_000, "--test", rows, "-o", model)
    assert code == 0, error
    assert megabytes < usual + 40
    assert model.read_bytes().replace(b'"10000000"', b'"2000"').count(b'"2000"') == small.count(b'"2000"')
    assert "the model takes up to 7" in run("train", rows, "--budget", 10_000_000).stderr
    assert "the model takes up to 1" in run("train", rows, "--algo", "bpegasos", "--budget", 10_000_000).stderr


def test_a_signal_ends_a_long_start(tmp_path):
    # A start that went on to its end would be followed by the first examples, and there would be a model to save.
    rows = tmp_path / "rows.libsvm"
    rows.write_text("".join(f"{'ab'[i % 2]} {i + 1}:1 2000000:1\n" for i in range(1024)))
    model = tmp_path / "model"
    child = program.start(
        "train", rows, "--storage", "dense", "--budget", 2, "-o", model, stderr=subprocess.PIPE, text=True
    )
    program.wait_for_handler(child, signal.SIGTERM)
    time.sleep(1)
    child.send_signal(signal.SIGTERM)
    error = child.communicate(timeout=program.TIMEOUT)[1]
    assert child.returncode == 143
    assert "there is no model to save" in error
    assert not model.exists()


def test_a_stream_with_new_classes_goes_on_within_its_memory(tmp_path):
    rows = tmp_path / "rows.libsvm"
    program.blobs(rows, rows=1500, labels=("a", "b"))
    more = tmp_path / "more.libsvm"
    program.blobs(more, rows=1500, labels="abcdefghijkl")
    rows.write_text(rows.read_text() + more.read_text())
    model = tmp_path / "model"
    done = run("train", rows, "--memory", "16K", "-o", model)
    assert done.stderr.count("the budget went down from") == 1
    assert "--memory 16K allows no more support vectors" in done.stderr
    result = run_json("train", rows, "--memory", "16K", "--quiet")
    assert result["memory_bytes"] <= 16 * 1024
    assert run_json("info", model)["options"]["budget"] == result["budget"]


def test_an_algorithm_that_needs_more_than_its_budget_says_so(tmp_path):
    rows = "gen:gauss?n=30000"
    done = run("train", rows, "--algo", "spa", "--beta", "2", "-o", tmp_path / "model")
    assert done.stderr.count("the budget of 500 support vectors is full, and spa would keep more: raise --budget") == 1
    done = run("train", rows, "--algo", "spa", "--beta", "2", "--budget", "20000", "-o", tmp_path / "model")
    assert "is full" not in done.stderr


def test_a_learner_that_cannot_lower_its_budget_says_so(tmp_path):
    rows = tmp_path / "rows.libsvm"
    program.blobs(rows, rows=1200, labels=("a", "b"))
    rows.write_text(rows.read_text() + "c 1:1 5000:1\n")
    error = run("train", rows, "--algo", "tvm", "--memory", "64K", code=2).stderr.splitlines()[-1]
    assert "tvm cannot lower its budget: raise --memory" in error


def limit_address_space(megabytes):
    return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))}


def test_svm_without_memory_is_one_line(tmp_path):
    rows = tmp_path / "rows.libsvm"
    run("gen", "waveform", "-n", 20000, "-o", rows)
    seen = set()
    for megabytes in (120, 160, 200, 240, 300):
        done = subprocess.run(
            [program.KINGLET, "train", rows, "--algo", "svm", "--quiet", "--cache", "1G"],
            capture_output=True,
            text=True,
            timeout=program.TIMEOUT,
            **limit_address_space(megabytes),
        )
        assert done.returncode == 2, (megabytes, done.returncode, done.stderr)
        assert len(done.stderr.splitlines()) == 1 and "memory" in done.stderr
        seen.add("svm needs" in done.stderr)
    assert True in seen


def test_ctrl_c_works_while_svm_solves(tmp_path):
    rows = tmp_path / "rows.libsvm"
    run("gen", "waveform", "-n", 30000, "-o", rows)
    child = program.start("train", rows, "--algo", "svm", "--C", 1e6, stderr=subprocess.PIPE, text=True)
    program.wait_for_handler(child, signal.SIGINT)
    time.sleep(3)  # reading takes less
    assert child.poll() is None
    child.send_signal(signal.SIGINT)
    error = child.communicate(timeout=program.TIMEOUT)[1]
    assert child.returncode == 130
    assert "there is no model to save" in error
