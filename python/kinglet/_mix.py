"""Combining models that were trained separately: a start that they share, and their mixture."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from kinglet._classifier import KernelClassifier, _label_text
from kinglet._estimator import KernelEstimator
from kinglet._kinglet import Error, Model

if TYPE_CHECKING:
    Estimator = TypeVar("Estimator", bound=KernelEstimator)


def make_start(estimator: Estimator, *, again: bool = False) -> Estimator:
    """Return a start: an estimator with the classes, scaling, metric and centres of this one that has learned nothing.

    Copies of it (`copy.deepcopy`, pickle, or `save` and `load`) learn parts of the data with `partial_fit`, anywhere, and
    `mix` combines them into one. `again` keeps the coefficients, for a second round over the same data in which no row
    counts twice; it needs `algo="span"`.
    """
    _require(estimator)
    start = copy.copy(estimator)
    start._model = estimator._model.make_start(again)
    return start


def mix(
    estimators: Sequence[Estimator],
    *,
    budget: int | None = None,
    rounds: int | None = None,
    repeat: bool = False,
    n_jobs: int | None = None,
) -> Estimator:
    """Combine estimators that were trained separately into one. The result does not depend on their order.

    With `algo="span"`, estimators of one start (`make_start`) add up: exactly in regression, weighed by their precision in
    classification. The sum can go on learning. Others are averaged as functions and reduced to `budget` support vectors
    (None: the largest budget of them) in `rounds` rounds (None: the default of `compress`); the average can predict but not
    learn. A sum keeps the centres of its start, so `budget` and `rounds` are refused there. `repeat` allows the same model
    twice, so that its rows count twice.
    """
    estimators = list(estimators)
    if not estimators:
        raise Error("there is no model to mix")
    for name, value, least in (("budget", budget, 1), ("rounds", rounds, 0)):
        if value is not None and (not isinstance(value, (int, np.integer)) or value < least):
            raise Error(f"{name} must be an integer of at least {least}, not {value!r}")
    for estimator in estimators:
        _require(estimator)
    threads = KernelClassifier(n_jobs=n_jobs)._threads()
    texts = [estimator._model.serialize() for estimator in estimators]
    mixture = copy.copy(estimators[0])
    mixture._model = Model.mix(texts, int(budget or 0), None if rounds is None else int(rounds), threads, repeat)
    if isinstance(mixture, KernelClassifier):
        mixture.classes_ = _united_classes(estimators, mixture._model.labels)
    return mixture


def _require(estimator: Any) -> None:
    if not isinstance(estimator, KernelEstimator):
        raise Error(f"only estimators of kinglet can be mixed, not {type(estimator).__name__}")
    check_is_fitted(estimator)


def _united_classes(estimators: Sequence[Any], texts: list[str]) -> Any:
    """Return the classes in the order of the mixture's labels, with the types that they have in the estimators."""
    known = {_label_text(label): label for estimator in estimators for label in estimator.classes_.tolist()}
    return np.array([known[text] for text in texts])
