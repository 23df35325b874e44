"""Packages that import their names at first use (`late_names`)."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LAZY = [
    path.parent.relative_to(top).as_posix().replace("/", ".")
    for top in (ROOT / "src", ROOT / "harness")
    for path in sorted(top.rglob("__init__.py"))
    if "\n__getattr__ = late_names(" in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("package", LAZY)
def test_lazy_name_is_no_module(package: str) -> None:
    """An import of a module sets the name in its package, so the name would be the module from then on."""
    names = import_module(package).__all__
    assert names
    assert [name for name in names if find_spec(f"{package}.{name}")] == []
    assert all(hasattr(import_module(package), name) for name in names)
