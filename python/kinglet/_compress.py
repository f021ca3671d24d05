"""Reduce the number of support vectors of kinglet's estimators and of scikit-learn's SVC."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy as np
from sklearn.svm import SVC, NuSVC
from sklearn.utils.validation import check_is_fitted

from kinglet._classifier import KernelClassifier
from kinglet._estimator import KernelEstimator
from kinglet._kinglet import DEFAULT_ROUNDS, Error, Model

if TYPE_CHECKING:
    Estimator = TypeVar("Estimator", bound=KernelEstimator)


@overload
def compress(estimator: Estimator, budget: int, *, rounds: int = ..., n_jobs: int | None = ...) -> Estimator: ...
@overload
def compress(
    estimator: SVC | NuSVC, budget: int, *, rounds: int = ..., n_jobs: int | None = ...
) -> KernelClassifier: ...


def compress(estimator: Any, budget: int, *, rounds: int = DEFAULT_ROUNDS, n_jobs: int | None = None) -> Any:
    """Return a copy of a fitted estimator with at most `budget` support vectors. The copy can predict but not learn.

    Support vectors are merged or selected, and their coefficients are refitted by least squares in the kernel space.
    With the Gaussian kernel, up to `rounds` steps then move the vectors to bring the function closer to the original. An
    `SVC` or `NuSVC` of scikit-learn becomes a `KernelClassifier`; its kernel must be rbf, linear or poly.
    """
    for name, value, least in (("budget", budget, 1), ("rounds", rounds, 0)):
        if not isinstance(value, (int, np.integer)) or value < least:
            raise Error(f"{name} must be an integer of at least {least}, not {value!r}")
    check_is_fitted(estimator)
    threads = KernelClassifier(n_jobs=n_jobs)._threads()
    if isinstance(estimator, (SVC, NuSVC)):
        estimator = _from_svc(estimator)
    elif not isinstance(estimator, KernelEstimator):
        raise Error(f"compress accepts estimators of kinglet, SVC and NuSVC, not {type(estimator).__name__}")
    smaller = copy.copy(estimator)
    smaller._model = estimator._model.compressed(int(budget), int(rounds), threads)
    return smaller


def _from_svc(svc: Any) -> KernelClassifier:
    if callable(svc.kernel) or svc.kernel == "precomputed":
        raise Error("compress supports only the kernels rbf, linear and poly")
    vectors, coefficients = svc.support_vectors_, svc.dual_coef_
    if hasattr(vectors, "toarray"):
        vectors, coefficients = vectors.toarray(), coefficients.toarray()
    kernel = {"kernel": svc.kernel, "gamma": repr(float(svc._gamma)), "coef0": repr(float(svc.coef0)), "degree": str(svc.degree)}
    model = Model.from_svc(
        kernel,
        [str(k) for k in range(len(svc.classes_))],
        [int(n) for n in svc.n_support_],
        np.ascontiguousarray(vectors, dtype=np.float32),
        np.ascontiguousarray(coefficients, dtype=np.float64),
        np.ascontiguousarray(svc.intercept_, dtype=np.float64),
        [str(name) for name in getattr(svc, "feature_names_in_", [])],
    )
    self = KernelClassifier()
    self._model = model
    self.classes_ = svc.classes_
    self.n_features_in_ = svc.n_features_in_
    if hasattr(svc, "feature_names_in_"):
        self.feature_names_in_ = svc.feature_names_in_
    self.n_iter_ = 1
    return self
