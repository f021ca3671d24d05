"""Arrow batches of kinglet.spark as rows: what they contain, and which ones are refused. Needs no Java."""

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")
pytest.importorskip("pyspark")

import kinglet
from kinglet.spark._rows import BadRow, Layout, read
from kinglet.spark._stream import _BatchTask

COLUMNS = Layout(("x", "y"), "label", "weight", "class")
VECTORS = Layout("v")
DENSE, SPARSE = 1, 0
VECTOR = pa.struct([("type", pa.int8()), ("size", pa.int32()), ("indices", pa.list_(pa.int32())), ("values", pa.list_(pa.float64()))])


def columns(x=(1.0, 2.0), y=(3.0, 4.0), label=(0.0, 1.0), weight=(1.0, 2.0)):
    names = {"features0": pa.float32(), "features1": pa.float32(), "label": pa.float64(), "weight": pa.float64()}
    return pa.RecordBatch.from_arrays([pa.array(v, t) for v, t in zip((x, y, label, weight), names.values())], list(names))


def vectors(*rows):
    return pa.RecordBatch.from_arrays([pa.array(rows, VECTOR)], ["features"])


def dense(*values):
    return {"type": DENSE, "size": None, "indices": None, "values": values}


def sparse(size, **entries):
    return {"type": SPARSE, "size": size, "indices": [int(i[1:]) for i in entries], "values": list(entries.values())}


def test_columns():
    rows = read(columns(x=(1.0, None)), COLUMNS)
    assert np.array_equal(rows.x, np.array([[1, 3], [np.nan, 4]], np.float32), equal_nan=True)
    assert rows.labels.tolist() == [0, 1] and rows.weights.tolist() == [1, 2] and len(rows) == 2


def test_vectors():
    assert read(vectors(dense(1, 2), dense(3, 4)), VECTORS).x.tolist() == [[1, 2], [3, 4]]
    for batch in (
        vectors(sparse(4, _1=5.0, _3=6.0), sparse(4), sparse(4, _0=7.0)),
        vectors(sparse(4, _1=5.0, _3=6.0), dense(0, 0, 0, 0), dense(7, 0, 0, 0)),
        vectors(dense(9, 9, 9, 9), sparse(4, _1=5.0, _3=6.0), sparse(4), dense(7, 0, 0, 0)).slice(1),
    ):
        data, indices, ends, width = read(batch, VECTORS, 4).x
        table = np.zeros((3, width))
        for row in range(3):
            table[row, indices[ends[row] : ends[row + 1]]] = data[ends[row] : ends[row + 1]]
        assert table.tolist() == [[0, 5, 0, 6], [0, 0, 0, 0], [7, 0, 0, 0]]
    assert len(read(vectors(), VECTORS, 4)) == 0


def test_arrays_and_slices():
    batch = pa.RecordBatch.from_arrays([pa.array([[1, 2], [3, None], [5, 6]], pa.list_(pa.float32()))], ["features"])
    rows = read(batch.slice(1), VECTORS)
    assert np.array_equal(rows.x, [[3, np.nan], [5, 6]], equal_nan=True)


def test_texts():
    batch = pa.RecordBatch.from_arrays([pa.array([[1.0]], pa.list_(pa.float32())), pa.array(["so"])], ["features", "label"])
    assert read(batch, Layout("v", "label", None, "text")).labels.tolist() == ["so"]


@pytest.mark.parametrize(
    ("batch", "layout", "problem"),
    [
        (columns(label=(1.0, None)), COLUMNS, "the label (label) is null"),
        (columns(label=(1.0, np.nan)), COLUMNS, "the label (label) is not a finite number"),
        (columns(label=(1.0, 0.5)), COLUMNS, "the label (label) is not a whole number, as classes are"),
        (columns(weight=(0.0, None)), COLUMNS, "the weight is null"),
        (columns(weight=(0.0, -1.0)), COLUMNS, "the weight is negative or not a finite number"),
        (columns(weight=(0.0, np.nan)), COLUMNS, "the weight is negative or not a finite number"),
        (columns(y=(0.0, -np.inf)), COLUMNS, "a feature is -inf, which is infinite or too large"),
        (vectors(dense(1, 2), None), VECTORS, "the features are null"),
        (vectors(dense(1, 2), dense(1)), VECTORS, "there are 1 features instead of 2"),
        (vectors(dense(1, 2), sparse(3)), VECTORS, "there are 3 features instead of 2"),
        (vectors(sparse(2), sparse(2, _1=1e300)), VECTORS, "a feature is 1e+300, which is infinite or too large"),
        (vectors(dense(1, 2), dense(np.nan, np.inf)), VECTORS, "a feature is inf, which is infinite or too large"),
    ],
)
def test_bad_rows(batch, layout, problem):
    with pytest.raises(BadRow) as bad:
        read(batch, layout)
    assert (bad.value.row, bad.value.problem) == (1, problem)


def labelled(*rows):
    features = pa.array([dense(*row) for row in rows], VECTOR)
    return pa.RecordBatch.from_arrays([features, pa.array([float(i % 2) for i in range(len(rows))])], ["features", "label"])


def test_a_stream_keeps_its_number_of_features():
    layout = Layout("v", "label", None, "class")
    new = kinglet.KernelClassifier(algo="bpegasos", budget=4)
    new._new_model()
    (state,) = _BatchTask(0, 0, new._model.serialize(), layout)([labelled((1, 2), (3, 4))])
    model = state["model"][0].as_py()
    (state,) = _BatchTask(1, 2, model, layout)([labelled((5, 6)), labelled((7, 8))])
    assert state["rows"][0].as_py() == 4
    for row in ((1,), (1, 2, 3)):
        with pytest.raises(kinglet.Error, match=f"partition 0, row 1: there are {len(row)} features instead of 2"):
            list(_BatchTask(1, 2, model, layout)([labelled(row)]))
