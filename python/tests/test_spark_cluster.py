"""kinglet.spark where executors are processes of their own, with Spark Connect, and the code of docs/spark.md with spark-submit."""

import os
import pathlib
import subprocess
import sys

import pytest
import spark_sessions

if why := spark_sessions.missing():
    pytest.skip(why, allow_module_level=True)

HERE = pathlib.Path(__file__).resolve().parent
GUIDE = HERE.parents[1] / "docs" / "spark.md"


def run(command, folder):
    spark_sessions.use_this_python()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


def test_a_killed_executor_changes_nothing(tmp_path):
    assert run([sys.executable, "-B", HERE / "spark_killed_executor.py", tmp_path], tmp_path) == "the same bytes 4\n"


def test_spark_connect(tmp_path):
    pytest.importorskip("grpc")
    assert run([sys.executable, "-B", HERE / "spark_connect.py", tmp_path], tmp_path) == "as good as new\n"


def test_guide(tmp_path, monkeypatch):
    """The blocks of the guide are one program; what its lines print is what the guide says."""
    lines = GUIDE.read_text(encoding="utf-8").split("\n")
    program, expected = [""] * len(lines), []
    kind = ""
    for number, line in enumerate(lines):
        if line.startswith("```"):
            kind = "" if kind else line[3:]
        elif kind == "python":
            program[number] = line  # so that line numbers in a traceback are those of the guide
        elif kind == "text":
            expected.append(line)
    (tmp_path / "guide.py").write_text("\n".join(program), encoding="utf-8")
    settings = "\n".join(f"{name} {value}" for name, value in spark_sessions.SETTINGS.items())
    (tmp_path / "settings").write_text(settings, encoding="utf-8")
    monkeypatch.setenv("PYTHONWARNINGS", "ignore")  # spark-submit prints them with the output of the program
    spark_sessions.use_this_python()
    submit = pathlib.Path(os.environ["SPARK_HOME"]) / "bin" / "spark-submit"
    printed = run([submit, "--master", "local[2]", "--properties-file", "settings", "guide.py"], tmp_path)
    assert printed.strip().split("\n") == expected
