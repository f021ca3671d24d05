"""Data frames as records: columns of numbers, categories, texts and times of pandas, polars and Arrow.

`columns_of` gives each column as an array of numbers or a list of strings. The library decides which features they become, as
for files (`Records`).
"""

from __future__ import annotations

import datetime
import decimal
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kinglet._kinglet import Error, Records

if TYPE_CHECKING:
    from numpy.typing import NDArray

KINDS = ("number", "category", "text", "time", "ignore")
_LIBRARIES = {"pandas": ("DataFrame",), "polars": ("DataFrame",), "pyarrow": ("Table", "RecordBatch")}
_HEAD_ROWS = 1024  # rows that decide what a column is, as in files
_FEWEST_ROW_NUMBERS = 20
_NANOSECONDS = 1e9
_WHOLE_OF_POLARS = {"Boolean", *(f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64))}
_WANTED = "a column must have numbers, strings, categories or times"
_SCALARS = (str, bytes, bool, int, float, np.generic, decimal.Decimal, datetime.date, datetime.time)


class Column(NamedTuple):
    """A column of a data frame. `kind` is None where the values decide.

    Truth values and whole numbers keep their type, in a masked array, until it is known whether they are numbers or categories.
    """

    name: str
    kind: str | None
    values: NDArray[Any] | list[str | None]


def is_frame(X: Any) -> bool:
    """Whether X is a data frame of pandas or polars, or an Arrow table. Imports none of them."""
    return any(
        module in sys.modules and isinstance(X, tuple(getattr(sys.modules[module], name) for name in names))
        for module, names in _LIBRARIES.items()
    )


def columns_of(X: Any) -> list[Column]:
    """Return the columns of a data frame. Raises Error for a type that is no number, text or time."""
    columns = {"pandas": _of_pandas, "polars": _of_polars, "pyarrow": _of_arrow}[_library_of(X)](X)
    names = [column.name for column in columns]
    for name in names:
        if names.count(name) > 1:
            raise Error(f"two columns of X are called {name!r}")
    return columns


def are_vectors(X: Any, columns: Sequence[Column]) -> bool:
    """Whether all columns are numbers, and scikit-learn can read the frame: then its rows are vectors already."""
    return all(column.kind == "number" for column in columns) and _library_of(X) != "pyarrow"


def plan_records(
    columns: Sequence[Column], kinds: Mapping[str, str], category_values: int, text_features: int
) -> Records:
    """Plan the features of columns: from `kinds` that the user gives, their types and their first rows."""
    _check_kinds(columns, kinds)
    for name, number in (("category_values", category_values), ("text_features", text_features)):
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or not 1 <= number <= 1 << 20:
            raise Error(f"{name} is {number!r}: it must be an integer from 1 to {1 << 20}")
    ignored = [column.name for column in columns if kinds.get(column.name) == "ignore"]
    if any(column.kind != "number" for column in columns):
        ignored += [column.name for column in columns if column.name not in kinds and _counts_rows(column)]
    used = [
        _as_kind(column._replace(values=column.values[:_HEAD_ROWS]), kinds.get(column.name))
        for column in columns
        if column.name not in ignored
    ]
    return Records(used, ignored, int(category_values), int(text_features))


def encode(records: Records, columns: Sequence[Column], *, learning: bool) -> Any:
    """Return the rows of the columns, which may have any order, as a CSR matrix."""
    from scipy.sparse import csr_matrix

    given = {column.name: column for column in columns}
    lacking = [name for name in records.names if name not in given]
    if lacking:
        raise Error(f"X has no column {lacking[0]!r}, which the model was fitted with")
    known = {*records.names, *records.ignored}
    unknown = [name for name in given if name not in known]
    if unknown:
        raise Error(f"X has a column {unknown[0]!r}, which the model was not fitted with")
    used = [_as_kind(given[name], kind) for name, kind in zip(records.names, records.kinds)]
    data, indices, offsets, features = records.encode(used, learning)
    rows = len(columns[0].values)
    parts = (np.frombuffer(data, np.float32), np.frombuffer(indices, np.int32), np.frombuffer(offsets, np.int64))
    return csr_matrix(parts, shape=(rows, features))


def _check_kinds(columns: Sequence[Column], kinds: Mapping[str, str]) -> None:
    names = {column.name for column in columns}
    for name, kind in kinds.items():
        if name not in names:
            raise Error(f"columns names {name!r}, but X has no such column")
        if kind not in KINDS:
            raise Error(f"columns says that {name!r} is {kind!r}: it must be one of {', '.join(KINDS)}")


def _counts_rows(column: Column) -> bool:
    """Whether the first values are whole numbers that grow by one from row to row: they say nothing about other rows."""
    values = column.values[:_HEAD_ROWS]
    if not isinstance(values, np.ma.MaskedArray) or values.dtype.kind not in "iu" or len(values) < _FEWEST_ROW_NUMBERS:
        return False
    return not np.ma.getmaskarray(values).any() and bool((np.diff(values.astype(np.int64).data) == 1).all())


def _as_kind(column: Column, kind: str | None) -> Column:
    """Return the column with values that fit this kind: categories and texts are strings, everything else is a float64."""
    kind = kind or column.kind
    values = column.values
    if not isinstance(values, np.ndarray):
        return Column(column.name, kind, values)
    if kind in ("category", "text"):
        return Column(column.name, kind, [_number_text(value) for value in values.tolist()])
    return Column(column.name, kind, np.ma.filled(values.astype(np.float64), np.nan))


def _number_text(value: float | None) -> str | None:
    """Return a number as it is written in files: 1 rather than 1.0, True rather than 1. None: it is missing."""
    if value is None or value != value:
        return None
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _library_of(X: Any) -> str:
    return next(kind.__module__ for kind in type(X).__mro__ if kind.__module__.split(".")[0] in _LIBRARIES).split(".")[0]


# --- the three libraries -------------------------------------------------------------------------------------------------


def _of_pandas(X: Any) -> list[Column]:
    import pandas as pd
    from pandas.api import types

    def column(name: str, series: Any) -> Column:
        dtype = series.dtype
        if isinstance(dtype, pd.CategoricalDtype):
            return Column(name, "category", _texts(name, series.astype(object).array, series.isna()))
        if types.is_bool_dtype(dtype) or types.is_integer_dtype(dtype):
            plain = np.dtype(getattr(dtype, "numpy_dtype", getattr(dtype, "subtype", dtype)))
            missing = series.isna().to_numpy()
            fill = {"na_value": plain.type(0)} if missing.any() else {}
            return Column(name, "number", np.ma.array(series.to_numpy(dtype=plain, **fill), mask=missing))
        if types.is_numeric_dtype(dtype):
            if types.is_complex_dtype(dtype):
                raise _no_kind(name, dtype)
            return Column(name, "number", series.to_numpy(dtype=np.float64, na_value=np.nan))
        if types.is_datetime64_any_dtype(dtype):
            wall = series.dt.tz_localize(None) if series.dt.tz is not None else series
            return Column(name, "time", _seconds(wall.to_numpy(dtype="datetime64[ns]")))
        if types.is_timedelta64_dtype(dtype):
            return Column(name, "number", series.dt.total_seconds().to_numpy(dtype=np.float64))
        return Column(name, None, _texts(name, series.array, series.isna()))

    return [column(str(name), X.iloc[:, i]) for i, name in enumerate(X.columns)]


def _of_polars(X: Any) -> list[Column]:
    import polars as pl

    def column(series: Any) -> Column:
        name, dtype = series.name, series.dtype
        if str(dtype) in _WHOLE_OF_POLARS:
            filled = series.fill_null(False if dtype == pl.Boolean else 0)
            return Column(name, "number", np.ma.array(filled.to_numpy(), mask=series.is_null().to_numpy()))
        if dtype.is_numeric():
            return Column(name, "number", series.cast(pl.Float64).to_numpy())
        if dtype in (pl.Date, pl.Datetime):
            wall = series.dt.replace_time_zone(None) if getattr(dtype, "time_zone", None) else series
            return Column(name, "time", _seconds(wall.cast(pl.Datetime("ns")).to_numpy()))
        if dtype == pl.Duration:
            return Column(name, "number", series.dt.total_microseconds().cast(pl.Float64).to_numpy() / 1e6)
        if dtype in (pl.Categorical, pl.Enum):
            return Column(name, "category", series.cast(pl.String).to_list())
        if dtype == pl.String or dtype == pl.Null:
            return Column(name, None, series.cast(pl.String).to_list())
        raise _no_kind(name, dtype)

    return [column(series) for series in X.get_columns()]


def _of_arrow(X: Any) -> list[Column]:
    import pyarrow as pa
    from pyarrow import types

    def column(name: str, array: Any) -> Column:
        dtype = array.type
        if types.is_dictionary(dtype):
            plain = array.cast(dtype.value_type)
            if types.is_string(dtype.value_type) or types.is_large_string(dtype.value_type):
                return Column(name, "category", plain.to_pylist())
            return Column(name, "category", [None if value is None else str(value) for value in plain.to_pylist()])
        if types.is_boolean(dtype) or types.is_integer(dtype):
            filled = array.fill_null(False if types.is_boolean(dtype) else 0).to_numpy(zero_copy_only=False)
            return Column(name, "number", np.ma.array(filled, mask=array.is_null().to_numpy(zero_copy_only=False)))
        if types.is_floating(dtype) or types.is_decimal(dtype):
            return Column(name, "number", array.cast(pa.float64()).to_numpy(zero_copy_only=False).astype(np.float64))
        if types.is_timestamp(dtype) or types.is_date(dtype):
            return Column(name, "time", _seconds(array.cast(pa.timestamp("ns")).to_numpy(zero_copy_only=False)))
        if types.is_duration(dtype):
            seconds = array.cast(pa.duration("ns")).to_numpy(zero_copy_only=False).astype("timedelta64[ns]")
            return Column(name, "number", np.where(np.isnat(seconds), np.nan, seconds.astype(np.float64) / _NANOSECONDS))
        if types.is_string(dtype) or types.is_large_string(dtype) or types.is_null(dtype):
            return Column(name, None, array.to_pylist())
        raise _no_kind(name, dtype)

    chunked = [X.column(i) for i in range(X.num_columns)]
    return [
        column(name, values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values)
        for name, values in zip(X.schema.names, chunked)
    ]


# --- values --------------------------------------------------------------------------------------------------------------


def _seconds(times: NDArray[Any]) -> NDArray[np.float64]:
    """Seconds since 1970 on the clock of the place where the times were taken; NaN where there is none."""
    times = times.astype("datetime64[ns]")
    return np.where(np.isnat(times), np.nan, times.astype(np.int64) / _NANOSECONDS)


def _texts(name: str, values: Any, missing: Any) -> list[str | None]:
    texts: list[str | None] = []
    for row, (value, absent) in enumerate(zip(values, missing)):
        if not absent and not isinstance(value, _SCALARS):
            raise Error(f"column {name!r} of X has a {type(value).__name__} in row {row}: {_WANTED}")
        texts.append(None if absent else value.decode() if isinstance(value, bytes) else str(value))
    return texts


def _no_kind(name: str, dtype: Any) -> Error:
    return Error(f"column {name!r} of X has the type {dtype}: {_WANTED}")
