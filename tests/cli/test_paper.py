"""kinglet paper: every experiment in its quick form, and errors."""
import json

import pytest

from program import DATA, refused, run, run_json

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
    (["paper", "list", "--quick"], "--quick has no effect on kinglet paper list"),
])
def test_refuses(arguments, words):
    assert words in refused(*arguments)
