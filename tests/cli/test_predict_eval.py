"""kinglet predict and kinglet eval."""

import os
import re
import subprocess

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
    assert run("predict", rows, "-m", words_model).stdout == "wren\nfinch\n"
    assert run("predict", "-", "-m", words_model, input="1:0 2:0\n1:8 2:-4\n").stdout == "wren\nfinch\n"
    assert "--label-column none" in refused("eval", rows, "-m", words_model)


@pytest.fixture(scope="module")
def birds(tmp_path_factory):
    """A folder with the same rows in CSV files of several layouts, and a model of each training file."""
    folder = tmp_path_factory.mktemp("birds")
    rows = [line.replace(",", " ").split() for line in blobs(folder / "rows", separator=",").read_text().splitlines()]

    def write(name, *columns, header=True, **extra):
        known = {"species": 0, "length": 1, "mass": 2}
        lines = [",".join(columns)] if header else []
        lines += [",".join(extra.get(c) or row[known[c]] for c in columns) for row in rows]
        (folder / name).write_text("\n".join(lines) + "\n")

    write("train.csv", "species", "length", "mass")
    write("swapped.csv", "mass", "species", "length")
    write("unlabelled.csv", "mass", "length")
    write("numbered.csv", "id", "mass", "length", "species", id="7")
    write("renamed.csv", "species", "length", "weight", weight="1")
    write("plain.csv", "length", "mass", "species", header=False)
    write("plain_unlabelled.csv", "length", "mass", header=False)
    write("text.csv", "length", "mass", "note", "species", note="a small one")
    run("train", folder / "train.csv", "-o", folder / "named.kinglet", "--budget", 50, "--quiet")
    run("train", folder / "plain.csv", "--label-column", "last", "-o", folder / "plain.kinglet", "--budget", 50, "--quiet")
    return folder


def test_columns_are_found_by_name(birds):
    model = ["-m", birds / "named.kinglet"]
    expected = run("predict", birds / "train.csv", *model, "--scores").stdout
    assert len(set(expected.splitlines())) > 500
    for name in ["swapped.csv", "unlabelled.csv", "plain_unlabelled.csv"]:
        assert run("predict", birds / name, *model, "--scores").stdout == expected
    assert run("predict", birds / "numbered.csv", *model, "--scores", "--ignore", "id").stdout == expected
    assert run("predict", birds / "plain.csv", *model, "--scores", "--label-column", "last").stdout == expected
    accuracy = run_json("eval", birds / "train.csv", *model)["accuracy"]
    assert accuracy > 0.95
    assert run_json("eval", birds / "swapped.csv", *model)["accuracy"] == accuracy
    assert run_json("eval", birds / "numbered.csv", *model, "--ignore", 1)["accuracy"] == accuracy
    tested = run_json("train", birds / "train.csv", "--budget", 50, "--test", birds / "swapped.csv")
    assert tested["test_accuracy"] == accuracy
    small = birds / "small.kinglet"
    run("compress", birds / "named.kinglet", "--budget", 9, "--test", birds / "swapped.csv", "-o", small)
    assert run_json("eval", birds / "swapped.csv", "-m", small) and run_json("info", small)["feature_names"] == ["length", "mass"]


def test_columns_that_do_not_fit_are_named(birds):
    model = ["-m", birds / "named.kinglet"]
    for command in "predict", "eval":
        assert refused(command, birds / "numbered.csv", *model).endswith("column 'id'; to leave it out, use --ignore id")
        assert "with the column 'mass', which the file does not have" in refused(command, birds / "renamed.csv", *model)
        assert "use --label-column with its number" in refused(command, birds / "plain.csv", *model)
        assert "not trained with the column 'note'" in refused(command, birds / "text.csv", *model)
    assert "no column 'species', the label of the model" in refused("eval", birds / "unlabelled.csv", *model)
    assert "column 'id'" in refused("train", birds / "train.csv", "--test", birds / "numbered.csv", "-o", birds / "none")
    assert not (birds / "none").exists()
    assert "there is no column 'no'" in refused("predict", birds / "train.csv", *model, "--ignore", "no")


def test_without_a_header_the_number_of_columns_must_fit(birds):
    model = ["-m", birds / "plain.kinglet"]
    expected = run("predict", birds / "plain.csv", *model).stdout
    assert run("predict", birds / "plain_unlabelled.csv", *model).stdout == expected
    assert run_json("eval", birds / "plain.csv", *model)["accuracy"] > 0.95
    assert "if the data have no labels, use --label-column none" in refused("eval", birds / "plain_unlabelled.csv", *model)
    line = refused("predict", birds / "numbered.csv", *model)
    assert "found 4 feature columns, but the model was trained with 2" in line and "--ignore" in line
    assert "found 1 feature column and a label" in refused(
        "predict", birds / "plain_unlabelled.csv", *model, "--label-column", 1)  # fmt: skip


def test_ignored_columns_are_not_read_and_known_to_the_model(birds, tmp_path):
    model = tmp_path / "m"
    run("train", birds / "text.csv", "--ignore", "note", "--label-column", "species", "-o", model, "--quiet")
    expected = run("predict", birds / "text.csv", "-m", model).stdout
    assert expected == run("predict", birds / "swapped.csv", "-m", model).stdout
    several = ["--ignore", "note,mass", "--ignore", "1"]
    assert "no feature columns" in refused("train", birds / "text.csv", *several, "--label-column", "species")
    one = run_json("train", birds / "text.csv", "--ignore", "note,mass", "--label-column", "species", "-o", model)
    assert one["online_error"] < 0.1 and run_json("info", model)["feature_names"] == ["length"]
    for command in ["tune", "compare"]:
        run(command, birds / "text.csv", "--ignore", "note", "--label-column", "species", "--test", birds / "swapped.csv",
            "--budget", 20, "--gamma", 1, "--lambda", 0.001, "--quiet")  # fmt: skip


def test_a_model_goes_on_with_its_own_columns(birds, tmp_path):
    train = ["train", birds / "swapped.csv", "--budget", 50, "--checkpoint", tmp_path, "--every", 100, "--quiet"]
    run(*train, "--label-column", "species")
    run(*train, "--resume", "--passes", 2, "-o", tmp_path / "m")  # the label column is known
    assert run_json("info", tmp_path / "m")["label_column"] == "species"


def test_info_shows_the_columns(birds):
    text = run("info", birds / "named.kinglet").stdout
    assert "features          2 (length, mass)\n" in text and "label column      species\n" in text
    facts = run_json("info", birds / "named.kinglet")
    assert (facts["feature_names"], facts["label_column"], facts["weight_column"]) == (["length", "mass"], "species", None)
    facts = run_json("info", birds / "plain.kinglet")
    assert (facts["feature_names"], facts["label_column"]) == (None, "last")


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
    assert child.wait(10) == 130
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
    partial = tmp_path / "labels.partial"  # if the row was predicted before the signal came
    assert list(tmp_path.iterdir()) in ([], [partial])
    assert not partial.exists() or partial.read_text() in ("1\n", "-1\n")


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


def test_columns_named_by_numbers_are_matched_by_name(tmp_path):
    rows = [("a" if i % 3 else "b", 2.5 if i % 3 else -2.5, 0.5 * (i % 7)) for i in range(300)]
    (tmp_path / "train.csv").write_text("y,0,1\n" + "".join(f"{y},{p},{q}\n" for y, p, q in rows))
    (tmp_path / "swapped.csv").write_text("1,0\n" + "".join(f"{q},{p}\n" for _, p, q in rows))
    run("train", tmp_path / "train.csv", "--label-column", "y", "-o", tmp_path / "m", "--quiet")
    assert run("predict", tmp_path / "swapped.csv", "-m", tmp_path / "m").stdout.split() == [y for y, _, _ in rows]


def test_quiet_prints_no_notes(tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text("y,x,z\n" + "".join(f"{'ab'[i % 2]},{i % 7},{i * i % 11}\n" for i in range(400)))
    model = tmp_path / "m"
    run("train", rows, "-o", model, "--quiet")
    rows.write_text("y,x,z\n" + "".join(f"{'ab'[i % 3 == 0]},{i % 7},?\n" for i in range(100)))
    for command in ["predict", "eval"]:
        loud, quiet = run(command, rows, "-m", model), run(command, rows, "-m", model, "--quiet")
        assert "note: missing values: 100" in loud.stderr and quiet.stderr == ""
        assert len(quiet.stdout.splitlines()) == len(loud.stdout.splitlines())


def test_a_parameter_of_a_generator_is_no_option():
    said = "kinglet: unknown option --drift: parameters belong to the name of the generator, as in 'gen:sea?drift=3'"
    assert refused("gen", "sea", "--drift", 3) == refused("gen", "--drift=3", "sea") == refused("gen", "--drift", 3, "sea") == said
    assert "unknown option --colour" in refused("gen", "sea", "--colour", 3)
    assert run("gen", "sea", "-n", 3, "--seed", 2).stdout == run("gen", "gen:sea?n=3&seed=2").stdout


@pytest.fixture
def service(tmp_path):
    """A model of records with ids, and good rows for it as CSV."""
    rows = tmp_path / "rows.csv"
    rows.write_text("id,y,shop,age\n" + "".join(f"R{i},{'ab'[i % 3 == 0]},s{i % 3},{i % 50}\n" for i in range(1500)))
    run("train", rows, "--label-column", "y", "--id-column", "id", "--algo", "bpegasos", "-o", tmp_path / "m", "--quiet")
    return tmp_path


BAD = ["B,s1,old", "B,s1", 'B,"s1" x,7', "B,s1,3,4"]


@pytest.mark.parametrize("places", [[0], [5], [0, 1, 2, 700, 1023, 1024, 1025, 2999], [2999], range(0, 3000, 2), range(3000), []])
def test_an_empty_line_for_each_bad_row(service, places):
    good = [f"R{i},s{i % 3},{i % 50}" for i in range(3000)]
    mixed = [BAD[i % 4] if i in set(places) else line for i, line in enumerate(good)]
    (service / "good.csv").write_text("\n".join(["id,shop,age", *good]) + "\n")
    (service / "mixed.csv").write_text("\n".join(["id,shop,age", *mixed]) + "\n")
    flags = ["-m", service / "m", "--id-column", "id", "--scores"]
    expected = run("predict", service / "good.csv", *flags).stdout.splitlines()
    done = run("predict", service / "mixed.csv", *flags, "--bad-rows", "empty")
    assert done.stdout.splitlines() == ["\t" if i in set(places) else line for i, line in enumerate(expected)]
    if len(places) > 0:
        assert f"{len(places):,} row{'s have' if len(places) > 1 else ' has'} an error and an empty line" in done.stderr
        assert done.stderr.count("note: a bad row: ") == min(len(places), 5)
        assert f"mixed.csv:{places[0] + 2}:" in done.stderr
        assert run("predict", service / "mixed.csv", *flags, "--bad-rows", "empty", "--quiet").stderr == ""
        assert f"mixed.csv:{places[0] + 2}:" in run("predict", service / "mixed.csv", *flags, code=2).stderr
    else:
        assert done.stderr == ""


@pytest.mark.parametrize("rows, bad", [
    ('{"shop":"s1","age":3}', '{"shop":"s1","age":"old"}'),
    ('{"shop":"s1","age":3}', '{"shop":"s1",'),
    ("s1,3", "s1,old"),
])  # fmt: skip
def test_a_bad_row_is_answered_at_once(service, rows, bad):
    header = "shop,age\n" if "," in rows and "{" not in rows else ""
    child = start("predict", "-", "-m", service / "m", "--bad-rows", "empty", "--quiet", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    child.stdin.write(header)
    for row in [rows, bad, bad, rows, bad]:
        child.stdin.write(row + "\n")
        child.stdin.flush()
        answer = child.stdout.readline()
        assert answer in ("a\n", "b\n") if row == rows else answer == "\n"
    child.stdin.close()
    assert child.stdout.read() == "" and child.wait(10) == 0
    child.stdout.close()


def test_bad_libsvm_rows_have_an_empty_line_too(board_model):
    done = run("predict", "-", "-m", board_model, "--bad-rows", "empty", input="1:0.5 2:x\n0 1:0.5 2:0.5\n0 2:1 1:1\n")
    assert done.stdout == "\n-1\n\n" and "2 rows have an error" in done.stderr
