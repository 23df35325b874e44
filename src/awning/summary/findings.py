"""Reads the findings in the output of `awning check --format sarif`."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from awning.errors import ConfigurationError


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A result in a SARIF file.

    `severity` is `error`, `warning` or `note`. `line` is None for a finding about a whole file.
    """

    rule: str
    severity: str
    path: str
    line: int | None
    message: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def read_sarif(file: Path) -> tuple[Finding, ...]:
    """Return the findings in a SARIF file.

    Raises ConfigurationError when the file is not valid SARIF, OSError when it cannot be read.
    """
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        return tuple(finding for run in document["runs"] for finding in _findings(run))
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise ConfigurationError(
            f"{file} is not a SARIF file", hint=f"write it with: awning check --format sarif > {file}"
        ) from error


def _findings(run: Mapping[str, Any]) -> Iterator[Finding]:
    for result in run["results"]:
        places = (place["physicalLocation"] for place in result.get("locations", ()))
        physical: Mapping[str, Any] = next(places, {})
        yield Finding(
            rule=str(result["ruleId"]),
            severity=str(result.get("level", "warning")),
            path=str(physical.get("artifactLocation", {}).get("uri", "")),
            line=physical.get("region", {}).get("startLine"),
            message=str(result["message"]["text"]),
        )
