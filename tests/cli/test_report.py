"""kinglet train --report: one page, written completely or not at all. web/test tests its appearance in a browser."""

import json
import re

import pytest
from program import blobs, refused, run, run_json


def report_in(path):
    page = path.read_text()
    return json.loads(re.search(r'id="report">(.*?)</script>', page, re.S).group(1))


def blocks(report):
    return {block["title"]: block for section in report["sections"] for block in section["blocks"]}


def test_a_report_says_what_train_says(board, tmp_path):
    page = tmp_path / "board.html"
    result = run_json("train", board, "--budget", 50, "--gamma", 8, "--test", board, "--report", page)
    assert result["report"] == str(page)
    report = report_in(page)
    facts = {fact["name"]: fact["value"] for fact in report["facts"]}
    assert facts["test accuracy"] == f"{100 * result['test_accuracy']:.2f}\u00a0%"
    assert facts["online error"] == f"{100 * result['online_error']:.2f}\u00a0%"
    assert facts["support vectors"] == "50"
    assert report["command"].startswith("kinglet train ")
    shown = blocks(report)
    counts = shown["Confusion matrix of the test data"]["counts"]
    assert sum(counts) == result["test_examples"]
    assert (counts[0] + counts[3]) / sum(counts) == result["test_accuracy"]
    so_far = shown["Online error"]["series"][1]["points"]
    assert so_far[-1]["x"] == result["examples"]
    assert so_far[-1]["y"] == pytest.approx(result["online_error"], rel=1e-4)
    assert len(shown["Decision map"]["support"]) == 50


def test_a_report_says_what_eval_says(board, board_model, tmp_path):
    page = tmp_path / "eval.html"
    result = run_json("eval", board, "-m", board_model, "--report", page)
    assert result["report"] == str(page)
    report = report_in(page)
    facts = {fact["name"]: fact["value"] for fact in report["facts"]}
    assert facts["accuracy"] == f"{100 * result['accuracy']:.2f}\u00a0%"
    assert facts["balanced accuracy"] == f"{100 * result['balanced_accuracy']:.2f}\u00a0%"
    assert facts["AUC"] == f"{result['auc']:.4f}"
    assert report["title"] == f"{board_model.name} on {board.name}" and report["command"].startswith("kinglet eval ")
    shown = blocks(report)
    assert shown["Confusion matrix"]["counts"] == [n for one in result["classes"] for n in one["predicted_as"]]
    errors = shown["Error along the data"]["series"][0]["points"]
    assert errors[-1]["x"] == result["examples"]
    assert "Decision map" in shown


def test_a_report_of_eval_shows_probabilities_and_numbers(tmp_path):
    page = tmp_path / "eval.html"
    run("train", "gen:waveform?n=2000", "--proba", "-o", tmp_path / "m", "--quiet")
    run("eval", "gen:waveform?n=1000&seed=2", "-m", tmp_path / "m", "--report", page)
    assert "Reliability on these data" in blocks(report_in(page))
    run("train", "gen:prices?n=2000", "--task", "regress", "-o", tmp_path / "m", "--quiet")
    result = run_json("eval", "gen:prices?n=1000&seed=2", "-m", tmp_path / "m", "--report", page)
    report = report_in(page)
    assert "Predicted against true values" in blocks(report)
    assert float({fact["name"]: fact["value"] for fact in report["facts"]}["R²"]) == pytest.approx(result["r2"], abs=1e-4)


def test_a_report_of_eval_does_not_replace_its_input(board, board_model):
    assert "board.libsvm" in refused("eval", board, "-m", board_model, "--report", board)
    assert "board.kinglet" in refused("eval", board, "-m", board_model, "--report", board_model)


def test_a_report_changes_no_model(board, tmp_path):
    options = ["--budget", 50, "--gamma", 8, "--quiet"]
    run("train", board, "-o", tmp_path / "plain.kinglet", *options)
    run("train", board, "-o", tmp_path / "shown.kinglet", "--report", tmp_path / "r.html", *options)
    assert (tmp_path / "plain.kinglet").read_bytes() == (tmp_path / "shown.kinglet").read_bytes()


def test_a_report_needs_no_network(board, tmp_path):
    page = tmp_path / "r.html"
    run("train", board, "--budget", 20, "--report", page, "--quiet")
    text = page.read_text()
    assert "default-src 'none'" in text
    assert not re.search(r'(src|href)="(https?:)?//', text)
    assert len(text) < 1_000_000


def test_a_place_that_cannot_be_written_is_refused_at_once(board, tmp_path):
    model = tmp_path / "m.kinglet"
    line = refused("train", board, "-o", model, "--report", tmp_path / "nowhere" / "r.html")
    assert "nowhere" in line
    assert not model.exists()
    assert "give a file name" in refused("train", board, "--report", "-")
    assert "is a folder" in refused("train", board, "--report", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_size_of_pictures(tmp_path):
    rows = tmp_path / "rows.csv"
    lines = [",".join([str(i % 2)] + [str((i * j) % 7) for j in range(1, 13)]) for i in range(300)]
    rows.write_text("\n".join(lines) + "\n")
    page = tmp_path / "r.html"
    run("train", rows, "--budget", 10, "--quiet", "--report", page)
    assert "Support vectors" not in [b["title"] for b in report_in(page)["sections"][-1]["blocks"]]
    assert not any(b["kind"] == "gallery" for s in report_in(page)["sections"] for b in s["blocks"])
    run("train", rows, "--budget", 10, "--quiet", "--report", page, "--report-image", "4x3")
    galleries = [b for s in report_in(page)["sections"] for b in s["blocks"] if b["kind"] == "gallery"]
    assert [(g["width"], g["height"], len(g["pictures"])) for g in galleries] == [(4, 3, 10)]
    for wrong in ["4", "4x", "x3", "0x3", "4x3x2", "-4x3", "big"]:
        assert "--report-image" in refused("train", rows, "--report", page, f"--report-image={wrong}")
    assert "12 features" in refused("train", rows, "--report", page, "--report-image", "3x3")
    assert "--report FILE" in refused("train", rows, "--report-image", "4x3")


def test_a_run_that_goes_on_shows_its_own_part(board, tmp_path):
    state = tmp_path / "state"
    run("train", board, "--budget", 20, "--checkpoint", state, "--every", 5000, "--quiet")
    page = tmp_path / "r.html"
    run("train", board, "--budget", 20, "--checkpoint", state, "--resume", "--passes", 2, "--quiet", "--report", page)
    points = blocks(report_in(page))["Online error"]["series"][1]["points"]
    assert points[0]["x"] > 20000 and points[-1]["x"] == 40000


def test_names_are_text(tmp_path):
    data = blobs(tmp_path / "birds.csv", labels=("</script>", "<!--", "a&b"), separator=",")
    page = tmp_path / "r.html"
    run("train", data, "--budget", 20, "--quiet", "--report", page)
    confusion = blocks(report_in(page))["Confusion matrix of the online predictions"]
    assert sorted(confusion["labels"]) == ["<!--", "</script>", "a&b"]
