"""The parameters of the estimators and models, as pyspark.ml knows them.

The constructors take names with underscores, such as `features_col`; pyspark.ml calls the same parameter `featuresCol`. The
options of the learners come from the registry of the library and keep their names.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param.shared import (
    HasFeaturesCol,
    HasLabelCol,
    HasPredictionCol,
    HasProbabilityCol,
    HasRawPredictionCol,
    HasValidationIndicatorCol,
    HasWeightCol,
)

from kinglet._kinglet import Error, registry
from kinglet._options import options_of_task

_OWN_NAMES = {
    "features_col": "featuresCol",
    "label_col": "labelCol",
    "weight_col": "weightCol",
    "prediction_col": "predictionCol",
    "raw_prediction_col": "rawPredictionCol",
    "probability_col": "probabilityCol",
    "validation_indicator_col": "validationIndicatorCol",
}


def _plain(value: Any) -> Any:
    """Return numbers of NumPy as those of Python, which can be saved."""
    return value.item() if isinstance(value, np.generic) else value


class KeywordParams(Params):
    """Parameters that are set by keyword."""

    def setParams(self, **values: Any) -> Any:
        """Set parameters by keyword, under the names of the constructor or of pyspark.ml. None leaves one as it is."""
        for name, value in values.items():
            if value is None:
                continue
            if name == "features_col" and not isinstance(value, str):
                name, value = "features_cols", list(value)
            name = _OWN_NAMES.get(name, name)
            if not self.hasParam(name):
                raise TypeError(f"{type(self).__name__} has no parameter {name!r}")
            self._set(**{name: value})
            if name in ("featuresCol", "features_cols"):  # the latest of the two counts
                self.clear(self.getParam("features_cols" if name == "featuresCol" else "featuresCol"))
        return self


class PredictionParams(KeywordParams, HasFeaturesCol, HasPredictionCol):
    """What a model needs to predict."""

    features_cols: Param[list[str]] = Param(
        Params._dummy(), "features_cols", "numeric columns, each a feature, instead of one column of vectors",
        TypeConverters.toListString,
    )  # fmt: skip

    def features(self) -> str | tuple[str, ...]:
        """Return the name of the column of vectors, or those of the numeric columns."""
        if not self.isSet(self.features_cols):
            return str(self.getOrDefault("featuresCol"))
        names = tuple(self.getOrDefault(self.features_cols))
        if not names:
            raise Error("features_col is an empty list")
        return names

    def column(self, name: str) -> str | None:
        """Return the column that a parameter names, or None if it is not set or empty."""
        return (self.getOrDefault(name) or None) if self.hasParam(name) and self.isDefined(name) else None


class ClassPredictionParams(PredictionParams, HasRawPredictionCol, HasProbabilityCol):
    """What a classifier needs to predict."""


class NoveltyPredictionParams(PredictionParams, HasRawPredictionCol):
    """What a novelty detector needs to predict."""


class LearningParams(PredictionParams, HasWeightCol):
    """What every estimator needs to learn, apart from the options of its learner."""

    num_workers: Param[int] = Param(
        Params._dummy(), "num_workers", "how many tasks learn, each a part of the rows; not set: one for each partition",
        TypeConverters.toInt,
    )  # fmt: skip
    rounds: Param[int] = Param(
        Params._dummy(), "rounds", "how often the rows are learned; each round starts with the coefficients of the one before",
        TypeConverters.toInt,
    )  # fmt: skip
    sample_rows: Param[int] = Param(
        Params._dummy(), "sample_rows", "about how many rows the start is made from, on the driver", TypeConverters.toInt
    )
    seed: Param[int] = Param(Params._dummy(), "seed", "random seed", TypeConverters.toInt)

    def __init__(self) -> None:
        super().__init__()
        self._setDefault(rounds=1, sample_rows=20000, seed=1)


class TargetParams(LearningParams, HasLabelCol, HasValidationIndicatorCol):
    """What estimators with labels need besides."""


def add_options(task: str) -> Any:
    """Return a decorator that gives an estimator the options of the learners for a task, as parameters."""
    options = options_of_task(registry(), task)

    def add(estimator: Any) -> Any:
        for option in options:
            name = option["parameter"]
            text = f"{option['help']}; not set: {option['defaults']}"
            setattr(estimator, name, Param(Params._dummy(), name, text, _plain))
        estimator._option_names = tuple(option["parameter"] for option in options)
        return estimator

    return add
