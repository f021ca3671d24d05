"""kinglet with --task regress and --task novelty, --output average, and --expected-budget: every command, and errors."""

import random
import re

import pytest
from program import refused, run, run_json

REGRESS = ["--task", "regress", "--update", "pa2", "--C", 0.1, "--budget", 200]
NOVELTY = ["--task", "novelty", "--lambda", 0.01, "--gamma", 4, "--budget", 100]


@pytest.fixture(scope="module")
def numbers(shop):
    """4,000 examples with numeric labels as a LIBSVM file."""
    path = shop / "friedman.libsvm"
    run("gen", "friedman", "-n", 4000, "-o", path)
    return path


@pytest.fixture(scope="module")
def numbers_model(shop, numbers):
    path = shop / "friedman.kinglet"
    run("train", numbers, *REGRESS, "-o", path, "--quiet")
    return path


@pytest.fixture(scope="module")
def ring_model(shop):
    path = shop / "ring.kinglet"
    run("train", "gen:ring?n=20000", *NOVELTY, "-o", path, "--quiet")
    return path


@pytest.fixture(scope="module")
def bars_model(shop, numbers):
    path = shop / "bars.kinglet"
    run("train", numbers, "--task", "regress", "--algo", "bnewton", "--budget", 200, "-o", path, "--quiet")
    return path


def root_mean_square(values):
    return (sum(v * v for v in values) / len(values)) ** 0.5


# --- error bars ------------------------------------------------------------------------------------------------------


def test_error_bars_follow_the_prediction(numbers, bars_model):
    plain = run("predict", numbers, "-m", bars_model).stdout.splitlines()
    rows = [line.split("\t") for line in run("predict", numbers, "-m", bars_model, "--std").stdout.splitlines()]
    assert [row[0] for row in rows] == plain
    truth = [float(line.split()[0]) for line in numbers.read_text().splitlines()]
    inside = sum(abs(y - float(number)) < float(deviation) for y, (number, deviation) in zip(truth, rows))
    assert 0.6 < inside / len(truth) < 0.8


def test_models_without_error_bars_say_so(numbers, numbers_model, ring_model):
    for model in [numbers_model, ring_model]:
        assert "has no standard deviations" in refused("predict", numbers, "-m", model, "--std")


@pytest.mark.parametrize("algorithm", ["bnewton", "krls", "nogd"])
def test_learners_in_a_span_are_exported_compressed_and_described(algorithm, shop, numbers):
    model = shop / f"{algorithm}.kinglet"
    run("train", numbers, "--task", "regress", "--algo", algorithm, "--budget", 50, "-o", model, "--quiet")
    small = shop / f"{algorithm}.small.kinglet"
    run("compress", model, "-o", small, "--budget", 40)
    assert run_json("info", model)["support_vectors"] == 50
    assert run_json("info", small)["support_vectors"] <= 40
    run("export", model, "-o", shop / f"{algorithm}.c")
    run("export", model, "-o", shop / f"{algorithm}.onnx")


# --- numbers ---------------------------------------------------------------------------------------------------------


def test_json_of_regression_has_errors_in_the_units_of_the_labels():
    result = run_json("train", "gen:friedman?n=20000", *REGRESS, "--test", "gen:friedman?n=4000&seed=2")
    assert result["task"] == result["options"]["task"] == "regress"
    assert result["online_mae"] < result["online_rmse"] < 0.5 * result["baseline_rmse"]
    assert result["test_mae"] < result["test_rmse"] < 0.4 * result["test_baseline_rmse"]
    assert 0.85 < result["test_r2"] < 1 and result["test_examples"] == 4000
    for key in ["online_error", "majority_error", "test_accuracy"]:
        assert key not in result
    assert "class-weight" not in result["options"] and "nu" not in result["options"]


def test_classification_says_its_task_and_has_no_errors_of_numbers(board):
    result = run_json("train", board, "--budget", 20)
    assert result["task"] == "classify" and "online_error" in result and "online_rmse" not in result


def test_tables_of_regression_show_rmse(numbers):
    done = run("train", numbers, *REGRESS, "--test", numbers)
    assert "recent RMSE" in done.stderr and "overall RMSE" in done.stderr and "regression" in done.stderr
    assert re.search(r"^ +4,000( +[\d.]+){2} +200 ", done.stderr, re.M)
    for name in ["online RMSE", "online MAE", "test RMSE", "test MAE", "test R²"]:
        assert re.search(rf"^{name}  +\S", done.stdout, re.M), name
    assert "predicting the mean" in done.stdout and "classes" not in done.stdout


def test_predict_prints_numbers_that_eval_agrees_with(numbers, numbers_model):
    predicted = [float(line) for line in run("predict", numbers, "-m", numbers_model).stdout.splitlines()]
    truth = [float(line.split()[0]) for line in numbers.read_text().splitlines()]
    assert len(predicted) == len(truth) == 4000
    errors = [a - b for a, b in zip(truth, predicted)]
    mean = sum(truth) / len(truth)
    spread = root_mean_square([y - mean for y in truth])
    result = run_json("eval", numbers, "-m", numbers_model)
    assert result["rmse"] == pytest.approx(root_mean_square(errors), rel=1e-6)
    assert result["mae"] == pytest.approx(sum(map(abs, errors)) / len(errors), rel=1e-6)
    assert result["r2"] == pytest.approx(1 - (result["rmse"] / spread) ** 2, rel=1e-6)
    assert result["baseline_rmse"] == pytest.approx(spread, rel=1e-6)
    text = run("eval", numbers, "-m", numbers_model).stdout
    assert all(re.search(rf"^{name} ", text, re.M) for name in ["RMSE", "MAE", "R²"]) and "precision" not in text
    assert "--scores" in refused("predict", numbers, "-m", numbers_model, "--scores")


def test_absurd_errors_stay_readable(tmp_path):
    rows = tmp_path / "rows"
    rows.write_text("".join(f"{i}e12 1:{i}\n" for i in range(1, 50)))
    run("train", rows, *REGRESS, "-o", tmp_path / "m", "--quiet")
    rows.write_text("1 1:1\n2 1:2\n")
    text = run("eval", rows, "-m", tmp_path / "m").stdout
    assert re.search(r"^R² +-\d\.\d+e\+\d+$", text, re.M) and max(map(len, text.splitlines())) < 60


def test_info_of_regression_tells_what_train_told(numbers, tmp_path):
    trained = run_json("train", numbers, *REGRESS, "-o", tmp_path / "m")
    info = run_json("info", tmp_path / "m")
    for key in ["task", "online_rmse", "online_mae", "options", "support_vectors"]:
        assert info[key] == trained[key], key
    assert info["labels"] == []
    assert "online RMSE" in run("info", tmp_path / "m").stdout


def test_csv_and_libsvm_and_the_generator_give_the_same_numbers(numbers, tmp_path):
    csv = tmp_path / "rows.csv"
    run("gen", "friedman", "-n", 4000, "--format", "csv", "-o", csv)
    results = [run_json("train", data, *REGRESS) for data in [numbers, csv, "gen:friedman?n=4000"]]
    assert results[0]["online_rmse"] == results[1]["online_rmse"] == results[2]["online_rmse"]
    rows = [line.split(",") for line in csv.read_text().splitlines()]
    last = tmp_path / "last.csv"
    last.write_text("".join(",".join(row[1:] + row[:1]) + "\n" for row in rows))
    assert run_json("train", last, "--label-column", "label", *REGRESS)["online_rmse"] == results[0]["online_rmse"]


def test_numbers_without_labels_can_be_predicted(numbers_model, tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text(",".join(["0.5"] * 10) + "\n")
    predicted = run("predict", rows, "-m", numbers_model, "--label-column", "none").stdout
    assert 5 < float(predicted) < 25


@pytest.mark.parametrize(
    "text, place",
    [
        ("1.5 1:1\ncat 1:2\n", ":2:1: label 'cat' is not a number"),
        ("1.5 1:1\ninf 1:2\n", ":2:1: label 'inf' is not finite"),
        ("1,2,3\nlow,5,6\n", ":2:1: label 'low' is not a number"),
        ("1,x,3\nlow,y,6\n", ":2:1: label 'low' is not a number"),
    ],
)
def test_a_label_that_is_no_number_is_told_with_line_and_column(tmp_path, numbers_model, text, place):
    path = tmp_path / "data"
    path.write_text(text)
    assert f"{path}{place}" in refused("train", path, "--task", "regress")


def test_a_row_without_a_number_to_learn_is_only_predicted(tmp_path):
    rows = "".join(f"{i % 5},{i % 3},{i % 2}\n" for i in range(50))
    (tmp_path / "all.csv").write_text(rows)
    (tmp_path / "gaps.csv").write_text(",5,6\n" + rows + ",1,2\n")
    train = ["train", "--task", "regress", "-o"]
    whole = run_json(*train, tmp_path / "m", tmp_path / "all.csv")
    gaps = run_json(*train, tmp_path / "n", tmp_path / "gaps.csv")
    assert gaps["unlabelled_rows"] == 2 and gaps["examples"] == whole["examples"] == 50
    assert (tmp_path / "m").read_bytes() == (tmp_path / "n").read_bytes()


def test_what_regression_refuses(numbers, tmp_path, board_model):
    rows = tmp_path / "rows.csv"
    rows.write_text("1,2\n3,4\n")
    line = refused("train", rows, "--task", "regress", "--label-column", "none")
    assert "example 1 has no number" in line
    assert "--task classify takes it" in refused("train", numbers, *REGRESS, "--class-weight", "1=2")
    assert "--task regress takes it" in refused("train", numbers, "--epsilon", 1)
    assert "--task novelty takes it" in refused("train", numbers, *REGRESS, "--nu", 0.1)
    assert "--loss squared" in refused("train", numbers, "--task", "regress", "--update", "ogd", "--loss", "squared",
                                       "--epsilon", 1)  # fmt: skip
    assert "hinge" in refused("train", numbers, "--task", "regress", "--update", "ogd", "--loss", "hinge")
    assert "--task regress" in refused("train", "gen:friedman?n=100")
    assert "label" in refused("eval", "gen:friedman?n=100", "-m", board_model)
    assert "last" in refused("train", numbers, "--output", tmp_path / "m")


def test_numbers_that_would_become_classes_are_refused(numbers, tmp_path):
    line = refused("train", numbers)
    assert re.search(r"\d+ of the first 1024 labels differ: .*--task regress; is the label column the right one\?", line)
    rng = random.Random(1)
    few = [f"{rng.randrange(250)} 1:{rng.random():.4f}\n" for _ in range(400)]
    names = [f"name{i} 1:{rng.random():.4f}\n" for i in range(300)]
    often = [f"{i % 300} 1:{rng.random():.4f}\n" for i in range(600)]
    for text in [few, names, often]:
        (tmp_path / "rows").write_text("".join(text))
        assert run_json("train", tmp_path / "rows", "--budget", 5)["classes"] > 200
    (tmp_path / "rows").write_text("".join(often[:300]))
    assert "300 of the first 300 labels" in refused("train", tmp_path / "rows")


@pytest.mark.parametrize("scale", [1, 1000])
@pytest.mark.parametrize("unscaled", [False, True])
def test_epsilon_is_in_deviations_of_the_label_or_in_its_units(tmp_path, scale, unscaled):
    rng = random.Random(1)
    rows = [(rng.uniform(0, 1), rng.uniform(0, 1)) for _ in range(3000)]
    lines = [f"{scale * (a + b):.6f},{a:.6f},{b:.6f}\n" for a, b in rows]
    (tmp_path / "rows.csv").write_text("".join(lines))
    train = ["train", tmp_path / "rows.csv", "--task", "regress", "--update", "pa"]
    if unscaled:
        train += ["--target-scale", "none"]
    unit = scale if unscaled else 1
    wide = run_json(*train, "--epsilon", 10 * unit)
    assert wide["support_vectors"] == 0, "no error is larger than epsilon"
    close = run_json(*train, "--epsilon", 0.05 * unit)
    assert close["online_rmse"] < 0.5 * close["baseline_rmse"]


@pytest.mark.parametrize("unit, offset", [(1, 0), (1e-6, 0), (1e6, 0), (1, 1e4), (1e-6, -2)])
@pytest.mark.parametrize("name", ["prices", "friedman"])
def test_regression_works_untouched_in_any_unit(tmp_path, name, unit, offset):
    files = {}
    for seed, rows in [(1, 20000), (2, 4000)]:
        run("gen", name, "-n", rows, "--seed", seed, "--format", "csv", "-o", tmp_path / "rows")
        files[seed] = tmp_path / f"{seed}.csv"
        with open(tmp_path / "rows") as old, open(files[seed], "w") as new:
            new.write(next(old))  # the names of the columns
            for line in old:
                label, rest = line.split(",", 1)
                new.write(f"{float(label) * unit + offset:.9g},{rest}")
    result = run_json("train", files[1], "--task", "regress", "-o", tmp_path / "m", "--test", files[2])
    assert result["test_r2"] > 0.9
    assert run_json("eval", files[2], "-m", tmp_path / "m")["r2"] == pytest.approx(result["test_r2"])


# --- novelties -------------------------------------------------------------------------------------------------------


def test_most_outliers_are_found(ring_model):
    result = run_json("eval", "gen:ring?n=5000&seed=2", "-m", ring_model)
    novel, normal = result["classes"]
    assert (novel["label"], normal["label"]) == ("-1", "1")
    assert novel["recall"] > 0.65 and novel["precision"] > 0.65 and normal["recall"] > 0.97


def test_labels_are_not_needed_for_novelties_and_not_learned(tmp_path, ring_model):
    labelled = tmp_path / "ring.csv"
    run("gen", "ring", "-n", 20000, "--format", "csv", "-o", labelled)
    bare = tmp_path / "bare.csv"
    bare.write_text("".join(line.split(",", 1)[1] for line in labelled.read_text().splitlines(keepends=True)))
    result = run_json("train", bare, "--label-column", "none", *NOVELTY, "-o", tmp_path / "m")
    assert "majority_error" not in result and 0.02 < result["online_error"] < 0.1
    test = "gen:ring?n=2000&seed=3"
    assert run("predict", test, "-m", tmp_path / "m", "--scores").stdout == run("predict", test, "-m", ring_model, "--scores").stdout
    share = run_json("eval", bare, "--label-column", "none", "-m", tmp_path / "m")["accuracy"]
    assert 0.9 < share < 0.99


def test_numbers_of_a_generator_are_no_labels_for_novelties(ring_model):
    line = refused("train", "gen:friedman?n=2000", "--task", "novelty")
    assert "example 1 has the label" in line and "knows 1 (normal) and -1 (novel)" in line
    assert "1 (normal)" in refused("eval", "gen:friedman?n=2000", "-m", ring_model)
    assert len(run("predict", "gen:friedman?n=200", "-m", ring_model).stdout.splitlines()) == 200


def test_predict_says_1_or_minus_1_by_the_sign_of_the_score(ring_model):
    lines = run("predict", "gen:ring?n=2000&seed=2", "-m", ring_model, "--scores").stdout.splitlines()
    for line in lines:
        label, score = line.split("\t")
        assert label == ("1" if float(score) >= 0 else "-1")
    assert 0.01 < sum(line.startswith("-1") for line in lines) / 2000 < 0.15


def test_nu_is_the_share_that_is_called_novel():
    for nu in [0.02, 0.2]:
        result = run_json("train", "gen:ring?n=50000&outliers=0", *NOVELTY, "--nu", nu)
        assert result["online_error"] == pytest.approx(nu, rel=0.3)


def test_what_novelty_refuses(tmp_path, words):
    line = refused("train", words, "--task", "novelty")
    assert "1 (normal)" in line and "-1 (novel)" in line
    assert "classify" in refused("train", "gen:ring?n=100", "--task", "novelty", "--class-weight", "1=2")
    assert "average" in refused("train", "gen:ring?n=100", "--task", "novelty", "--budget-rule", "stop", "--output", "average")
    assert "only classification" in refused("train", "gen:ring?n=100", "--task", "novelty", "--update", "perceptron")


# --- averages and expected budgets -----------------------------------------------------------------------------------


def test_the_average_predicts_where_it_is_asked_for(board, tmp_path):
    args = ["train", board, "--update", "ogd", "--budget-rule", "stop", "--budget", 200, "--gamma", 8, "--quiet"]
    run(*args, "-o", tmp_path / "last")
    run(*args, "--output", "average", "--model", tmp_path / "average")
    assert run_json("info", tmp_path / "average")["options"]["output"] == "average"
    scores = [run("predict", board, "-m", tmp_path / name, "--scores").stdout for name in ["last", "average"]]
    assert scores[0] != scores[1]
    assert run_json("eval", board, "-m", tmp_path / "average")["accuracy"] > 0.8


SPA = ["--update", "spa", "--budget-rule", "none", "--expected-budget", 50]


def test_the_length_of_the_data_is_found_for_an_expected_budget(board, numbers, tmp_path):
    for data, passes, length in [(board, 1, 20000), (board, 2, 40000), ("gen:checkerboard?n=30000", 3, 90000)]:
        result = run_json("train", data, *SPA, "--passes", passes)
        assert result["options"]["stream-length"] == length
        assert result["support_vectors"] <= 100
    assert run_json("train", numbers, *SPA, "--task", "regress")["options"]["stream-length"] == 4000
    given = run_json("train", board, *SPA, "--stream-length", 12345)
    assert given["options"]["stream-length"] == 12345


def test_a_resumed_run_keeps_the_length_it_began_with(board, tmp_path):
    state = ["--checkpoint", tmp_path / "state", "--resume", "--quiet"]
    run("train", board, *SPA, *state)
    again = run_json("train", board, *SPA, *state, "--passes", 2)
    assert again["options"]["stream-length"] == 20000 and again["examples"] == 40000


def test_options_for_an_expected_budget_that_mean_nothing_are_refused(board):
    assert "--stream-length" in refused("train", "-", *SPA, input=board.read_text())
    assert "--stream-length" in refused("train", "gen:checkerboard", *SPA)
    assert "--expected-budget" in refused("train", board, "--update", "spa", "--budget-rule", "none", "--stream-length", 9)
    assert "--beta" in refused("train", board, *SPA, "--beta", 5)
    assert "spa" in refused("train", board, "--expected-budget", 50)
    assert "many" in refused("train", board, *SPA[:-1], "many")


# --- results that are no better than a constant ----------------------------------------------------------------------


def test_a_result_no_better_than_the_mean_is_said(tmp_path):
    prices = ["gen:prices?n=3000", "--task", "regress", "--algo", "bpa-m", "--target-scale", "none"]
    done = run("train", *prices, "-o", tmp_path / "m")
    assert re.search(r"^note: the online RMSE \S+ is no better than that of predicting the mean, \d+: kinglet tune ",
                     done.stderr, re.M)  # fmt: skip
    assert run_json("train", *prices)["beats_baseline"] is False
    tested = run_json("train", *prices, "--test", "gen:prices?n=500&seed=2")
    assert tested["test_r2"] < 0 and tested["test_beats_baseline"] is False
    test = ["eval", "gen:prices?n=500&seed=2", "-m", tmp_path / "m"]
    assert re.search(r"note: the RMSE \S+ is no better than that of predicting the mean", run(*test).stderr)
    assert run_json(*test)["beats_baseline"] is False
    good = run("train", "gen:prices?n=3000", "--task", "regress", "-o", tmp_path / "m")
    assert "no better" not in good.stderr
    assert "no better" not in run(*test).stderr and run_json(*test)["beats_baseline"] is True


def test_a_result_no_better_than_the_majority_class_is_said(tmp_path, board, board_model):
    rng = random.Random(1)
    noise = tmp_path / "noise.csv"
    noise.write_text("".join(f"{'a' if rng.random() < 0.7 else 'b'},{rng.random():.4f}\n" for _ in range(2000)))
    done = run("train", noise, "-o", tmp_path / "m")
    said = r"error 0\.\d+ is no better than that of predicting the most frequent class, 0\.\d+: check that the label column is right"
    assert re.search("^note: the online " + said, done.stderr, re.M)
    assert "no better" not in run("train", noise, "--quiet").stderr
    assert run_json("train", noise)["beats_baseline"] is False
    assert re.search("^note: the test " + said, run("train", noise, "--test", noise).stderr, re.M)
    one = run("train", noise, "--algo", "rbp").stderr
    assert "most frequent class" in one and ": kinglet tune looks for better options" in one
    noise.write_text("".join(f"{rng.choice('aaab')},{rng.random():.4f}\n" for _ in range(2000)) + "b,0.5\n")
    result = run_json("eval", noise, "-m", tmp_path / "m")
    assert result["beats_baseline"] == (result["error"] < result["majority_error"])
    fine = run("eval", board, "-m", board_model)
    assert "no better" not in fine.stderr and run_json("eval", board, "-m", board_model)["beats_baseline"] is True


def test_nothing_is_compared_where_there_is_no_baseline(tmp_path, ring_model):
    assert run_json("eval", "gen:ring?n=500", "-m", ring_model)["beats_baseline"] is None
    one = tmp_path / "one.csv"
    one.write_text("a,1\na,2\na,3\n")
    assert run_json("train", one)["beats_baseline"] is None
    assert run_json("train", "gen:checkerboard?n=200", "--algo", "svm")["beats_baseline"] is None
