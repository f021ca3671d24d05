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

# scikit-learn's list for its own learners that take one example at a time (SGDClassifier, SGDRegressor,
# SGDOneClassSVM), with its words. One step of double length is not two steps.
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
