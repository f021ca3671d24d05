"""kinglet train --report: one page, written completely or not at all. web/test tests its appearance in a browser."""

import json
import re

import pytest
from program import blobs, refused, run, run_json


def report_in(path):
    page = path.read_text()
    return json.loads(re.search(r'id="report">(.*?)</script>', page, re.S).group(1))


def blocks(report):
    return {block.get("title"): block for section in report["sections"] for block in section["blocks"]}


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
    result = run_json("train", rows, "--budget", 10, "--report", page, "--report-image", "4x3")
    galleries = [b for s in report_in(page)["sections"] for b in s["blocks"] if b["kind"] == "gallery"]
    assert [(g["width"], g["height"], len(g["pictures"])) for g in galleries] == [(4, 3, result["support_vectors"])]
    assert result["support_vectors"] > 1
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


def test_every_page_begins_with_a_sentence_that_says_what_happened(tmp_path):
    page = tmp_path / "r.html"
    board, test = "gen:checkerboard?n=2000&seed=1", "gen:checkerboard?n=500&seed=2"
    result = run_json("train", board, "--budget", 30, "--gamma", 8, "--test", test, "-o", tmp_path / "m", "--report", page)
    summary = report_in(page)["summary"]
    assert summary.startswith("auto learned 2,000 examples of checkerboard and is right for ")
    assert f"{100 * result['test_accuracy']:.2f}\u00a0% of the 500 examples" in summary
    run("train", board, "--budget", 30, "--gamma", 8, "--quiet", "--report", page)
    assert "of them right before learning them, where the majority class" in report_in(page)["summary"]
    run("train", "gen:prices?n=500", "--task", "regress", "--quiet", "--report", page)
    assert "with an RMSE of" in report_in(page)["summary"] and "predicting the mean has" in report_in(page)["summary"]
    run("train", "gen:checkerboard?n=300", "--algo", "svm", "--quiet", "--report", page)
    assert re.search(r"and has \d+ support vectors\.", report_in(page)["summary"])
    run("eval", test, "-m", tmp_path / "m", "--report", page)
    assert report_in(page)["summary"].startswith("m is right for ")
    run("compare", board, "--algo", "bpegasos,rbp", "--budget", 10, "--runs", 2, "--report", page)
    assert report_in(page)["summary"].startswith("Of 2 learners, ")
    run("paper", "bsgd-table4", "--quick", "--report", page)
    assert re.search(r"numbers were measured in \d+( to \d+)? runs? each", report_in(page)["summary"])


def test_regression_shows_test_rows_inside_the_plot_and_what_is_left(tmp_path):
    page = tmp_path / "r.html"
    arguments = ["train", "gen:friedman?n=2000", "--task", "regress", "--quiet", "--report", page]
    run(*arguments)
    assert "1500 training examples" in blocks(report_in(page))["Predicted against true values"]["caption"]
    run(*arguments, "--test", "gen:friedman?n=700&seed=2")
    shown = blocks(report_in(page))
    fit, left = shown["Predicted against true values"], shown["Residuals"]
    assert "700 test examples" in fit["caption"] and fit["square"]
    assert fit["x"]["least"] == fit["y"]["least"] and fit["x"]["most"] == fit["y"]["most"]
    for chart in (fit, left):
        dots = chart["series"][0]["points"]
        assert len(dots) == 700
        assert all(chart["x"]["least"] <= p["x"] <= chart["x"]["most"] for p in dots)
        assert all(chart["y"]["least"] <= p["y"] <= chart["y"]["most"] for p in dots)
    by_truth = {round(p["x"] - p["y"], 3) for p in fit["series"][0]["points"]}
    assert {round(p["y"], 3) for p in left["series"][0]["points"]} & by_truth


def test_one_wild_target_does_not_hide_the_others(tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text("".join(f"{i % 7 if i != 400 else 1e6},{i % 7},{(i * 13) % 5}\n" for i in range(1000)))
    page = tmp_path / "r.html"
    run("train", rows, "--task", "regress", "--quiet", "--report", page, "--test", rows)
    fit = blocks(report_in(page))["Predicted against true values"]
    assert fit["x"]["most"] < 1e5 and "1 far away is not shown" in fit["caption"]
    assert len(fit["series"][0]["points"]) == 999


def test_many_classes_are_a_heat_map_with_the_worst_recall_first(tmp_path):
    rows = tmp_path / "rows.csv"
    # Classes overlap with their neighbours, the more the higher their number.
    lines = []
    for i in range(6000):
        k = i % 30
        lines.append(f"c{k},{k + (i * 37 % 101 - 50) / 50 * (0.2 + k / 20):.3f},{(i * 17) % 3}")
    rows.write_text("\n".join(lines) + "\n")
    page = tmp_path / "r.html"
    run("train", rows, "--quiet", "--budget", 100, "--report", page)
    shown = blocks(report_in(page))
    heat = shown["Confusion matrix of the online predictions"]
    recalls = [heat["counts"][31 * i] / sum(heat["counts"][30 * i:30 * i + 30]) for i in range(30)]
    assert heat["recalls"] == pytest.approx(recalls, rel=1e-4) and recalls == sorted(recalls) and recalls[0] < recalls[-1]
    listed = [row["cells"][0]["text"] for row in shown["By class"]["rows"]]
    assert listed == heat["labels"]
    assert len(shown["Most frequent mistakes"]["rows"]) == 15


def test_compare_draws_learners_in_colours_and_budgets_in_dashes(tmp_path):
    page = tmp_path / "r.html"
    run("compare", "gen:checkerboard?n=3000", "--algo", "bpegasos,bpa-s,rbp", "--budget", "5,100", "--gamma", 8,
        "--runs", 5, "--report", page)
    shown = blocks(report_in(page))
    lines = {(s["of"], s["variant"]): (s["colour"], s.get("dash", 0)) for s in shown["Along the stream"]["series"]}
    assert len(lines) == len(set(lines.values())) == 6
    for learner in {of for of, _ in lines}:
        assert len({colour for (of, _), (colour, _) in lines.items() if of == learner}) == 1
    assert {dash for (_, variant), (_, dash) in lines.items() if variant == "B = 100"} == {1}
    colours = {s["name"]: s["colour"] for s in shown["Online accuracy against the budget"]["series"]}
    assert all(lines[(name, "B = 5")][0] == colour for name, colour in colours.items())
    assert shown["Online accuracy against the budget"]["x"]["ticks"] == [5, 100]
    values = [row["cells"][-1]["text"] for row in shown["Results"]["rows"]]
    assert "< 0.001" in values and "0.000" not in values


def test_tune_maps_gamma_and_lambda_and_names_the_winner(tmp_path):
    page = tmp_path / "r.html"
    result = run_json("tune", "gen:checkerboard?n=1000", "--algo", "bpegasos", "--budget", 30, "--report", page)
    report = report_in(page)
    shown = blocks(report)
    sites = shown["gamma × lambda"]["sites"]
    best = result["best"]["searched"]
    winner = [site for site in sites if site.get("best")]
    assert [(site["x"], site["y"]) for site in winner] == [(float(best["gamma"]), float(best["lambda"]))]
    assert len({(site["x"], site["y"]) for site in sites}) == len(sites) >= 20
    command = next(b for s in report["sections"] for b in s["blocks"] if b["kind"] == "command")
    assert command["text"] == result["command"]
    assert report["facts"][0] == {"name": "winner", "value": "bpegasos, B = 30", "note": f"--gamma {best['gamma']} --lambda {best['lambda']}"}
    run("tune", "gen:checkerboard?n=1000", "--algo", "bpegasos", "--budget", 30, "--lambda", 1e-4, "--report", page)
    curve = blocks(report_in(page))["Online accuracy against gamma"]
    assert len(curve["series"][1]["points"]) == 1


def test_paper_says_how_many_runs_were_made_and_draws_a_square(tmp_path):
    page = tmp_path / "r.html"
    text = run("paper", "bsgd-table3", "--sets", "gauss", "--rows", "BPegasos+merge", "--runs", 2, "--report", page).stdout
    assert "The numbers below come from 2 runs each." in text
    report = report_in(page)
    assert {"name": "measured in", "value": "2 runs", "note": "per number; the protocol has 5"} in report["facts"]
    assert "in 2 runs each" in report["summary"] and "The numbers below come from 2 runs each." in report["sections"][0]["text"]
    scatter = blocks(report)["Our numbers against the published ones"]
    assert scatter["square"] and scatter["x"]["least"] == scatter["y"]["least"] and scatter["x"]["most"] == scatter["y"]["most"]
    verdicts = {c["text"]: c["mark"] for s in report["sections"] for b in s["blocks"] if b["kind"] == "table"
                for row in b["rows"] for c in row["cells"] if c.get("text") in ("within", "better", "short")}
    assert verdicts and all({"within": "good", "better": "better", "short": "bad"}[v] == mark for v, mark in verdicts.items())


def test_late_labels_are_judged_on_arrival_everywhere(tmp_path):
    page = tmp_path / "r.html"
    arguments = ["train", "gen:moving-gaussians?n=8000&drift=2000", "--algo", "bpa-nn", "--budget", 50, "--report", page]
    late = run_json(*arguments, "--delay", 200)["stream"]
    report = report_in(page)
    assert f"predicted {100 * late['accuracy']:.2f}\u00a0% of {late['examples']:,} examples right, 200 rows before" in report["summary"]
    fact = next(fact for fact in report["facts"] if fact["name"] == "online error")
    assert fact["value"] == f"{100 * (1 - late['accuracy']):.2f}\u00a0%" and "labels at once: " in fact["note"]
    shown = blocks(report)
    points = shown["Online error"]["series"][1]["points"]
    assert points[-1]["x"] == 8000 and points[-1]["y"] == pytest.approx(1 - late["accuracy"], rel=1e-4)
    assert [p["y"] is None for p in points] == sorted((p["y"] is None for p in points), reverse=True)  # only the first have none
    counts = shown["Confusion matrix of the online predictions"]["counts"]
    assert sum(counts) == late["examples"] and counts[0] + counts[3] == round(late["accuracy"] * late["examples"])
    measures = {fact["name"]: fact["value"] for fact in shown["Measures along the stream"]["facts"]}
    assert measures["Kappa-T"] == f"{late['kappa_t']:.4f}" and measures["accuracy"] == f"{late['accuracy']:.4f}"
    run_json(*arguments, "--metrics")
    assert "Measures along the stream" in blocks(report_in(page))
    run_json(*arguments)
    assert "Measures along the stream" not in blocks(report_in(page))


def test_late_labels_of_a_person_are_in_the_report(tmp_path):
    lines = blobs(tmp_path / "rows", rows=1500).read_text().splitlines()
    (tmp_path / "answers").write_text("".join(f"{i + 1} {line.split()[0]}\n" for i, line in enumerate(lines)))
    page = tmp_path / "r.html"
    asks = ["--delay", 50, "--query-out", tmp_path / "asked", "--labels-in", tmp_path / "answers"]
    late = run_json("train", tmp_path / "rows", "--algo", "bpegasos", *asks, "--report", page)["stream"]
    shown = blocks(report_in(page))
    assert shown["Online error"]["series"][1]["points"][-1]["y"] == pytest.approx(1 - late["accuracy"], abs=1e-4)
    assert sum(shown["Confusion matrix of the online predictions"]["counts"]) == late["examples"] == 426


def test_late_numbers_are_judged_on_arrival(tmp_path):
    page = tmp_path / "r.html"
    late = run_json("train", "gen:friedman?n=5000", "--task", "regress", "--delay", 10, "--report", page)["stream"]
    points = blocks(report_in(page))["Online RMSE"]["series"][1]["points"]
    assert points[-1]["y"] == pytest.approx(late["rmse"], rel=1e-4)
    assert "10 rows before their labels came" in report_in(page)["summary"]


def test_a_delay_longer_than_the_stream_says_so(tmp_path):
    page = tmp_path / "r.html"
    done = run("train", "gen:checkerboard?n=3000", "--algo", "bpegasos", "--delay", 5000, "--report", page)
    assert done.stdout.endswith("along the stream, no row was judged: --delay 5000 needs more than 6,024 rows\n")
    assert "labels at once" in done.stdout and "Kappa" not in done.stdout
    assert blocks(report_in(page))["Measures along the stream"]["lines"] == ["no row was judged: --delay 5000 needs more than 6,024 rows"]


@pytest.fixture
def visits(tmp_path):
    """Records that become 65 features or more, some of whose values are missing."""
    lines = ["visit,shop,age,buys"]
    for i in range(1500):
        lines.append(f"V{i},s{i * 7 % 62},{'' if i % 50 == 0 else i * 13 % 60},{'yes' if i % 62 > 30 else 'no'}")
    (tmp_path / "visits.csv").write_text("\n".join(lines) + "\n")
    return tmp_path / "visits.csv"


def test_records_show_their_columns_and_no_pictures(visits, tmp_path):
    page = tmp_path / "r.html"
    arguments = ["train", visits, "--label-column", "buys", "--id-column", "visit", "--algo", "bpegasos", "--report", page]
    for values in range(64, 100):  # one of them gives a square number of features
        result = run_json(*arguments, "--category-values", values)
        if result["dimension"] == 100:
            break
    assert result["dimension"] == 100
    report = report_in(page)
    assert not any(block["kind"] == "gallery" for section in report["sections"] for block in section["blocks"])
    nameless = visits.with_name("nameless.csv")
    nameless.write_text(visits.read_text().split("\n", 1)[1])
    other = tmp_path / "nameless.html"
    flags = ["--no-header", "--label-column", "last", "--id-column", 1, "--category-values", values]
    assert run_json("train", nameless, *flags, "--algo", "bpegasos", "--report", other)["dimension"] == 100
    assert not any(block["kind"] == "gallery" for section in report_in(other)["sections"] for block in section["blocks"])
    columns = blocks(report)["Columns"]
    assert columns["caption"] == "2 columns become 100 features."
    kinds = {fact["name"]: fact["value"] for fact in columns["facts"]}
    assert kinds["number"] == "age" and kinds["category"].startswith("shop (") and kinds["label"] == "buys" and kinds["ignore"] == "visit"
    data = {fact["name"]: fact["value"] for fact in blocks(report)["Data and model"]["facts"]}
    assert data["missing values"] == "30 (age 30)"


def test_named_columns_are_no_pixels(tmp_path):
    rows = tmp_path / "rows.csv"
    values = "".join(",".join([str(i % 2)] + [str(i * j % 7) for j in range(1, 65)]) + "\n" for i in range(300))
    page = tmp_path / "r.html"

    def has_pictures():
        run("train", rows, "--algo", "bpegasos", "--budget", 10, "--quiet", "--report", page)
        return any(block["kind"] == "gallery" for section in report_in(page)["sections"] for block in section["blocks"])

    rows.write_text(values)
    assert has_pictures()
    rows.write_text("y," + ",".join(f"c{j}" for j in range(64)) + "\n" + values)
    assert not has_pictures()
