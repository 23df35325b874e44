"""`volume("name")` returns how much a test does, such as the examples of a property test: see `tests/volumes.toml`.

This is a module on pytest's path (`pythonpath` in pyproject.toml) and not a fixture, because
`@settings(max_examples=...)` is evaluated when a test is imported.

`VOLUMES="generated-calls=100000 manifest=50000"` in the environment changes some of the numbers for one run.
"""

import os
import tomllib
from pathlib import Path

VOLUMES = tomllib.loads((Path(__file__).parent.parent / "volumes.toml").read_text(encoding="utf-8"))
OVERRIDES = dict(pair.split("=") for pair in os.environ.get("VOLUMES", "").split())
PROFILE = "ci" if os.environ.get("CI", "").lower() in {"true", "1"} else "newcomer"


def volume(name: str) -> int:
    """Return the number of the variable VOLUMES, else that for CI or a newcomer.

    Raises LookupError for an unknown name.
    """
    if name not in VOLUMES:
        raise LookupError(f"tests/volumes.toml has no [{name}]")
    return int(OVERRIDES.get(name, VOLUMES[name][PROFILE]))
