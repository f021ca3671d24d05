"""KernelClassifier."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from kinglet._estimator import KernelEstimator, _count
from kinglet._kinglet import Error, complete_options
from kinglet._parameters import ClassifierParameters

if TYPE_CHECKING:
    import sys

    from numpy.typing import ArrayLike, NDArray

    from kinglet._kinglet import Model

    if sys.version_info >= (3, 11):
        from typing import Self
    else:
        from typing_extensions import Self

_SMALL_RANGE = 1 << 16


def _is_small_integers(y: NDArray[Any]) -> bool:
    return y.dtype.kind in "iu" and y.dtype != np.uint64 and y.size > 0 and int(y.max()) - int(y.min()) < _SMALL_RANGE


def _find_classes(y: NDArray[Any]) -> NDArray[Any]:
    """Return the sorted distinct values of y; fast if they are integers in a small range."""
    if not _is_small_integers(y):
        return np.unique(y)
    low = int(y.min())
    return (np.flatnonzero(np.bincount(y.astype(np.int64, copy=False) - low)) + low).astype(y.dtype)


def _codes(y: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.int64]:
    """Return the position of each y in `classes`, or -1 if it is not among them."""
    if y.dtype.kind in "iu" and y.dtype != np.uint64 and _is_small_integers(classes) and y.size > 0:
        low = int(classes.min())
        table = np.full(int(classes.max()) - low + 1, -1, np.int64)
        table[classes.astype(np.int64) - low] = np.arange(len(classes))
        if int(y.min()) >= low and int(y.max()) - low < len(table):
            return table.take(y if low == 0 else y.astype(np.int64, copy=False) - low)
    order = np.argsort(classes)
    place = np.minimum(np.searchsorted(classes, y, sorter=order), len(classes) - 1)
    codes = order[place]
    return np.where(classes[codes] == y, codes, -1).astype(np.int64, copy=False)


def _label_text(label: Any) -> str:
    """Return a label as it is written in files: 1 rather than 1.0."""
    if isinstance(label, bytes):
        return label.decode()
    if isinstance(label, (float, np.floating)) and float(label).is_integer():
        return str(int(label))
    return str(label)


def _classes_of_texts(texts: list[str]) -> NDArray[Any]:
    """Return the classes of a model file, as numbers if all of them are numbers."""
    for kind in (int, float):
        try:
            numbers = np.array([kind(text) for text in texts])
        except (ValueError, OverflowError):
            continue
        if [_label_text(number) for number in numbers.tolist()] == texts and np.isfinite(numbers.astype(float)).all():
            return numbers
    return np.array(texts)


def _gives_probabilities(estimator: KernelClassifier) -> bool:
    options = estimator._model.options if estimator.__sklearn_is_fitted__() else estimator._own_options()
    return options.get("proba") == "true"


class KernelClassifier(ClassifierParameters, ClassifierMixin, KernelEstimator):
    """Kernel classifier for two or more classes that learns from streams in fixed memory.

    It never keeps more than `budget` support vectors. `fit` trains a new model, `partial_fit` continues training with
    more rows. By default, features are scaled along the stream and `gamma` is estimated from the first rows.
    """

    _task = "classify"
    classes_: NDArray[Any]

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train a new model on all rows, in random order, for `passes` passes."""
        X, y = self._check(X, y, reset=True)
        self._require_classes(y)
        weights = self._weights(sample_weight, X)
        classes = _find_classes(y)
        codes = _codes(y, classes)
        self._may_grow = False
        self._balances_online = False  # all rows are known
        weights = self._with_class_weights(weights, classes, codes)
        self._learn_all(X, codes, weights, self._texts(classes))
        self.classes_ = classes
        self._may_grow = True
        return self

    def partial_fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Continue training with these rows, in the given order.

        Scaling and gamma are estimated from the rows of the first call, so pass at least a few dozen. The first call may
        give all `classes`; without it, new classes are added when they first appear. With `class_weight="balanced"` a row
        is weighted by the counts of the classes up to that row.
        """
        first = not self.__sklearn_is_fitted__()
        X, y = self._check(X, y, reset=first)
        self._require_classes(y)
        weights = self._weights(sample_weight, X)
        self._balances_online = self._is_balanced()
        if first:
            self._new_model()
        elif self._balances_online and self._model.options["class-weight"] != "balanced":
            raise Error("class_weight 'balanced' needs the counts of all rows so far: give it from the first call on")
        self._take_classes(y, classes, first)
        codes = _codes(y, self.classes_)
        if not self._balances_online:
            weights = self._with_class_weights(weights, self.classes_, codes)
        return self._learn_more(X, codes, weights)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Predict the class of each row."""
        rows = self._rows_to_predict(X)
        codes = np.empty(_count(rows), np.int64)
        self._model.predict(rows, codes, self._threads())
        return self.classes_.take(codes)

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the scores: for two classes one number per row, positive for the second class; else one per class."""
        return self._scores(X)

    @available_if(_gives_probabilities)
    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Predict the probability of each class. The class returned by `predict` has the highest probability.

        Probabilities are calibrated during training, on the scores that rows had before they were learned.
        """
        rows = self._rows_to_predict(X)
        out = np.empty((_count(rows), len(self.classes_)))
        self._model.probabilities(rows, out, self._threads())
        return out

    def _own_options(self) -> dict[str, str]:
        """Enable probabilities if the algorithm supports them; batch algorithms do not."""
        weights = {"class-weight": "balanced"} if self._balances_online else {}
        try:
            complete_options({**self._options(rows=1), "proba": "true"})
        except Error:
            return weights
        return {"proba": "true", **weights}

    # --- classes -----------------------------------------------------------------------------------------------------

    @staticmethod
    def _require_classes(y: NDArray[Any]) -> None:
        if y.dtype.kind not in "iub":
            check_classification_targets(y)

    @staticmethod
    def _texts(classes: NDArray[Any]) -> list[str]:
        texts = [_label_text(label) for label in classes]
        if len(set(texts)) < len(texts):
            raise Error("two classes are written as the same text")
        return texts

    def _take_classes(self, y: NDArray[Any], classes: ArrayLike | None, first: bool) -> None:
        given = None if classes is None else np.unique(column_or_1d(classes))
        if first:
            self._may_grow = given is None
            self.classes_ = _find_classes(y) if given is None else given
        elif given is not None and not np.array_equal(given, np.sort(self.classes_)):
            raise Error(f"classes={given.tolist()} differs from the first call: {self.classes_.tolist()}")
        new = y[_codes(y, self.classes_) < 0]
        if len(new) > 0:
            if not self._may_grow:
                raise Error(f"y has the class {new[0]}, which is not among the classes {self.classes_.tolist()}")
            self.classes_ = np.concatenate([self.classes_, _find_classes(new)])
        self._model.expect_classes(self._texts(self.classes_))

    def _with_class_weights(self, weights: Any, classes: NDArray[Any], codes: NDArray[np.int64]) -> Any:
        """Multiply the weights of the rows by those of their classes."""
        if self.class_weight is None:
            return weights
        if self._is_balanced():
            of_class = self._balanced(weights, len(classes), codes)
        else:
            of_class = self._given_weights(classes.tolist())
        of_row = of_class.take(codes)
        weights = of_row if weights is None else of_row * weights
        if not np.any(weights):
            raise Error("class_weight gives all rows a weight of 0")
        return weights

    def _is_balanced(self) -> bool:
        if isinstance(self.class_weight, str) and self.class_weight != "balanced":
            raise Error(f"class_weight is {self.class_weight!r}: it must be a dictionary, 'balanced' or None")
        return isinstance(self.class_weight, str)

    @staticmethod
    def _balanced(weights: Any, classes: int, codes: NDArray[np.int64]) -> NDArray[np.float64]:
        counts = np.bincount(codes, weights=weights, minlength=classes)
        return np.divide(counts.sum() / classes, counts, out=np.ones(classes), where=counts > 0)

    def _given_weights(self, classes: list[Any]) -> NDArray[np.float64]:
        given: Any = self.class_weight
        others = [label for label in classes if label not in given]
        unknown = [label for label in given if label not in classes]
        # As in scikit-learn: if one class has no weight and one weight has no class, this is probably a mistake.
        if others and unknown and not self._may_grow:
            raise Error(f"class_weight has {unknown[0]!r}, which is not a class, but no weight for class {others[0]!r}")
        if unknown and not self._may_grow:
            warnings.warn(f"class_weight: no row has the label {unknown[0]!r}", stacklevel=4)
        return np.array([given.get(label, 1.0) for label in classes], dtype=np.float64)

    _may_grow: bool = False  # whether new classes may appear
    _balances_online: bool = False  # whether the model weighs classes by their counts so far, as partial_fit needs

    @classmethod
    def _from_model(cls, model: Model, path: str) -> Self:
        self = super()._from_model(model, path)
        self.classes_ = _classes_of_texts(model.labels)
        self._may_grow = True
        return self
