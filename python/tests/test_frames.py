"""Data frames with categories, texts, times and missing values: pandas, polars and Arrow."""

import datetime
import pickle
import os
import pathlib
import subprocess

import numpy as np
import pytest

import kinglet
from kinglet import KernelClassifier, KernelRegressor, NoveltyDetector

pd = pytest.importorskip("pandas")

ROWS = 600
ROOT = pathlib.Path(__file__).resolve().parents[2]
KINGLET = os.path.abspath(os.environ.get("KINGLET", ROOT / "build" / "kinglet"))


def trades(rows=ROWS, seed=1):
    """Records whose label depends on a number, a category, a word of a text and the time of day."""
    random = np.random.default_rng(seed)
    job = random.choice(["cook", "clerk", "pilot"], rows)
    words = random.choice(["late", "fine", "calm", "noisy", "windy", "quick", "dull", "bright"], (rows, 5))
    when = pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 400 * 24, rows), unit="h")
    frame = pd.DataFrame(
        {
            "age": random.normal(40, 10, rows).round(1),
            "job": job,
            "note": [" ".join(row) for row in words],
            "when": when,
            "member": random.random(rows) < 0.5,
        }
    )
    night = (frame["when"].dt.hour < 6).to_numpy()
    y = np.where((job == "pilot") ^ night, "yes", "no")
    return frame, y


def fitted(frame, y, **parameters):
    return KernelClassifier(random_state=0, **parameters).fit(frame, y)


# --- what columns are ------------------------------------------------------------------------------------------------


def test_kinds_come_from_types_and_values():
    frame, y = trades()
    assert fitted(frame, y).schema_ == {
        "age": "number",
        "job": "category",
        "note": "text",
        "when": "time",
        "member": "number",
    }


def test_records_are_learned():
    frame, y = trades(3000)
    model = fitted(frame[:2000], y[:2000])
    assert model.score(frame[2000:], y[2000:]) > 0.93
    numbers = fitted(frame[["age", "member"]][:2000], y[:2000])
    assert numbers.score(frame[["age", "member"]][2000:], y[2000:]) < 0.75


def test_the_user_decides():
    frame, y = trades()
    frame["code"] = np.arange(ROWS) % 7
    model = fitted(frame, y, columns={"code": "category", "note": "ignore", "job": "text"})
    assert model.schema_["code"] == "category" and model.schema_["note"] == "ignore" and model.schema_["job"] == "text"
    assert "code=3" in model.encoded_features_ and not any("note" in name for name in model.encoded_features_)
    model.predict(frame.drop(columns="note"))


def test_truth_values_and_whole_numbers_are_spelled_as_in_files():
    large = 2**53 + 1
    kinds = dict.fromkeys(["flag", "code", "maybe", "perhaps"], "category")
    frame = pd.DataFrame(
        {
            "flag": [True, False] * 10,
            "code": [large, 7] * 10,
            "maybe": pd.array([True, None, False, True] * 5, "boolean"),
            "perhaps": pd.array([large, None, 3, 3] * 5, "Int64"),
        }
    )
    expected = {"flag=True", "flag=False", f"code={large}", "code=7", "maybe=True", "maybe=False", f"perhaps={large}", "perhaps=3"}
    frames = [frame]
    polars, arrow = [pytest.importorskip(name) for name in ("polars", "pyarrow")]
    data = {name: [None if pd.isna(value) else value for value in frame[name].tolist()] for name in frame}
    frames += [polars.DataFrame(data), arrow.table(data)]
    for each in frames:
        model = fitted(each, np.arange(20) % 2, columns=kinds, algo="bpegasos")
        assert expected <= set(model.encoded_features_)
        assert not {"flag=1", "flag=0", "flag=1.0", f"code={large - 1}"} & set(model.encoded_features_)
    # As numbers they are what they were.
    numbers = fitted(frame.assign(word="a"), np.arange(20) % 2, columns={"word": "category"}, algo="bpegasos")
    floats = frame.astype({"flag": float, "code": float}).assign(
        maybe=frame["maybe"].astype("Float64"), perhaps=frame["perhaps"].astype("Float64"), word="a"
    )
    np.testing.assert_array_equal(
        numbers.decision_function(frame.assign(word="a")), numbers.decision_function(floats)
    )


def test_bounds_of_categories_and_texts():
    frame, y = trades()
    frame["city"] = [f"city {i % 50}" for i in range(ROWS)]
    kinds = {"city": "category", "note": "text"}
    small = fitted(frame[["city", "note"]], y, columns=kinds, category_values=10, text_features=16)
    large = fitted(frame[["city", "note"]], y, columns=kinds)
    assert sum("city=" in name for name in small.encoded_features_) == 10
    assert sum("city=" in name for name in large.encoded_features_) >= 50
    assert sum("note#" in name for name in small.encoded_features_) == 16


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"columns": {"agee": "number"}}, "columns names 'agee', but X has no such column"),
        ({"columns": {"age": "numbers"}}, "columns says that 'age' is 'numbers': it must be one of number, category"),
        ({"columns": {"job": "number"}}, "of column 'job' in row 0 of X is not a number"),
        ({"columns": {"job": "time"}}, "of column 'job' in row 0 of X is not a date"),
        ({"category_values": 0}, "category_values is 0"),
        ({"text_features": "many"}, "text_features is 'many'"),
        ({"columns": dict.fromkeys(["age", "job", "note", "when", "member"], "ignore")}, "X has no column to learn from"),
    ],
)
def test_bad_choices_are_refused(parameters, message):
    frame, y = trades(50)
    with pytest.raises(kinglet.Error) as error:
        fitted(frame, y, **parameters)
    assert message in str(error.value)


def test_columns_need_a_data_frame():
    with pytest.raises(kinglet.Error, match="X is not a data frame"):
        KernelClassifier(columns={"a": "number"}).fit(np.eye(4), [0, 1, 0, 1])


def test_types_that_are_no_value_are_refused():
    frame, y = trades(20)
    frame["list"] = [[1, 2]] * 20
    with pytest.raises(kinglet.Error, match="column 'list' of X has a list in row 0"):
        fitted(frame, y)
    frame["list"] = np.arange(20) * 1j
    with pytest.raises(kinglet.Error, match="column 'list' of X has the type complex128"):
        fitted(frame, y)
    twice = pd.concat([frame[["job"]], frame[["job"]]], axis=1)
    with pytest.raises(kinglet.Error, match="two columns of X are called 'job'"):
        fitted(twice, y)


# --- predicting ------------------------------------------------------------------------------------------------------


def test_columns_are_found_by_name():
    frame, y = trades()
    model = fitted(frame, y)
    other = frame[["when", "note", "member", "age", "job"]]
    np.testing.assert_array_equal(model.decision_function(frame), model.decision_function(other))


def test_other_columns_are_refused():
    frame, y = trades(100)
    model = fitted(frame, y)
    with pytest.raises(kinglet.Error, match="X has no column 'job', which the model was fitted with"):
        model.predict(frame.drop(columns="job"))
    with pytest.raises(kinglet.Error, match="X has a column 'more', which the model was not fitted with"):
        model.predict(frame.assign(more=1))
    with pytest.raises(kinglet.Error, match="X must be a data frame, too"):
        model.predict(np.zeros((1, 5)))


def test_new_values_and_missing_values_are_no_error():
    frame, y = trades()
    frame.loc[frame.index % 9 == 0, ["age", "job", "note", "when"]] = None
    model = fitted(frame, y)
    strange = frame[:5].copy()
    strange["job"] = ["astronaut", None, "", "cook", "pilot"]
    assert np.isfinite(model.decision_function(strange)).all()
    assert "job=?" in model.encoded_features_ or any("?" in name for name in model.encoded_features_)


def test_a_value_that_does_not_fit_names_its_place():
    frame, y = trades(100)
    model = fitted(frame, y)
    wrong = frame.astype({"age": object})
    wrong.loc[7, "age"] = "old"
    with pytest.raises(kinglet.Error, match="value 'old' of column 'age' in row 7 of X is not a number"):
        model.predict(wrong)


# --- the same from everywhere ----------------------------------------------------------------------------------------


def other_frames(frame):
    pl = pytest.importorskip("polars")
    pa = pytest.importorskip("pyarrow")
    return {"polars": pl.from_pandas(frame), "arrow": pa.Table.from_pandas(frame, preserve_index=False)}


@pytest.mark.parametrize("library", ["polars", "arrow"])
def test_polars_and_arrow_give_the_model_of_pandas(library):
    frame, y = trades()
    frame.loc[3, "age"] = None
    frame.loc[5, "job"] = None
    frame["kind"] = pd.Categorical(np.where(np.arange(ROWS) % 3 == 0, "a", "b"))
    frame["age_of_account"] = pd.to_timedelta(np.arange(ROWS), unit="s")
    other = other_frames(frame)[library]
    model = fitted(frame, y)
    assert fitted(other, y)._model.serialize() == model._model.serialize()
    np.testing.assert_array_equal(model.decision_function(other), model.decision_function(frame))


def test_numeric_arrow_tables_and_polars_frames():
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(200, 3)), columns=list("abc"))
    y = (frame["a"] * frame["b"] > 0).to_numpy()
    for other in other_frames(frame).values():
        model = fitted(other, y)
        assert list(model.feature_names_in_) == ["a", "b", "c"]
        assert model.score(other, y) > 0.8


def test_the_command_reads_the_same_records(tmp_path):
    frame, y = trades()
    frame["when"] = frame["when"].dt.strftime("%Y-%m-%dT%H:%M:%S")
    model = fitted(frame.assign(when=pd.to_datetime(frame["when"])), y)
    model.save(tmp_path / "model.kinglet")
    frame.drop(columns="member").assign(member=frame["member"].astype(int)).to_csv(tmp_path / "rows.csv", index=False)
    run = subprocess.run(
        [KINGLET, "predict", str(tmp_path / "rows.csv"), "-m", str(tmp_path / "model.kinglet"), "--label-column", "none"],
        capture_output=True,
        text=True,
    )
    assert run.stderr == ""
    assert run.stdout.split() == list(model.predict(frame.assign(when=pd.to_datetime(frame["when"]))))


def test_times_are_those_of_the_clock():
    when = pd.Series(pd.date_range("2024-01-01", periods=300, freq="h"))
    y = (when.dt.hour >= 12).to_numpy()
    plain = fitted(pd.DataFrame({"when": when}), y)
    zoned = fitted(pd.DataFrame({"when": when.dt.tz_localize("Asia/Tokyo")}), y)
    assert plain.score(pd.DataFrame({"when": when}), y) > 0.95
    assert zoned._model.serialize() == plain._model.serialize()
    dates = pd.DataFrame({"when": [datetime.date(2024, 1, 1) + datetime.timedelta(days=i) for i in range(300)]})
    assert fitted(dates, y).schema_ == {"when": "time"}


def test_a_model_of_one_month_predicts_the_next():
    def visits(month, seed):
        random = np.random.default_rng(seed)
        when = pd.Timestamp(f"2024-{month:02}-01") + pd.to_timedelta(np.arange(1500) % 28 * 24 + random.integers(0, 24, 1500), unit="h")
        shop = random.choice(["north", "web"], 1500)
        return pd.DataFrame({"when": when, "shop": shop}), (shop == "web") == (when.hour >= 18)

    model = fitted(*visits(5, 1))
    for month in (6, 8, 12):
        assert model.score(*visits(month, 2)) > 0.9, month


def test_words_for_missing_values_and_row_numbers():
    frame, y = trades(100)
    frame["job"] = frame["job"].where(frame.index % 4 > 0, "NULL")
    frame["number"] = np.arange(1000, 1100)
    model = fitted(frame, y)
    assert "job=?" in model.encoded_features_ and "job=NULL" not in model.encoded_features_
    assert model.schema_["number"] == "ignore"
    np.testing.assert_array_equal(model.decision_function(frame), model.decision_function(frame.assign(number=7)))
    assert fitted(frame, y, columns={"number": "number"}).schema_["number"] == "number"


# --- the life of a model ---------------------------------------------------------------------------------------------


def test_partial_fit_learns_new_values():
    frame, y = trades(400)
    model = KernelClassifier(random_state=0)
    model.partial_fit(frame[:200], y[:200], classes=["no", "yes"])
    later = frame[200:].assign(job="baker")
    assert "job=baker" not in model.encoded_features_
    model.partial_fit(later, y[200:])
    assert "job=baker" in model.encoded_features_
    assert model.facts_["examples"] == 400


def test_models_are_saved_pickled_and_loaded(tmp_path):
    frame, y = trades()
    model = fitted(frame, y, columns={"note": "ignore"})
    scores = model.decision_function(frame)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).decision_function(frame), scores)
    model.save(tmp_path / "m")
    loaded = KernelClassifier.load(tmp_path / "m")
    np.testing.assert_array_equal(loaded.decision_function(frame), scores)
    assert loaded.schema_ == model.schema_ and loaded.n_features_in_ == 5


def test_a_failed_fit_leaves_nothing_behind():
    frame, y = trades(100)
    model = KernelClassifier(random_state=0)
    with pytest.raises(ValueError):
        model.fit(frame, y[:50])
    assert model.fit(np.eye(100), y).n_features_in_ == 100


def test_other_tasks():
    frame, y = trades()
    target = np.where(y == "yes", 3.0, 1.0)
    assert KernelRegressor(random_state=0).fit(frame, target).score(frame, target) > 0.7
    detector = NoveltyDetector(random_state=0).fit(frame)
    assert set(detector.predict(frame)) <= {-1, 1}


def test_vectors_have_no_schema():
    model = KernelClassifier(random_state=0).fit(np.eye(10), np.arange(10) % 2)
    with pytest.raises(AttributeError, match="fitted with a data frame of records"):
        model.schema_  # noqa: B018
