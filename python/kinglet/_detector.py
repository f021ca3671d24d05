"""NoveltyDetector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import OutlierMixin
from sklearn.metrics import accuracy_score

from kinglet._estimator import KernelEstimator, _count
from kinglet._parameters import DetectorParameters

if TYPE_CHECKING:
    import sys

    from numpy.typing import ArrayLike, NDArray

    from kinglet._kinglet import Model

    if sys.version_info >= (3, 11):
        from typing import Self
    else:
        from typing_extensions import Self


class NoveltyDetector(DetectorParameters, OutlierMixin, KernelEstimator):
    """Novelty detector that learns from streams of mostly normal rows in fixed memory.

    `nu` is the expected share of training rows flagged as novel.
    """

    _task = "novelty"
    offset_: float = 0.0

    def fit(self, X: ArrayLike, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Train a new model on all rows, in random order, for `passes` passes. y is ignored."""
        X = self._check(X, reset=True)
        self._learn_all(X, None, self._weights(sample_weight, X))
        self.offset_ = 0.0
        return self

    def partial_fit(self, X: ArrayLike, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Continue training with these rows, in the given order. y is ignored.

        Scaling and gamma are estimated from the rows of the first call, so pass at least a few dozen.
        """
        first = not self.__sklearn_is_fitted__()
        X = self._check(X, reset=first)
        weights = self._weights(sample_weight, X)
        if first:
            self._new_model()
            self.offset_ = 0.0
        return self._learn_more(X, None, weights)

    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """Predict 1 for normal rows and -1 for novel rows."""
        rows = self._rows_to_predict(X)
        codes = np.empty(_count(rows), np.int64)
        self._model.predict(rows, codes, self._threads())
        return 2 * codes - 1

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return a score for each row: the higher, the more normal; negative for novel rows."""
        return self._scores(X)

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the same as decision_function, as `offset_` is 0."""
        return self._scores(X)

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the accuracy on labels 1 (normal) and -1 (novel)."""
        return float(accuracy_score(y, self.predict(X), sample_weight=sample_weight))

    @classmethod
    def _from_model(cls, model: Model, path: str) -> Self:
        self = super()._from_model(model, path)
        self.offset_ = 0.0
        return self
