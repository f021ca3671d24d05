"""Convert between parameters of the estimators and options of the registry: names and values."""

from __future__ import annotations

import numbers
from typing import Any

from kinglet._kinglet import parameter_name

__all__ = ["option_text", "options_of_task", "parameter_name", "parameter_value"]

# Options that an estimator sets in other ways.
_NOT_PARAMETERS = {"task", "seed", "class-weight", "proba"}
_OF_ONE_TASK = {
    "classify": {"query", "query-budget", "query-window"},
    "regress": {"epsilon"},
    "novelty": {"nu"},
}
# The most important parameters come first.
_FIRST = ("algo", "budget", "kernel", "gamma", "lambda", "C", "eta", "epsilon", "nu")


def options_of_task(registry: dict[str, Any], task: str) -> list[dict[str, Any]]:
    """Return the options that are parameters of the estimator for this task."""
    elsewhere = set().union(*(names for other, names in _OF_ONE_TASK.items() if other != task))
    options = [o for o in registry["options"] if o["name"] not in _NOT_PARAMETERS | elsewhere]
    names = [o["name"] for o in options]
    first = [names.index(name) for name in _FIRST if name in names]
    return [options[i] for i in first] + [o for i, o in enumerate(options) if i not in first]


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
