"""The checks, a file for each family.

A check is a function `test_<name>`. What it finds and how to mend it is in `awning.contract.checks`. One that is a
coroutine waits for trials (`await subject.observe(…)`) and judges what was observed, so its trials can be run ahead.

`check_functions` returns all checks. The decorator `looks_at` sets the situations in which a check runs.
"""

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, TypeVar

from awning.contract.checks import WIDGET_CHECKS
from awning_harness.checks.situation import Situations

Check = TypeVar("Check", bound=Callable[..., object])


def looks_at(situations: Situations) -> Callable[[Check], Check]:
    """Mark a check with its situations. Such a check runs once for each of them."""

    def mark(check: Check) -> Check:
        check.situations = situations  # type: ignore[attr-defined]
        return check

    return mark


def check_functions() -> dict[str, Callable[..., Any]]:
    """Return the function of each check, by the function's name: `test_layout_shift`.

    They are in the order of `WIDGET_CHECKS`, in which they run.
    """
    modules = [import_module(f"{__name__}.{family.name}") for family in iter_modules(__path__)]
    functions = {
        name: function
        for module in modules
        for name, function in vars(module).items()
        if name.startswith("test_") and function.__module__ == module.__name__
    }
    return dict(sorted(functions.items(), key=lambda item: WIDGET_CHECKS.index(check_name(item[0]))))


def check_name(function_name: str) -> str:
    """Return the name of a check: `layout-shift` for `test_layout_shift`."""
    return function_name.removeprefix("test_").replace("_", "-")
