"""Learning from Structured Streaming: each micro-batch continues the model of the one before, exactly once.

The state is the model after a micro-batch with the number of that batch. It is kept in two folders of the checkpoint, which
are written in turn: while one is written the other is complete, so a run that is killed goes on from there. Spark repeats the
last micro-batch after such an end; if its state is there, it is not learned again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.errors import AnalysisException

from kinglet._kinglet import Error, Model, registry
from kinglet._options import options_of_task
from kinglet.spark._estimator import KernelEstimator
from kinglet.spark._learn import PartLearner, Place, use_isa_of
from kinglet.spark._model import KernelModel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming import DataStreamWriter

    from kinglet.spark._rows import Layout

_OF_FIT = ("rounds", "num_workers", "sample_rows", "validationIndicatorCol")  # parameters that a stream does not have
_STATE_SCHEMA = "batch bigint, rows bigint, labels_are_text boolean, model binary"


@dataclass(frozen=True)
class _State:
    folder: int  # 0 or 1
    batch: int
    rows: int
    labels_are_text: bool
    model: bytes


@dataclass(frozen=True)
class _BatchTask:
    """Continues a model with all rows of a micro-batch, in one task, and returns the next state."""

    batch: int
    rows_before: int
    model: bytes
    layout: Layout

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        model = Model.deserialize(self.model, "the state")
        use_isa_of(model)
        learner = PartLearner(model, self.layout)
        place = Place.of_task()
        features = model.stats()["features"] or None  # of a model that has learned nothing: those of the first row
        for batch in batches:
            rows = place.read(batch, self.layout, features)
            learner.learn(rows)
            features = model.stats()["features"]
        batch_number, rows_so_far, are_text, data = self.state(self.rows_before + learner.rows, model.serialize())
        yield pa.RecordBatch.from_pydict(
            {
                "batch": pa.array([batch_number], pa.int64()),
                "rows": pa.array([rows_so_far], pa.int64()),
                "labels_are_text": pa.array([are_text]),
                "model": pa.array([data], pa.binary()),
            }
        )

    def state(self, rows: int, model: bytes) -> tuple[int, int, bool, bytes]:
        """Return the next state, with the columns of _STATE_SCHEMA."""
        return self.batch, rows, self.layout.has_text_labels, model


class StreamLearner:
    """Learns a streaming DataFrame, micro-batch after micro-batch.

    >>> learner = StreamLearner(KernelClassifier(algo="bnewton"), "/checkpoints/clicks")     # doctest: +SKIP
    >>> query = learner.writer(stream).start()                                               # doctest: +SKIP
    >>> learner.model(spark).transform(rows)                                                 # doctest: +SKIP

    Parameters
    ----------
    learner : an estimator of kinglet.spark, or a model of `fit` that goes on learning
        Any algorithm that learns row by row can be used, also `algo="auto"`.
    checkpoint : folder for the checkpoint of the query and the state of the learner, on any file system that Spark can write to
    columns : parameters such as features_col and label_col, needed to go on with a model
    """

    def __init__(self, learner: KernelEstimator | KernelModel, checkpoint: str, **columns: Any) -> None:
        if isinstance(learner, KernelModel):
            self._estimator = _estimator_of(learner, columns)
            self._first: bytes | None = learner._data
        elif isinstance(learner, KernelEstimator):
            self._estimator = learner.copy().setParams(**columns)
            self._first = None
        else:
            raise Error(f"an estimator or a model of kinglet.spark is needed, not {type(learner).__name__}")
        for name in _OF_FIT:
            if self._estimator.hasParam(name) and self._estimator.isSet(name):
                raise Error(f"{name} is a parameter of fit: a stream is learned once, by one task, without validation")
        self.checkpoint = checkpoint

    def writer(self, stream: DataFrame) -> DataStreamWriter:
        """Return the writer of a query that learns this stream; `start()` starts it."""
        return stream.writeStream.foreachBatch(self).option("checkpointLocation", self.checkpoint)

    def __call__(self, batch: DataFrame, number: int) -> None:
        """Learn micro-batch `number`, unless it has been learned already."""
        session = batch.sparkSession
        state = self._state(session)
        if state is not None and number <= state.batch:
            return
        self._require_state_before(number, state)
        layout = self._estimator.layout(batch)
        model = self._begin(layout)
        if state is not None:
            self._require_same_options(model, state.model)
            model = state.model
        task = _BatchTask(number, state.rows if state else 0, model, layout)
        rows = batch.select(*layout.columns(batch)).coalesce(1)
        # A micro-batch without partitions runs no task: what is known stays.
        learned = rows.mapInArrow(task, _STATE_SCHEMA).collect() or [task.state(task.rows_before, model)]
        folder = 0 if state is None else 1 - state.folder
        written = session.createDataFrame(learned, _STATE_SCHEMA).coalesce(1)
        written.write.mode("overwrite").parquet(self._path(folder))

    def model(self, session: SparkSession) -> Any:
        """Return the model after the latest micro-batch."""
        state = self._state(session)
        if state is None:
            raise Error(f"{self.checkpoint}: nothing has been learned yet")
        return self._estimator._copyValues(self._estimator._model(state.model, state.labels_are_text))

    def rows(self, session: SparkSession) -> int:
        """Return how many rows have been learned."""
        state = self._state(session)
        return 0 if state is None else state.rows

    def _begin(self, layout: Layout) -> bytes:
        if self._first is not None:
            return self._first
        local = self._estimator.local()
        local._new_model()
        if layout.feature_names:
            local._model.name_features(layout.feature_names)
        return bytes(local._model.serialize())

    def _require_state_before(self, number: int, state: _State | None) -> None:
        learned = -1 if state is None else state.batch
        if learned < number - 1:
            raise Error(
                f"{self.checkpoint}: the state after micro-batch {number - 1} is missing, and Spark does not repeat that "
                "micro-batch: restore the folder kinglet, or begin again with another checkpoint"
            )

    def _require_same_options(self, begin: bytes, state: bytes) -> None:
        given = Model.deserialize(begin, "the model").requested_options
        learned = Model.deserialize(state, "the state").requested_options
        names = {option["name"]: option["parameter"] for option in options_of_task(registry(), learned["task"])}
        for name in sorted(given.keys() | learned.keys()):
            if given.get(name) != learned.get(name):
                raise Error(
                    f"{self.checkpoint}: the state was learned with {names.get(name, name)}={learned.get(name)}, "
                    f"not {given.get(name)}: give the same options, or another checkpoint"
                )

    def _path(self, folder: int) -> str:
        return f"{self.checkpoint.rstrip('/')}/kinglet/{folder}"

    def _state(self, session: SparkSession) -> _State | None:
        """Return the latest complete state."""
        found = []
        for folder in (0, 1):
            try:
                rows = session.read.schema(_STATE_SCHEMA).parquet(self._path(folder)).collect()
            except AnalysisException as error:
                if error.getCondition() != "PATH_NOT_FOUND":
                    raise
                continue  # it was not written yet
            found += [_State(folder, row.batch, row.rows, row.labels_are_text, bytes(row.model)) for row in rows]
        return max(found, key=lambda state: state.batch, default=None)


def _estimator_of(model: KernelModel, columns: dict[str, Any]) -> KernelEstimator:
    """Return an estimator with the columns of a model, to read rows for it."""
    if Model.deserialize(model._data, "the model").requested_options["algo"] == "fixed":
        raise Error("a model that was averaged or compressed cannot go on learning")
    (kind,) = (kind for kind in KernelEstimator.__subclasses__() if kind._model is type(model))
    return model._copyValues(kind()).setParams(**columns)
