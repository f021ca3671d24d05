"""kinglet train: its output, the files it writes, and the sources of data."""

import bz2
import gzip
import lzma
import os
import pty
import re
import subprocess

import pytest
from program import blobs, refused, run, run_json, start


def test_json_has_one_object_with_every_fact(board, tmp_path):
    model = tmp_path / "m.kinglet"
    flags = ["--algo", "bpegasos", "--budget", 100, "--gamma", 8]
    result = run_json("train", board, "-o", model, *flags, "--test", board)
    for key, kind in {
        "algorithm": str, "update": str, "maintain": str, "kernel": str, "examples": int, "passes": int,
        "seconds": float, "examples_per_second": float, "online_error": float, "majority_error": float,
        "support_vectors": int, "budget": int, "dimension": int, "classes": int, "gamma": (int, float),
        "memory_bytes": int, "peak_rss_bytes": int, "test_accuracy": float, "test_examples": int,
        "stopped": bool, "model": str, "options": dict,
    }.items():  # fmt: skip
        assert isinstance(result[key], kind), key
    assert result["algorithm"] == "bpegasos" and result["update"] == "pegasos" and result["maintain"] == "merge"
    assert result["examples"] == result["test_examples"] == 20000
    assert result["support_vectors"] <= result["budget"] == 100
    assert result["dimension"] == 2 and result["classes"] == 2
    assert 0 < result["online_error"] < result["majority_error"] < 0.55
    assert result["test_accuracy"] > 0.85
    assert result["model"] == str(model) and model.stat().st_size > 0
    assert result["options"]["budget"] == 100 and result["options"]["gamma"] == result["gamma"]


def test_tables_for_people_show_doubling_counts_and_the_result(board):
    done = run("train", board, "--algo", "bpegasos", "--budget", 100, "--gamma", 8, "--test", board)
    counts = [int(m.replace(",", "")) for m in re.findall(r"^ +([\d,]+)  +0\.", done.stderr, re.M)]
    assert counts == [128, 256, 512, 1024, 2048, 4096, 8192, 16384, 20000]
    assert "learner memory" in done.stderr and "was not saved" in done.stderr
    for name in ["algorithm", "examples", "online error", "support vectors", "features", "classes", "gamma", "memory",
                 "test accuracy"]:  # fmt: skip
        assert re.search(rf"^{name}  +\S", done.stdout, re.M), name
    assert "\r" not in done.stderr


def test_quiet_says_nothing(board):
    done = run("train", board, "--budget", 20, "--quiet")
    assert done.stdout == done.stderr == ""


def test_json_leaves_the_tables_to_standard_error(board):
    done = run("train", board, "--budget", 20, "--json")
    assert done.stdout.startswith("{") and done.stdout.count("\n{") == 0
    assert "overall error" in done.stderr


def test_a_bar_appears_on_a_terminal_and_is_erased(tmp_path):
    master, slave = pty.openpty()
    child = start("train", "gen:waveform?n=60000", "--budget", 400, stderr=slave, stdout=subprocess.DEVNULL)
    os.close(slave)
    seen = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    assert child.wait() == 0
    assert re.search(rb"\r\[=* *\] +\d+ %  [\d.]+[kM]?/s  error 0\.\d+  \d+ SV  [\d.]+ [KM]iB", seen)
    assert seen.rstrip().rfind(b"\r[") < seen.rfind(b"\r\x1b[K")


@pytest.mark.parametrize("opener", [gzip.open, bz2.open, lzma.open], ids=["gz", "bz2", "xz"])
def test_compressed_data_give_the_same_model(board, board_model, tmp_path, opener):
    packed = tmp_path / "packed"
    with opener(packed, "wb") as out:
        out.write(board.read_bytes())
    run("train", packed, "-o", tmp_path / "m", "--budget", 100, "--quiet")
    assert (tmp_path / "m").read_bytes() == board_model.read_bytes()


def test_standard_input_and_generator_give_the_same_model_as_the_file(board, board_model, tmp_path):
    run("train", "-", "-o", tmp_path / "pipe", "--budget", 100, "--quiet", input=board.read_text())
    assert (tmp_path / "pipe").read_bytes() == board_model.read_bytes()
    run("train", "gen:checkerboard?n=20000", "-o", tmp_path / "gen", "--budget", 100, "--quiet")
    accuracy = run_json("eval", board, "-m", tmp_path / "gen")["accuracy"]
    assert accuracy == run_json("eval", board, "-m", board_model)["accuracy"]


def test_another_run_writes_the_same_bytes_and_another_seed_or_budget_does_not(board, board_model, tmp_path):
    run("train", board, "-o", tmp_path / "again", "--budget", 100, "--quiet")
    assert (tmp_path / "again").read_bytes() == board_model.read_bytes()
    run("train", board, "-o", tmp_path / "other", "--budget", 101, "--quiet")
    assert (tmp_path / "other").read_bytes() != board_model.read_bytes()


def test_words_are_labels(words):
    result = run_json("train", words, "--test", words, "--budget", 50)
    assert result["classes"] == 3 and result["test_accuracy"] > 0.97


def test_csv_with_a_header_and_the_label_in_any_column(tmp_path):
    rows = blobs(tmp_path / "first.csv", separator=",", header="kind,width,height")
    first = run_json("train", rows, "--test", rows, "--budget", 50)
    assert first["examples"] == 600 and first["dimension"] == 2 and first["test_accuracy"] > 0.97
    lines = [line.split(",") for line in rows.read_text().splitlines()]
    last = tmp_path / "last.csv"
    last.write_text("".join(f"{b},{c},{a}\n" for a, b, c in lines))
    for column in ["last", "kind", "3"]:
        result = run_json("train", last, "--label-column", column, "--budget", 50)
        assert result["online_error"] == first["online_error"], column


def test_a_class_may_appear_in_the_middle_of_the_stream(tmp_path):
    early = blobs(tmp_path / "early", rows=3000, labels=("a", "b"))
    late = blobs(tmp_path / "late", rows=3000, labels=("a", "b", "c"))
    both = tmp_path / "both"
    both.write_text(early.read_text() + late.read_text())
    result = run_json("train", both, "--budget", 60, "--test", late)
    assert result["classes"] == 3 and result["test_accuracy"] > 0.95


def test_passes_go_over_a_file_again(board):
    result = run_json("train", board, "--budget", 50, "--passes", 3)
    assert result["examples"] == 60000
    assert "once" in refused("train", "-", "--passes", 2, input=board.read_text())


def test_passes_auto_are_those_of_fit_in_python(board, tmp_path):
    flags = ["--budget", 50, "--passes", "auto", "--shuffle", "all"]
    result = run_json("train", board, *flags)
    assert result["passes"] == 3 and result["examples"] == 60000 and result["shuffle"] == "all"
    assert "passes            3 (auto), each in a new random order\n" in run("train", board, *flags).stdout
    assert "passes            2, in the order of the data\n" in run("train", board, "--passes", 2).stdout
    assert "passes            1 (auto), in random order through a buffer of 30 rows" in run(
        "train", "gen:checkerboard?n=50000", "--passes", "auto", "--shuffle", 30).stdout  # fmt: skip
    plain = run("train", board).stdout
    assert "passes" not in plain
    kept = run_json("train", "gen:checkerboard?n=300", "--algo", "lasvm", "--passes", "auto")
    assert kept["passes"] == 1 and kept["examples"] == 300
    for data in ["-", "gen:gauss"]:
        assert f"the number of rows of {data} is not known" in refused("train", data, "--passes", "auto", input="a 1:1\n")
    query = ["--query-out", tmp_path / "q", "--labels-in", board]
    assert "there is only one pass" in refused("train", "gen:gauss?n=100", "--passes", "auto", *query)


def test_passes_auto_resume(board, tmp_path):
    args = ["train", board, "--budget", 50, "--passes", "auto", "--shuffle", "all", "--quiet"]
    run(*args, "-o", tmp_path / "whole")
    state = ["--checkpoint", tmp_path / "state", "--every", 7000]
    run(*args[:4], "--passes", 2, *args[6:], *state)
    run(*args, *state, "--resume", "-o", tmp_path / "m")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "whole").read_bytes()


def test_every_update_rule_runs_with_every_budget_rule(words):
    import json

    registry = json.loads(run("algorithms", "--json").stdout)
    for update in registry["update_rules"]:
        for maintain in registry["budget_rules"]:
            if maintain["name"] == "projectron++" and update["name"] not in ["perceptron", "mira"]:
                continue  # refused: it learns from margins below 1 itself
            result = run_json("train", words, "--update", update["name"], "--budget-rule", maintain["name"], "--test", words)
            assert result["test_accuracy"] > 0.9, (update["name"], maintain["name"])


def test_the_algorithm_is_named_by_its_rules(words, tmp_path):
    def named(*args):
        name = run_json("train", words, "--budget", 20, "-o", tmp_path / "m", *args)["algorithm"]
        assert run_json("info", tmp_path / "m")["algorithm"] == name
        assert f"algorithm         {name} (" in run("train", words, "--budget", 20, *args).stdout
        return name

    assert named() == named("--update", "pa1") == named("--budget-rule", "merge") == "auto"
    assert named("--update", "perceptron", "--budget-rule", "random") == "rbp"
    assert named("--algo", "rbp", "--update", "norma", "--budget-rule", "merge") == "bnorma"
    assert named("--update", "mp", "--budget-rule", "random") == "mp + random"


def test_labels_of_the_test_that_were_never_seen_are_named(words, tmp_path):
    test = tmp_path / "test"
    test.write_text(words.read_text() + "eagle 1:0 2:0\n" * 3)
    text = run("train", words, "--budget", 50, "--test", test).stdout
    assert re.search("^unknown labels +3 examples with labels that the model has never seen: eagle$", text, re.M)
    assert run_json("train", words, "--budget", 50, "--test", test)["test_unknown_labels"] == {"eagle": 3}


def test_what_was_asked_for_and_did_not_come_to_be_is_noted(words, board):
    weigh = ["--budget", 20, "--class-weight", "robin=2,7=3"]
    notes = run("train", words, *weigh).stderr
    assert "note: --class-weight: no example has the label 7" in notes and "robin" not in notes
    assert run("train", words, *weigh, "--quiet").stderr == ""
    spa = ["--update", "spa", "--budget-rule", "none", "--expected-budget", 50, "--stream-length"]
    assert "--stream-length is 100, but the stream had 20,000 examples" in run("train", board, *spa, 100).stderr
    assert "--stream-length" not in run("train", board, *spa, 20000).stderr


def test_balanced_class_weights_find_more_of_a_rare_class(tmp_path):
    recalls = []
    for weights in ["none", "balanced"]:
        run("train", "gen:gauss?n=20000&balance=0.1", "--class-weight", weights, "--algo", "bnorma", "-o", tmp_path / "m", "--quiet")
        result = run_json("eval", "gen:gauss?n=5000&seed=2", "-m", tmp_path / "m")
        recalls.append((result["classes"][1]["recall"], result["balanced_accuracy"]))
    assert recalls[1][0] > recalls[0][0] + 0.1 and recalls[1][1] > recalls[0][1]
    assert run_json("info", tmp_path / "m")["options"]["class-weight"] == "balanced"
    assert "must be none, balanced, or a list" in refused("train", "gen:gauss?n=10", "--class-weight", "even")


def test_memory_limit_chooses_the_budget(board):
    result = run_json("train", board, "--memory", "64K")
    assert result["budget"] > 10 and result["memory_bytes"] <= 64 * 1024


def test_memory_stays_the_same_however_long_the_stream_is():
    peaks = []
    for rows in [100_000, 1_000_000]:
        producer = start("gen", "gauss", "-n", rows, stdout=subprocess.PIPE)
        result = run_json("train", "-", "--budget", 50, "--quiet", stdin=producer.stdout)
        assert producer.wait() == 0 and result["examples"] == rows
        peaks.append(result["peak_rss_bytes"])
    assert peaks[1] < peaks[0] * 1.05 + 2**20, peaks


def test_the_model_folder_is_checked_before_anything_is_learned(tmp_path):
    endless = "gen:checkerboard"
    assert "does not exist" in refused("train", endless, "-o", tmp_path / "nowhere" / "m")
    assert "is a folder" in refused("train", endless, "-o", tmp_path)
    assert "file name" in refused("train", endless, "-o", "-")
