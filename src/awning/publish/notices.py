"""What an operator is told before an apply, from the releases and the journal alone, and what the summary repeats.

An apply is not refused for it. Who applies a release that was taken back may have mended what was wrong outside of the
build; data that may not fit need not be stored anywhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from awning.build_record import shorten_fingerprint
from awning.data_schema import Path, shown_path
from awning.diagnostics import first_few

NAMED = 3
"""The most settings, and the most releases, that a sentence names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledBack:
    """A release that an operator has taken back from all instances, with its build and the run that did it."""

    release: int
    fingerprint: str
    run: int

    def as_json(self) -> dict[str, Any]:
        return {"release": self.release, "fingerprint": self.fingerprint, "run": self.run}

    def before_apply(self, subject: str) -> str:
        """Return the sentence for `subject`, such as "this apply", that publishes the release again."""
        return f"release {self.release}, {self._build}, was taken back by run {self.run}: {subject} publishes it again"

    def after_rollback(self) -> str:
        """Return the sentence for the end of the rollback."""
        return (
            f"the next `awning publish apply` of {self._build} publishes release {self.release} again: "
            "stop the jobs that apply it, and build again first"
        )

    @property
    def _build(self) -> str:
        return f"build {shorten_fingerprint(self.fingerprint)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaChange:
    """A data schema that changed without a higher `x-version`, so that no migration runs: stored data may not fit it.

    `settings` are the paths of what may not fit, `releases` the earlier ones that `instances` instances have.
    """

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
            'raise "x-version" in its data.schema.json and write data.migrate.ts beside it'
        )

    def is_about(self, path: Path) -> bool:
        """Return whether the value at a path of the app data may not fit because of the change."""
        names = [step for step in path if isinstance(step, str)]
        return any(shown_path(tuple(names[:end])) in self.settings for end in range(1, len(names) + 1))
