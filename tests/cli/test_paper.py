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
    selected = ["--sets", "gauss", "--rows", "BPegasos+merge"]
    arguments = ["paper", "bsgd-table3", *selected, "--runs", 2, "--keep", tmp_path / "kept", "--revision", "abc"]
    first = run_json(*arguments)
    assert run_json(*arguments) == first, "times included"
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["bsgd-table3.jsonl"]
    shown = run_json("paper", "bsgd-table3", *selected, "--keep", tmp_path / "kept", "--only-kept")
    assert shown["cells"] == first["cells"] and shown["cells"][0]["revisions"] == {"abc": 2}
    everything = run_json("paper", "bsgd-table3", "--keep", tmp_path / "kept", "--only-kept")
    assert sum(bool(cell["values"]) for cell in everything["cells"]) == 2


def test_settings_have_an_origin_and_a_number_of_runs():
    cells = run_json("paper", "bogd-table3", "--settings")["cells"]
    tuned = next(cell for cell in cells if cell["row"] == "BOGD" and cell["variant"] == "B = 100" and cell["set"] == "german")
    assert tuned["origin"] == "grid" and tuned["tuned_rows_evaluated"] == "yes" and tuned["runs"] == 20
    assert "origin" in run("paper", "bogd-table3", "--settings").stdout


@pytest.fixture(name="reproduction")
def reproduction_module(monkeypatch):
    monkeypatch.setenv("KINGLET", str(KINGLET))
    monkeypatch.syspath_prepend(ROOT / "bench")  # for what it imports
    spec = importlib.util.spec_from_file_location("reproduction", ROOT / "bench" / "reproduction.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_documents_are_written_from_what_is_kept(reproduction, monkeypatch, tmp_path):
    monkeypatch.setattr(reproduction, "CHARTS", tmp_path)
    written = [document.read_text() for document in reproduction.DOCUMENTS]
    settings = reproduction.SETTINGS.read_text()
    results = {name: reproduction.kept(name) for name in NAMES}
    for name, result in results.items():
        text = reproduction.rendered(name, result)
        assert any(text in document for document in written), f"./dev paper --write writes it: {name}"
        assert reproduction.settings_section(name) in settings, f"./dev paper --write writes it: {name}"
    assert reproduction.overview(results) in written[0]


def test_what_readme_says_of_the_papers_is_written_from_what_is_kept(reproduction, monkeypatch, tmp_path):
    written = reproduction.README.read_text()
    copy = tmp_path / "README.md"
    copy.write_text(written)
    monkeypatch.setattr(reproduction, "README", copy)
    monkeypatch.setattr(reproduction, "CHARTS", tmp_path)
    result = reproduction.kept("bsgd-table3")
    reproduction.quote("bsgd-table3", result)
    reproduction.quote_rows("bsgd-table3", result)
    assert copy.read_text() == written, "./dev paper --write writes it"
    result["cells"] = result["cells"][:1]
    reproduction.quote("bsgd-table3", result)
    reproduction.quote_rows("bsgd-table3", result)
    assert "The largest table has 1 learners on 1 data sets" in " ".join(copy.read_text().split()) and "| banana |" not in copy.read_text()


def test_kept_runs_name_a_revision_that_the_repository_has(reproduction):
    if not (ROOT / ".git").exists() or reproduction.pages.git("rev-parse", "--is-shallow-repository") == "true":
        pytest.skip("not a git repository with its history")
    used = {name: reproduction.revisions_of(reproduction.kept(name)) for name in NAMES}
    for revision in {each for count in used.values() for each in count}:
        assert reproduction.pages.git("cat-file", "-t", revision) == "commit"


def test_what_is_not_measured_is_named(reproduction, monkeypatch, tmp_path):
    monkeypatch.setattr(reproduction, "CHARTS", tmp_path)
    monkeypatch.setattr(reproduction, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(reproduction, "EARLIER", tmp_path / "earlier.csv")
    line = "bsgd-table3,LIBSVM,banana,no budget,90.38 ± 0.84,1005,5\n"
    (tmp_path / "earlier.csv").write_text("experiment,row,column,variant,mean and deviation,support vectors,runs\n" + line)
    text = reproduction.rendered("bsgd-table3", reproduction.kept("bsgd-table3"))
    assert "Not measured yet" in text and "not measured" in text and "no runs yet" in text
    assert "within one deviation" not in text
    assert "| 90.38 ± 0.84 |  | earlier | 1,100 | 1005 | – | 5 earlier |" in text


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
    (["paper", "bsgd-table3", "--only-kept"], "--only-kept has no effect on a run without --keep"),
    (["paper", "bsgd-table3", "--only-kept", "--keep", "here", "--data", "there"], "--data has no effect on --only-kept"),
    (["paper", "bsgd-table3", "--quick", "--keep", "here"], "--keep has no effect on --quick"),
    (["paper", "bsgd-table3", "--sets", "gauss", "--keep", "/dev/null/here"], "cannot make the folder /dev/null/here"),
    (["paper", "list", "--quick"], "--quick has no effect on kinglet paper list"),
])
def test_refuses(arguments, words):
    assert words in refused(*arguments)
