"""
The kinglet library. Users want the package kinglet, which is built on it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

__version__: str

class Error(ValueError):
    """What is wrong with data, options or a model file, in one line."""

def registry() -> dict:
    """
    Every algorithm, rule, kernel and option, as the library declares them: lists of dictionaries.
    """

def parameter_name(option: str) -> str:
    """What an option is called in Python."""

def complete_options(options: Mapping[str, str]) -> dict[str, str]:
    """Checks options and fills in the defaults that go with them."""

def keeps_examples(options: Mapping[str, str]) -> bool:
    """Whether a second pass over the same rows would count them twice."""

class Model:
    """
    A kinglet model. X is a C-order array of float32 or float64, or the tuple (data, indices, indptr, features) of a CSR matrix in canonical form.
    """

    def __init__(self, options: Mapping[str, str]) -> None: ...

    def learn(self, x: Any, y: Any, weights: Any = None, order: Any = None, progress: Callable[[int], object] | None = None) -> None:
        """
        Learns the rows one after the other; y has class numbers (int64) or targets.
        """

    def begin_stream(self) -> None:
        """Rows follow that were never there before."""

    def end_pass(self) -> None:
        """All rows were there once."""

    def expect_classes(self, texts: Sequence[str]) -> None:
        """Classes that will come, in this order."""

    def predict(self, x: Any, out: Any, threads: int = 1) -> None:
        """Fills `out` with class numbers (int64) or predicted numbers (float64)."""

    def scores(self, x: Any, out: Any, threads: int = 1) -> None:
        """
        Fills `out` (float64) with the scores of each row, one for each output.
        """

    def probabilities(self, x: Any, out: Any, threads: int = 1) -> None:
        """
        Fills `out` (float64) with the probabilities of each row, one for each class.
        """

    def support_vectors(self, vectors: Any, coefficients: Any) -> None:
        """
        Fills `vectors` (float32, in the units of the data) and `coefficients` (float64, outputs times vectors).
        """

    def stats(self) -> dict[str, Any]:
        """Numbers about the model: examples, support_vectors, memory_bytes, …"""

    @property
    def labels(self) -> list[str]:
        """The texts of the classes, by class number."""

    @property
    def options(self) -> dict[str, str]:
        """All options, with what the data decided."""

    @property
    def requested_options(self) -> dict[str, str]:
        """All options, `auto` left as it was."""

    def serialize(self) -> bytes:
        """The bytes of the model file."""

    @staticmethod
    def deserialize(bytes: bytes, name: str = 'model') -> Model:
        """The model that serialize() wrote."""

    def save(self, path: str) -> None:
        """Writes the model file, whole or not at all."""

    @staticmethod
    def load(path: str) -> Model:
        """The model of a file."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...
