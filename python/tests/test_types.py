"""Type annotations: mypy accepts correct code that uses the package and finds the errors in wrong code."""

import subprocess
import sys

import pytest

RIGHT = """
import numpy as np
from kinglet import KernelClassifier, load

model = KernelClassifier(algo="bpegasos", budget=100, gamma="auto", passes=1).fit(np.zeros((4, 2)), [0, 1, 0, 1])
labels = model.predict(np.zeros((1, 2)))
vectors = model.support_vectors_.shape
estimator = load("model.kinglet")
"""
WRONG = """
from kinglet import KernelClassifier

KernelClassifier(algo="bpegaso")
KernelClassifier(budged=100)
"""


def errors_of(source, folder):
    (folder / "user.py").write_text(source)
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary", "--ignore-missing-imports", "user.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return [line for line in run.stdout.splitlines() if ": error: " in line]


def test_types(tmp_path):
    pytest.importorskip("mypy")
    assert errors_of(RIGHT, tmp_path) == []
    wrong = errors_of(WRONG, tmp_path)
    assert len(wrong) == 2
    assert "bpegaso" in wrong[0] and "budged" in wrong[1]
