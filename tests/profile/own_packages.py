"""The packages that the tests of awning itself need beyond awning: the group `test` of pyproject.toml.

`build.py` installs them for its verb `test`. A run of `awning test` in a clone without them would end with an error for
each file that imports one.
"""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

NAME = re.compile(r"[\w.-]+")


def require_packages(root: Path, group: str = "test") -> None:
    """Raise pytest.UsageError when a package of a group is not installed."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [NAME.match(line) for line in settings["dependency-groups"][group]]
    missing = [name[0] for name in wanted if name and not _is_installed(name[0])]
    if missing:
        raise pytest.UsageError(
            f"the tests of awning itself need {', '.join(missing)}: run `python3 build.py test`, which installs them. "
            "`awning test widgets` tests the widgets alone."
        )


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True
