"""A release that an operator has taken back from all instances, and what the next apply of it does.

An apply does not refuse such a release: who applies it may have mended what was wrong outside of the build. So plan,
apply and rollback say it.
"""

from dataclasses import dataclass
from typing import Any

from awning.build_record import shorten_fingerprint


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledBack:
    """The release, the fingerprint of its build, and the number of the run that took it back."""

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
