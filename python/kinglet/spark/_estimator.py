"""The estimators: a sample makes a start, tasks learn partitions from it, and the driver mixes their models.

  1. Spark counts the rows of each partition and draws a sample; the driver makes a start from it (kinglet.make_start).
  2. Each task loads the start, learns its partition in one pass and returns a model (kinglet.spark._learn).
  3. The driver mixes the models in the order of the partitions, some at a time, so that its memory is bounded.

A further round begins with the coefficients of the mixture and the uncertainty of the start.
"""

from __future__ import annotations

import math
import time
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
from pyspark.ml import Estimator
from pyspark.ml.param import Param, Params
from pyspark.ml.param.shared import HasProbabilityCol, HasRawPredictionCol
from pyspark.ml.util import DefaultParamsReadable, DefaultParamsWritable
from pyspark.sql import functions as sql

from kinglet._kinglet import Error, Model, adds_up, default_start_algorithm, registry
from kinglet._mix import make_start
from kinglet.spark._learn import (
    CHECK_SCHEMA,
    ERROR_SCHEMA,
    PART_SCHEMA,
    SAMPLE_SCHEMA,
    CheckTask,
    ErrorTask,
    LearnTask,
    sample_task,
)
from kinglet.spark._model import KernelClassifierModel, KernelModel, KernelRegressorModel, NoveltyDetectorModel
from kinglet.spark._params import LearningParams, TargetParams, add_options
from kinglet.spark._rows import BadRow, Layout, Rows, kind_of_classes, read, require_number
from kinglet.spark._summary import Part, Round, Summary

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row

# So many bytes of models are on the driver at a time, if models add up.
_BYTES_AT_ONCE = 256 << 20


class _Counts(NamedTuple):
    """How many rows there are, and in how many partitions."""

    rows: int
    parts: int


class KernelEstimator(Estimator, LearningParams, DefaultParamsReadable, DefaultParamsWritable):
    """Base class of the estimators."""

    _model: type[KernelModel]
    _option_names: tuple[str, ...]

    def __init__(self, **values: Any) -> None:
        super().__init__()
        self.setParams(**values)

    # --- what is set -------------------------------------------------------------------------------------------------

    def local(self) -> Any:
        """Return an estimator of kinglet that is not fitted, with the same options."""
        options = {name: self.getOrDefault(name) for name in self._option_names if self.isSet(name)}
        if not {"algo", "update", "budget_rule"} & options.keys():
            options["algo"] = default_start_algorithm(self._model._local._task)
        return self._model._local(**options, random_state=self.getOrDefault(self.seed))

    def layout(self, dataset: DataFrame) -> Layout:
        """Return which columns of a DataFrame are features, label and weight."""
        return Layout(self.features(), weight=self.column("weightCol"))

    def _check(self) -> None:
        for name, least in (("rounds", 1), ("num_workers", 1), ("sample_rows", 1)):
            if self.isDefined(name) and self.getOrDefault(name) < least:
                raise Error(f"{name} must be at least {least}, not {self.getOrDefault(name)}")

    # --- fitting -----------------------------------------------------------------------------------------------------

    def _fit(self, dataset: DataFrame) -> Any:
        self._check()
        layout = self.layout(dataset)
        training, validation = self._split(dataset)
        rows = training.select(*layout.columns(training))
        checks = None if validation is None else validation.select(*layout.columns(validation))
        rows, counts = self._in_parts(rows)
        summary = Summary()
        start = self._start(rows, counts, layout, summary)
        best, least = b"", math.inf
        for number in range(self.getOrDefault(self.rounds)):
            mixture, done = _learn(rows, start, layout)
            error = None if checks is None else _error(checks, mixture, layout)
            summary.rounds.append(Round(done.parts, done.mix_seconds, error))
            if error is None or error < least:
                best, least, summary.best_round = mixture, error if error is not None else least, number
            if number + 1 < self.getOrDefault(self.rounds):
                start = Model.deserialize(mixture, "the mixture").make_start(True).serialize()
        model = self._copyValues(self._model(best, layout.has_text_labels))
        model.summary = summary
        return model

    def _split(self, dataset: DataFrame) -> tuple[DataFrame, DataFrame | None]:
        column = self.column("validationIndicatorCol")
        if column is None:
            return dataset, None
        require_number(dataset, column)
        indicator = sql.coalesce(sql.col(column).cast("boolean"), sql.lit(False))
        return dataset.where(~indicator), dataset.where(indicator)

    def _in_parts(self, rows: DataFrame) -> tuple[DataFrame, _Counts]:
        """Return the rows in `num_workers` partitions, and how many there are."""
        counts = rows.groupBy(sql.spark_partition_id()).count().collect()
        total, parts = sum(row["count"] for row in counts), len(counts)
        if total == 0:
            raise Error("there are no rows to learn")
        if not self.isSet(self.num_workers):
            return rows, _Counts(total, parts)
        workers = self.getOrDefault(self.num_workers)
        if workers < parts:
            rows = rows.coalesce(workers)
        elif workers > parts:
            rows = rows.repartition(workers)
        return rows, _Counts(total, workers)

    def _start(self, rows: DataFrame, counts: _Counts, layout: Layout, summary: Summary) -> bytes:
        sample = _sample(rows, counts.rows, self.getOrDefault(self.sample_rows), self.getOrDefault(self.seed), layout)
        begin = time.process_time()
        summary.sample_rows = len(sample)
        local = self.local()
        if local.algo is not None and adds_up({"algo": local.algo}):
            if local.thin_after is None:  # as many rows are learned as in one pass over all of them
                local.thin_after = _default_of("thin-after") // counts.parts
            if local.scout is None:  # all rows of the sample find centres; none is learned here
                local.scout = len(sample) + 1
        order = np.random.default_rng(self.getOrDefault(self.seed)).permutation(len(sample))
        x = _table(sample.x)[order]
        if layout.feature_names:
            import pandas as pd

            x = pd.DataFrame(x, columns=layout.feature_names)
        targets = [] if sample.labels is None else [sample.labels[order]]
        local.partial_fit(x, *targets, sample_weight=None if sample.weights is None else sample.weights[order])
        local = make_start(local)
        if self.getOrDefault(self.rounds) > 1:
            make_start(local, again=True)  # refuses an algorithm that cannot
        start = local._model.serialize()
        summary.start_bytes = len(start)
        summary.start_seconds = time.process_time() - begin
        return start


def _default_of(option: str) -> int:
    """Return the default of an option that is an integer."""
    return int(next(listed["default"] for listed in registry()["options"] if listed["name"] == option))


def _table(x: Any) -> Any:
    """Return an array, or a CSR matrix."""
    if not isinstance(x, tuple):
        return x
    from scipy.sparse import csr_matrix

    data, indices, ends, features = x
    return csr_matrix((data, indices, ends), shape=(len(ends) - 1, features))


def _sample(whole: DataFrame, count: int, wanted: int, seed: int, layout: Layout) -> Rows:
    drawn = whole.sample(fraction=wanted / count, seed=seed) if wanted < count else whole
    sample = drawn.mapInArrow(sample_task, SAMPLE_SCHEMA).collect()
    tables = [pa.ipc.open_stream(bytes(row.rows)).read_all() for row in sample]
    if not tables:
        raise Error("the sample has no rows: set a larger sample_rows")
    # Vectors of one batch may be sparse and those of another dense: one batch makes them alike.
    (batch,) = pa.concat_tables(tables).combine_chunks().to_batches()
    try:
        return read(batch, layout)
    except BadRow as bad:
        whole.mapInArrow(CheckTask(layout), CHECK_SCHEMA).collect()  # says which partition and row
        raise Error(f"in the sample: {bad.problem}") from None


def _learn(rows: DataFrame, start: bytes, layout: Layout) -> tuple[bytes, Round]:
    """Learn all partitions from a start. Return the mixture and what was done."""
    learned = rows.mapInArrow(LearnTask(start, layout), PART_SCHEMA).persist()
    try:
        parts = sorted(learned.drop("model").collect(), key=lambda row: row.partition)  # all tasks run now
        have_learned = [row.partition for row in parts if row.examples > 0]
        if not have_learned:
            raise Error("no row has a weight above 0")
        begin = time.process_time()
        mixture = _mix(learned, have_learned, len(start))
        seconds = time.process_time() - begin
    finally:
        learned.unpersist()
    if len({row.isa for row in parts}) > 1:
        warnings.warn("executors have different instruction sets: the last bits of the model may differ next time", stacklevel=4)
    return mixture, Round([_part(row) for row in parts], seconds)


def _part(row: Row) -> Part:
    process = (row.process_before, row.process_peak)
    return Part(row.partition, row.rows, row.isa, row.learn_seconds, row.task_seconds, row.memory, process, row.model_bytes)


def _mix(learned: DataFrame, partitions: list[int], size: int) -> bytes:
    """Return the mixture of the models of these partitions, which have about `size` bytes each. Sums are made step by step, so
    that few models are here at a time; an average needs all of them."""
    at_once = max(1, _BYTES_AT_ONCE // size)
    models: list[bytes] = []
    for i in range(0, len(partitions), at_once):
        some = learned.where(sql.col("partition").isin(partitions[i : i + at_once])).select("partition", "model").toArrow()
        models += [model.as_py() for model in some.sort_by("partition")["model"]]
        if Model.deserialize(models[0], "a part").adds_up:
            models = [Model.mix(models, may_repeat=True).serialize()]
    return models[0] if len(models) == 1 else Model.mix(models, may_repeat=True).serialize()


def _error(rows: DataFrame, model: bytes, layout: Layout) -> float:
    """Return the share of wrong classes, or the root mean squared error."""
    sums = rows.mapInArrow(ErrorTask(model, layout), ERROR_SCHEMA).agg(sql.sum("weight"), sql.sum("error")).first()
    if not sums or not sums[0]:
        raise Error("validation_indicator_col marks no rows")
    mean = sums[1] / sums[0]
    return float(mean) if Model.deserialize(model, "the model").labels else math.sqrt(mean)


@add_options("classify")
class KernelClassifier(KernelEstimator, TargetParams, HasRawPredictionCol, HasProbabilityCol):
    """Kernel classifier for two or more classes. Each partition is learned in one pass in fixed memory.

    Parameters are keywords: `features_col` (a column of vectors or arrays, or a list of numeric columns), `label_col` (numbers
    or texts), `weight_col`, `prediction_col`, `raw_prediction_col`, `probability_col`, `validation_indicator_col`,
    `num_workers`, `rounds`, `sample_rows`, `seed`, `class_weight`, and all options of the learner, such as `budget` and `gamma`;
    `explainParams()` lists them. The default algorithm is `span`, whose models add up.
    """

    _model = KernelClassifierModel

    class_weight: Param[str] = Param(
        Params._dummy(), "class_weight", "balanced: classes count in inverse proportion to their rows; not set: all rows alike"
    )

    def local(self) -> Any:
        """Return an estimator of kinglet that is not fitted, with the same options."""
        weight = self.column("class_weight")
        if weight not in (None, "balanced"):
            raise Error(f"class_weight is {weight!r}: it must be 'balanced'; use weight_col for other weights")
        return super().local().set_params(class_weight=weight)

    def layout(self, dataset: DataFrame) -> Layout:
        """Return which columns of a DataFrame are features, label and weight."""
        label = self.getOrDefault("labelCol")
        return Layout(self.features(), label, self.column("weightCol"), kind_of_classes(dataset, label))


@add_options("regress")
class KernelRegressor(KernelEstimator, TargetParams):
    """Kernel regressor. Each partition is learned in one pass in fixed memory.

    The parameters are those of KernelClassifier without `raw_prediction_col` and `probability_col`. With the default algorithm,
    `span`, the model is that of one pass over all rows, up to rounding.
    """

    _model = KernelRegressorModel

    def layout(self, dataset: DataFrame) -> Layout:
        """Return which columns of a DataFrame are features, label and weight."""
        return Layout(self.features(), self.getOrDefault("labelCol"), self.column("weightCol"))


@add_options("novelty")
class NoveltyDetector(KernelEstimator, HasRawPredictionCol):
    """Novelty detector for rows that are mostly normal. Each partition is learned in one pass in fixed memory.

    The parameters are those of KernelClassifier without labels and probabilities. Detectors do not add up: they are averaged
    and reduced to the budget.
    """

    _model = NoveltyDetectorModel
