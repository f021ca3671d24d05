"""The models: they predict columns of a DataFrame, convert to estimators of kinglet and back, and are saved and loaded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark.ml import Model as SparkModel
from pyspark.ml.functions import array_to_vector
from pyspark.ml.util import DefaultParamsReader, DefaultParamsWriter, MLReadable, MLReader, MLWritable, MLWriter
from pyspark.sql import functions as sql

import kinglet
from kinglet._kinglet import Error, Model
from kinglet.spark._learn import ScoreTask, numbers_of
from kinglet.spark._params import ClassPredictionParams, NoveltyPredictionParams, PredictionParams
from kinglet.spark._rows import Layout

if TYPE_CHECKING:
    import sys
    from pyspark.sql import Column, DataFrame

    from kinglet._estimator import KernelEstimator
    from kinglet.spark._summary import Summary

    if sys.version_info >= (3, 11):
        from typing import Self
    else:
        from typing_extensions import Self


class KernelModel(SparkModel, PredictionParams, MLReadable, MLWritable):
    """A kinglet model that predicts columns of a DataFrame."""

    _local: type[KernelEstimator]
    summary: Summary | None = None  # of fit; a model that was loaded has none

    def __init__(self, data: bytes = b"", labels_are_text: bool = False, **columns: Any) -> None:
        """`data` are the bytes of a model file. Models come from `fit`, `load` or `from_local`."""
        super().__init__()
        self._data = bytes(data)
        self._labels_are_text = labels_are_text
        self.setParams(**columns)

    # --- to and from kinglet -----------------------------------------------------------------------------------------

    def to_local(self) -> Any:
        """Return the same model as an estimator of kinglet, which predicts arrays."""
        return self._local._from_model(Model.deserialize(self._data, "the model"), "the model")

    @classmethod
    def from_local(cls, estimator: KernelEstimator, **columns: Any) -> Self:
        """Return a model for DataFrames from a fitted estimator of kinglet. `columns` are parameters, such as features_col."""
        if not isinstance(estimator, cls._local):
            raise Error(f"{cls.__name__} needs a fitted {cls._local.__name__} of kinglet, not {type(estimator).__name__}")
        if "_model" not in estimator.__dict__:
            raise Error(f"the {cls._local.__name__} is not fitted")
        classes = getattr(estimator, "classes_", np.empty(0))
        return cls(estimator._model.serialize(), np.asarray(classes).dtype.kind in "USO", **columns)

    @property
    def numFeatures(self) -> int:
        """The number of features."""
        return int(Model.deserialize(self._data, "the model").stats()["features"])

    # --- predicting --------------------------------------------------------------------------------------------------

    def _outputs(self) -> dict[str, tuple[str, str]]:
        """Return the columns to add: what is computed for each (a field of ScoreTask), and its type."""
        column = self.column("predictionCol")
        return {} if column is None else {column: ("prediction", "string" if self._labels_are_text else "double")}

    def _transform(self, dataset: DataFrame) -> DataFrame:
        outputs = self._outputs()
        if not outputs:
            return dataset
        layout = Layout(self.features())
        if layout.feature_names and len(layout.feature_names) != self.numFeatures:
            raise Error(f"features_col has {len(layout.feature_names)} columns, but the model has {self.numFeatures} features")
        wanted = dict(outputs.values())
        schema = ", ".join(f"{name} {kind}" for name, kind in wanted.items())
        task = ScoreTask(self._data, layout, self._labels_are_text, tuple(wanted))
        scores = _as_function(task, schema)(sql.struct(*layout.columns(dataset)))
        field = _unused_name([*dataset.columns, *outputs])
        scored = dataset.withColumn(field, scores)
        for column, (name, kind) in outputs.items():
            value: Column = sql.col(f"{field}.{name}")
            scored = scored.withColumn(column, array_to_vector(value) if kind.startswith("array") else value)
        return scored.drop(field)

    # --- files -------------------------------------------------------------------------------------------------------

    def write(self) -> MLWriter:
        """Return a writer for `save`."""
        return _ModelWriter(self)

    @classmethod
    def read(cls) -> MLReader:
        """Return a reader for `load`."""
        return _ModelReader(cls)


def _unused_name(names: list[str]) -> str:
    """Return a name for a column that is none of these, whether upper and lower case differ or not."""
    used = {name.lower() for name in names}
    name = "_kinglet"
    while name in used:
        name += "_"
    return name


def _as_function(task: ScoreTask, schema: str) -> Any:
    """Return a function of a struct column that runs `task` on its batches."""

    def score(batches):  # type: ignore[no-untyped-def]
        yield from task(batches)

    # Spark reads from them that the function takes all batches of a task.
    score.__annotations__ = {"batches": Iterator[pa.Array], "return": Iterator[pa.Array]}
    return sql.arrow_udf(score, schema)


class KernelClassifierModel(KernelModel, ClassPredictionParams):
    """A classifier that was fitted by KernelClassifier.

    `prediction_col` gets the class, a number or a text like the labels. `raw_prediction_col` and `probability_col` get vectors
    with a score and a probability for each class in `classes`. An empty name leaves the column out.
    """

    _local = kinglet.KernelClassifier

    @property
    def classes(self) -> list[Any]:
        """The classes in the order of the vectors: increasing."""
        texts = Model.deserialize(self._data, "the model").labels
        return sorted(numbers_of(texts, self._labels_are_text).tolist())

    @property
    def numClasses(self) -> int:
        """The number of classes."""
        return len(self.classes)

    def to_local(self) -> kinglet.KernelClassifier:
        """Return the same model as a kinglet.KernelClassifier, which predicts arrays."""
        local: kinglet.KernelClassifier = super().to_local()
        if self._labels_are_text:
            local.classes_ = np.array(local._model.labels)
        return local

    def _outputs(self) -> dict[str, tuple[str, str]]:
        outputs = super()._outputs()
        if (raw := self.column("rawPredictionCol")) is not None:
            outputs[raw] = ("raw", "array<double>")
        if (probability := self.column("probabilityCol")) is not None and self._gives_probabilities():
            outputs[probability] = ("probability", "array<double>")
        return outputs

    def _gives_probabilities(self) -> bool:
        """A batch algorithm, or an average of models, has scores only."""
        return Model.deserialize(self._data, "the model").options.get("proba") == "true"


class KernelRegressorModel(KernelModel):
    """A regressor that was fitted by KernelRegressor. `prediction_col` gets a number."""

    _local = kinglet.KernelRegressor


class NoveltyDetectorModel(KernelModel, NoveltyPredictionParams):
    """A detector that was fitted by NoveltyDetector.

    `prediction_col` gets 1 for normal and -1 for novel rows. `raw_prediction_col` gets a vector of two scores, the second the
    higher, the more normal the row is.
    """

    _local = kinglet.NoveltyDetector

    def _outputs(self) -> dict[str, tuple[str, str]]:
        outputs = super()._outputs()
        if (raw := self.column("rawPredictionCol")) is not None:
            outputs[raw] = ("raw", "array<double>")
        return outputs


class _ModelWriter(MLWriter):
    def __init__(self, model: KernelModel) -> None:
        super().__init__()
        self._model = model

    def saveImpl(self, path: str) -> None:
        session = self.sparkSession
        DefaultParamsWriter.saveMetadata(
            self._model, path, session, extraMetadata={"labels_are_text": self._model._labels_are_text}
        )
        data = session.createDataFrame([(bytearray(self._model._data),)], "model binary")
        data.coalesce(1).write.parquet(f"{path}/data")


class _ModelReader(MLReader):
    def __init__(self, kind: type[KernelModel]) -> None:
        super().__init__()
        self._kind = kind

    def load(self, path: str) -> Any:
        session = self.sparkSession
        metadata = DefaultParamsReader.loadMetadata(path, session)
        if not metadata["class"].endswith("." + self._kind.__name__):
            raise Error(f"{path}: this is a {metadata['class'].rsplit('.', 1)[-1]}, not a {self._kind.__name__}")
        (row,) = session.read.parquet(f"{path}/data").collect()
        model = self._kind(bytes(row.model), metadata["labels_are_text"])
        model._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(model, metadata)
        return model
