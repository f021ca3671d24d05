"""Fits, predicts, saves and loads with Spark Connect, where there is no SparkContext. Run by test_spark_cluster.py."""

import sys
import warnings

import spark_sessions

spark_sessions.use_this_python()

from pyspark.sql import SparkSession  # noqa: E402

from kinglet.spark import KernelClassifier, KernelClassifierModel  # noqa: E402


def main():
    builder = SparkSession.builder.remote("local[2]").config("spark.connect.grpc.binding.address", "127.0.0.1")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # settings that only a new server takes are set there
        for name, value in spark_sessions.SETTINGS.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
    data = session.range(0, 2000, 1, 3).selectExpr(
        "float(pmod(xxhash64(id, 1), 1000) / 500) as x", "float(pmod(xxhash64(id, 2), 1000) / 500) as y"
    )
    data = data.selectExpr("x", "y", "double((floor(x) + floor(y)) % 2 = 0) as label")
    model = KernelClassifier(features_col=["x", "y"], budget=40, gamma=1.0, scout=500).fit(data)
    model.save(sys.argv[1] + "/model")
    loaded = KernelClassifierModel.load(sys.argv[1] + "/model")
    scored = loaded.transform(data)
    right = scored.where("prediction = label").count() / 2000
    assert right > 0.95, right
    assert scored.schema["probability"].dataType.typeName() == "vectorudt"
    assert len(model.summary.rounds[0].parts) == 3
    print("as good as new")
    session.stop()


if __name__ == "__main__":
    main()
