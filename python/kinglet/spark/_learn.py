"""What runs in the tasks of Spark: a sample of the rows, learning a partition, and scoring.

A task gets a model as bytes, reads its partition in Arrow batches and returns one row. It keeps one model and one batch,
whatever the size of the partition. It has no effects, so Spark can run it again anywhere.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark import TaskContext

from kinglet._classifier import _codes, _find_classes, _label_text
from kinglet._kinglet import Error, Model, current_isa, use_isa
from kinglet.spark._rows import BadRow, Layout, Rows, read

if TYPE_CHECKING:
    from numpy.typing import NDArray

SAMPLE_SCHEMA = "rows binary"
PART_SCHEMA = (
    "partition int, rows bigint, examples bigint, isa string, learn_seconds double, task_seconds double, memory bigint, "
    "process_before bigint, process_peak bigint, model_bytes bigint, model binary"
)
CHECK_SCHEMA = "rows bigint"
ERROR_SCHEMA = "weight double, error double"


@dataclass
class Place:
    """Where a task is in its partition, for errors."""

    partition: int = 0
    rows: int = 0  # of the batches before this one

    @staticmethod
    def of_task() -> Place:
        context = TaskContext.get()
        return Place(context.partitionId() if context is not None else 0)

    def read(self, batch: pa.RecordBatch, layout: Layout, features: int | None) -> Rows:
        try:
            rows = read(batch, layout, features)
        except BadRow as bad:
            raise Error(f"partition {self.partition}, row {self.rows + bad.row + 1}: {bad.problem}") from None
        self.rows += len(rows)
        return rows


def threads_of_task() -> int:
    """Return the number of cores that Spark gives each task (spark.task.cpus)."""
    context = TaskContext.get()
    return max(1, context.cpus()) if context is not None else 1


def numbers_of(texts: list[str], are_text: bool) -> NDArray[Any]:
    """Return the classes of a model in the order of its labels."""
    return np.array(texts, dtype=str) if are_text else np.array([float(text) for text in texts], dtype=np.float64)


class Classes:
    """The classes of a model, by class number. Those that it meets for the first time are added."""

    def __init__(self, model: Model, are_text: bool) -> None:
        self._model = model
        self._labels = numbers_of(model.labels, are_text)

    def codes(self, labels: NDArray[Any]) -> NDArray[np.int64]:
        codes = _codes(labels, self._labels) if len(self._labels) else np.full(len(labels), -1)
        is_new = codes < 0
        if not is_new.any():
            return codes
        self._labels = np.concatenate([self._labels, _find_classes(labels[is_new])])
        self._model.expect_classes([_label_text(label) for label in self._labels.tolist()])
        return _codes(labels, self._labels)


class PartLearner:
    """Learns rows batch by batch with a model."""

    def __init__(self, model: Model, layout: Layout) -> None:
        self.model = model
        self.rows = 0
        self.seconds = 0.0  # processor time of learning
        self._task = model.requested_options["task"]
        self._classes = Classes(model, layout.has_text_labels) if self._task == "classify" else None
        if layout.feature_names:
            model.name_features(layout.feature_names)
        model.use_threads(threads_of_task())
        model.begin_stream()

    def learn(self, rows: Rows) -> None:
        self.rows += len(rows)
        begin = time.process_time()
        targets = rows.labels if self._classes is None or rows.labels is None else self._classes.codes(rows.labels)
        kept = None
        if rows.weights is not None and not rows.weights.all():
            kept = np.flatnonzero(rows.weights).astype(np.int64)
        if len(rows) > 0 and (kept is None or len(kept) > 0):
            self.model.learn(rows.x, targets if self._task != "novelty" else None, rows.weights, kept)
        self.seconds += time.process_time() - begin

    def finish(self) -> bytes:
        begin = time.process_time()
        self.model.end_pass()
        self.seconds += time.process_time() - begin
        return self.model.serialize()


def use_isa_of(model: Model) -> str:
    """Compute with the instruction set that made the start, where this machine has it. Return the one in use."""
    if model.start:
        try:
            use_isa(model.isa_of_start)
        except Error:
            pass  # the model is as good, but its last bits may differ; the driver is told which one was used
    return current_isa()


def _process_bytes() -> int:
    """Return the memory that this process has now."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def sample_task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Return the batches as bytes, which the driver reads as a task would."""
    for batch in batches:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as writer:
            writer.write_batch(batch)
        yield pa.RecordBatch.from_pydict({"rows": pa.array([sink.getvalue().to_pybytes()], pa.binary())})


@dataclass(frozen=True)
class CheckTask:
    """Reads a partition, and fails at the first bad row."""

    layout: Layout

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        place = Place.of_task()
        for batch in batches:
            place.read(batch, self.layout, None)
        yield pa.RecordBatch.from_pydict({"rows": pa.array([place.rows], pa.int64())})


@dataclass(frozen=True)
class LearnTask:
    """Learns a partition from a start, and returns one row of PART_SCHEMA unless the partition is empty."""

    start: bytes
    layout: Layout

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        begin = time.process_time()
        before = _process_bytes()
        model = Model.deserialize(self.start, "the start")
        isa = use_isa_of(model)
        place = Place.of_task()
        learner = PartLearner(model, self.layout)
        features = model.stats()["features"]
        for batch in batches:
            learner.learn(place.read(batch, self.layout, features))
        if learner.rows == 0:
            return
        learned = learner.finish()
        part = {
            "partition": pa.array([place.partition], pa.int32()),
            "rows": pa.array([learner.rows], pa.int64()),
            "examples": pa.array([model.stats()["examples"]], pa.int64()),
            "isa": pa.array([isa], pa.string()),
            "learn_seconds": pa.array([learner.seconds], pa.float64()),
            "task_seconds": pa.array([time.process_time() - begin], pa.float64()),
            "memory": pa.array([model.stats()["memory_bytes"]], pa.int64()),
            "process_before": pa.array([before], pa.int64()),
            "process_peak": pa.array([resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024], pa.int64()),
            "model_bytes": pa.array([len(learned)], pa.int64()),
            "model": pa.array([learned], pa.binary()),
        }
        yield pa.RecordBatch.from_pydict(part)


@dataclass(frozen=True)
class ErrorTask:
    """Sums up weights and errors of a partition: 0 or 1 for a class, the squared error for a number."""

    model: bytes
    layout: Layout

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        scorer = Scorer(Model.deserialize(self.model, "the model"), self.layout.has_text_labels)
        place = Place.of_task()
        weight = error = 0.0
        for batch in batches:
            rows = place.read(batch, self.layout, scorer.features)
            predictions = scorer.predictions(rows.x, len(rows))
            if scorer.task == "classify":
                errors = (predictions != rows.labels).astype(float)
            else:
                errors = (predictions - rows.labels) ** 2
            weights = np.ones(len(rows)) if rows.weights is None else rows.weights
            weight += float(weights.sum())
            error += float(errors @ weights)
        yield pa.RecordBatch.from_pydict({"weight": pa.array([weight]), "error": pa.array([error])})


class Scorer:
    """Predictions of a model for arrays of rows. Classes are in increasing order, whatever their order in the model."""

    def __init__(self, model: Model, labels_are_text: bool) -> None:
        self._model = model
        stats = model.stats()
        self.task = model.requested_options["task"]
        self.features: int = stats["features"]
        self._outputs: int = stats["outputs"]
        self._labels = numbers_of(model.labels, labels_are_text) if self.task == "classify" else np.empty(0)
        self._order = np.argsort(self._labels)
        self._threads = threads_of_task()

    def predictions(self, x: Any, count: int) -> NDArray[Any]:
        """Return classes, numbers, or 1 for normal and -1 for novel rows."""
        numbers = np.empty(count, np.float64 if self.task == "regress" else np.int64)
        self._model.predict(x, numbers, self._threads)
        if self.task == "classify":
            return self._labels.take(numbers)
        return numbers if self.task == "regress" else 2.0 * numbers - 1

    def raw(self, x: Any, count: int) -> NDArray[np.float64]:
        """Return a score for each class; for novelty detection, those of novel and normal."""
        scores = np.empty((count, self._outputs))
        self._model.scores(x, scores, self._threads)
        if self._outputs == 1:
            scores = np.hstack([-scores, scores])
        return scores if self.task == "novelty" else scores[:, self._order]

    def probabilities(self, x: Any, count: int) -> NDArray[np.float64]:
        """Return the probability of each class."""
        shares = np.empty((count, len(self._labels)))
        self._model.probabilities(x, shares, self._threads)
        return shares[:, self._order]


@dataclass(frozen=True)
class ScoreTask:
    """Scores batches of features: a struct with the fields in `wanted` (prediction, raw, probability) for each row."""

    model: bytes
    layout: Layout
    labels_are_text: bool
    wanted: tuple[str, ...]

    def __call__(self, batches: Iterator[pa.Array]) -> Iterator[pa.Array]:
        scorer = Scorer(Model.deserialize(self.model, "the model"), self.labels_are_text)
        place = Place.of_task()
        for batch in batches:
            rows = place.read(pa.RecordBatch.from_struct_array(batch), self.layout, scorer.features)
            yield pa.StructArray.from_arrays([self._field(name, scorer, rows) for name in self.wanted], list(self.wanted))

    def _field(self, name: str, scorer: Scorer, rows: Rows) -> pa.Array:
        if name == "prediction":
            return pa.array(scorer.predictions(rows.x, len(rows)))
        table = scorer.raw(rows.x, len(rows)) if name == "raw" else scorer.probabilities(rows.x, len(rows))
        ends = np.arange(0, table.size + 1, table.shape[1], dtype=np.int32)
        return pa.ListArray.from_arrays(ends, table.ravel())
