"""What awning assumes about the service where the specification is silent, as `doctor --assumptions` lists it.

Two tables, each kept where it is obeyed: the server side's in `awning.contract`, the browser side's beside the
emulator.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from awning.contract.service_assumptions import PROFILES, SERVICE_ASSUMPTIONS
from awning.jsrc import jsrc_root


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """One open question, its possible answers, and the one that each profile takes."""

    id: str
    side: str
    question: str | None
    alternatives: tuple[str, ...]
    profiles: dict[str, str]


def assumptions() -> Iterator[Assumption]:
    """The service's and the browser's, in the order of their tables."""
    for one in SERVICE_ASSUMPTIONS:
        yield Assumption(
            id=one.id,
            side="service",
            question=one.question,
            alternatives=one.values,
            profiles={profile: one.default(profile) for profile in PROFILES},
        )
    table = json.loads((jsrc_root() / "emulator" / "assumptions.json").read_text(encoding="utf-8"))
    for name, entry in table.items():
        yield Assumption(
            id=name,
            side="browser",
            question=entry.get("question"),
            alternatives=tuple(str(value) for value in entry["alternatives"]),
            profiles={profile: str(entry[profile]) for profile in PROFILES},
        )


def lines(found: list[Assumption]) -> Iterator[str]:
    """For a terminal: each with its question, and what the three profiles answer."""
    for side in ("service", "browser"):
        yield f"{side} (documented / observed / hostile)"
        mine = [one for one in found if one.side == side]
        width = max((len(one.id) for one in mine), default=0)
        for one in mine:
            yield f"  {one.id:<{width}}  {' / '.join(one.profiles[profile] for profile in PROFILES)}"
            if one.question:
                yield f"  {'':<{width}}  {one.question}"
