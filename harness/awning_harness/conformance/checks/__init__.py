"""The checks, a file for each family.

A check is a function `test_<name>`. The first sentence of its docstring says what is wrong when the check fails.

`check_functions` returns all checks. The decorator `looks_at` sets the situations in which a check runs.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

from awning_harness.conformance.situation import Situations

FAMILIES = (
    "rules",
    "visible",
    "events",
    "answers",
    "neighbours",
    "carts",
    "payloads",
    "app_data",
    "blocked",
    "shops",
    "keyboard",
    "stability",
    "cost",
)
"""The modules of this package, in the order in which their checks run."""

Check = TypeVar("Check", bound=Callable[..., None])


def looks_at(situations: Situations) -> Callable[[Check], Check]:
    """Mark a check with its situations. Such a check runs once for each of them."""

    def mark(check: Check) -> Check:
        check.situations = situations  # type: ignore[attr-defined]
        return check

    return mark


def check_functions() -> dict[str, Callable[..., Any]]:
    """Return the function of each check, by the function's name: `test_layout_shift`."""
    modules = [import_module(f"{__name__}.{family}") for family in FAMILIES]
    return {
        name: function
        for module in modules
        for name, function in vars(module).items()
        if name.startswith("test_") and function.__module__ == module.__name__
    }


def check_name(function_name: str) -> str:
    """Return the name of a check: `layout-shift` for `test_layout_shift`."""
    return function_name.removeprefix("test_").replace("_", "-")
