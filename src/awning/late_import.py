"""Names of a package that are imported at their first use, so that the package is cheap to import."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def late_names(package: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package (PEP 562).

    `names` has, by module below the package, the names in it with spaces between them. Type checkers and editors read
    the same imports under TYPE_CHECKING.
    """
    homes = {name: module for module, of_module in names.items() for name in of_module.split()}

    def late_name(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return late_name
