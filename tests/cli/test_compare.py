"""kinglet compare: tables, JSON, CSV, and errors."""
import csv
import io

import pytest

from program import refused, run, run_json

BOARD = "gen:checkerboard?n=2000"
GAMMA = ["--gamma", "4"]


def test_table_has_a_line_for_each_learner_and_budget(tmp_path):
    text = run("compare", BOARD, "--algo", "bpegasos,rbp,pa1", "--budget", "20,40", "--runs", "2", *GAMMA).stdout
    lines = [line.split()[:2] for line in text.splitlines()]
    for name in ("bpegasos", "rbp"):
        assert [name, "20"] in lines and [name, "40"] in lines
    assert ["pa1", "–"] in lines
    assert "(majority class)" in text


def test_json_and_csv_tell_the_same():
    arguments = ["compare", BOARD, "--algo", "bpegasos,stoptron", "--budget", "20", "--folds", "3", "--runs", "2", *GAMMA]
    result = run_json(*arguments)
    assert result["judged_by"] == "cross-validation" and result["trials"] == 6
    assert result["learners"][0]["accuracy"]["mean"] > result["learners"][1]["accuracy"]["mean"]
    assert result["learners"][0]["p"] is None and result["learners"][1]["p"] < 0.05
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--csv").stdout)))
    assert len(rows) == 12
    for learner in result["learners"]:
        scores = [float(row["accuracy"]) for row in rows if row["algorithm"] == learner["algorithm"]]
        assert scores == pytest.approx(learner["scores"])
    assert {(row["run"], row["fold"]) for row in rows} == {(str(r), str(f)) for r in (1, 2) for f in (1, 2, 3)}


def test_the_length_of_the_stream_is_that_of_the_data():
    arguments = ["compare", BOARD, "--algo", "spa,bpegasos", "--expected-budget", "50", "--runs", "2", *GAMMA]
    known, given = (run_json(*arguments, *more) for more in ([], ["--stream-length", "2000"]))
    assert [learner["scores"] for learner in known["learners"]] == [learner["scores"] for learner in given["learners"]]
    assert {learner["algorithm"] for learner in known["learners"]} == {"spa", "bpegasos"}
    folds = [*arguments, "--folds", "4"]
    known, given = (run_json(*folds, *more) for more in ([], ["--stream-length", "1500"]))
    assert [learner["scores"] for learner in known["learners"]] == [learner["scores"] for learner in given["learners"]]


def test_threads_change_nothing_but_time():
    arguments = ["compare", BOARD, "--algo", "bpegasos,bogd", "--budget", "20", "--runs", "3", *GAMMA]
    one, two = (run_json(*arguments, "--threads", n) for n in ("1", "2"))
    assert [learner["scores"] for learner in one["learners"]] == [learner["scores"] for learner in two["learners"]]


def test_measures_on_test_data(tmp_path):
    train, test = tmp_path / "train", tmp_path / "test"
    run("gen", BOARD, "-o", train)
    run("gen", "gen:checkerboard?n=500&seed=2", "-o", test)
    result = run_json("compare", train, "--test", test, "--algo", "bpegasos,svm", "--budget", 50, "--runs", 1, *GAMMA)
    assert result["judged_by"] == "test data"
    svm = next(learner for learner in result["learners"] if learner["algorithm"] == "svm")
    assert svm["accuracy"]["mean"] > 0.9 and svm["online_error"]["mean"] is None


def test_the_default_algorithm_goes_with_the_task():
    def compared(*options):
        return [each["algorithm"] for each in run_json("compare", *options, "--runs", 1, "--budget", 20)["learners"]]

    assert compared(BOARD) == ["bpegasos"]
    assert compared("gen:ring?n=500", "--task", "novelty") == ["bnorma"]
    assert compared("gen:friedman?n=500", "--task", "regress") == ["bpa-m"]


def test_names_options_that_some_learners_do_not_have():
    done = run("compare", BOARD, "--algo", "bpegasos,rbp", "--runs", "1", "--lambda", "1e-3")
    assert "--lambda is not an option of rbp" in done.stderr


@pytest.mark.parametrize("arguments, words", [
    (["compare"], "DATA"),
    (["compare", BOARD, "--algo", "bpegasus"], "unknown algorithm 'bpegasus'"),
    (["compare", BOARD, "--algo", "bpegasos,,rbp"], "a part of the list is empty"),
    (["compare", BOARD, "--budget", "10,0"], "'0' is not a positive whole number"),
    (["compare", BOARD, "--folds", "1"], "--folds must be at least 2"),
    (["compare", BOARD, "--folds", "0"], "--folds must be at least 2"),
    (["compare", BOARD, "--report", ""], "--report needs a file name"),
    (["data", "list", "--patience", "5"], "--patience has no effect on kinglet data list"),
    (["compare", BOARD, "--runs", "0"], "--runs must be at least 1"),
    (["compare", BOARD, "--folds", "2", "--test", "x"], "not both"),
    (["compare", BOARD, "--json", "--csv"], "not both"),
    (["compare", "gen:checkerboard"], "never ends"),
    (["compare", "nowhere.libsvm"], "nowhere.libsvm"),
    (["compare", BOARD, "--algo", "bpegasos", "--eta", "1"], "not an option of any"),
    (["compare", BOARD, "--query", "ramp"], "is an option of train only"),
    (["compare", BOARD, "--algo", ""], "a part of the list is empty"),
    (["compare", BOARD, "--algo", "svm"], "svm: learns only at the end of a pass: use --test or --folds to evaluate it"),
    (["compare", BOARD, "--algo", "idsvm", "--passes", "2"], "count them twice"),
    (["compare", BOARD, "--algo", "bpegasos,bmp", "--update", "pa2"], "would make several of the algorithms in --algo the same"),
    (["compare", BOARD, "--test", "gen:gauss"], "never ends"),
    (["compare", BOARD, "--task", "novelty", "--algo", "svm"], "novelty"),
])
def test_refuses(arguments, words):
    assert words in refused(*arguments)


def test_does_not_replace_what_it_reads(tmp_path):
    data = tmp_path / "data"
    run("gen", BOARD, "-o", data)
    before = data.read_bytes()
    assert "would be replaced" in refused("compare", data, "--report", data)
    assert "would be replaced" in refused("tune", data, "-o", data)
    assert "would be replaced" in refused("train", data, "-o", data)
    assert data.read_bytes() == before


def test_test_rows_that_do_not_fit_are_named(tmp_path):
    train, narrow, other = tmp_path / "train.csv", tmp_path / "narrow.csv", tmp_path / "other.csv"
    train.write_text("a,1,2\nb,2,3\n" * 20)
    narrow.write_text("a,1\nb,2\n")
    other.write_text("a,1,2\nowl,2,3\n")
    assert "trained with 2 features and a label" in refused("compare", train, "--test", narrow)
    assert "label owl does not occur" in run("compare", train, "--test", other, "--runs", 1).stderr


def test_data_of_one_class_are_said_to_be(tmp_path):
    rows = tmp_path / "rows"
    rows.write_text("7 1:1\n7 1:2\n7 1:3\n")
    assert "rows: every example has the label 7" in run("compare", rows, "--runs", 1).stderr


def test_csv_has_the_settings_and_names_who_cannot_take_part():
    done = run("compare", BOARD, "--algo", "bpegasos,svm", "--budget", 30, "--runs", 1, "--tune", "--csv", "--quiet")
    header, line = done.stdout.splitlines()
    assert header.endswith(",settings") and "gamma=" in line.split(",")[-1]
    assert "note: svm: learns only at the end of a pass" in done.stderr


def test_tune_finds_settings_and_prints_them():
    done = run("compare", BOARD, "--algo", "bpegasos,bmp", "--budget", 30, "--runs", 1, "--tune")
    settings = done.stdout.split("settings found by --tune")[1]
    assert "--algo bpegasos --budget 30 --gamma" in settings and "--eta" in settings
