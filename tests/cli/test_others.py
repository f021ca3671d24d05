"""kinglet gen, info, algorithms and --version."""

import re
import subprocess

import pytest
from program import KINGLET, TIMEOUT, refused, run, run_json


def test_version():
    assert run("--version").stdout.startswith("kinglet 0.")


def test_gen_writes_the_same_rows_in_both_formats(tmp_path):
    libsvm = run("gen", "waveform", "-n", 200, "--seed", 3).stdout.splitlines()
    csv = run("gen", "gen:waveform?n=200&seed=3", "--format", "csv").stdout.splitlines()
    assert len(libsvm) == 200 and len(csv) == 201 and csv[0].startswith("label,x1,")
    for a, b in zip(libsvm, csv[1:]):
        label, *pairs = a.split()
        dense = dict(pair.split(":") for pair in pairs)
        assert b.split(",") == [label] + [dense.get(str(i), "0") for i in range(1, 22)]
    run("gen", "waveform", "-n", 200, "--seed", 3, "-o", tmp_path / "rows")
    assert (tmp_path / "rows").read_text().splitlines() == libsvm
    assert run("gen", "waveform", "-n", 200, "--seed", 4).stdout.splitlines() != libsvm


def test_gen_lists_its_generators_and_knows_no_others(tmp_path):
    listed = run("gen", "--list").stdout
    assert "checkerboard" in listed and "noise" in listed
    assert "checkerboard" in refused("gen", "chessboard", "-n", 5)
    assert "-n" in refused("gen", "checkerboard", "-o", tmp_path / "endless")
    assert list(tmp_path.iterdir()) == []


def test_gen_without_end_stops_when_nobody_reads():
    done = subprocess.run(f"'{KINGLET}' gen gauss | head -n 3", shell=True, capture_output=True, text=True, timeout=TIMEOUT)
    assert len(done.stdout.splitlines()) == 3 and done.stderr == ""


@pytest.mark.parametrize("algo", [[], ["--algo", "bpegasos"]], ids=["default", "bpegasos"])
def test_info_tells_what_train_told(board, tmp_path, algo):
    trained = run_json("train", board, "-o", tmp_path / "m", "--budget", 64, *algo)
    info = run_json("info", tmp_path / "m")
    for key in ["algorithm", "update", "maintain", "examples", "online_error", "support_vectors", "budget", "dimension",
                "classes", "options"]:  # fmt: skip
        assert info[key] == trained[key], key
    assert info["labels"] == ["-1", "1"] and info["file_bytes"] == (tmp_path / "m").stat().st_size
    if not algo:
        assert info["algorithm"] == info["options"]["algo"] == "auto" and info["update"] is None
        return
    assert 0 < info["maintenance_loss"] < 1
    text = run("info", tmp_path / "m").stdout
    assert f"steps, mean loss {100 * info['maintenance_loss']:.3g} % of the added term" in text
    for word in ["bpegasos", "support vectors", "64", "gamma", "lambda", "20,000"]:
        assert word in text


def test_every_name_that_algorithms_prints_is_taken(tmp_path):
    text = run("algorithms").stdout
    titles = {"--update": "update rules", "--budget-rule": "budget rules", "--algo": "other learners", "--kernel": "kernels"}
    for flag, title in titles.items():
        names = re.findall(r"^  (\S+)  ", text.split(f"{title} ({flag})")[1].split("\n\n")[0], re.M)
        assert len(names) > 4
        for name in names:
            assert f"{flag} {name})" in run("algorithms", name).stdout
            refusal = refused("train", "gen:checkerboard?n=10", flag, name, "--seed", "x", "-o", tmp_path / "m")
            assert "--seed" in refusal or "unknown value" not in refusal, refusal
    assert "(learner, --algo auto)" in run("algorithms", "committee").stdout


def test_algorithms_lists_everything_with_its_options():
    registry = run_json("algorithms")
    assert {a["name"] for a in registry["algorithms"]} >= {"bpegasos", "bnorma", "bmp"}
    text = run("algorithms").stdout
    for kind in ["algorithms", "update_rules", "budget_rules", "kernels"]:
        assert registry[kind]
        for entry in registry[kind]:
            assert f"  {entry['name']} " in text and entry["summary"] in text
            detail = run("algorithms", entry["name"]).stdout
            assert entry["summary"] in detail and entry["paper"] in detail
            for option in entry.get("options", []):
                assert f"--{option['name']}" in detail and option["help"] in detail
    merge = run_json("algorithms", "merge")
    assert list(merge) == ["budget_rules"] and merge["budget_rules"][0]["formula"]
    assert "did you mean merge?" in refused("algorithms", "merg")
