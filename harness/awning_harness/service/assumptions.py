"""The answers this service currently gives to what the specification does not show.

The questions are data in `awning.contract.service_assumptions`; here are the values in force: those of a
profile, changed one by one.
"""

from collections.abc import Callable, Mapping
from typing import Any

from awning.contract.service_assumptions import (
    DEFAULT_PROFILE,
    PROFILES,
    SERVICE_ASSUMPTIONS,
    ServiceAssumption,
)
from awning.diagnostics import did_you_mean

BY_ID: Mapping[str, ServiceAssumption] = {assumption.id: assumption for assumption in SERVICE_ASSUMPTIONS}


PROFILE = "profile"
"""The name under which a profile that was taken is kept beside the assumptions."""


class UnknownAnswer(ValueError):
    """An assumption, a value or a profile that does not exist. The message says what does."""


class Assumptions:
    """The value of each assumption. `changed` is called with the id and value of each change.

    `profile` is the one that was taken last; single answers may have been set otherwise since.
    """

    def __init__(
        self,
        profile: str = DEFAULT_PROFILE,
        *,
        changed: Callable[[str, str], None] = lambda _id, _value: None,
    ) -> None:
        self._changed = changed
        self.profile = _known_profile(profile)
        self._values = {id_: assumption.default(profile) for id_, assumption in BY_ID.items()}

    def __getitem__(self, assumption_id: str) -> str:
        return self._values[assumption_id]

    def values(self) -> dict[str, str]:
        return dict(self._values)

    def seconds(self, assumption_id: str) -> int:
        return int(self._values[assumption_id])

    def set(self, assumption_id: str, value: str) -> None:
        """Answer one question otherwise. Raises UnknownAnswer."""
        assumption = BY_ID.get(assumption_id)
        if assumption is None:
            raise UnknownAnswer(_unknown("assumption", assumption_id, BY_ID))
        if not assumption.allows(value):
            raise UnknownAnswer(_unknown(f"value of {assumption_id}", value, assumption.values))
        self._values[assumption_id] = value
        self._changed(assumption_id, value)

    def take_profile(self, profile: str) -> None:
        """Answer every question as `profile` does. Raises UnknownAnswer."""
        self.profile = _known_profile(profile)
        self._changed(PROFILE, profile)
        for id_, assumption in BY_ID.items():
            self.set(id_, assumption.default(profile))

    def listing(self) -> list[dict[str, Any]]:
        """Every question with its alternatives and the value in force, for people and scripts."""
        return [
            {
                "id": a.id,
                "question": a.question,
                "value": self._values[a.id],
                "default": a.default(),
                "alternatives": dict(a.alternatives),
                "profiles": {profile: a.default(profile) for profile in PROFILES},
                "source": a.source,
            }
            for a in SERVICE_ASSUMPTIONS
        ]


def _known_profile(profile: str) -> str:
    if profile not in PROFILES:
        raise UnknownAnswer(_unknown("profile", profile, PROFILES))
    return profile


def _unknown(kind: str, word: str, known: Mapping[str, Any] | tuple[str, ...]) -> str:
    hint = did_you_mean(word, known) or f"there are {', '.join(known)}"
    return f'unknown {kind} "{word}": {hint}'
