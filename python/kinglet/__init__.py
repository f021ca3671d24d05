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
from kinglet._mix import make_start, mix
from kinglet._regressor import KernelRegressor

__all__ = [
    "Error",
    "KernelClassifier",
    "KernelRegressor",
    "NoveltyDetector",
    "__version__",
    "algorithms",
    "compress",
    "load",
    "make_start",
    "mix",
]

_ESTIMATORS = (KernelClassifier, KernelRegressor, NoveltyDetector)


def algorithms() -> dict[str, list[dict[str, Any]]]:
    """Describe every algorithm, rule, kernel and option: summary, formula, cost, paper, default and range.

    The keys of the dictionary are algorithms, update_rules, budget_rules, dual_learners, kernels, common_options and options.
    """
    return registry()


def load(path: str | os.PathLike[str]) -> KernelClassifier | KernelRegressor | NoveltyDetector:
    """Load an estimator from a model file written by `save` or by the command `kinglet`."""
    model = Model.load(os.fspath(path))
    for estimator in _ESTIMATORS:
        if estimator._task == model.requested_options["task"]:
            return estimator._from_model(model, os.fspath(path))
    raise Error(f"{os.fspath(path)}: there is no estimator for the task {model.requested_options['task']}")


def _add_parameters() -> None:
    """Add the documentation of the parameters, which comes from the registry, to the docstrings of the estimators."""
    for estimator in _ESTIMATORS:
        text = (estimator.__init__.__doc__ or "").split("\n", 1)[1]
        parameters = "\n".join(line[4:] if line.startswith("    ") else line for line in text.split("\n"))
        estimator.__doc__ = (estimator.__doc__ or "").rstrip() + "\n" + parameters.rstrip() + "\n    "


_add_parameters()
