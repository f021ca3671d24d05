"""River's own checks of the classes in kinglet.river, and what they learn."""

import numpy as np
import pytest

river = pytest.importorskip("river")

from river import checks, compose, datasets, evaluate, metrics, preprocessing  # noqa: E402

from kinglet.river import KernelClassifier, KernelRegressor, NoveltyDetector  # noqa: E402

MODELS = [KernelClassifier(), KernelRegressor(), NoveltyDetector()]


class FewOdd:
    """A stream with a few outliers. River checks anomaly detectors on CreditCard, a download of 150 MB. Unless that file
    is already on this machine, the checks use this stream instead."""

    def take(self, rows):
        draw = np.random.default_rng(0)
        for i in range(rows):
            odd = i % 100 == 99
            values = draw.normal(size=10) * (4 if odd else 1) + (3 if odd else 0)
            yield {f"V{k}": float(value) for k, value in enumerate(values)}, int(odd)


if not datasets.CreditCard().is_downloaded:
    datasets.CreditCard = FewOdd


def all_checks():
    for model in MODELS:
        for check in checks.yield_checks(model):
            yield pytest.param(model, check, id=f"{type(model).__name__}:{check.__name__}")


@pytest.mark.parametrize("model, check", list(all_checks()))
def test_check(model, check):
    assert model._unit_test_skips() == set()
    check(model.clone())


def test_learns_classes():
    metric = evaluate.progressive_val_score(datasets.ImageSegments(), KernelClassifier(seed=1), metrics.Accuracy())
    assert metric.get() > 0.8


def test_learns_numbers():
    model = preprocessing.TargetStandardScaler(KernelRegressor(algo="norma", budget_rule="merge", seed=1))
    metric = evaluate.progressive_val_score(datasets.TrumpApproval(), model, metrics.MAE())
    assert metric.get() < 1.5


def test_finds_what_is_novel():
    model = NoveltyDetector(seed=1)
    for i in range(500):
        model.learn_one({"a": (i % 20) / 20, "b": (i % 7) / 7})
    assert model.score_one({"a": 9.0, "b": -9.0}) > 0 > model.score_one({"a": 0.5, "b": 0.5})


def test_goes_into_a_pipeline():
    model = compose.Pipeline(preprocessing.MinMaxScaler(), KernelClassifier(scale="none", seed=1))
    metric = evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    assert metric.get() > 0.8


def test_a_class_and_a_feature_that_come_late():
    model = KernelClassifier(seed=1, warm_up=10)
    for i in range(40):
        model.learn_one({"a": float(i % 5)}, i % 5 > 2)
    for i in range(100):
        model.learn_one({"a": 0.0, "b": 5.0 + i % 3}, "late")
    assert model.predict_one({"a": 0.0, "b": 6.0}) == "late"
    assert set(model.predict_proba_one({"a": 1.0})) == {False, True, "late"}
