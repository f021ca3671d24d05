"""The learners of kinglet for River, which learn from one dictionary at a time.

    from kinglet.river import KernelClassifier
    model = KernelClassifier(budget=100)
    for x, y in stream:
        guess = model.predict_one(x)
        model.learn_one(x, y)

Features may appear and disappear; a missing feature counts as 0. The first `warm_up` rows are collected before learning
starts, because scaling and gamma are estimated from them. Until then, classes are predicted by their frequencies and
numbers by their mean.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
from river import base

from kinglet._kinglet import Model, complete_options, registry
from kinglet._options import given_options, warn_of_old_names
from kinglet._parameters import (
    RiverClassifierParameters,
    RiverDetectorParameters,
    RiverRegressorParameters,
)

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

__all__ = ["KernelClassifier", "KernelRegressor", "NoveltyDetector"]


def _new_model(task: str, parameters: Any) -> Model:
    warn_of_old_names(parameters)
    options = given_options(registry(), task, parameters)
    seed = parameters.seed
    options["seed"] = str(int.from_bytes(os.urandom(4), "little") if seed is None else seed)
    if task == "classify":
        options["proba"] = "true"
    return Model(complete_options(options))


class _Learner:
    """A model, the column of each feature, and the first rows until learning starts."""

    def __init__(self, task: str, parameters: Any) -> None:
        self.model = _new_model(task, parameters)
        self.columns: dict[Any, int] = {}
        self.warm_up = max(1, int(parameters.warm_up))
        self.rows: list[NDArray[np.float32]] = []
        self.targets: list[float] = []
        self.has_started = False

    def meet(self, features: Any) -> None:
        """Assign columns to new features, sorted by name so that the order of the dictionary does not matter."""
        new = [name for name in features if name not in self.columns]
        for name in sorted(new, key=repr):
            self.columns[name] = len(self.columns)

    def row(self, x: dict[Any, Any]) -> NDArray[np.float32]:
        row = np.zeros((1, max(1, len(self.columns))), np.float32)
        columns = self.columns
        for name, value in x.items():
            column = columns.get(name)
            if column is not None:
                row[0, column] = value
        return row

    def table(self, X: pd.DataFrame) -> NDArray[np.float32]:
        table = np.zeros((len(X), max(1, len(self.columns))), np.float32)
        for name in X.columns:
            if name in self.columns:
                table[:, self.columns[name]] = X[name].to_numpy()
        return table

    def learn(self, table: NDArray[np.float32], targets: NDArray[Any] | None) -> None:
        if not self.has_started:
            kept = min(len(table), self.warm_up - len(self.rows))
            self.rows += list(table[:kept])
            if targets is not None:
                self.targets += targets[:kept].tolist()
            if len(self.rows) == self.warm_up:
                self._start(None if targets is None else targets.dtype)
            table = table[kept:]
            targets = None if targets is None else targets[kept:]
        if len(table) > 0:
            self.model.learn(table, targets)

    def _start(self, kind: Any) -> None:
        width = max(len(row) for row in self.rows)
        table = np.zeros((len(self.rows), width), np.float32)
        for i, row in enumerate(self.rows):
            table[i, : len(row)] = row
        self.model.learn(table, None if kind is None else np.array(self.targets, kind))
        self.rows, self.targets, self.has_started = [], [], True


class KernelClassifier(RiverClassifierParameters, base.MiniBatchClassifier):
    """Kernel classifier for two or more classes that never keeps more than `budget` support vectors."""

    _learner: _Learner | None = None
    _classes: dict[Any, int]

    @property
    def _multiclass(self) -> bool:
        return True

    def _ready(self) -> _Learner:
        if self._learner is None:
            self._learner = _Learner("classify", self)
            self._classes = {}
        return self._learner

    def _codes(self, labels: Any) -> NDArray[np.int64]:
        """Return class numbers; a new class gets the next number."""
        learner = self._ready()
        new = [label for label in dict.fromkeys(labels) if label not in self._classes]
        for label in new:
            self._classes[label] = len(self._classes)
        if new:
            learner.model.expect_classes([f"{code}:{label}" for label, code in self._classes.items()])
        return np.array([self._classes[label] for label in labels], np.int64)

    def learn_one(self, x: dict[Any, Any], y: Any) -> None:
        learner = self._ready()
        learner.meet(x)
        learner.learn(learner.row(x), self._codes([y]))

    def learn_many(self, X: pd.DataFrame, y: pd.Series) -> None:
        learner = self._ready()
        learner.meet(X.columns)
        learner.learn(learner.table(X), self._codes(y.tolist()))

    def _probabilities(self, table: NDArray[np.float32]) -> NDArray[np.float64]:
        learner = self._ready()
        out = np.empty((len(table), len(self._classes)))
        if learner.has_started:
            learner.model.probabilities(table, out)
        elif len(self._classes) > 0:
            out[:] = np.bincount(np.array(learner.targets, np.int64), minlength=len(self._classes)) / len(learner.rows)
        return out

    def predict_proba_one(self, x: dict[Any, Any], **kwargs: Any) -> dict[Any, float]:
        learner = self._ready()
        return dict(zip(self._classes, self._probabilities(learner.row(x))[0].tolist()))

    def predict_proba_many(self, X: pd.DataFrame) -> pd.DataFrame:
        import pandas as pd

        learner = self._ready()
        return pd.DataFrame(self._probabilities(learner.table(X)), index=X.index, columns=list(self._classes))

    def predict_many(self, X: pd.DataFrame) -> pd.Series:
        import pandas as pd

        best = self._probabilities(self._ready().table(X)).argmax(axis=1) if self._ready() and self._classes else []
        labels = list(self._classes)
        return pd.Series([labels[i] for i in best] or [None] * len(X), index=X.index, dtype=object)


class KernelRegressor(RiverRegressorParameters, base.MiniBatchRegressor):
    """Kernel regressor that never keeps more than `budget` support vectors.

    Features and targets are scaled along the stream.
    """

    _learner: _Learner | None = None

    def _ready(self) -> _Learner:
        if self._learner is None:
            self._learner = _Learner("regress", self)
        return self._learner

    def learn_one(self, x: dict[Any, Any], y: float) -> None:
        learner = self._ready()
        learner.meet(x)
        learner.learn(learner.row(x), np.array([y], np.float64))

    def learn_many(self, X: pd.DataFrame, y: pd.Series) -> None:
        learner = self._ready()
        learner.meet(X.columns)
        learner.learn(learner.table(X), y.to_numpy(np.float64))

    def _numbers(self, table: NDArray[np.float32]) -> NDArray[np.float64]:
        learner = self._ready()
        out = np.empty(len(table))
        if learner.has_started:
            learner.model.predict(table, out)
        else:
            out[:] = np.mean(learner.targets) if learner.targets else 0.0
        return out

    def predict_one(self, x: dict[Any, Any]) -> float:
        return float(self._numbers(self._ready().row(x))[0])

    def predict_many(self, X: pd.DataFrame) -> pd.Series:
        import pandas as pd

        return pd.Series(self._numbers(self._ready().table(X)), index=X.index)


class NoveltyDetector(RiverDetectorParameters, base.AnomalyDetector):
    """Novelty detector: the higher the score, the more unusual the row. The threshold is 0."""

    _learner: _Learner | None = None

    def _ready(self) -> _Learner:
        if self._learner is None:
            self._learner = _Learner("novelty", self)
        return self._learner

    def learn_one(self, x: dict[Any, Any]) -> None:
        learner = self._ready()
        learner.meet(x)
        learner.learn(learner.row(x), None)

    def score_one(self, x: dict[Any, Any]) -> float:
        learner = self._ready()
        if not learner.has_started:
            return 0.0
        out = np.empty(1)
        learner.model.scores(learner.row(x), out)
        return -float(out[0])
