"""Kernel machines that learn from endless streams in fixed memory, as scikit-learn estimators.

>>> from kinglet import KernelClassifier
>>> model = KernelClassifier(budget=100).fit(X, y)          # doctest: +SKIP
>>> model.predict(X[:5])                                    # doctest: +SKIP
"""

from __future__ import annotations

import os
from typing import Any

from kinglet._classifier import KernelClassifier
from kinglet._compress import compress
from kinglet._detector import NoveltyDetector
from kinglet._kinglet import Error, Model, __version__, registry
from kinglet._regressor import KernelRegressor

__all__ = ["Error", "KernelClassifier", "KernelRegressor", "NoveltyDetector", "__version__", "algorithms", "compress", "load"]

_ESTIMATORS = (KernelClassifier, KernelRegressor, NoveltyDetector)


def algorithms() -> dict[str, list[dict[str, Any]]]:
    """Every algorithm, rule, kernel and option: summary, formula, cost, paper, defaults, ranges.

    The keys are algorithms, update_rules, budget_rules, dual_learners, kernels, common_options and options.
    """
    return registry()


def load(path: str | os.PathLike[str]) -> KernelClassifier | KernelRegressor | NoveltyDetector:
    """The estimator of a model file, one that `save` or the program `kinglet` wrote."""
    model = Model.load(os.fspath(path))
    for estimator in _ESTIMATORS:
        if estimator._task == model.requested_options["task"]:
            return estimator._from_model(model, os.fspath(path))
    raise Error(f"{os.fspath(path)}: no estimator has the task {model.requested_options['task']}")


def _add_parameters() -> None:
    """What the registry says of the parameters, into the documentation of the estimators."""
    for estimator in _ESTIMATORS:
        text = (estimator.__init__.__doc__ or "").split("\n", 1)[1]
        parameters = "\n".join(line[4:] if line.startswith("    ") else line for line in text.split("\n"))
        estimator.__doc__ = (estimator.__doc__ or "").rstrip() + "\n" + parameters.rstrip() + "\n    "


_add_parameters()
