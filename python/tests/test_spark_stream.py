"""kinglet.spark.StreamLearner: a stream of files, learned exactly once across restarts."""

import shutil

import numpy as np
import pytest
import spark_sessions

import kinglet

if why := spark_sessions.missing():
    pytest.skip(why, allow_module_level=True)

from pyspark.errors import AnalysisException

from kinglet.spark import KernelClassifier, KernelRegressor, StreamLearner

SCHEMA = "x float, y float, label double"
FILES, ROWS = 5, 400


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A folder of CSV files with the points of a 2 x 2 checkerboard."""
    folder = tmp_path_factory.mktemp("rows")
    random = np.random.default_rng(1)
    for i in range(FILES):
        points = random.uniform(0, 2, (ROWS, 2)).astype(np.float32)
        colours = np.floor(points).sum(axis=1) % 2
        lines = [f"{x},{y},{colour}\n" for (x, y), colour in zip(points.tolist(), colours.tolist())]
        (folder / f"{i}.csv").write_text("".join(lines))
    return folder


def classifier(**options):
    return KernelClassifier(features_col=["x", "y"], **{"algo": "bnewton", "budget": 40, "gamma": 1.0, "scout": 500, **options})


def stream(spark, files):
    return spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).csv(str(files))


def learn_all(spark, files, learner):
    query = learner.writer(stream(spark, files)).trigger(availableNow=True).start()
    query.awaitTermination()


class Interrupted(StreamLearner):
    """Fails in micro-batch 2: before it is learned, or after its state was written but before Spark knows."""

    when = "before"

    def __call__(self, batch, number):
        if number == 2 and self.when == "before":
            raise RuntimeError("the power failed")
        super().__call__(batch, number)
        if number == 2:
            raise RuntimeError("the power failed")


def test_restarts_change_nothing(spark, files, tmp_path):
    whole = StreamLearner(classifier(), str(tmp_path / "whole"))
    learn_all(spark, files, whole)
    assert whole.rows(spark) == FILES * ROWS
    model = whole.model(spark)
    rows = spark.read.schema(SCHEMA).csv(str(files))
    assert model.transform(rows).where("prediction = label").count() > 0.95 * FILES * ROWS
    assert model.to_local().facts_["examples"] == FILES * ROWS
    for when in ("before", "after"):
        broken = Interrupted(classifier(), str(tmp_path / when))
        broken.when = when
        with pytest.raises(Exception, match="the power failed"):
            learn_all(spark, files, broken)
        assert broken.rows(spark) == {"before": 2, "after": 3}[when] * ROWS
        again = StreamLearner(classifier(), str(tmp_path / when))
        learn_all(spark, files, again)
        assert again.model(spark)._data == model._data


def test_a_batch_is_learned_once(spark, files, tmp_path):
    learner = StreamLearner(classifier(), str(tmp_path))
    with pytest.raises(kinglet.Error, match="nothing has been learned"):
        learner.model(spark)
    rows = spark.read.schema(SCHEMA).csv(str(files / "0.csv"))
    learner(rows, 0)
    first = learner.model(spark)._data
    learner(rows, 0)
    assert learner.model(spark)._data == first and learner.rows(spark) == ROWS
    learner(rows, 1)
    second = learner.model(spark)._data
    learner(rows, 2)
    assert learner.rows(spark) == 3 * ROWS
    # Half-written: the folder of micro-batch 2 is lost; that of 1 is complete.
    for file in (tmp_path / "kinglet" / "0").glob("*.parquet"):
        file.unlink()
    assert learner.model(spark)._data == second
    learner(rows.where("x > 9"), 2)  # a micro-batch without rows
    assert learner.rows(spark) == 2 * ROWS


def test_a_missing_state_is_refused(spark, files, tmp_path):
    rows = spark.read.schema(SCHEMA).csv(str(files / "0.csv"))
    learner = StreamLearner(classifier(), str(tmp_path))
    for number in range(3):
        learner(rows, number)
    shutil.rmtree(tmp_path / "kinglet" / "0")  # that of micro-batch 2
    with pytest.raises(kinglet.Error, match="the state after micro-batch 2 is missing"):
        learner(rows, 3)
    shutil.rmtree(tmp_path / "kinglet")
    with pytest.raises(kinglet.Error, match="the state after micro-batch 2 is missing"):
        learner(rows, 3)
    assert not (tmp_path / "kinglet").exists()


def test_a_state_that_cannot_be_read_is_no_missing_one(tmp_path):
    class Reader:
        def schema(self, schema):
            return self

        def parquet(self, path):
            raise AnalysisException("permission denied")

    class Session:
        read = Reader()

    with pytest.raises(AnalysisException, match="permission denied"):
        StreamLearner(classifier(), str(tmp_path)).rows(Session())


def test_the_first_micro_batches_may_be_empty(spark, files, tmp_path):
    rows = spark.read.schema(SCHEMA).csv(str(files / "0.csv"))
    nothing = spark.createDataFrame(spark.sparkContext.emptyRDD(), rows.schema)
    assert nothing.rdd.getNumPartitions() == 0
    learner = StreamLearner(classifier(), str(tmp_path))
    for number, batch in enumerate((nothing, rows.where("x > 9"), rows, nothing, rows)):
        learner(batch, number)
        assert learner.rows(spark) == (0, 0, ROWS, ROWS, 2 * ROWS)[number]
    once = StreamLearner(classifier(), str(tmp_path / "once"))
    once(rows, 0)
    once(rows, 1)
    assert once.model(spark)._data == learner.model(spark)._data


def test_options_stay_the_same(spark, files, tmp_path):
    rows = spark.read.schema(SCHEMA).csv(str(files / "0.csv"))
    StreamLearner(classifier(), str(tmp_path))(rows, 0)
    with pytest.raises(kinglet.Error, match="learned with budget=40, not 50"):
        StreamLearner(classifier(budget=50), str(tmp_path))(rows, 1)
    with pytest.raises(kinglet.Error, match="learned with gamma=1.0, not auto"):
        StreamLearner(classifier(gamma=None), str(tmp_path))(rows, 1)
    StreamLearner(classifier(), str(tmp_path))(rows, 1)
    for name, value in (("rounds", 2), ("num_workers", 2), ("validation_indicator_col", "held")):
        with pytest.raises(kinglet.Error, match="parameter of fit"):
            StreamLearner(classifier(**{name: value}), str(tmp_path))


def test_a_fitted_model_goes_on(spark, files, tmp_path):
    rows = spark.read.schema(SCHEMA).csv(str(files / "0.csv"))
    for estimator in (classifier(algo="span"), KernelRegressor(features_col=["x", "y"], budget=40, gamma=1.0, scout=200)):
        model = estimator.fit(rows)
        learner = StreamLearner(model, str(tmp_path / type(model).__name__))
        learner(spark.read.schema(SCHEMA).csv(str(files / "1.csv")), 0)
        assert learner.model(spark).to_local().facts_["examples"] == 2 * ROWS
    averaged = classifier(algo="bpegasos", scout=None).fit(rows.repartition(2))
    with pytest.raises(kinglet.Error, match="cannot go on"):
        StreamLearner(averaged, str(tmp_path))


def test_committees_and_bad_rows(spark, files, tmp_path):
    rows = spark.read.schema(SCHEMA).csv(str(files / "0.csv"))
    learner = StreamLearner(KernelClassifier(features_col=["x", "y"], algo="auto", budget=40), str(tmp_path / "auto"))
    learner(rows, 0)
    learner(rows, 1)
    assert learner.model(spark).to_local().settled_["algorithm"]
    with pytest.raises(Exception, match="partition 0, row 1: the label .* is null"):
        learner(rows.selectExpr("x", "y", "double(null) as label"), 2)
    assert learner.rows(spark) == 2 * ROWS
