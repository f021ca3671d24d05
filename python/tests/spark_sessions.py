"""Spark for the tests: whether it is there, and a small session that all of them share."""

import os
import re
import shutil
import subprocess
import sys

LEAST_JAVA = 17
QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto"  # for short runs: little time for compiling

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": QUICK_JAVA,
    "spark.executor.extraJavaOptions": QUICK_JAVA,
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
}


def missing():
    """What Spark needs and is not there, or an empty text."""
    try:
        import pyspark  # noqa: F401
    except ImportError:
        return "PySpark is not installed (pip install 'kinglet[spark]')"
    java = shutil.which("java")
    if java is None:
        return "Spark needs Java: there is no command `java`"
    text = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(\d+)', text)
    if version is None or int(version[1]) < LEAST_JAVA:
        return f"Spark needs Java {LEAST_JAVA}; `java -version` says {text.splitlines()[:1]}"
    return ""


def use_this_python():
    """Executors run this interpreter, and Spark runs from the package."""
    import pyspark

    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"


def new_session(master, **settings):
    """A session that listens on this machine only, with few partitions and no pages."""
    from pyspark.sql import SparkSession

    use_this_python()
    builder = SparkSession.builder.master(master).appName("kinglet tests")
    for name, value in {**SETTINGS, **settings}.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()
