"""Rows of a Spark DataFrame as arrays: which columns travel to Python, and how Arrow batches become what a model reads.

A vector column travels as the fields of its type (kind, size, indices, values), so that sparse vectors stay sparse. A list of
numeric columns travels as single-precision numbers; null is a missing value there, as NaN is everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark.ml.linalg import VectorUDT
from pyspark.sql import functions as sql
from pyspark.sql.types import ArrayType, BooleanType, NumericType, StringType

from kinglet._kinglet import Error

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import Column, DataFrame

_FEATURES, _LABEL, _WEIGHT = "features", "label", "weight"
_LARGEST = float(np.finfo(np.float32).max)
_DENSE = 1  # the field `type` of a dense vector


@dataclass(frozen=True)
class Layout:
    """Which columns of a DataFrame are features, label and weight. One name in `features` is a column of vectors or arrays."""

    features: str | tuple[str, ...]
    label: str | None = None
    weight: str | None = None
    label_kind: str = "number"  # or "class", a whole number, or "text"

    @property
    def has_text_labels(self) -> bool:
        return self.label_kind == "text"

    @property
    def feature_names(self) -> list[str]:
        """The names of the features; empty if they are in one column."""
        return [] if isinstance(self.features, str) else list(self.features)

    def columns(self, data: DataFrame) -> list[Column]:
        """Return the columns that travel to Python, with the names that `read` expects."""
        columns = self._feature_columns(data)
        if self.label is not None:
            kind = _type_of(data, self.label)
            if self.has_text_labels and not isinstance(kind, StringType):
                raise Error(f"the labels that the model knows are texts, but the column {self.label} has the type {kind.simpleString()}")
            if not self.has_text_labels:
                require_number(data, self.label)
            columns.append(sql.col(_quoted(self.label)).cast("string" if self.has_text_labels else "double").alias(_LABEL))
        if self.weight is not None:
            require_number(data, self.weight)
            columns.append(sql.col(_quoted(self.weight)).cast("double").alias(_WEIGHT))
        return columns

    def _feature_columns(self, data: DataFrame) -> list[Column]:
        if not isinstance(self.features, str):
            for name in self.features:
                require_number(data, name)
            return [sql.col(_quoted(name)).cast("float").alias(f"{_FEATURES}{i}") for i, name in enumerate(self.features)]
        kind = _type_of(data, self.features)
        column = sql.col(_quoted(self.features))
        if isinstance(kind, VectorUDT):
            return [sql.unwrap_udt(column).alias(_FEATURES)]
        if isinstance(kind, ArrayType) and isinstance(kind.elementType, NumericType):
            return [column.cast("array<float>").alias(_FEATURES)]
        raise Error(
            f"the column {self.features} has the type {kind.simpleString()}: features are a column of vectors or arrays of "
            "numbers, or a list of numeric columns"
        )


def kind_of_classes(data: DataFrame, label: str) -> str:
    """Return the kind of labels in a column of classes: "class" or "text"."""
    kind = _type_of(data, label)
    if not isinstance(kind, (StringType, NumericType, BooleanType)):
        raise Error(f"the label column {label} has the type {kind.simpleString()}: it must have numbers or texts")
    return "text" if isinstance(kind, StringType) else "class"


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _type_of(data: DataFrame, name: str) -> Any:
    for field in data.schema.fields:
        if field.name == name:
            return field.dataType
    raise Error(f"there is no column {name}; there are {', '.join(data.columns)}")


def require_number(data: DataFrame, name: str) -> None:
    """Raise Error unless there is such a column, of numbers or truth values."""
    kind = _type_of(data, name)
    if not isinstance(kind, (NumericType, BooleanType)):
        raise Error(f"the column {name} has the type {kind.simpleString()}, but numbers are needed")


class BadRow(Exception):
    """A row that cannot be read: its place in the batch, counted from 0, and what is wrong with it."""

    def __init__(self, row: int, problem: str) -> None:
        super().__init__(row, problem)
        self.row, self.problem = row, problem


@dataclass
class Rows:
    """The rows of a batch. `x` is an array, or the parts (data, indices, indptr, features) of a CSR matrix."""

    x: Any
    labels: NDArray[Any] | None
    weights: NDArray[np.float64] | None

    def __len__(self) -> int:
        return len(self.x[2]) - 1 if isinstance(self.x, tuple) else len(self.x)


def read(batch: pa.RecordBatch, layout: Layout, features: int | None = None) -> Rows:
    """Return the rows of a batch of the columns of `layout`. Raise BadRow for one that cannot be used.

    `features` is how many every row must have; None: as many as the first.
    """
    names = set(batch.schema.names)
    labels = _read_labels(batch.column(_LABEL), layout) if layout.label is not None else None
    weights = _read_weights(batch.column(_WEIGHT)) if layout.weight is not None else None
    if _FEATURES not in names:
        x = np.empty((batch.num_rows, len(layout.features)), np.float32)
        for i in range(x.shape[1]):
            x[:, i] = _numbers(batch.column(f"{_FEATURES}{i}"))
        return _finite(Rows(x, labels, weights))
    column = batch.column(_FEATURES)
    _refuse(_nulls(column), "the features are null")
    x = _read_vectors(column, features) if pa.types.is_struct(column.type) else _read_arrays(column, features)
    return _finite(Rows(x, labels, weights))


def _nulls(column: pa.Array) -> NDArray[np.bool_]:
    return column.is_null().to_numpy(zero_copy_only=False)


def _numbers(column: pa.Array) -> NDArray[Any]:
    """Return numbers, NaN for null."""
    return column.to_numpy(zero_copy_only=False)


def _refuse(bad: NDArray[np.bool_], problem: str) -> None:
    if bad.any():
        raise BadRow(int(np.argmax(bad)), problem)


def _read_labels(column: pa.Array, layout: Layout) -> NDArray[Any]:
    _refuse(_nulls(column), f"the label ({layout.label}) is null")
    labels = _numbers(column)
    if layout.has_text_labels:
        return labels.astype(str)
    _refuse(~np.isfinite(labels), f"the label ({layout.label}) is not a finite number")
    if layout.label_kind == "class":
        _refuse(labels != np.rint(labels), f"the label ({layout.label}) is not a whole number, as classes are")
    return labels


def _read_weights(column: pa.Array) -> NDArray[np.float64]:
    _refuse(_nulls(column), "the weight is null")
    weights = _numbers(column)
    _refuse(~((weights >= 0) & (weights <= _LARGEST)), "the weight is negative or not a finite number")
    return weights


def _lengths(column: pa.Array) -> NDArray[np.int64]:
    return np.diff(column.offsets.to_numpy()).astype(np.int64)


def _read_arrays(column: pa.Array, features: int | None) -> NDArray[np.float32]:
    lengths = _lengths(column)
    width = _width(lengths, features)
    return np.ascontiguousarray(_numbers(column.flatten()).reshape(len(lengths), width))


def _width(widths: NDArray[np.int64], features: int | None) -> int:
    """Return how many features each row has. They must have the same number."""
    if features is None:
        features = int(widths[0]) if len(widths) else 0
    wrong = widths != features
    if wrong.any():
        row = int(np.argmax(wrong))
        raise BadRow(row, f"there are {widths[row]} features instead of {features}")
    return features


def _read_vectors(column: pa.StructArray, features: int | None) -> Any:
    is_dense = _numbers(column.field("type")) == _DENSE
    values = column.field("values")
    lengths = _lengths(values)
    sizes = np.where(is_dense, lengths, np.nan_to_num(_numbers(column.field("size")))).astype(np.int64)
    width = _width(sizes, features)
    data = np.ascontiguousarray(_numbers(values.flatten()))
    if is_dense.all():
        return data.reshape(len(lengths), width)
    ends = np.concatenate([[0], np.cumsum(lengths)])
    indices = np.arange(len(data)) - np.repeat(ends[:-1], lengths)  # of dense rows
    indices[np.repeat(~is_dense, lengths)] = _numbers(column.field("indices").flatten())
    return data, indices.astype(np.int32), ends.astype(np.int64), width


def _finite(rows: Rows) -> Rows:
    """Refuse infinite values; NaN is a missing value."""
    values = rows.x[0] if isinstance(rows.x, tuple) else rows.x.ravel()
    too_large = np.abs(values) > _LARGEST
    if too_large.any():
        at = int(np.argmax(too_large))
        row = int(np.searchsorted(rows.x[2], at, side="right")) - 1 if isinstance(rows.x, tuple) else at // rows.x.shape[1]
        raise BadRow(row, f"a feature is {values[at]}, which is infinite or too large")
    return rows
