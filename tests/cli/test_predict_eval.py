"""kinglet predict and kinglet eval."""

import os
import re
import subprocess
import time

import pytest
from program import blobs, refused, run, run_json, start, wait_for_handler


def true_labels(path):
    return [line.split()[0] for line in path.read_text().splitlines()]


def test_predict_writes_one_label_per_line_and_agrees_with_eval(words, words_model):
    labels = run("predict", words, "-m", words_model).stdout.splitlines()
    truth = true_labels(words)
    assert len(labels) == len(truth) and set(labels) == {"wren", "robin", "finch"}
    accuracy = sum(a == b for a, b in zip(labels, truth)) / len(truth)
    assert run_json("eval", words, "-m", words_model)["accuracy"] == pytest.approx(accuracy, abs=1e-12)


def auc(pairs):
    """The share of pairs of a positive and another example that are in order; ties count half."""
    positive = [score for score, is_positive in pairs if is_positive]
    others = [score for score, is_positive in pairs if not is_positive]
    return sum((a > b) + (a == b) / 2 for a in positive for b in others) / (len(positive) * len(others))


def f1(label, labels, truth):
    right = sum(a == b == label for a, b in zip(labels, truth))
    return 2 * right / (labels.count(label) + truth.count(label))


@pytest.mark.parametrize("data", ["gen:gauss?n=800&balance=0.2", "gen:waveform?n=800"])
def test_eval_agrees_with_the_definitions_of_its_measures(tmp_path, data):
    run("train", data, "-o", tmp_path / "m", "--budget", 20, "--quiet")
    run("gen", data, "--seed", 2, "-o", tmp_path / "rows")
    truth = true_labels(tmp_path / "rows")
    lines = [line.split("\t") for line in run("predict", tmp_path / "rows", "-m", tmp_path / "m", "--scores").stdout.splitlines()]
    labels = [line[0] for line in lines]
    scores = [[float(score) for score in line[1:]] for line in lines]
    classes = run_json("info", tmp_path / "m")["labels"]
    result = run_json("eval", tmp_path / "rows", "-m", tmp_path / "m")
    recalls = [sum(a == b == c for a, b in zip(labels, truth)) / truth.count(c) for c in classes]
    assert result["balanced_accuracy"] == pytest.approx(sum(recalls) / len(classes))
    assert [one["f1"] for one in result["classes"]] == pytest.approx([f1(c, labels, truth) for c in classes])
    if len(classes) == 2:
        assert result["positive_class"] == "1" and result["f1"] == pytest.approx(f1("1", labels, truth))
        expected = auc([(score[0], label == "1") for score, label in zip(scores, truth)])
    else:
        assert result["positive_class"] is None
        assert result["f1"] == pytest.approx(sum(f1(c, labels, truth) for c in classes) / 3)
        expected = sum(auc([(score[i], t == c) for score, t in zip(scores, truth)]) for i, c in enumerate(classes)) / 3
    assert result["auc"] == pytest.approx(expected) and result["auc_left_out"] is False
    text = run("eval", tmp_path / "rows", "-m", tmp_path / "m").stdout
    assert re.search(r"^balanced accuracy +0\.\d{4}$", text, re.M)
    assert re.search(r"^F1 +0\.\d{4} \((class 1|mean of the classes)\)$", text, re.M)
    assert re.search(rf"^AUC +{result['auc']:.4f}$", text, re.M)


def test_eval_leaves_out_the_auc_of_too_many_scores(tmp_path):
    run("train", "gen:gauss?n=500", "-o", tmp_path / "m", "--budget", 2, "--quiet")
    endless = ["eval", "gen:gauss?n=4000001", "-m", tmp_path / "m"]
    result = run_json(*endless)
    assert result["auc"] is None and result["auc_left_out"] is True
    assert "AUC                 left out: there are more than 4,000,000 scores" in run(*endless).stdout


def test_scores_follow_the_label(words, words_model, board, board_model):
    order = run_json("info", words_model)["labels"]
    for line in run("predict", words, "-m", words_model, "--scores").stdout.splitlines():
        label, *scores = line.split("\t")
        scores = [float(score) for score in scores]
        assert len(scores) == 3 and order[scores.index(max(scores))] == label
    order = run_json("info", board_model)["labels"]
    for line in run("predict", board, "-m", board_model, "--scores").stdout.splitlines():
        label, score = line.split("\t")
        assert label == order[float(score) > 0] or float(score) == 0


def test_threads_do_not_change_predictions(board, board_model):
    one = run("predict", board, "-m", board_model, "--scores", "--threads", 1).stdout
    assert run("predict", board, "-m", board_model, "--scores", "--threads", 2).stdout == one
    assert run("predict", board, "-m", board_model, "--scores").stdout == one


def test_output_goes_to_a_file_that_is_complete_or_absent(words, words_model, tmp_path):
    out = tmp_path / "labels.txt"
    assert run("predict", words, "-m", words_model, "-o", out).stdout == ""
    assert len(out.read_text().splitlines()) == 600
    broken = tmp_path / "broken"
    broken.write_text(words.read_text() + "wren 1:oops\n")
    assert "broken:601:8" in refused("predict", broken, "-m", words_model, "-o", tmp_path / "never")
    assert sorted(os.listdir(tmp_path)) == ["broken", "labels.txt", "never.partial"]


def test_predictions_come_while_the_input_pauses(words_model):
    child = start("predict", "-", "-m", words_model, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for line, label in [("wren 1:0 2:0\n", "wren"), ("finch 1:8 2:-4\n", "finch"), ("wren 1:4 2:-2\n", "robin")]:
        child.stdin.write(line)
        child.stdin.flush()
        assert child.stdout.readline() == label + "\n"
    child.stdin.close()
    assert child.wait(10) == 0


def test_data_without_labels_can_be_predicted(words_model, tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text("0,0\n8,-4\n")
    assert run("predict", rows, "-m", words_model, "--label-column", "none").stdout == "wren\nfinch\n"
    assert "--label-column none" in refused("predict", rows, "-m", words_model)


def test_features_that_training_never_saw_are_ignored_with_one_note(words_model, tmp_path):
    rows = tmp_path / "rows"
    rows.write_text("wren 1:0 2:0 7:3\n" * 3000)
    done = run("predict", rows, "-m", words_model)
    assert done.stdout == "wren\n" * 3000
    assert done.stderr.count("note:") == 1 and "ignoring features" in done.stderr


def test_eval_prints_confusion_precision_and_recall(words, words_model):
    text = run("eval", words, "-m", words_model).stdout
    for word in ["accuracy", "majority class", "precision", "recall", "true \\ predicted", "wren", "robin", "finch"]:
        assert word in text
    result = run_json("eval", words, "-m", words_model)
    assert result["examples"] == 600 and result["correct"] == sum(
        one["predicted_as"][i] for i, one in enumerate(result["classes"])
    )
    for one in result["classes"]:
        assert one["examples"] == sum(one["predicted_as"]) == true_labels(words).count(one["label"])
        assert 0.9 < one["precision"] <= 1 and 0.9 < one["recall"] <= 1
    assert result["error"] == pytest.approx(1 - result["accuracy"])
    assert result["majority_error"] == pytest.approx(1 - max(c["examples"] for c in result["classes"]) / 600)


def test_labels_that_the_model_never_saw_are_errors_and_are_named(words_model, tmp_path):
    rows = tmp_path / "rows"
    rows.write_text("wren 1:0 2:0\neagle 1:0 2:0\neagle 1:4 2:-2\nfinch 1:8 2:-4\n")
    result = run_json("eval", rows, "-m", words_model)
    assert result["accuracy"] == 0.5 and result["unknown_labels"] == {"eagle": 2}
    assert "eagle" in run("eval", rows, "-m", words_model).stdout


def test_many_classes_are_summarised(tmp_path):
    labels = [f"kind{i:02}" for i in range(30)]
    rows = blobs(tmp_path / "rows", rows=3000, labels=labels)
    model = tmp_path / "m"
    run("train", rows, "-o", model, "--budget", 200, "--quiet")
    text = run("eval", rows, "-m", model).stdout
    assert "true \\ predicted" not in text and max(map(len, text.splitlines())) < 100


def test_a_reader_that_goes_away_ends_the_program_quietly(board_model):
    child = start("predict", "gen:checkerboard", "-m", board_model, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdout.readline()
    child.stdout.close()
    assert child.wait(10) != 0 and child.stderr.read() == b""
    child.stderr.close()


def test_ctrl_c_ends_predict_with_whole_lines(board_model):
    child = start("predict", "-", "-m", board_model, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    child.stdin.write(b"1 1:1 2:1\n")
    child.stdin.flush()
    assert child.stdout.readline() in (b"1\n", b"-1\n")
    child.send_signal(2)
    begin = time.monotonic()
    assert child.wait(10) == 130 and time.monotonic() - begin < 5
    child.stdin.close()


def test_ctrl_c_leaves_no_half_written_predictions(board_model, tmp_path):
    out = tmp_path / "labels"
    child = start("predict", "-", "-m", board_model, "-o", out, stdin=subprocess.PIPE)
    child.stdin.write(b"1 1:1 2:1\n")
    child.stdin.flush()
    wait_for_handler(child)
    child.send_signal(2)
    assert child.wait(10) == 130
    child.stdin.close()
    assert list(tmp_path.iterdir()) == []


def test_indices_count_as_in_the_training_data(tmp_path):
    rows = [f"{1 if i % 3 else -1} 0:{0.1 * (i % 7)} 1:{1 if i % 3 else -1} 2:{0.2 * (i % 5)}\n" for i in range(300)]
    (tmp_path / "train").write_text("".join(rows))
    without_0 = [line.split(" 0:")[0] + " 1:" + line.split(" 1:")[1] for line in rows]
    (tmp_path / "test").write_text("".join(without_0))
    model = tmp_path / "model"
    trained = run_json("train", tmp_path / "train", "-o", model, "--test", tmp_path / "test")
    told = run_json("eval", tmp_path / "test", "-m", model, "--index-base", 0)
    kept = run_json("eval", tmp_path / "test", "-m", model)
    assert kept["accuracy"] == told["accuracy"] == trained["test_accuracy"] > 0.95
