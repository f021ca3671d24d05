"""Write kinglet/_parameters.py, the signatures and docstrings of the estimators, from the registry of the library.

The build runs it (CMakeLists.txt): python generate.py MODULE_FOLDER FILE, where MODULE_FOLDER holds the built module
_kinglet.
"""

from __future__ import annotations

import os
import sys
import textwrap
from typing import Any

# The package cannot be imported before the file is there: its parts are.
sys.path[:0] = [sys.argv[1], os.path.join(os.path.dirname(os.path.abspath(__file__)), "kinglet")]
from _kinglet import registry  # noqa: E402
from _options import DEPRECATED, OLD_NAMES, options_of_task  # noqa: E402

_WIDTH = 120

Parameter = tuple[str, str, str, str]  # name, type, default, help

# (task, whether it is for River) of each class, and the estimator that it is for.
_CLASSES = {
    "ClassifierParameters": ("classify", False, "KernelClassifier"),
    "RegressorParameters": ("regress", False, "KernelRegressor"),
    "DetectorParameters": ("novelty", False, "NoveltyDetector"),
    "RiverClassifierParameters": ("classify", True, "river.KernelClassifier"),
    "RiverRegressorParameters": ("regress", True, "river.KernelRegressor"),
    "RiverDetectorParameters": ("novelty", True, "river.NoveltyDetector"),
}

# Parameters that are not options: name, type, default, help.
_PASSES = (
    "passes",
    'int | Literal["auto"]',
    '"auto"',
    "number of passes of `fit` over the rows. auto: one pass from 50000 rows on, up to 20 for fewer rows; one pass for "
    "algorithms that keep their examples",
)
_COLUMNS = (
    "columns",
    "Mapping[str, str] | None",
    "None",
    "what columns of a data frame are: their names and number, category, text, time or ignore. Others are detected from their "
    "types and first rows",
)
_CATEGORY_VALUES = (
    "category_values",
    "int",
    "100",
    "the most values of a category that get a feature of their own; others share a few features by a hash",
)
_TEXT_FEATURES = ("text_features", "int", "256", "number of features for the words of a text column")
_SHUFFLE = ("shuffle", "bool", "True", "whether `fit` shuffles the rows before each pass")
_CLASS_WEIGHT = (
    "class_weight",
    'Mapping[Any, float] | Literal["balanced"] | None',
    "None",
    "weights of the classes; balanced: inversely proportional to their frequencies",
)
_RANDOM_STATE = (
    "random_state",
    "int | np.random.RandomState | None",
    "None",
    "random seed; None: a different one each time",
)
_N_JOBS = ("n_jobs", "int | None", "None", "number of threads, which does not affect results; None or -1: all cores")
_WARM_UP = (
    "warm_up",
    "int",
    "64",
    "number of rows to collect before learning starts, to estimate scaling and gamma from",
)
_SEED = ("seed", "int | None", "None", "random seed; None: a different one each time")
_ON_DRIFT = (
    "on_drift",
    "Callable[[dict[str, Any]], object] | None",
    "None",
    "function to call at each alarm of drift, with a dictionary as in `drift_`; algo=\"auto\" only",
)
_VERBOSE = ("verbose", "int", "0", "1: show a progress bar during training (that of tqdm if it is installed)")


def _literal(choices: list[str]) -> str:
    return "Literal[" + ", ".join(f'"{choice}"' for choice in choices) + "]"


def _type(option: dict[str, Any]) -> str:
    kinds = {"real": "float", "integer": "int", "text": "str", "flag": "bool"}
    if option["kind"] == "choice":
        return _literal(option["choices"] + (["auto"] if option["may_be_auto"] else []))
    return kinds[option["kind"]] + (' | Literal["auto"]' if option["may_be_auto"] else "")


def _option_help(option: dict[str, Any]) -> str:
    text = option["help"]
    if option["kind"] != "choice" and option["range"] != "text":
        text += f" ({option['ranges']})"
    text += f". Default {option['defaults']}"
    users = option["users"]
    return text + (f". For {', '.join(users)}" if users and len(users) <= 8 else "")


def _old_names(options: list[Parameter]) -> list[Parameter]:
    """Return the deprecated parameters that stand for one of `options`."""
    kinds = {name: kind for name, kind, _, _ in options}
    return [
        (old, f'{kinds[new].removesuffix(" | None")} | Literal["{DEPRECATED}"]', f'"{DEPRECATED}"', f"old name of `{new}`")
        for old, new in OLD_NAMES.items()
        if new in kinds
    ]


def _parameters(task: str, river: bool) -> list[Parameter]:
    options = [
        (o["parameter"], _type(o) + " | None", "None", _option_help(o)) for o in options_of_task(registry(), task)
    ]
    old = _old_names(options)
    if river:
        return [*options, _WARM_UP, _SEED, *old]
    weight = [_CLASS_WEIGHT] if task == "classify" else []
    records = [_COLUMNS, _CATEGORY_VALUES, _TEXT_FEATURES]
    return [*options, *records, _PASSES, _SHUFFLE, *weight, _RANDOM_STATE, _N_JOBS, _VERBOSE, *([] if task == "novelty" else [_ON_DRIFT]), *old]


def _shown_type(kind: str) -> str:
    """Return a type as docstrings show it: {"dense", "sparse"} for a Literal."""
    return kind.replace(" | None", "").replace("Literal[", "{").replace("]", "}")


def _documentation(parameters: list[Parameter]) -> str:
    """Return the section Parameters in NumPy style."""
    lines = ["Parameters", "----------"]
    for name, kind, default, text in parameters:
        shown = _shown_type(kind) if default == "None" else f"{_shown_type(kind)}, default {default}"
        if name in OLD_NAMES:
            shown = DEPRECATED
        for text_of, indent in ((f"{name} : {shown}", ""), (text + ".", "    ")):
            lines += textwrap.wrap(
                text_of, _WIDTH - 8, initial_indent=indent, subsequent_indent="    ", break_on_hyphens=False
            )
    return "\n".join(lines)


def _class(name: str) -> str:
    task, river, estimator = _CLASSES[name]
    parameters = _parameters(task, river)
    lines = [f"class {name}:", f'    """The parameters of {estimator}."""', ""]
    lines += ["    def __init__(", "        self,", "        *,"]
    for parameter, kind, default, _ in parameters:
        line = f"        {parameter}: {kind} = {default},"
        lines.append(line if len(line) <= _WIDTH else line + "  # noqa: E501")
    lines += ["    ) -> None:", '        """None stands for the default of the algorithm.', ""]
    lines += [f"        {line}" if line else "" for line in _documentation(parameters).split("\n")]
    lines += ['        """']
    lines += [f"        self.{parameter} = {parameter}" for parameter, *_ in parameters]
    return "\n".join(lines)


def source() -> str:
    """The text of _parameters.py."""
    head = '''"""Generated from the registry of the library by python/generate.py when the package is built."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
'''
    return head + "".join(f"\n\n{_class(name)}\n" for name in _CLASSES)


if __name__ == "__main__":
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(source())
