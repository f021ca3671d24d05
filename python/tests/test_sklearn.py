"""scikit-learn's own checks, and the estimators inside its tools."""

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_iris, make_friedman1, make_moons
from sklearn.metrics import brier_score_loss
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from kinglet import KernelClassifier, KernelRegressor, NoveltyDetector

# scikit-learn expects the same failures, for the same reason, of its own online learners (SGDClassifier, SGDRegressor,
# SGDOneClassSVM): one step with weight 2 is not the same as two steps with weight 1.
EXPECTED_FAILURES = {
    check: "sample_weight is not equivalent to removing/repeating samples."
    for check in (
        "check_sample_weight_equivalence_on_dense_data",
        "check_sample_weight_equivalence_on_sparse_data",
    )
}


@parametrize_with_checks(
    [KernelClassifier(), KernelRegressor(), NoveltyDetector()],
    expected_failed_checks=lambda estimator: EXPECTED_FAILURES,
)
def test_estimator_check(estimator, check):
    check(estimator)


def iris():
    return load_iris(return_X_y=True)


def test_pipeline():
    X, y = iris()
    model = make_pipeline(StandardScaler(), PolynomialFeatures(2), KernelClassifier(random_state=0))
    assert model.fit(X, y).score(X, y) > 0.9
    assert model.predict_proba(X).shape == (150, 3)


def test_grid_search():
    X, y = make_moons(300, noise=0.2, random_state=0)
    grid = {"gamma": [0.1, 1, 10], "reg_lambda": [1e-3, 1e-2], "algo": ["bpegasos", "bnorma"]}
    search = GridSearchCV(KernelClassifier(random_state=0, passes=2), grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.9
    assert set(search.best_params_) == set(grid)


def test_grid_search_says_which_option_is_wrong():
    X, y = iris()
    search = GridSearchCV(KernelClassifier(), {"eta": [1]}, error_score="raise", cv=3)
    with pytest.raises(ValueError, match="eta= is not an option of update='pegasos'"):
        search.fit(X, y)


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_calibrated_classifier(moons, method):
    X, y, X_test, y_test = moons
    model = CalibratedClassifierCV(KernelClassifier(algo="bpegasos", random_state=0), method=method, cv=3).fit(X, y)
    assert brier_score_loss(y_test, model.predict_proba(X_test)[:, 1]) < 0.05


def test_cross_val_score():
    X, y = iris()
    assert cross_val_score(KernelClassifier(random_state=0), X, y, cv=5).mean() > 0.93


def test_cross_val_score_of_numbers():
    X, y = make_friedman1(1000, random_state=0)
    regressor = KernelRegressor(algo="norma", budget_rule="merge", random_state=0)
    model = TransformedTargetRegressor(regressor, transformer=StandardScaler())
    assert cross_val_score(model, X, y, cv=3).mean() > 0.8


def test_one_vs_rest():
    X, y = iris()
    model = OneVsRestClassifier(KernelClassifier(random_state=0)).fit(X, y)
    assert model.score(X, y) > 0.93
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1)
