"""Settings and fixtures for all tests."""

import os

# scikit-learn checks estimators with arrays of other libraries only if this is set before SciPy is imported.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

import matplotlib  # noqa: E402
import numpy as np  # noqa: E402
import pytest  # noqa: E402

matplotlib.use("Agg")


@pytest.fixture
def moons():
    """Two half circles that no straight line separates: 1000 rows to learn and 1000 to test."""
    from sklearn.datasets import make_moons

    X, y = make_moons(2000, noise=0.2, random_state=0)
    return X[:1000], y[:1000], X[1000:], y[1000:]


@pytest.fixture
def random():
    return np.random.default_rng(0)


@pytest.fixture(scope="session")
def spark():
    """A small session of Spark that all tests share."""
    import spark_sessions

    session = spark_sessions.new_session("local[2]")
    yield session
    session.stop()
