"""kinglet.compress: reduces the support vectors of kinglet's estimators and of scikit-learn's SVC."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.svm import SVC, LinearSVC

import kinglet
from kinglet import KernelClassifier


@pytest.fixture(scope="module")
def moons():
    X, y = make_moons(2000, noise=0.2, random_state=0)
    return X[:1000], y[:1000], X[1000:], y[1000:]


def test_an_svc_keeps_its_predictions(moons):
    X, y, unseen, truth = moons
    svc = SVC(C=10, gamma=2).fit(X, np.where(y == 1, "up", "down"))
    small = kinglet.compress(svc, 30)
    assert isinstance(small, KernelClassifier) and len(small.support_vectors_) <= 30 < len(svc.support_vectors_)
    assert (small.predict(unseen) == svc.predict(unseen)).mean() > 0.99
    assert small.score(unseen, np.where(truth == 1, "up", "down")) > 0.95
    again = pickle.loads(pickle.dumps(small))
    assert (again.predict(unseen) == small.predict(unseen)).all()


def test_with_enough_vectors_an_svc_of_many_classes_is_the_same(moons):
    X, _, unseen, _ = moons
    y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0.3)
    svc = SVC(C=5, gamma=1).fit(X, y)
    same = kinglet.compress(svc, len(svc.support_vectors_))
    assert (same.predict(unseen) == svc.predict(unseen)).mean() > 0.998


def test_an_estimator_of_ours_stays_as_it_was(moons):
    X, y, unseen, truth = moons
    model = KernelClassifier(algo="bpegasos", budget=200, gamma=2.0, random_state=0).fit(X, y)
    small = kinglet.compress(model, 40)
    assert len(model.support_vectors_) == 200 and len(small.support_vectors_) <= 40
    assert small.score(unseen, truth) > model.score(unseen, truth) - 0.02
    with pytest.raises(kinglet.Error, match="can only predict"):
        small.partial_fit(X[:10], y[:10])


@pytest.mark.parametrize("budget", [0, 1.5])
def test_a_budget_is_a_whole_number_from_one(moons, budget):
    with pytest.raises(kinglet.Error, match="integer of at least 1"):
        kinglet.compress(SVC().fit(*moons[:2]), budget)


def test_other_estimators_are_refused(moons):
    with pytest.raises(kinglet.Error, match="LinearSVC"):
        kinglet.compress(LinearSVC().fit(*moons[:2]), 10)


def test_a_compressed_model_is_saved_and_loaded(moons, tmp_path):
    X, y, unseen, _ = moons
    small = kinglet.compress(KernelClassifier(budget=100, random_state=0).fit(X, y), 20)
    small.save(tmp_path / "small.kinglet")
    loaded = kinglet.load(tmp_path / "small.kinglet")
    assert (loaded.predict(unseen) == small.predict(unseen)).all()
