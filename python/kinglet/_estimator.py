"""Base class of the three estimators: options, input validation, passes over the data, files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
    check_array,
    check_X_y,
    validate_data,
)

from kinglet._frames import Column, are_vectors, columns_of, encode, is_frame, plan_records
from kinglet._kinglet import Error, Model, complete_options, default_passes, keeps_examples, registry, with_stream_length
from kinglet._options import given_options, options_of_task, parameter_value, warn_of_old_names
from kinglet._progress import progress_bar

if TYPE_CHECKING:
    import sys
    from collections.abc import Iterator

    from numpy.typing import NDArray

    if sys.version_info >= (3, 11):
        from typing import Self
    else:
        from typing_extensions import Self

_MOST_SEED = 2**31 - 1
_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


class KernelEstimator(BaseEstimator):
    """Base class of the estimators: a kernel machine that learns one row at a time."""

    _task: str
    _model: Model
    n_features_in_: int

    # --- parameters to options ---------------------------------------------------------------------------------------

    def _options(self, rows: int | None = None, passes: int = 1) -> dict[str, str]:
        """Return the parameters that are not None as options of the library. `rows` is the number of rows, if known."""
        options = given_options(registry(), self._task, self)
        return options if rows is None else with_stream_length(options, rows * passes)

    def _seed(self) -> int:
        state = self.random_state  # type: ignore[attr-defined]
        if isinstance(state, (int, np.integer)) and not isinstance(state, bool):
            return int(state)
        return int(check_random_state(state).randint(_MOST_SEED))

    def _passes(self, options: dict[str, str], rows: int) -> int:
        passes = self.passes  # type: ignore[attr-defined]
        if passes == "auto":
            return default_passes(options, rows)
        if isinstance(passes, bool) or not isinstance(passes, (int, np.integer)) or passes < 1:
            raise Error(f"passes is {passes!r}: it must be an integer of at least 1, or 'auto'")
        if passes > 1 and keeps_examples(options):
            algorithm = complete_options(options)["algo"]
            raise Error(f"passes is {passes}: {algorithm} keeps its examples, so a second pass would count them twice")
        return int(passes)

    def _threads(self) -> int:
        """Return the number of threads: by default all cores, but one inside a worker of joblib, as in a grid search."""
        jobs = self.n_jobs  # type: ignore[attr-defined]
        if jobs == 0:
            raise Error("n_jobs is 0: it must be the number of threads, or -1 for all cores")
        if jobs is not None and jobs > 0:
            return int(jobs)
        return effective_n_jobs(-1 if jobs is None else int(jobs))

    # --- rows --------------------------------------------------------------------------------------------------------

    def _check(self, X: Any, y: Any = "no_validation", *, reset: bool, learning: bool = True) -> Any:
        # The library checks the numbers itself: infinity is an error, NaN is a missing value.
        checks: dict[str, Any] = {"accept_sparse": "csr", "dtype": [np.float32, np.float64], "order": "C", "ensure_all_finite": False}
        if not isinstance(y, str):
            checks["y_numeric"] = self._task == "regress"
        columns = self._record_columns(X, reset)
        if columns is None:
            return validate_data(self, X, y, reset=reset, **checks)
        X = self._encode(columns, reset, learning)
        return check_array(X, **checks) if isinstance(y, str) else check_X_y(X, y, **checks)

    # --- data frames -------------------------------------------------------------------------------------------------

    def _record_columns(self, X: Any, reset: bool) -> list[Column] | None:
        """Return the columns of a data frame whose rows are records; None if they are vectors."""
        has_records = not reset and self._model.records() is not None
        kinds = self.columns  # type: ignore[attr-defined]
        if not is_frame(X):
            if has_records:
                raise Error("the model was fitted with a data frame of records: X must be a data frame, too")
            if kinds is not None:
                raise Error(f"columns is {kinds!r}, but X is not a data frame")
            return None
        columns = columns_of(X)
        if has_records or (reset and (kinds is not None or not are_vectors(X, columns))):
            return columns
        return None

    def _encode(self, columns: list[Column], reset: bool, learning: bool) -> Any:
        """Encode records. Those to learn from also fix or extend the schema, which the model takes from `_new_records`."""
        records = None if reset else self._model.records()
        if records is None:
            kinds = self.columns or {}  # type: ignore[attr-defined]
            records = plan_records(columns, kinds, self.category_values, self.text_features)  # type: ignore[attr-defined]
            self.n_features_in_ = len(columns)
            self.feature_names_in_ = np.array([column.name for column in columns], dtype=object)
        X = encode(records, columns, learning=learning)
        if learning:
            self._new_records = records
        return X

    def _rows(self, X: Any) -> Any:
        """Convert X to what the library reads: an array, or the parts of a CSR matrix."""
        if type(X) is np.ndarray:
            return X
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        return X.data, X.indices, X.indptr, X.shape[1]

    def _rows_to_predict(self, X: Any) -> Any:
        # Fast path for single rows: scikit-learn's validation takes many times as long as the prediction.
        own = self.__dict__
        if (
            type(X) is np.ndarray
            and X.dtype in _FLOATS
            and X.ndim == 2
            and X.shape[0] > 0
            and "_model" in own
            and X.shape[1] == self.n_features_in_
            and X.flags.c_contiguous
            and "feature_names_in_" not in own
        ):
            return X
        check_is_fitted(self)
        return self._rows(self._check(X, reset=False, learning=False))

    def _weights(self, sample_weight: Any, X: Any) -> NDArray[np.float64] | None:
        if sample_weight is None:
            return None
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if not np.any(weights):
            raise Error("Sample weights must contain at least one non-zero number")
        return weights

    # --- learning ----------------------------------------------------------------------------------------------------

    def _orders(self, rows: int, passes: int, weights: Any, seed: int) -> Iterator[NDArray[np.int64] | None]:
        """Yield the order of the rows for each pass. Rows of weight 0 are left out."""
        draw = np.random.default_rng(seed)
        kept = None if weights is None or np.all(weights) else np.flatnonzero(weights)
        for _ in range(passes):
            if self.shuffle:  # type: ignore[attr-defined]
                yield draw.permutation(rows if kept is None else kept).astype(np.int64, copy=False)
            else:
                yield kept

    def _learn_all(self, X: Any, y: Any, weights: Any, classes: list[str] | None = None) -> Self:
        """Train a new model on all rows."""
        warn_of_old_names(self)
        rows = X.shape[0]
        passes = self._passes(self._options(rows), rows)
        seed = self._seed()
        model = Model({**self._options(rows, passes), **self._own_options(), "seed": str(seed)})
        model.use_threads(self._threads())
        self._name_features(model)
        if classes is not None:
            model.expect_classes(classes)
        parts = self._rows(X)
        with self._progress(rows * passes) as progress:
            for order in self._orders(rows, passes, weights, seed):
                model.learn(parts, y, weights, order, progress, self._on_drift())
                model.end_pass()
        self._model = model
        self.n_iter_ = passes
        return self

    def _learn_more(self, X: Any, y: Any, weights: Any) -> Self:
        """Continue training with these rows, in the given order."""
        first = self._model.stats()["examples"] == 0
        self._model.use_threads(self._threads())
        self._name_features(self._model)
        try:
            with self._progress(X.shape[0]) as progress:
                kept = None if weights is None or np.all(weights) else np.flatnonzero(weights)
                self._model.begin_stream()
                self._model.learn(self._rows(X), y, weights, kept, progress, self._on_drift())
            if self._model.stats()["learns_at_end"]:
                algorithm = self._model.options["algo"]
                raise Error(f"{algorithm} is a batch algorithm: use fit, it has no partial_fit")
        except BaseException:
            if first and not self._model.start and (self._model.stats()["examples"] == 0 or self._model.stats()["learns_at_end"]):
                del self._model  # nothing was learned: the estimator is not fitted
            raise
        return self

    def _on_drift(self) -> Any:
        call = getattr(self, "on_drift", None)  # novelty detection has no errors, so no drift to notice
        if call is not None and not callable(call):
            raise Error(f"on_drift is {call!r}: it must be a function of one argument, or None")
        return call

    def _progress(self, rows: int) -> Any:
        return progress_bar(rows, type(self).__name__, bool(self.verbose))  # type: ignore[attr-defined]

    def _new_model(self) -> None:
        warn_of_old_names(self)
        self._model = Model({**self._options(), **self._own_options(), "seed": str(self._seed())})

    def _name_features(self, model: Model) -> None:
        """Give the model the schema of the data frame or the names of its columns, if X is one."""
        records = self.__dict__.pop("_new_records", None)
        if records is not None:
            model.set_records(records)
            return
        names = getattr(self, "feature_names_in_", None)
        if names is not None:
            model.name_features([str(name) for name in names])

    def _own_options(self) -> dict[str, str]:
        return {}

    # --- what was learned --------------------------------------------------------------------------------------------

    def _support(self) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        check_is_fitted(self)
        stats = self._model.stats()
        count = stats["support_vectors"]
        vectors = np.empty((count, stats["features"]), np.float32)
        coefficients = np.empty((stats["outputs"], count))
        self._model.support_vectors(vectors, coefficients)
        return vectors, coefficients

    @property
    def support_vectors_(self) -> NDArray[np.float32]:
        """Support vectors in the units of the data, sorted by decreasing weight."""
        return self._support()[0]

    @property
    def dual_coef_(self) -> NDArray[np.float64]:
        """Coefficients of the support vectors, one row per output. Two classes and regression have one output."""
        return self._support()[1]

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """How much each feature matters in the learned metric; the sum is 1. Needs metric="learned"."""
        check_is_fitted(self)
        if not self._model.has_feature_importances:
            raise AttributeError('feature_importances_ needs a model that was fitted with metric="learned"')
        return np.array(self._model.feature_importances())

    @property
    def schema_(self) -> dict[str, str]:
        """The kind of each column of the data frame that the model was fitted with: number, category, text, time or ignore."""
        check_is_fitted(self)
        records = self._model.records()
        if records is None:
            raise AttributeError("schema_ needs a model that was fitted with a data frame of records")
        return {**dict(zip(records.names, records.kinds)), **dict.fromkeys(records.ignored, "ignore")}

    @property
    def encoded_features_(self) -> list[str]:
        """The names of the features that the columns of a data frame have become, such as job=cook, in the order of
        `support_vectors_` and `feature_importances_`."""
        check_is_fitted(self)
        return self._model.feature_names

    @property
    def options_(self) -> dict[str, str]:
        """All options of the model, including values estimated from the data, such as gamma."""
        check_is_fitted(self)
        return self._model.options

    @property
    def settled_(self) -> dict[str, str]:
        """The options of the function that predicts: with `algo="auto"`, those of the member that leads at present, such as
        `algorithm` (its name) and `gamma`. Other algorithms predict with `options_`."""
        check_is_fitted(self)
        return self._model.settled_options

    @property
    def drift_(self) -> list[dict[str, Any]]:
        """The latest alarms of drift with `algo="auto"`, in order. Each has `at` (the number of rows learned when it was
        noticed), `since` (the errors have been more since about this row), `recent_error` and `usual_error`."""
        check_is_fitted(self)
        return self._model.drift()

    @property
    def facts_(self) -> dict[str, Any]:
        """Statistics of the model: examples, support_vectors, memory_bytes, the progressive error, …"""
        check_is_fitted(self)
        return self._model.stats()

    def _scores(self, X: Any) -> NDArray[np.float64]:
        rows = self._rows_to_predict(X)
        outputs = self._model.stats()["outputs"]
        scores = np.empty((_count(rows), outputs))
        self._model.scores(rows, scores, self._threads())
        return scores.ravel() if outputs == 1 else scores

    # --- files -------------------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the model to a file that the command `kinglet` can also read.

        The file contains the model, with the column names of a data frame. Use pickle to keep the types of labels as well.
        """
        check_is_fitted(self)
        self._model.save(os.fspath(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Load a model file written by `save` or by the command `kinglet`."""
        return cls._from_model(Model.load(os.fspath(path)), os.fspath(path))

    @classmethod
    def _from_model(cls, model: Model, path: str) -> Self:
        requested = model.requested_options
        if requested["task"] != cls._task:
            raise Error(
                f"{path}: not a model of {cls.__name__}, its task is {requested['task']}; use kinglet.load for any model"
            )
        if requested["algo"] == "fixed":  # compressed: it has no parameters and cannot learn
            self = cls()
            self._take_model(model)
            self.n_iter_ = 1
            return self
        if model.stats()["examples"] == 0 and not model.start:
            raise Error(f"{path}: the model has learned nothing yet")
        usual = complete_options({"task": requested["task"], "algo": requested["algo"]})
        known = {option["name"]: option for option in options_of_task(registry(), cls._task)}
        given = {
            known[name]["parameter"]: parameter_value(known[name], text)
            for name, text in requested.items()
            if name in known and (name == "algo" or usual.get(name) != text)
        }
        self = cls(**given, random_state=int(requested["seed"]))  # type: ignore[call-arg]
        self._take_model(model)
        self.n_iter_ = max(1, model.stats()["passes"])
        return self

    def _take_model(self, model: Model) -> None:
        self._model = model
        self.n_features_in_ = model.stats()["features"]
        records = model.records()
        if records is not None:
            self.feature_names_in_ = np.array([*records.names, *records.ignored], dtype=object)
            self.n_features_in_ = len(self.feature_names_in_)
        elif model.feature_names:
            self.feature_names_in_ = np.array(model.feature_names, dtype=object)

    # --- scikit-learn ------------------------------------------------------------------------------------------------

    def __sklearn_is_fitted__(self) -> bool:
        return "_model" in self.__dict__

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags


def _count(rows: Any) -> int:
    return len(rows) if type(rows) is np.ndarray else len(rows[2]) - 1
