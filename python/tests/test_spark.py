"""kinglet.spark: estimators of pyspark.ml on a small local session."""

import copy
import warnings

import numpy as np
import pytest
import spark_sessions

import kinglet

if why := spark_sessions.missing():
    pytest.skip(why, allow_module_level=True)

from pyspark.ml import Pipeline, PipelineModel
from pyspark.ml.evaluation import BinaryClassificationEvaluator, MulticlassClassificationEvaluator
from pyspark.ml.feature import StringIndexer, VectorAssembler
from pyspark.ml.functions import array_to_vector
from pyspark.ml.linalg import DenseVector, SparseVector
from pyspark.sql import functions as sql

from kinglet.spark import (
    KernelClassifier,
    KernelClassifierModel,
    KernelRegressor,
    KernelRegressorModel,
    NoveltyDetector,
    NoveltyDetectorModel,
)

SETTINGS = {"budget": 40, "gamma": 1.0, "scout": 500}


def board(rows, seed=1):
    """Points of a 2 x 2 checkerboard: columns x and y, and the colour."""
    points = np.random.default_rng(seed).uniform(0, 2, (rows, 2)).astype(np.float32)
    return points, (np.floor(points).sum(axis=1) % 2).astype(float)


def frame(spark, points, labels, partitions=3, **columns):
    """A DataFrame of rows that are divided into partitions in their order."""
    import pandas as pd

    data = pd.DataFrame({"x": points[:, 0], "y": points[:, 1], "label": labels, **columns})
    data["part"] = np.arange(len(data)) * partitions // len(data)
    data["number"] = np.arange(len(data))
    whole = spark.createDataFrame(data)
    return whole.repartitionByRange(partitions, "part").sortWithinPartitions("number")


def partitions_of(data):
    """The rows of each partition, in order."""
    rows = data.withColumn("at", sql.spark_partition_id()).toPandas()
    return [part for _, part in rows.groupby("at", sort=True)]


def accuracy(model, data):
    return data.count() and model.transform(data).where("prediction = label").count() / data.count()


def as_vectors(data):
    return data.withColumn("features", array_to_vector(sql.array("x", "y").cast("array<double>")))


@pytest.fixture(scope="module")
def data(spark):
    return frame(spark, *board(1500)).cache()


@pytest.fixture(scope="module")
def test_rows(spark):
    return as_vectors(frame(spark, *board(500, seed=2))).cache()


def test_fit_is_a_start_parts_and_a_mixture(spark, data):
    """The same steps without Spark give the same bytes."""
    model = KernelClassifier(features_col=["x", "y"], **SETTINGS).fit(data)
    parts = partitions_of(data)
    assert len(parts) == 3
    assert [part.rows for part in model.summary.rounds[0].parts] == [len(part) for part in parts]

    import pandas as pd

    whole = pd.concat(parts)
    order = np.random.default_rng(1).permutation(len(whole))
    columns = whole[["x", "y"]].astype(np.float32)
    sample = kinglet.KernelClassifier(algo="span", random_state=1, thin_after=40000 // 3, **SETTINGS)
    sample.partial_fit(columns.iloc[order], whole["label"].to_numpy()[order])
    start = kinglet.make_start(sample)
    learned = []
    for part in parts:
        one = copy.deepcopy(start).partial_fit(part[["x", "y"]].astype(np.float32), part["label"])
        one._model.end_pass()
        learned.append(one)
    assert model.to_local()._model.serialize() == kinglet.mix(learned)._model.serialize()


def test_a_second_fit_gives_the_same_bytes(data):
    classifier = KernelClassifier(features_col=["x", "y"], **SETTINGS)
    assert classifier.fit(data)._data == classifier.fit(data)._data


def test_classes_scores_and_probabilities(data, test_rows):
    model = KernelClassifier(features_col=["x", "y"], **SETTINGS).fit(data)
    assert model.classes == [0.0, 1.0] and model.numClasses == 2 and model.numFeatures == 2
    scored = model.transform(test_rows).toPandas()
    assert (scored["prediction"] == scored["label"]).mean() > 0.95
    raw = np.stack([v.toArray() for v in scored["rawPrediction"]])
    shares = np.stack([v.toArray() for v in scored["probability"]])
    assert np.allclose(raw[:, 0], -raw[:, 1]) and np.allclose(shares.sum(axis=1), 1)
    assert ((raw[:, 1] >= 0) == (scored["prediction"] == 1)).all()
    local = model.to_local()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the array has no column names
        assert np.array_equal(local.predict(scored[["x", "y"]].to_numpy(np.float32)), scored["prediction"])
        assert np.array_equal(local.decision_function(scored[["x", "y"]].to_numpy(np.float32)), raw[:, 1])
    assert BinaryClassificationEvaluator().evaluate(model.transform(test_rows)) > 0.98
    fewer = model.copy().setParams(probability_col="", raw_prediction_col="", prediction_col="colour")
    assert fewer.transform(test_rows).columns == [*test_rows.columns, "colour"]


def test_regression_adds_up_to_one_pass(spark, random):
    points = random.uniform(-2, 2, (2000, 2)).astype(np.float32)
    data = frame(spark, points, np.sin(2 * points[:, 0]) + points[:, 1], partitions=4)
    regressor = KernelRegressor(features_col=["x", "y"], **SETTINGS)
    parts = regressor.fit(data).transform(data).toPandas()
    whole = regressor.copy().setParams(num_workers=1).fit(data)
    assert len(whole.summary.rounds[0].parts) == 1
    rounding = 2.0**-23 * np.abs(whole.to_local().dual_coef_).sum()  # coefficients are kept in single precision
    np.testing.assert_allclose(parts["prediction"], whole.transform(data).toPandas()["prediction"], rtol=0, atol=rounding)
    assert np.sqrt(np.mean((parts["prediction"] - parts["label"]) ** 2)) < 0.1


def test_vectors_arrays_and_columns_are_the_same_features(data, test_rows):
    vectors = as_vectors(data)
    by_name = {
        "columns": (KernelClassifier(features_col=["x", "y"], **SETTINGS), data),
        "vectors": (KernelClassifier(**SETTINGS), vectors),
        "arrays": (KernelClassifier(features_col="xy", **SETTINGS), vectors.withColumn("xy", sql.array("x", "y"))),
    }
    first = None
    for classifier, rows in by_name.values():
        local = classifier.fit(rows).to_local()
        local = local.dual_coef_
        first = local if first is None else first
        assert np.array_equal(local, first)


def test_sparse_and_dense_vectors_together(spark, random):
    rows = []
    for i in range(800):
        at = sorted(random.choice(50, 3, replace=False).tolist())
        vector = SparseVector(50, at, [1.0, 1.0, 1.0])
        label = float(at[0] < 12)
        rows.append((vector if i % 3 else DenseVector(vector.toArray()), label))
    data = spark.createDataFrame(rows, ["features", "label"]).repartition(2)
    model = KernelClassifier(budget=150, gamma=0.02).fit(data)
    assert accuracy(model, data) > 0.9
    dense = data.select("label", sql.col("features"))
    scored = model.transform(dense).toPandas()
    x = np.stack([v.toArray() for v in scored["features"]])
    assert np.array_equal(model.to_local().predict(x), scored["prediction"])


def test_labels_of_any_kind(spark, data):
    for column, classes in (
        (sql.when(sql.col("label") == 1, "white").otherwise("black"), ["black", "white"]),
        (sql.col("label").cast("int") * 2 - 1, [-1.0, 1.0]),
    ):
        rows = data.withColumn("label", column)
        model = KernelClassifier(features_col=["x", "y"], **SETTINGS).fit(rows)
        assert model.classes == classes
        right = model.transform(rows).where(sql.col("prediction") == rows["label"].cast("double" if classes[0] != "black" else "string"))
        assert right.count() > 0.95 * rows.count()
        assert sorted(model.to_local().classes_.tolist()) == classes


def test_many_classes_some_not_in_the_sample(spark, random):
    points = random.uniform(0, 4, (3000, 2)).astype(np.float32)
    labels = np.floor(points[:, 0])
    labels[labels == 3] = np.where(random.uniform(size=(labels == 3).sum()) < 0.02, 3, 0)
    data = frame(spark, points, labels, partitions=3)
    model = KernelClassifier(features_col=["x", "y"], sample_rows=60, **SETTINGS).fit(data)
    assert model.classes == [0.0, 1.0, 2.0, 3.0] and len(model.to_local().classes_) == 4
    assert model.summary.sample_rows < 120
    shares = model.transform(data).select("probability").first()[0]
    assert shares.size == 4
    metric = MulticlassClassificationEvaluator(metricName="logLoss").evaluate(model.transform(data))
    assert metric < 0.5


def test_partitions_without_weight_are_left_out(spark, monkeypatch):
    monkeypatch.setattr("kinglet.spark._estimator._BYTES_AT_ONCE", 1)  # one model after the other
    points, labels = board(1500)
    rows = [(*point, label, float(i >= 750)) for i, (point, label) in enumerate(zip(points.tolist(), labels.tolist()))]
    in_halves = spark.sparkContext.parallelize(rows, 2)
    data = spark.createDataFrame(in_halves, "x double, y double, label double, weight double")
    for options in (SETTINGS, {"algo": "bpegasos", "budget": 40, "gamma": 1.0}):
        estimator = KernelClassifier(features_col=["x", "y"], weight_col="weight", **options)
        model = estimator.fit(data)
        assert model.to_local().facts_["examples"] == 750
        assert [part.rows for part in model.summary.rounds[0].parts] == [750, 750]


def test_no_column_is_overwritten(spark):
    points, labels = board(600)
    data = frame(spark, points, labels, _Kinglet=labels + 7, _kinglet_="kept")
    model = KernelClassifier(features_col=["x", "y"], **SETTINGS).fit(data)
    scored = model.transform(data)
    assert scored.columns == [*data.columns, "prediction", "rawPrediction", "probability"]
    assert scored.where("_Kinglet = label + 7 and _kinglet_ = 'kept'").count() == 600


def test_weights(spark):
    points, labels = board(1200)
    wrong = np.arange(1200) % 3 == 0
    labels = np.where(wrong, 1 - labels, labels)
    data = frame(spark, points, labels, weight=np.where(wrong, 0.0, 2.0), clean=~wrong)
    model = KernelClassifier(features_col=["x", "y"], weight_col="weight", **SETTINGS).fit(data)
    assert accuracy(model, data.where("clean")) > 0.95
    assert accuracy(model, data.where("not clean")) < 0.1


def test_balanced_classes(spark):
    points, labels = board(3000)
    few = (labels == 0) | (np.arange(3000) % 12 == 0)
    data = frame(spark, points[few], labels[few])
    rare = data.where("label = 1")
    found = {
        weight: accuracy(KernelClassifier(features_col=["x", "y"], class_weight=weight, **SETTINGS).fit(data), rare)
        for weight in (None, "balanced")
    }
    assert found["balanced"] >= found[None]
    with pytest.raises(kinglet.Error, match="weight_col"):
        KernelClassifier(features_col=["x", "y"], class_weight={0: 1.0}).fit(data)


def test_rounds_and_validation(spark):
    points, labels = board(2400)
    data = frame(spark, points, labels, partitions=6, held=np.arange(2400) % 4 == 0)
    classifier = KernelClassifier(features_col=["x", "y"], validation_indicator_col="held", rounds=3, **SETTINGS)
    summary = classifier.fit(data).summary
    errors = [done.validation_error for done in summary.rounds]
    assert len(errors) == 3 and summary.rows == 1800
    assert errors[summary.best_round] == min(errors) < 0.06
    assert sum(part.rows for part in summary.rounds[2].parts) == 1800
    with pytest.raises(kinglet.Error, match="again"):
        KernelClassifier(features_col=["x", "y"], algo="bpegasos", rounds=2).fit(data)


def test_empty_partitions_single_classes_and_skew(spark):
    points, labels = board(1500)
    order = np.argsort(labels, kind="stable")  # the first partitions have one class only
    data = frame(spark, points[order], labels[order], partitions=4)
    spread = data.withColumn("part", sql.when(sql.col("number") < 40, sql.col("part") * 7).otherwise(3))
    spread = spread.repartition(9, "part")  # nearly all rows in one partition, and empty ones
    for rows in (data, spread):
        model = KernelClassifier(features_col=["x", "y"], **SETTINGS).fit(rows)
        assert model.summary.rows == 1500
        assert accuracy(model, rows) > 0.93
    assert len(model.summary.rounds[0].parts) < 9
    with pytest.raises(kinglet.Error, match="no rows"):
        KernelClassifier(features_col=["x", "y"]).fit(data.where("x > 5"))


def test_partitions_with_the_same_rows(spark):
    points, labels = board(400)
    data = frame(spark, np.vstack([points, points]), np.hstack([labels, labels]), partitions=2)
    model = KernelClassifier(features_col=["x", "y"], **SETTINGS).fit(data)
    assert model.to_local().facts_["examples"] == 800


def test_number_of_workers_and_models_at_once(data, monkeypatch):
    for workers in (2, 5):
        classifier = KernelClassifier(features_col=["x", "y"], num_workers=workers, **SETTINGS)
        model = classifier.fit(data)
        assert len(model.summary.rounds[0].parts) == workers and model.summary.rows == 1500
    monkeypatch.setattr("kinglet.spark._estimator._BYTES_AT_ONCE", 1)  # one model after the other
    slow = classifier.fit(data).to_local()
    assert slow.facts_["examples"] == 1500
    np.testing.assert_allclose(slow.dual_coef_, model.to_local().dual_coef_, rtol=1e-4, atol=1e-5)


def test_bad_rows_are_named(spark):
    points, labels = board(300)
    good = frame(spark, points, labels, partitions=3)
    bad = good.withColumn("label", sql.when(sql.col("number") != 142, sql.col("label")))
    for rows_of_sample in (30, 300):  # without and with the bad row
        classifier = KernelClassifier(features_col=["x", "y"], sample_rows=rows_of_sample, **SETTINGS)
        with pytest.raises(Exception, match="partition 1, row 43: the label .* is null"):
            classifier.fit(bad)


def test_missing_values_are_learned(spark):
    points, labels = board(600)
    complete = frame(spark, points, labels)
    some_nulls = complete.withColumn("x", sql.when(sql.col("number") % 10 > 0, sql.col("x")))
    nan_partition = complete.withColumn("x", sql.when(sql.col("part") != 1, sql.col("x")).otherwise(float("nan")))
    for data in (some_nulls, nan_partition):
        model = KernelClassifier(features_col=["x", "y"], **SETTINGS).fit(data)
        assert model.summary.rows == 600
        assert accuracy(model, data.where("x is not null and not isnan(x)")) > 0.9


def test_rows_that_cannot_be_scored_are_named(data, test_rows):
    model = KernelClassifier(**SETTINGS).fit(as_vectors(data))
    bad = test_rows.withColumn("features", sql.when(sql.col("number") != 250, sql.col("features")))
    with pytest.raises(Exception, match="partition 1, row 84: the features are null"):
        model.transform(bad).collect()
    wide = test_rows.withColumn("features", array_to_vector(sql.array("x", "y", "x").cast("array<double>")))
    with pytest.raises(Exception, match="row 1: there are 3 features instead of 2"):
        model.transform(wide).collect()
    with pytest.raises(kinglet.Error, match="features_col has 3 columns, but the model has 2 features"):
        model.copy().setParams(features_col=["x", "y", "number"]).transform(test_rows)


def test_wrong_columns_and_options(data):
    data = data.withColumn("word", sql.lit("a"))
    for settings, problem in (
        ({"features_col": "z"}, "no column z"),
        ({"features_col": ["x", "word"]}, "word has the type string"),
        ({"features_col": ["x", "y"], "weight_col": "word"}, "word has the type string"),
        ({"features_col": ["x", "y"], "validation_indicator_col": "word"}, "word has the type string"),
        ({"features_col": ["x", "y"], "validation_indicator_col": "held"}, "no column held"),
        ({"features_col": "x"}, "vectors"),
        ({"features_col": ["x", "y"], "label_col": "other"}, "no column other"),
        ({"features_col": ["x", "y"], "rounds": 0}, "rounds"),
        ({"features_col": ["x", "y"], "budget": -1}, "budget"),
        ({"features_col": ["x", "y"], "algo": "auto"}, "auto"),
        ({"features_col": []}, "empty"),
    ):
        with pytest.raises(kinglet.Error, match=problem):
            KernelClassifier(**settings).fit(data)
    with pytest.raises(TypeError, match="budged"):
        KernelClassifier(budged=3)
    with pytest.raises(kinglet.Error, match="word has the type string"):
        KernelRegressor(features_col=["x", "y"], label_col="word").fit(data)


def test_pipelines_are_saved_and_loaded(data, test_rows, tmp_path):
    rows = data.withColumn("colour", sql.when(sql.col("label") == 1, "white").otherwise("black")).drop("label")
    classifier = KernelClassifier(**SETTINGS)
    assembler = VectorAssembler(inputCols=["x", "y"], outputCol="features")
    pipeline = Pipeline(stages=[StringIndexer(inputCol="colour", outputCol="label"), assembler, classifier])
    model = pipeline.fit(rows)
    model.save(str(tmp_path / "pipeline"))
    loaded = PipelineModel.load(str(tmp_path / "pipeline"))
    columns = ["prediction", "probability", "rawPrediction"]
    colours = test_rows.drop("features", "label").withColumn("colour", sql.lit("black"))
    assert loaded.transform(colours).select(columns).collect() == model.transform(colours).select(columns).collect()
    pipeline.save(str(tmp_path / "unfitted"))
    again = Pipeline.load(str(tmp_path / "unfitted")).getStages()[-1]
    assert isinstance(again, KernelClassifier) and again.getOrDefault("budget") == 40 and again.uid == classifier.uid


def test_saved_models_and_local_models(spark, data, test_rows, tmp_path):
    texts = data.withColumn("label", sql.when(sql.col("label") == 1, "1").otherwise("0"))
    for name, estimator, kind, rows in (
        ("texts", KernelClassifier(features_col=["x", "y"], **SETTINGS), KernelClassifierModel, texts),
        ("numbers", KernelRegressor(features_col=["x", "y"], **SETTINGS), KernelRegressorModel, data),
    ):
        model = estimator.fit(rows)
        model.save(str(tmp_path / name))
        loaded = kind.load(str(tmp_path / name))
        back = kind.from_local(model.to_local(), features_col=["x", "y"])
        expected = model.transform(test_rows).select("prediction").collect()
        for other in (loaded, back):
            assert other._data == model._data
            assert other.transform(test_rows).select("prediction").collect() == expected
        assert loaded.uid == model.uid
    with pytest.raises(kinglet.Error, match="this is a KernelRegressorModel, not a KernelClassifierModel"):
        KernelClassifierModel.load(str(tmp_path / "numbers"))
    with pytest.raises(kinglet.Error, match="KernelClassifier"):
        KernelClassifierModel.from_local(kinglet.KernelRegressor())
    with pytest.raises(kinglet.Error, match="not fitted"):
        KernelRegressorModel.from_local(kinglet.KernelRegressor())


def test_other_algorithms_are_averaged(data, test_rows):
    model = KernelClassifier(features_col=["x", "y"], algo="bpegasos", budget=30, gamma=1.0, reg_lambda=1e-4).fit(data)
    assert len(model.to_local().support_vectors_) <= 30
    assert "probability" not in model.transform(test_rows).columns
    assert accuracy(model, test_rows) > 0.85


def test_novelties(spark, random, tmp_path):
    points = random.normal(size=(1500, 2)).astype(np.float32)
    data = frame(spark, points, np.zeros(1500)).drop("label")
    model = NoveltyDetector(features_col=["x", "y"], budget=40, gamma=0.5, nu=0.1).fit(data)
    normal = model.transform(data).toPandas()
    assert 0.02 < (normal["prediction"] == -1).mean() < 0.3
    far = model.transform(data.withColumn("x", sql.col("x") + 20)).toPandas()
    assert (far["prediction"] == -1).all() and all(raw[1] < 0 for raw in far["rawPrediction"])
    model.save(str(tmp_path / "detector"))
    assert NoveltyDetectorModel.load(str(tmp_path / "detector"))._data == model._data
    assert isinstance(model.to_local(), kinglet.NoveltyDetector)


def test_parameters_are_explained():
    text = KernelClassifier(budget=7).explainParams()
    assert "budget" in text and "current: 7" in text and "num_workers" in text
    assert KernelClassifier(features_col="v", featuresCol="w").getFeaturesCol() == "w"
