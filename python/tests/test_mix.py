"""kinglet.make_start and kinglet.mix."""

import copy
import pickle

import numpy as np
import pytest

import kinglet
from kinglet import KernelClassifier, KernelRegressor, NoveltyDetector


def parts_of(estimator, X, y, count):
    start = kinglet.make_start(estimator.fit(X[:600], None if y is None else y[:600]))
    parts = []
    for i in range(count):
        part = pickle.loads(pickle.dumps(start))
        parts.append(part.partial_fit(X[i::count], None if y is None else y[i::count]))
    return start, parts


def test_regression_adds_up_to_one_pass(random):
    X = random.normal(size=(3000, 4))
    y = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2]
    start, parts = parts_of(KernelRegressor(algo="span", budget=80, random_state=1), X, y, 4)
    whole = copy.deepcopy(start).partial_fit(X, y)
    whole._model.end_pass()
    mixture = kinglet.mix(parts)
    # Coefficients are kept in single precision.
    rounding = 2.0**-23 * np.abs(mixture.dual_coef_).sum()
    np.testing.assert_allclose(mixture.predict(X), whole.predict(X), rtol=0, atol=rounding)
    assert mixture.facts_["examples"] == 3000
    assert kinglet.mix(parts[::-1])._model.serialize() == mixture._model.serialize()


def test_classes_of_all_parts_are_united_and_keep_their_type(moons):
    X, y, more, labels = moons
    start = kinglet.make_start(KernelClassifier(algo="span", budget=60, random_state=1).fit(X, y))
    first = copy.deepcopy(start).partial_fit(X, y)
    second = copy.deepcopy(start).partial_fit(more, labels + 1)
    mixture = kinglet.mix([first, second])
    assert mixture.classes_.tolist() == [0, 1, 2] and mixture.classes_.dtype.kind == "i"
    assert mixture.predict_proba(X).shape == (1000, 3)
    assert first.score(X, y) > 0.9


def test_names_of_features_do_not_change_what_is_learned(random):
    pandas = pytest.importorskip("pandas")
    X = random.normal(size=(3000, 2))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    found = []
    for data in (X, pandas.DataFrame(X, columns=["length", "width"]), pandas.DataFrame(X, columns=["b", "a"])):
        start = kinglet.make_start(KernelClassifier(algo="span", budget=40, random_state=1).fit(data[:600], y[:600]))
        parts = [copy.deepcopy(start).partial_fit(data[i::6], y[i::6]) for i in range(6)]
        found.append(kinglet.mix(parts).dual_coef_)
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])


def test_a_mixture_goes_on_and_starts_again(moons, tmp_path):
    X, y, more, labels = moons
    start, parts = parts_of(KernelClassifier(algo="span", budget=60, random_state=1), X, y, 2)
    mixture = kinglet.mix(parts)
    again = kinglet.make_start(mixture, again=True)
    np.testing.assert_allclose(again.decision_function(more), mixture.decision_function(more), rtol=1e-5, atol=1e-6)
    assert mixture.partial_fit(more, labels).facts_["examples"] == 2000
    start.save(tmp_path / "start.kinglet")
    loaded = kinglet.load(tmp_path / "start.kinglet").partial_fit(X, y)
    assert loaded._model.serialize() == copy.deepcopy(start).partial_fit(X, y)._model.serialize()


def test_detectors_are_averaged(random):
    X = random.normal(size=(2000, 3))
    _, parts = parts_of(NoveltyDetector(algo="bnorma", budget=50, gamma=0.5, random_state=1), X, None, 3)
    mixture = kinglet.mix(parts, budget=40)
    assert len(mixture.support_vectors_) <= 40
    assert mixture.predict(X).mean() > 0.5 and (mixture.predict(X + 20) == -1).all()


def test_what_does_not_go_together_is_refused(moons):
    X, y, _, _ = moons
    model = KernelClassifier(algo="bpegasos", budget=20, gamma=2.0, random_state=1).fit(X, y)
    other = KernelClassifier(algo="bpegasos", budget=20, gamma=3.0, random_state=1).fit(X, y)
    for models, reason in (
        ([], "no model"),
        ([model, model], "count twice"),
        ([model, other], r"kernel.* shared start \(kinglet.make_start\(\)\)"),
        ([model, "model"], "str"),
    ):
        with pytest.raises(kinglet.Error, match=reason):
            kinglet.mix(models)
    with pytest.raises(kinglet.Error, match="budget"):
        kinglet.mix([model, other], budget=0)


def test_a_sum_is_not_reduced(moons):
    X, y, _, _ = moons
    _, parts = parts_of(KernelClassifier(algo="span", budget=40, random_state=1), X, y, 2)
    for options in ({"budget": 20}, {"rounds": 60}):
        with pytest.raises(kinglet.Error, match=f"{next(iter(options))}.* has no effect: models of one start add up"):
            kinglet.mix(parts, **options)
