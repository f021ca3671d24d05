"""kinglet paper: every experiment in its quick form, and errors."""
import importlib.util
import json

import pytest

from program import DATA, KINGLET, ROOT, refused, run, run_json

NAMES = [each["name"] for each in run_json("paper", "list")["experiments"]]


@pytest.mark.parametrize("name", NAMES)
def test_quick_form_of_every_experiment(name, tmp_path):
    if not DATA.is_dir():
        pytest.skip(f"no folder {DATA}: set KINGLET_TEST_DATA to the folder of the data sets")
    page = tmp_path / "page.html"
    done = run("paper", name, "--quick", "--data", DATA, "--json", "--report", page, timeout=120)
    result = json.loads(done.stdout)
    assert result["quick"] and result["judged"] == 0 and result["missing"] == []
    assert result["cells"] and all("problem" not in cell for cell in result["cells"])
    assert all(cell["ours"]["mean"] is not None for cell in result["cells"])
    assert page.stat().st_size > 10_000


def test_a_quick_form_claims_nothing_and_has_no_length_that_it_does_not_reach(tmp_path):
    page = tmp_path / "page.html"
    result = run_json("paper", "bsgd-figure6", "--quick", "--report", page)
    lengths = {cell["x"] for cell in result["cells"]}
    assert result["claims"] == [] and len(lengths) >= 3 and max(lengths) <= 1500
    assert result["figures"] and "position on the x axis" in page.read_text()


def test_without_data_it_says_what_is_missing(tmp_path):
    done = run("paper", "bsgd-table3", "--quick", "--data", tmp_path, "--sets", "banana,gauss", "--rows", "MP+stop")
    assert "no data for banana" in done.stdout and "gauss: test accuracy" in done.stdout


def test_full_cells_have_a_verdict_and_the_text_has_the_published_number():
    arguments = ["paper", "bsgd-table3", "--sets", "gauss", "--rows", "BPegasos+merge", "--runs", 2]
    result = run_json(*arguments)
    assert result["judged"] == 2
    assert {cell["verdict"] for cell in result["cells"]} <= {"better", "within", "short", "majority class"}
    text = run(*arguments).stdout
    assert "81.22 ± 0.40" in text and "(majority class)" in text


def test_finished_runs_are_kept_and_used_again(tmp_path):
    arguments = ["paper", "bsgd-table3", "--sets", "gauss", "--rows", "BPegasos+merge", "--runs", 2, "--keep", tmp_path / "trials"]
    first = run_json(*arguments)
    again = run_json(*arguments)
    assert again == first, "times included"
    assert len(list((tmp_path / "trials").iterdir())) == 2


def test_settings_have_an_origin_and_a_number_of_runs():
    cells = run_json("paper", "bogd-table3", "--settings")["cells"]
    tuned = next(cell for cell in cells if cell["row"] == "BOGD" and cell["variant"] == "B = 100" and cell["set"] == "german")
    assert tuned["origin"] == "grid" and tuned["tuned_rows_evaluated"] == "yes" and tuned["runs"] == 20
    assert "origin" in run("paper", "bogd-table3", "--settings").stdout


def test_the_page_of_settings_is_up_to_date(monkeypatch):
    monkeypatch.setenv("KINGLET", str(KINGLET))
    spec = importlib.util.spec_from_file_location("reproduction", ROOT / "bench" / "reproduction.py")
    reproduction = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reproduction)
    page = reproduction.SETTINGS.read_text()
    for name in NAMES:
        assert reproduction.settings_section(name) in page, f"./dev paper --settings writes it: {name}"


def test_tune_prints_a_line_for_each_cell():
    lines = run("paper", "bsgd-table3", "--tune", "--quick", "--sets", "gauss", "--rows", "BPegasos+merge").stdout.splitlines()
    assert len(lines) == 2 and all("gamma=" in line and "lambda=" in line for line in lines)


@pytest.mark.parametrize("arguments, words", [
    (["paper"], "NAME"),
    (["paper", "bsgd-table9"], "unknown experiment 'bsgd-table9'"),
    (["paper", "bsgd-table3", "--sets", "nowhere"], "the experiment has banana"),
    (["paper", "bsgd-table3", "--rows", "nobody"], "the experiment has LIBSVM"),
    (["paper", "bsgd-table3", "--runs", "0"], "--runs must be at least 1"),
    (["paper", "bsgd-table3", "--tune", "--json"], "--json has no effect on --tune"),
    (["paper", "bsgd-table3", "--settings", "--quick"], "--quick has no effect on --settings"),
    (["paper", "bsgd-table3", "--sets", "gauss", "--keep", "/dev/null/here"], "cannot make the folder /dev/null/here"),
    (["paper", "list", "--quick"], "--quick has no effect on kinglet paper list"),
])
def test_refuses(arguments, words):
    assert words in refused(*arguments)
