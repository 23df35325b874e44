"""volume("name"): how many examples a property test runs here, read from `tests/volumes.toml`.

A module on pytest's path (`pythonpath` in pyproject.toml) and not a fixture, because `@settings(max_examples=...)` is
evaluated when a test is imported.

`VOLUMES="generated-calls=100000 manifest=50000"` in the environment gives some of them another number for one run.
"""

import os
import tomllib
from pathlib import Path

VOLUMES = tomllib.loads((Path(__file__).parent.parent / "volumes.toml").read_text(encoding="utf-8"))
OVERRIDES = dict(pair.split("=") for pair in os.environ.get("VOLUMES", "").split())
PROFILE = "ci" if os.environ.get("CI", "").lower() in {"true", "1"} else "newcomer"


def volume(name: str) -> int:
    """The number in this run's column."""
    if name not in VOLUMES:
        raise LookupError(f"tests/volumes.toml has no [{name}]")
    return int(OVERRIDES.get(name, VOLUMES[name][PROFILE]))
