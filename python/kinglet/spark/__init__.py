"""kinglet on Spark: estimators of pyspark.ml that learn each partition where it is stored and combine the models.

Needs the extra `spark`: pip install 'kinglet[spark]'. Executors need the package, too.

>>> from kinglet.spark import KernelClassifier
>>> model = KernelClassifier(features_col=["x", "y"], budget=200).fit(train)   # doctest: +SKIP
>>> model.transform(test).select("prediction")                                 # doctest: +SKIP
"""

from __future__ import annotations

from kinglet.spark._estimator import KernelClassifier, KernelRegressor, NoveltyDetector
from kinglet.spark._model import KernelClassifierModel, KernelRegressorModel, NoveltyDetectorModel
from kinglet.spark._stream import StreamLearner
from kinglet.spark._summary import Part, Round, Summary

__all__ = [
    "KernelClassifier",
    "KernelClassifierModel",
    "KernelRegressor",
    "KernelRegressorModel",
    "NoveltyDetector",
    "NoveltyDetectorModel",
    "Part",
    "Round",
    "StreamLearner",
    "Summary",
]

# Saved models name their class: the name must not depend on the file that defines it.
for _class in (
    KernelClassifier,
    KernelClassifierModel,
    KernelRegressor,
    KernelRegressorModel,
    NoveltyDetector,
    NoveltyDetectorModel,
):
    _class.__module__ = __name__
