"""KernelRegressor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sklearn.base import RegressorMixin

from kinglet._estimator import KernelEstimator, _count
from kinglet._parameters import RegressorParameters

if TYPE_CHECKING:
    import sys

    from numpy.typing import ArrayLike, NDArray

    if sys.version_info >= (3, 11):
        from typing import Self
    else:
        from typing_extensions import Self


class KernelRegressor(RegressorParameters, RegressorMixin, KernelEstimator):
    """Kernel regressor that learns from streams in fixed memory.

    Features and targets are scaled along the stream, so their units make no difference. `epsilon` and step sizes are in
    deviations of the target; with `target_scale="none"` they are in its units.
    """

    _task = "regress"

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train a new model on all rows, in random order, for `passes` passes."""
        X, y = self._check(X, y, reset=True)
        return self._learn_all(X, self._numbers(y), self._weights(sample_weight, X))

    def partial_fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Continue training with these rows, in the given order.

        Scaling and gamma are estimated from the rows of the first call, so pass at least a few dozen.
        """
        first = not self.__sklearn_is_fitted__()
        X, y = self._check(X, y, reset=first)
        weights = self._weights(sample_weight, X)
        if first:
            self._new_model()
        return self._learn_more(X, self._numbers(y), weights)

    def predict(
        self, X: ArrayLike, return_std: bool = False
    ) -> NDArray[np.float64] | tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Predict the target of each row.

        With `return_std=True`, also return the standard deviation of each prediction, in the units of the target. Only
        algorithms that know how uncertain they are have one, such as `algo="bnewton"`; others raise an error.
        """
        rows = self._rows_to_predict(X)
        numbers = np.empty(_count(rows))
        self._model.predict(rows, numbers, self._threads())
        if not return_std:
            return numbers
        deviations = np.empty(_count(rows))
        self._model.deviations(rows, deviations, self._threads())
        return numbers, deviations

    @staticmethod
    def _numbers(y: NDArray[np.generic]) -> NDArray[np.generic]:
        return np.ascontiguousarray(y if y.dtype in (np.float32, np.float64) else y.astype(np.float64))
