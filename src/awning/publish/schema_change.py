"""A data schema that changed without a higher `x-version`, so that no migration runs: stored app data may not fit it.

It is found from the releases and the journal alone. What the instances have stored is not read.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from awning.diagnostics import first_few

NAMED = 3
"""The most settings, and the most releases, that the sentence names."""
VERSION = 'raise "x-version" in its data.schema.json and write data.migrate.ts'


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaChange:
    """The settings that may not fit, as paths, and the earlier releases that `instances` instances have."""

    instances: int
    releases: tuple[int, ...]
    settings: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "instances": self.instances,
            "releases": list(self.releases),
            "settings": list(self.settings),
        }

    def sentences(self) -> Iterator[str]:
        """Yield what has changed, and what to do."""
        shops = "1 instance" if self.instances == 1 else f"{self.instances:,} instances"
        have = "has" if self.instances == 1 else "have"
        releases = f"{'release' if len(self.releases) == 1 else 'releases'} {first_few(self.releases, NAMED)}"
        yield (
            f'warning: the schema of {first_few(self.settings, NAMED)} changed without a higher "x-version" '
            f"since {releases}, "
            f"which {shops} {have}: what they stored may not fit, and is not migrated"
        )
        yield (
            "hint: `awning data check` names the instances that do not fit. To migrate their data, "
            f"{VERSION} beside it"
        )
