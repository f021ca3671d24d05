"""kinglet tune: the printed command works, limits are respected, and errors are one line."""

import json
import shlex
import signal
import subprocess

import pytest
from program import TIMEOUT, blobs, refused, run, run_json, start, wait_for_handler

BOARD = "gen:checkerboard?n=8000"
FRESH = "gen:checkerboard?n=4000&seed=2"


def printed_command(text):
    return next(line for line in text.splitlines() if line.startswith("kinglet train "))


def test_the_printed_command_runs_and_is_as_good_as_told(board, tmp_path):
    model = tmp_path / "a model.kinglet"
    done = run("tune", board, "--budget", 60, "--test", FRESH, "-o", model)
    told = float(done.stdout.split("test accuracy")[1].split()[0])
    assert told > 0.93
    arguments = shlex.split(printed_command(done.stdout))
    assert arguments[:3] == ["kinglet", "train", str(board)] and str(model) in arguments
    saved = model.read_bytes()
    result = run_json(*arguments[1:], "--test", FRESH)
    assert result["test_accuracy"] == pytest.approx(told, abs=1e-4)
    assert model.read_bytes() == saved, "the model is the one that train makes"


def test_the_frontier_and_the_rungs_are_tables(board):
    done = run("tune", board, "--budget", "20,60", "--rows", 3000)
    assert "settings left" in done.stderr and "using the first 3,000 rows" in done.stderr
    lines = [line.split() for line in done.stdout.splitlines() if line.startswith("bpegasos")]
    assert [line[1] for line in lines] == ["20", "60"]
    assert done.stdout.count("← best") == 1
    assert "majority class" in done.stdout and "passes over 3,000 rows" in done.stdout


def test_json_has_every_setting_with_its_rungs(tmp_path):
    result = run_json("tune", BOARD, "--budget", "10,30", "--quiet")
    assert result["rows"] == 8000 and not result["stopped"] and result["model"] is None
    assert 0.45 < result["baseline_error"] < 0.55
    assert [item["budget"] for item in result["frontier"]] == [10, 30]
    best = result["best"]
    assert best in [{key: value for key, value in item.items() if key != "tried"} for item in result["frontier"]]
    assert set(best["searched"]) == {"gamma", "lambda"} and best["options"]["algo"] == "bpegasos"
    assert best["accuracy"] == pytest.approx(1 - best["error"]) and best["latency_seconds"] > 0
    tried = result["frontier"][0]["tried"]
    assert len(tried) >= 30 and result["frontier"][0]["error"] >= best["error"] and len({str(item["searched"]) for item in tried}) == len(tried)
    ends = [item for item in tried if item["rungs"] and item["rungs"][-1]["rows"] == 8000]
    assert 0 < len(ends) < len(tried) / 2, "most were dropped on the way"
    assert result["frontier"][0]["error"] in [item["rungs"][-1]["error"] for item in ends]
    assert result["examples_learned"] < 150 * 8000
    shlex.split(result["command"])


def test_what_is_given_stays_and_is_in_the_command(tmp_path):
    data = blobs(tmp_path / "it's.csv", separator=",", labels=("a", "b"))
    result = run_json("tune", data, "--format", "csv", "--label-column", "first", "--gamma", 0.25, "--algo", "bmp",
                      "--budget", 10, "--quiet")  # fmt: skip
    assert set(result["best"]["searched"]) == {"eta"}
    arguments = shlex.split(result["command"])
    assert arguments[2] == str(data) and arguments[arguments.index("--gamma") + 1] == "0.25"
    assert run_json(*arguments[1:], cwd=tmp_path)["online_error"] < 0.1


def test_memory_and_latency_limit_the_budget():
    result = run_json("tune", BOARD, "--memory", "12K", "--rows", 2000, "--quiet")
    assert all(item["memory_bytes"] <= 12 * 1024 for item in result["frontier"])
    assert result["frontier"][-1]["memory_bytes"] > 10 * 1024, "the last one takes what there is"
    done = run("tune", BOARD, "--memory", "12K", "--budget", "20,5000", "--rows", 2000)
    assert "left out: bpegasos with budget 5,000" in done.stdout
    assert "no learner meets the limits" in refused("tune", BOARD, "--latency", "1ns", "--rows", 2000, "--budget", 20,
                                                    "--quiet")  # fmt: skip


def test_several_algorithms_and_numbers(tmp_path):
    result = run_json("tune", BOARD, "--algo", "rbp,bpegasos", "--budget", 20, "--rows", 3000, "--quiet")
    assert [item["algorithm"] for item in result["frontier"]] == ["rbp", "bpegasos"]
    assert result["best"]["algorithm"] == "bpegasos"
    done = run("tune", "gen:friedman?n=3000", "--task", "regress", "--budget", 30, "--test", "gen:friedman?n=1000&seed=2")
    assert "RMSE" in done.stdout and "predicting the mean" in done.stdout and "--task regress" in printed_command(done.stdout)


def test_sorted_rows_are_noticed(tmp_path):
    path = blobs(tmp_path / "sorted.libsvm", rows=3000, labels=("a", "b", "c"))
    path.write_text("\n".join(sorted(path.read_text().splitlines())) + "\n")
    done = run("tune", path, "--budget", 3, "--algo", "stoptron")
    assert "trained in the order of" in done.stderr and "shuffle the file" in done.stderr
    assert "in the order" not in run("tune", path, "--budget", 3, "--algo", "stoptron", "--in-order").stderr


@pytest.mark.parametrize("arguments, reason", [
    ([], "DATA is missing"),
    ([BOARD, "--algo", "bpegasus"], "bpegasos"),
    ([BOARD, "--algo", "pegasos", "--budget", "10"], "--budget is not an option"),
    ([BOARD, "--budget", "10,,20"], "a part of the list is empty"),
    ([BOARD, "--budget", "0"], "'0' is not a positive whole number"),
    ([BOARD, "--memory", "much"], "--memory"),
    ([BOARD, "--memory", "10"], "not enough"),
    ([BOARD, "--latency", "5"], "--latency must be a time"),
    ([BOARD, "--rows", "0"], "--rows must be at least 1"),
    ([BOARD, "--eta", "1"], "--eta is not an option of"),
    (["-", "--test", "-"], "cannot both be standard input"),
    ([BOARD, "-o", "-"], "a model cannot go to standard output"),
    (["no-such-file"], "no-such-file"),
])  # fmt: skip
def test_mistakes_are_one_line(arguments, reason):
    assert reason in refused("tune", *arguments)


def test_novelty_without_novel_rows_has_nothing_to_judge_by(tmp_path):
    path = tmp_path / "normal.libsvm"
    path.write_text("1 1:1\n1 1:2\n1 1:3\n")
    assert "cannot be evaluated" in refused("tune", path, "--task", "novelty")
    path.write_text("1 1:1\n1 1:2\n")
    assert "cannot be compared" in refused("tune", path)


def test_a_full_disk_does_not_lose_the_search():
    done = run("tune", "gen:gauss?n=500", "--budget", 20, "-o", "/dev/full", "--quiet", code=2)
    assert printed_command(done.stdout).startswith("kinglet train ") and "No space left" in done.stderr
    found = json.loads(run("tune", "gen:gauss?n=500", "--budget", 20, "-o", "/dev/full", "--quiet", "--json", code=2).stdout)
    assert found["command"].startswith("kinglet train ") and found["model"] is None


def test_what_does_not_depend_on_order_is_not_said_to(tmp_path):
    rows = tmp_path / "sorted"
    lines = sorted(run("gen", "gen:checkerboard?n=300&seed=1").stdout.splitlines(keepends=True))
    rows.write_text("".join(lines))
    assert "shuffle the file" not in run("tune", rows, "--algo", "svm", "--gamma", "0.01", "-o", tmp_path / "m").stderr


def test_ctrl_c_ends_with_the_best_so_far(tmp_path):
    page = tmp_path / "page.html"
    report = ["--report", page]
    child = start("tune", "gen:waveform?n=200000", "--budget", 300, *report, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for_handler(child)
    for line in child.stderr:
        if "12,500" in line:
            break
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=TIMEOUT)
    assert child.returncode == 130, err
    assert "best settings so far" in err and printed_command(out).startswith("kinglet train ")
    assert "stopped before training it" in page.read_text()


def test_help_names_the_limits():
    text = run("tune", "--help").stdout
    assert "--latency" in text and "--memory" in text and "budgets to try" in text
