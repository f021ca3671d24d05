"""Options of the registry as parameters of estimators: their names in Python, and their values as text."""

from __future__ import annotations

import numbers
from typing import Any

from kinglet._kinglet import parameter_name

__all__ = ["option_text", "options_of_task", "parameter_name", "parameter_value"]

# Options that an estimator sets by other means.
_NOT_PARAMETERS = {"task", "seed", "class-weight", "proba"}
_OF_ONE_TASK = {
    "classify": {"query", "query-budget", "query-window"},
    "regress": {"epsilon"},
    "novelty": {"nu"},
}
# What most people look for comes first.
_FIRST = ("algo", "budget", "kernel", "gamma", "lambda", "C", "eta", "epsilon", "nu")


def options_of_task(registry: dict[str, Any], task: str) -> list[dict[str, Any]]:
    """The options that are parameters of the task's estimator."""
    elsewhere = set().union(*(names for other, names in _OF_ONE_TASK.items() if other != task))
    options = [o for o in registry["options"] if o["name"] not in _NOT_PARAMETERS | elsewhere]
    names = [o["name"] for o in options]
    first = [names.index(name) for name in _FIRST if name in names]
    return [options[i] for i in first] + [o for i, o in enumerate(options) if i not in first]


def option_text(value: Any) -> str:
    """A value as the registry reads it."""
    if isinstance(value, (bool,)) or type(value).__name__ == "bool_":
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    return str(value)


def parameter_value(option: dict[str, Any], text: str) -> Any:
    """What option_text() made `text` of."""
    if option["kind"] == "flag":
        return text == "true"
    if option["kind"] in ("integer", "real"):
        try:
            return int(text) if option["kind"] == "integer" else float(text)
        except ValueError:
            return text  # auto
    return text
