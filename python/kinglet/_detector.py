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
    """A kernel machine that learns what is normal from a stream, in fixed memory, and finds what is not.

    `nu` is the share of the rows to be called novel.
    """

    _task = "novelty"
    offset_: float = 0.0

    def fit(self, X: ArrayLike, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Learns all rows anew, in random order, `passes` times. y is not looked at."""
        X = self._check(X, reset=True)
        self._learn_all(X, None, self._weights(sample_weight, X))
        self.offset_ = 0.0
        return self

    def partial_fit(self, X: ArrayLike, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Goes on with these rows, in their order. Those of the first call decide scaling and gamma."""
        first = not self.__sklearn_is_fitted__()
        X = self._check(X, reset=first)
        weights = self._weights(sample_weight, X)
        if first:
            self._new_model()
            self.offset_ = 0.0
        return self._learn_more(X, None, weights)

    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """1 for a row that is normal, -1 for one that is novel."""
        rows = self._rows_to_predict(X)
        codes = np.empty(_count(rows), np.int64)
        self._model.predict(rows, codes, self._threads())
        return 2 * codes - 1

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """How normal each row is; negative for what is novel."""
        return self._scores(X)

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """The same as decision_function: the threshold is part of it."""
        return self._scores(X)

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """The share of rows whose label, 1 or -1, is predicted."""
        return float(accuracy_score(y, self.predict(X), sample_weight=sample_weight))

    @classmethod
    def _from_model(cls, model: Model, path: str) -> Self:
        self = super()._from_model(model, path)
        self.offset_ = 0.0
        return self
