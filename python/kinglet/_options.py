"""Convert between parameters of the estimators and options of the registry: names and values."""

from __future__ import annotations

import numbers
import warnings
from typing import Any

__all__ = ["DEPRECATED", "OLD_NAMES", "given_options", "option_text", "options_of_task", "parameter_value", "warn_of_old_names"]

# Old names of parameters, and what they are called now.
OLD_NAMES = {"lambda_": "reg_lambda", "maintain": "budget_rule"}
DEPRECATED = "deprecated"  # the default of an old name

# Options that an estimator sets in other ways.
_NOT_PARAMETERS = {"task", "seed", "class-weight", "proba"}
# The most important parameters come first.
_FIRST = ("algo", "budget", "kernel", "gamma", "lambda", "C", "eta", "epsilon", "nu")


def options_of_task(registry: dict[str, Any], task: str) -> list[dict[str, Any]]:
    """Return the options that are parameters of the estimator for this task."""
    options = [o for o in registry["options"] if o["name"] not in _NOT_PARAMETERS and o["task"] in ("", task)]
    names = [o["name"] for o in options]
    first = [names.index(name) for name in _FIRST if name in names]
    return [options[i] for i in first] + [o for i, o in enumerate(options) if i not in first]


def given_options(registry: dict[str, Any], task: str, estimator: Any) -> dict[str, str]:
    """Return the options that the parameters of an estimator set; a parameter that is None sets nothing."""
    values = {old: getattr(estimator, old, DEPRECATED) for old in OLD_NAMES}
    renamed = {OLD_NAMES[old]: value for old, value in values.items() if _is_given(value)}
    options = {"task": task}
    for option in options_of_task(registry, task):
        value = getattr(estimator, option["parameter"], None)
        if value is None:
            value = renamed.get(option["parameter"])
        if value is not None:
            options[option["name"]] = option_text(value)
    return options


def warn_of_old_names(estimator: Any) -> None:
    """Warn about parameters that are set under a name that is going to be removed."""
    for old, new in OLD_NAMES.items():
        if _is_given(getattr(estimator, old, DEPRECATED)):
            if getattr(estimator, new, None) is not None:
                raise ValueError(f"{old} is the old name of {new}: give one of them")
            warnings.warn(f"{old} is deprecated and will be removed: use {new}", FutureWarning, stacklevel=4)


def _is_given(value: Any) -> bool:
    return value is not None and not (isinstance(value, str) and value == DEPRECATED)


def option_text(value: Any) -> str:
    """Return a value as the text that the registry expects."""
    if isinstance(value, (bool,)) or type(value).__name__ == "bool_":
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    return str(value)


def parameter_value(option: dict[str, Any], text: str) -> Any:
    """Return the value whose option_text() is `text`."""
    if option["kind"] == "flag":
        return text == "true"
    if option["kind"] in ("integer", "real"):
        try:
            return int(text) if option["kind"] == "integer" else float(text)
        except ValueError:
            return text  # auto
    return text
