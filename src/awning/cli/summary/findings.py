"""Reads the findings in the output of `awning check --format sarif`."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from awning.errors import ConfigurationError
from awning.typed_values import Mismatch, decode


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


class _Message(Struct):
    text: str


class _Artifact(Struct):
    uri: str = ""


class _Region(Struct, rename="camel"):
    start_line: int | None = None


class _PhysicalLocation(Struct, rename="camel"):
    artifact_location: _Artifact = field(default_factory=_Artifact)
    region: _Region = field(default_factory=_Region)


class _Location(Struct, rename="camel"):
    physical_location: _PhysicalLocation = field(default_factory=_PhysicalLocation)


class _SarifResult(Struct, rename="camel"):
    rule_id: str
    message: _Message
    level: str = "warning"
    locations: tuple[_Location, ...] = ()

    def finding(self) -> Finding:
        place = next(iter(self.locations), _Location()).physical_location
        return Finding(
            rule=self.rule_id,
            severity=self.level,
            path=place.artifact_location.uri,
            line=place.region.start_line,
            message=self.message.text,
        )


class _Run(Struct):
    results: tuple[_SarifResult, ...]


class _Sarif(Struct):
    """The parts of a SARIF file that are read (SARIF 2.1.0)."""

    runs: tuple[_Run, ...]


def read_sarif(file: Path) -> tuple[Finding, ...]:
    """Return the findings in a SARIF file.

    Raises ConfigurationError when the file is not valid SARIF, OSError when it cannot be read.
    """
    try:
        document = decode(file.read_bytes(), _Sarif)
    except Mismatch as mismatch:
        raise ConfigurationError(
            f"{file} is not a SARIF file: {mismatch.of('it')}",
            hint=f"write it with: awning check --format sarif > {file}",
        ) from None
    return tuple(result.finding() for run in document.runs for result in run.results)
