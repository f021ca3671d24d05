"""Tests of the estimators beyond scikit-learn's own checks: data of all kinds, streams, files, threads, Ctrl-C."""

import copy
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_svmlight_file, make_blobs, make_friedman1, make_moons
from sklearn.exceptions import NotFittedError
from sklearn.metrics import brier_score_loss

import kinglet
from kinglet import Error, KernelClassifier, KernelRegressor, NoveltyDetector
from kinglet._kinglet import complete_options
from kinglet._options import options_of_task

ESTIMATORS = [KernelClassifier, KernelRegressor, NoveltyDetector]
FIXTURES = pathlib.Path(__file__).parents[2] / "tests" / "fixtures" / "models"


def blobs(rows=600, classes=3, kind=np.float64):
    X, y = make_blobs(rows, centers=classes, n_features=4, random_state=3, cluster_std=2.0)
    return X.astype(kind), y


def fitted(estimator, X=None):
    X, y = (blobs()[0] if X is None else X), blobs()[1]
    return estimator(random_state=0).fit(X, y)


# --- what it learns ---------------------------------------------------------------------------------------------------


def test_learns_what_no_line_separates(moons):
    X, y, X_test, y_test = moons
    assert KernelClassifier(random_state=0).fit(X, y).score(X_test, y_test) > 0.95


def test_stays_inside_its_budget(moons):
    X, y, *_ = moons
    model = KernelClassifier(budget=20, random_state=0).fit(X, y)
    assert model.support_vectors_.shape == (20, 2)
    assert model.dual_coef_.shape == (1, 20)
    assert model.facts_["support_vectors"] == 20


def test_scores_are_the_sum_over_support_vectors(moons):
    X, y, X_test, _ = moons
    model = KernelClassifier(algo="bpegasos", budget=50, scale="none", gamma=2.0, random_state=0).fit(X, y)
    distances = ((X_test[:, None, :] - model.support_vectors_[None]) ** 2).sum(axis=2)
    expected = np.exp(-2.0 * distances) @ model.dual_coef_[0]
    assert np.allclose(model.decision_function(X_test), expected, atol=1e-3 * np.abs(expected).max())


def test_support_vectors_are_in_the_units_of_the_data():
    X, y = blobs()
    X = X * [1, 10, 100, 1000] + 5000
    vectors = KernelClassifier(budget=30, budget_rule="oldest", random_state=0, passes=1).fit(X, y).support_vectors_
    nearest = np.abs(vectors[:, None, :] - X[None]).max(axis=2).min(axis=1)
    assert nearest.max() < 1


# The package cannot train svm: see test_svm_is_part_of_the_command and test_models_of_svm_predict_but_do_not_learn.
@pytest.mark.parametrize("algo", [a["name"] for a in kinglet.algorithms()["algorithms"] if a["name"] != "svm"])
def test_every_algorithm(algo):
    X, y = blobs(150, 2)
    model = KernelClassifier(algo=algo, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.7
    assert pickle.loads(pickle.dumps(model)).decision_function(X) == pytest.approx(model.decision_function(X))


def test_learns_numbers():
    X, y = make_friedman1(2000, random_state=0)
    model = KernelRegressor(update="pa2", C=0.1, random_state=0).fit(X[:1500], y[:1500])
    assert model.score(X[1500:], y[1500:]) > 0.8


def prices(rows):
    random = np.random.default_rng(0)
    a, b, c = X = random.uniform(-2, 2, (3, rows))
    return X.T, 3e5 + 5e4 * (np.sin(2 * a) + b**2 / 2 - c / 2) / 1.2 + 5e3 * random.normal(size=rows)


@pytest.mark.parametrize("unit, offset", [(1, 0), (1e-6, 0), (1e6, 0), (1, 1e4)])
@pytest.mark.parametrize("make", [prices, lambda rows: make_friedman1(rows, noise=1.0, random_state=0)])
def test_regression_works_untouched_in_any_unit(make, unit, offset):
    X, y = make(24000)
    y = y * unit + offset
    model = KernelRegressor(random_state=0).fit(X[:20000], y[:20000])
    assert model.score(X[20000:], y[20000:]) > 0.9
    assert len(model.support_vectors_) == model.dual_coef_.shape[1]
    model = KernelRegressor(algo="bpa-m", random_state=0).fit(X[:20000], y[:20000])
    assert model.score(X[20000:], y[20000:]) > 0.9
    vectors, coefficients = model.support_vectors_, model.dual_coef_
    assert len(vectors) == coefficients.shape[1] and 0 < np.abs(coefficients).max() < 100 * y.std()


def test_targets_can_be_learned_as_they_are():
    X, y = prices(2000)
    assert KernelRegressor(algo="bpa-m", target_scale="none", random_state=0).fit(X, y).score(X, y) < 0


def test_feature_importances_find_the_columns_that_matter():
    X, y = make_friedman1(4000, n_features=10, noise=0.1, random_state=0)  # five of ten columns matter
    model = KernelRegressor(algo="bpegasos", metric="learned", budget=100, random_state=0).fit(X, y)
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert model.feature_importances_[:5].min() > model.feature_importances_[5:].max()
    assert not hasattr(KernelRegressor(random_state=0, algo="bpa-m").fit(X, y), "feature_importances_")
    with pytest.raises(AttributeError, match='metric="learned"'):
        _ = KernelRegressor(random_state=0, algo="bpa-m").fit(X, y).feature_importances_


def test_error_bars_cover_as_many_residuals_as_they_should():
    X, y = make_friedman1(8000, noise=1.0, random_state=0)
    model = KernelRegressor(algo="bnewton", budget=200, random_state=0).fit(X[:6000], y[:6000])
    numbers, deviations = model.predict(X[6000:], return_std=True)
    assert np.array_equal(numbers, model.predict(X[6000:]))
    assert np.mean(np.abs(numbers - y[6000:]) < deviations) == pytest.approx(0.68, abs=0.06)
    with pytest.raises(Error, match="no standard deviations"):
        KernelRegressor(algo="bpa-m", random_state=0).fit(X, y).predict(X, return_std=True)


def test_finds_what_is_novel(random):
    X = random.normal(size=(3000, 3))
    model = NoveltyDetector(nu=0.1, random_state=0).fit(X)
    assert 0.02 < np.mean(model.predict(X) == -1) < 0.25
    assert np.all(model.predict(X[:50] + 20) == -1)
    labels = np.r_[np.ones(50), -np.ones(50)]
    assert model.score(np.r_[X[:50], X[:50] + 20], labels) > 0.85


def test_probabilities_can_be_trusted(moons):
    X, y, X_test, y_test = moons
    model = KernelClassifier(algo="bpegasos", random_state=0).fit(X, y)
    probabilities = model.predict_proba(X_test)
    assert brier_score_loss(y_test, probabilities[:, 1]) < 0.06
    assert np.array_equal(model.classes_[probabilities.argmax(axis=1)], model.predict(X_test))


def test_no_probabilities_where_there_are_none():
    X, y = blobs(100, 2)
    model = KernelClassifier(algo="svmr")
    assert not hasattr(model, "predict_proba")
    assert not hasattr(model.fit(X, y), "predict_proba")


# --- data -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_all_forms_of_the_same_rows_give_the_same_model(estimator):
    X, y = blobs(kind=np.float32)
    frame = pd.DataFrame(X, columns=list("abcd"))
    expected = estimator(random_state=0).fit(X, y).predict(X)
    for rows in (X.astype(np.float64), np.asfortranarray(X), X.tolist(), frame):
        assert np.array_equal(estimator(random_state=0).fit(rows, y).predict(rows), expected)
    sparse = [estimator(random_state=0, scale="none").fit(rows, y).predict(rows) for rows in (X, sp.csr_matrix(X))]
    assert np.array_equal(*sparse)


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_sparse_rows_of_all_types(shuffle, kind, index, random):
    X = sp.random(500, 40, 0.1, format="csr", random_state=0, dtype=kind)
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    y = random.integers(0, 2, 500)
    options = {"random_state": 0, "shuffle": shuffle, "scale": "none"}
    dense = KernelClassifier(**options).fit(X.toarray(), y)
    assert np.array_equal(KernelClassifier(**options).fit(X, y).predict(X), dense.predict(X.toarray()))


def test_sparse_rows_with_a_column_twice_and_out_of_order():
    X = sp.csr_matrix((np.array([1.0, 2.0, 3.0, 4.0]), np.array([2, 0, 0, 1]), np.array([0, 3, 4])), shape=(2, 3))
    before = X.indices.copy()
    model = NoveltyDetector(random_state=0, scale="none").fit(X)
    assert np.array_equal(X.indices, before)
    assert np.array_equal(model.decision_function(X), model.decision_function(X.toarray()))


def test_names_of_columns():
    X, y = blobs()
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    model = KernelClassifier(random_state=0).fit(frame, y)
    assert model.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["b", "a", "c", "d"]])
    with pytest.warns(UserWarning, match="feature names"):
        model.predict(X)


def test_names_of_columns_are_in_the_model_file(tmp_path):
    X, y = blobs()
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    path = tmp_path / "m.kinglet"
    fitted = KernelClassifier(random_state=0).fit(frame, y)
    partly = KernelClassifier(random_state=0).partial_fit(frame, y)
    for model in fitted, partly, kinglet.compress(fitted, 5):
        model.save(path)
        header = path.read_bytes()[28:]
        assert json.JSONDecoder().raw_decode(header.decode("latin-1"))[0]["columns"] == {"features": ["a", "b", "c", "d"]}
        loaded = KernelClassifier.load(path)
        assert loaded.feature_names_in_.tolist() == ["a", "b", "c", "d"]
        assert np.array_equal(loaded.predict(frame), model.predict(frame))
        with pytest.raises(ValueError, match="feature names"):
            loaded.predict(frame[["b", "a", "c", "d"]])
    KernelClassifier(random_state=0).fit(X, y).save(path)
    assert not hasattr(KernelClassifier.load(path), "feature_names_in_")


def test_rows_are_not_copied():
    code = """
import numpy as np, resource
from kinglet import KernelClassifier
draw = np.random.default_rng(0)
X = draw.random((200_000, 100), dtype=np.float32)
y = draw.integers(0, 2, len(X))
KernelClassifier(budget=5, passes=1, shuffle={shuffle}).fit(X[:2000], y[:2000]).predict(X[:2000])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
KernelClassifier(budget=5, passes=1, shuffle={shuffle}).fit(X, y).predict(X)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    for shuffle in (False, True):
        command = [sys.executable, "-c", code.format(shuffle=shuffle)]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        assert int(run.stdout) < 16 * 1024  # KiB; the rows take 76 MiB


def test_missing_values_are_taken_and_infinite_ones_are_not():
    X, y = blobs()
    X[5, 1] = np.nan
    model = KernelClassifier(random_state=0).fit(X, y)
    assert model.score(X, y) > 0.8
    X[7, 2] = np.inf
    with pytest.raises(Error, match="infinity.*row 7, feature 2"):
        model.fit(X, y)
    with pytest.raises(Error, match="infinity.*row 0, feature 2"):
        model.predict(X[7:8])
    with pytest.raises(Error, match="too large"):
        model.predict(np.full((1, 4), 1e300))


@pytest.mark.parametrize(
    "labels",
    [
        ["ham", "spam", "eggs"],
        [3, 1, 7],
        [-1.0, 0.0, 2.0],
        [10**12, -5, 3],
        np.array([3, 200, 77], np.uint8),
        [True, False],
    ],
)
def test_labels_of_all_types(labels, tmp_path):
    labels = np.array(labels)
    X, y = blobs(classes=len(labels))
    model = KernelClassifier(random_state=0).fit(X, labels[y])
    assert model.classes_.dtype == labels.dtype
    assert np.array_equal(model.classes_, np.unique(labels))
    assert np.mean(model.predict(X) == labels[y]) > 0.8
    assert np.mean(pickle.loads(pickle.dumps(model)).predict(X) == labels[y]) > 0.8


def test_labels_in_a_series_of_strings():
    X, y = blobs(classes=2)
    names = pd.Series(np.array(["no", "yes"])[y])
    assert KernelClassifier(random_state=0).fit(pd.DataFrame(X), names).predict(pd.DataFrame(X))[0] in ("no", "yes")


# --- streams ----------------------------------------------------------------------------------------------------------


def test_partial_fit_is_fit_in_parts():
    X, y = blobs(3000)
    whole = KernelClassifier(algo="bpegasos", random_state=0, shuffle=False, passes=1).fit(X, y)
    parts = KernelClassifier(algo="bpegasos", random_state=0)
    for begin in (0, 1024, 1500, 2999):
        end = {0: 1024, 1024: 1500, 1500: 2999, 2999: 3000}[begin]
        parts.partial_fit(X[begin:end], y[begin:end], classes=[0, 1, 2])
    assert np.array_equal(parts.decision_function(X), whole.decision_function(X)) or np.allclose(
        parts.decision_function(X), whole.decision_function(X), rtol=0.05, atol=0.05
    )


def test_partial_fit_with_classes_that_come_late():
    X, y = blobs(3000)
    first, rest = y < 2, y == 2
    given = KernelClassifier(random_state=0).partial_fit(X[first], y[first], classes=[0, 1, 2])
    assert given.decision_function(X[:5]).shape == (5, 3)
    open_ended = KernelClassifier(random_state=0).partial_fit(X[first], y[first])
    assert open_ended.decision_function(X[:5]).shape == (5,)
    open_ended.partial_fit(X, y)
    assert open_ended.classes_.tolist() == [0, 1, 2]
    assert open_ended.score(X, y) > 0.8
    given.partial_fit(X[rest], y[rest])
    with pytest.raises(Error, match="class 9"):
        given.partial_fit(X[:1], [9])
    with pytest.raises(Error, match="differs from the first call"):
        given.partial_fit(X[:1], [0], classes=[0, 1])


def test_partial_fit_needs_an_algorithm_that_learns_on_the_way():
    X, y = blobs(100, 2)
    with pytest.raises(Error, match="svmr is a batch algorithm"):
        KernelClassifier(algo="svmr").partial_fit(X, y)


def test_svm_is_part_of_the_command():
    X, y = blobs(100, 2)
    for learn in (KernelClassifier(algo="svm").fit, KernelClassifier(algo="svm").partial_fit):
        with pytest.raises(Error, match="svm is part of the kinglet command"):
            learn(X, y)


@pytest.mark.parametrize("task", ["two", "three"])
def test_models_of_svm_predict_but_do_not_learn(task, tmp_path):
    X, y = load_svmlight_file(str(FIXTURES / f"{task}.libsvm"))
    rows = [line.split("\t") for line in (FIXTURES / "predictions.tsv").read_text().splitlines()]
    expected = [row[1:] for row in rows if row[0] == f"{task}-svm"]
    model = kinglet.load(FIXTURES / f"{task}-svm.kinglet")
    assert model.predict(X).astype(str).tolist() == [row[0] for row in expected]
    scores = np.array([row[1:] for row in expected], dtype=float)
    assert np.allclose(model.decision_function(X).reshape(scores.shape), scores, atol=1e-4)
    with pytest.raises(Error, match="svm is part of the kinglet command"):
        model.partial_fit(X, y)
    model.save(tmp_path / "again.kinglet")
    again, old = (tmp_path / "again.kinglet").read_bytes(), (FIXTURES / f"{task}-svm.kinglet").read_bytes()
    assert again[12:-8] == old[12:-8]  # but for the format version and the checksum


def test_weights(random):
    X, y = make_moons(2000, noise=0.4, random_state=0)
    light, heavy = (
        KernelClassifier(random_state=0, class_weight={0: weight}).fit(X, y).predict(X).mean() for weight in (0.2, 5)
    )
    assert light > heavy + 0.1
    weights = np.where(y == 0, 5.0, 1.0)
    assert np.array_equal(
        KernelClassifier(random_state=0).fit(X, y, sample_weight=weights).predict(X),
        KernelClassifier(random_state=0, class_weight={0: 5.0}).fit(X, y).predict(X),
    )


def test_a_row_of_weight_zero_is_as_good_as_absent(random):
    X, y = blobs()
    keep = random.random(len(X)) < 0.5
    weighted = KernelClassifier(random_state=0, shuffle=False).fit(X, y, sample_weight=keep.astype(float))
    without = KernelClassifier(random_state=0, shuffle=False, passes=weighted.n_iter_).fit(X[keep], y[keep])
    assert np.array_equal(weighted.decision_function(X), without.decision_function(X))


@pytest.mark.parametrize(("rows", "passes"), [(100, 20), (5_000, 10), (15_000, 4), (50_000, 1)])
def test_fit_says_how_many_passes_it_made(random, rows, passes):
    X = random.normal(size=(rows, 2))
    y = X[:, 0] > 0
    model = KernelClassifier(budget=10, random_state=0).fit(X, y)
    assert model.n_iter_ == passes
    assert KernelClassifier(budget=10, random_state=0, passes=3).fit(X, y).n_iter_ == 3
    assert KernelClassifier(algo="onlinesvmr", random_state=0).fit(X[:100], y[:100]).n_iter_ == 1


def test_balanced_classes(random):
    X, y = make_moons(3000, noise=0.4, random_state=0)
    rare = (y == 0) | (random.random(len(y)) < 0.1)
    X, y = X[rare], y[rare]
    plain, balanced = (
        KernelClassifier(random_state=0, class_weight=weight).fit(X, y).predict(X).mean()
        for weight in (None, "balanced")
    )
    assert balanced > plain
    for learn in (KernelClassifier.fit, KernelClassifier.partial_fit):
        with pytest.raises(Error, match="class_weight"):
            learn(KernelClassifier(class_weight="even"), X, y)


def test_balanced_classes_along_the_stream(random):
    X = np.r_[random.normal(size=(1900, 2)), random.normal(1.5, size=(100, 2))]
    y = np.r_[np.zeros(1900, int), np.ones(100, int)]
    order = random.permutation(2000)
    X, y = X[order], y[order]
    counts, weights = {}, []
    for i, label in enumerate(y.tolist()):
        counts[label] = counts.get(label, 0) + 1
        weights.append((i + 1) / (len(counts) * counts[label]))
    balanced = KernelClassifier(class_weight="balanced", random_state=0)
    by_hand = KernelClassifier(random_state=0)
    for part in np.split(np.arange(2000), 4):
        balanced.partial_fit(X[part], y[part], classes=[0, 1])
        by_hand.partial_fit(X[part], y[part], classes=[0, 1], sample_weight=np.array(weights)[part])
    assert np.array_equal(balanced.decision_function(X), by_hand.decision_function(X))
    by_hand.set_params(class_weight="balanced")
    with pytest.raises(Error, match="from the first call on"):
        by_hand.partial_fit(X, y)


def test_a_weight_for_a_class_that_never_came_is_named():
    X, y = blobs(150, 2)
    with pytest.warns(UserWarning, match="no row has the label 7"):
        KernelClassifier(class_weight={0: 1, 1: 2, 7: 3}).fit(X, y)
    with pytest.raises(Error, match="'one', which is not a class"):
        KernelClassifier(class_weight={"one": 2}).fit(X, y)


def test_random_state():
    X, y = blobs()
    same = [KernelClassifier(random_state=7, algo="rbp").fit(X, y).decision_function(X) for _ in range(2)]
    other = KernelClassifier(random_state=8, algo="rbp").fit(X, y).decision_function(X)
    assert np.array_equal(*same)
    assert not np.array_equal(same[0], other)
    state = np.random.RandomState(0)
    first, second = (KernelClassifier(random_state=state).fit(X, y).decision_function(X) for _ in range(2))
    assert not np.array_equal(first, second)


# --- options ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_every_option_is_a_parameter_with_documentation(estimator):
    task = {KernelClassifier: "classify", KernelRegressor: "regress", NoveltyDetector: "novelty"}[estimator]
    parameters = estimator().get_params()
    for option in options_of_task(kinglet.algorithms(), task):
        name = option["parameter"]
        assert name in parameters
        assert f"    {name} : " in estimator.__doc__
    assert "nu" in NoveltyDetector().get_params()
    assert "nu" not in KernelClassifier().get_params()


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_docstrings_name_parameters_and_no_flags(estimator):
    documentation = estimator.__doc__.replace("    ----------\n", "")
    assert "--" not in documentation
    assert "`memory`" in documentation and "`NoveltyDetector`" in documentation


def error_of(task, options):
    """The library's message about wrong options, as Python shows it, or an empty text."""
    try:
        complete_options({"task": task, **options})
    except kinglet.Error as error:
        return str(error)
    return ""


@pytest.mark.parametrize("task", ["classify", "regress", "novelty"])
def test_errors_name_parameters_and_no_flags(task):
    registry = kinglet.algorithms()
    names = {option["name"]: option["parameter"] for option in registry["options"]}
    messages = set()
    for algorithm in registry["algorithms"]:
        for name in names:
            for value in ("x", "-1", "0.5", "1e99"):
                messages.add(error_of(task, {"algo": algorithm["name"], name: value}))
        for kernel in registry["kernels"]:
            messages.add(error_of(task, {"algo": algorithm["name"], "kernel": kernel["name"]}))
    for update in registry["update_rules"]:
        for rule in registry["budget_rules"]:
            for kernel in registry["kernels"]:
                parts = {"update": update["name"], "maintain": rule["name"], "kernel": kernel["name"]}
                messages.add(error_of(task, parts))
                messages.add(error_of(task, {**parts, "output": "average"}))
    messages.discard("")
    assert len(messages) > 200
    assert [message for message in messages if "--" in message] == []
    assert not any("maintain" in message or "lambda_" in message for message in messages)
    assert any("gamma= must be" in message for message in messages)
    assert any("budget_rule='project' needs a positive definite kernel" in message for message in messages)
    assert any("reg_lambda= is not an option of" in message for message in messages)
    if task == "classify":
        assert "epsilon= is not an option of KernelClassifier; KernelRegressor takes it" in messages
        assert "query_window= is not an option of query='all'; query='greedy' takes it" in messages


@pytest.mark.parametrize(("old", "new", "value"), [("lambda_", "reg_lambda", 1e-3), ("maintain", "budget_rule", "oldest")])
def test_old_names_of_parameters_work_with_a_warning(old, new, value):
    X, y = blobs(200, 2)
    expected = KernelClassifier(**{new: value}, budget=10, random_state=0).fit(X, y)
    estimator = clone(KernelClassifier(**{old: value}, budget=10, random_state=0))
    with pytest.warns(FutureWarning, match=f"{old} is deprecated and will be removed: use {new}"):
        estimator.fit(X, y)
    assert estimator.get_params()[old] == value
    assert estimator.options_ == expected.options_
    again = pickle.loads(pickle.dumps(estimator))
    assert again.get_params() == estimator.get_params() and again.options_ == expected.options_
    assert (again.decision_function(X) == expected.decision_function(X)).all()
    with pytest.warns(FutureWarning, match=new):
        again.fit(X, y)
    assert (again.decision_function(X) == expected.decision_function(X)).all()
    with pytest.warns(FutureWarning, match=new):
        KernelClassifier(random_state=0).set_params(**{old: value}).partial_fit(X, y)
    with pytest.raises(ValueError, match=f"{old} is the old name of {new}"):
        KernelClassifier(**{old: value, new: value}).fit(X, y)


def test_new_names_of_parameters_do_not_warn():
    X, y = blobs(200, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)
        KernelClassifier(reg_lambda=1e-3, budget_rule="oldest", random_state=0).fit(X, y)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"eta": 1}, "eta= is not an option of update='pegasos'"),
        ({"algo": "bpegaso"}, "bpegasos"),
        ({"algo": "xyzzy"}, r"kinglet.algorithms\(\) lists them"),
        ({"budget": 0}, "budget"),
        ({"algo": "svm", "budget": 5}, "budget= is not an option of svm"),
        ({"reg_lambda": -1}, "reg_lambda= must be a number"),
        ({"merge_pairs": 2, "budget_rule": "oldest"}, "merge_pairs="),
        ({"passes": 0}, "passes"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"passes": 2, "algo": "lasvm"}, "twice"),
    ],
)
def test_wrong_options(options, message):
    X, y = blobs(100, 2)
    with pytest.raises(ValueError, match=message):
        KernelClassifier(**options).fit(X, y).predict(X)


@pytest.mark.parametrize("make, algo", [(KernelClassifier, "auto"), (KernelRegressor, "auto"), (NoveltyDetector, "bnorma")])
def test_the_default_algorithm(make, algo):
    X, y = blobs(300)
    model = make(random_state=0).fit(X, *(() if make is NoveltyDetector else (y,)))
    assert model.options_["algo"] == algo
    both = make(update="ogd", budget_rule="oldest", random_state=0).fit(X, *(() if make is NoveltyDetector else (y,)))
    assert both.options_["update"] == "ogd" and both.options_["maintain"] == "oldest"


def test_algorithms_tells_of_everything():
    registry = kinglet.algorithms()
    assert {"bpegasos", "svm"} <= {a["name"] for a in registry["algorithms"]}
    merge = next(rule for rule in registry["budget_rules"] if rule["name"] == "merge")
    assert merge["summary"] and merge["paper"] and merge["options"][0]["name"] == "merge-pairs"


def test_expected_budget_takes_the_length_of_the_stream_from_the_rows():
    X, y = blobs(2000, 2)
    model = KernelClassifier(algo="spa", expected_budget=50, random_state=0, passes=2).fit(X, y)
    assert model.options_["stream-length"] == "4000"


def test_a_committee_tells_what_it_settled_on():
    X, y = blobs(3000, 2)
    model = KernelClassifier(algo="auto", budget=50, random_state=0).fit(X, y)
    assert model.options_["algo"] == "auto"
    assert model.settled_["algorithm"] in {"bpegasos", "bnewton", "bpa-nn", "pa1 + oldest"}
    assert float(model.settled_["gamma"]) > 0 and int(model.settled_["budget"]) <= 50
    given = KernelClassifier(algo="auto", gamma=0.5, random_state=0).fit(X, y)
    assert given.settled_["gamma"] == "0.5"
    alone = KernelClassifier(algo="bpegasos", random_state=0).fit(X, y)
    assert alone.settled_ == {**alone.options_, "algorithm": "bpegasos"}


# --- files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_save_and_load(estimator, tmp_path):
    X, y = blobs()
    model = estimator(random_state=0, budget=40, gamma=0.5).fit(X, y)
    path = tmp_path / "model.kinglet"
    model.save(path)
    for again in (estimator.load(path), kinglet.load(str(path))):
        assert type(again) is estimator
        assert np.array_equal(again.predict(X), model.predict(X))
        assert again.get_params()["budget"] == 40 and again.get_params()["gamma"] == 0.5
        assert again.n_features_in_ == 4
        again.partial_fit(X, y)
        clone(again).fit(X, y)


def test_load_says_what_is_wrong(tmp_path):
    X, y = blobs()
    KernelRegressor(random_state=0).fit(X, y).save(tmp_path / "numbers.kinglet")
    with pytest.raises(Error, match="its task is regress"):
        KernelClassifier.load(tmp_path / "numbers.kinglet")
    with pytest.raises(Error, match="absent.kinglet"):
        kinglet.load(tmp_path / "absent.kinglet")
    (tmp_path / "bad.kinglet").write_bytes(b"no model")
    with pytest.raises(Error, match="bad.kinglet"):
        kinglet.load(tmp_path / "bad.kinglet")
    with pytest.raises(NotFittedError):
        KernelClassifier().save(tmp_path / "x")


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_copy_goes_on_as_the_original_does(estimator):
    X, y = blobs()
    model = estimator(random_state=0).fit(X[:300], y[:300])
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        before = copy.deepcopy(model).partial_fit(X[300:], y[300:])
        again.partial_fit(X[300:], y[300:])
        assert np.array_equal(again.predict(X), before.predict(X))


# --- threads, progress, Ctrl-C ----------------------------------------------------------------------------------------


def test_threads_change_nothing():
    X, y = blobs(20_000)
    model = KernelClassifier(random_state=0, passes=1).fit(X, y)
    one = model.decision_function(X)
    model.set_params(n_jobs=3)
    assert np.array_equal(model.decision_function(X), one)
    for n_jobs in (1, 2, 3, None):
        again = KernelClassifier(random_state=0, passes=1, n_jobs=n_jobs).fit(X, y)
        assert again._model.serialize() == model._model.serialize()


def test_other_threads_run_while_it_learns(random):
    X = random.normal(size=(200_000, 20)).astype(np.float32)
    y = random.integers(0, 2, len(X))
    model = KernelClassifier(budget=300, passes=1, random_state=0)
    learning = threading.Thread(target=model.fit, args=(X, y))
    learning.start()
    ticks = 0
    while learning.is_alive():
        time.sleep(0.005)
        ticks += 1
    assert ticks > 10


def test_predictions_and_learning_at_once_do_not_meet():
    X, y = blobs(5000)
    model = KernelClassifier(random_state=0).partial_fit(X, y)
    failures = []

    def predict():
        try:
            for _ in range(200):
                model.predict(X[:1])
                model.predict(X[:100])
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=predict) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(5):
        model.partial_fit(X, y)
    for thread in threads:
        thread.join()
    assert failures == []


def test_control_c_stops_fit(random):
    # A shell starts background jobs with SIGINT ignored, so set Python's default handler.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        _stop_a_fit(random)
    finally:
        signal.signal(signal.SIGINT, before)


def _stop_a_fit(random):
    X = random.normal(size=(400_000, 50)).astype(np.float32)
    y = random.integers(0, 2, len(X))
    model = KernelClassifier(budget=2000, passes=1_000_000, random_state=0)  # does not end unless it is stopped
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    with pytest.raises(NotFittedError):
        model.predict(X)


def test_a_progress_bar(capsys, monkeypatch):
    X, y = blobs(3000)
    KernelClassifier(verbose=1, passes=2).fit(X, y)
    assert "6.00k" in capsys.readouterr().err
    monkeypatch.setattr("kinglet._progress.tqdm", None)
    KernelClassifier(verbose=1, passes=2).fit(X, y)
    assert "6,000 of 6,000 rows" in capsys.readouterr().err
    KernelClassifier(passes=2).fit(X, y)
    assert capsys.readouterr().err == ""


def test_labels_of_small_types_and_texts_that_look_like_numbers(tmp_path):
    X = np.random.default_rng(0).normal(size=(60, 2))
    for low, high, kind in ((-100, 100, np.int8), (-30000, 30000, np.int16), (1, 2**63 + 5, np.uint64)):
        y = np.where(X[:, 0] > 0, np.array(high, dtype=kind), np.array(low, dtype=kind)).astype(kind)
        model = KernelClassifier(random_state=0).fit(X, y)
        assert set(model.predict(X).tolist()) <= {low, high}
        assert KernelClassifier(random_state=0).partial_fit(X, y, classes=np.array([low, high], dtype=kind)).score(X, y) > 0.9
    model = KernelClassifier(random_state=0).fit(X, np.where(X[:, 0] > 0, "01", "1"))
    model.save(tmp_path / "model.kinglet")
    assert kinglet.load(tmp_path / "model.kinglet").classes_.tolist() == ["01", "1"]


def test_a_first_partial_fit_that_fails_leaves_nothing_fitted():
    model = KernelClassifier()
    X = np.array([[np.inf, 0.0], [1.0, 2.0]])
    with pytest.raises(ValueError):
        model.partial_fit(X, [0, 1], classes=[0, 1])
    with pytest.raises(NotFittedError):
        model.predict([[1.0, 2.0]])


def test_class_weights_that_are_all_zero_are_refused():
    with pytest.raises(kinglet.Error, match="class_weight"):
        KernelClassifier(class_weight={0: 0.0, 1: 0.0}).fit([[0.0], [1.0]], [0, 1])


def _swapped(rows=8000):
    X = np.random.default_rng(5).uniform(-1, 1, (rows, 2))
    return X, ((X[:, 0] > 0) ^ (np.arange(rows) >= rows // 2)).astype(int)


def test_drift_is_told_while_learning_and_kept():
    X, y = _swapped()
    told = []
    model = KernelClassifier(random_state=0)

    def tell(alarm):
        told.append(alarm)
        assert model.predict(X[:3]).shape == (3,)  # the model can be used

    model.set_params(on_drift=tell)
    model.partial_fit(X, y, classes=[0, 1])
    assert told == model.drift_ and 4000 < told[0]["at"] < 4400
    assert told[0]["since"] <= told[0]["at"] and told[0]["recent_error"] > told[0]["usual_error"]


def test_drift_is_the_same_however_the_rows_are_cut():
    X, y = _swapped()
    whole = KernelClassifier(random_state=0).partial_fit(X, y, classes=[0, 1])
    parts = KernelClassifier(random_state=0)
    for begin, end in ((0, 1024), (1024, 4100), (4100, 8000)):
        parts.partial_fit(X[begin:end], y[begin:end], classes=[0, 1])
    assert parts.drift_ == whole.drift_ != []


def test_an_error_in_on_drift_ends_learning():
    X, y = _swapped()

    def fail(alarm):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        KernelClassifier(random_state=0, on_drift=fail).partial_fit(X, y, classes=[0, 1])
    with pytest.raises(kinglet.Error, match="on_drift is 3"):
        KernelClassifier(on_drift=3).fit(X, y)


def test_a_still_stream_has_no_drift():
    X, y = _swapped()
    assert KernelClassifier(random_state=0).fit(X[:4000], y[:4000]).drift_ == []
