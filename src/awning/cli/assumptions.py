"""What awning assumes about the service where the specification is silent, as `doctor --assumptions` lists it.

Three tables in `awning.contract`: the server's side, the events', and the pages'.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from awning.contract.events import EVENT_ASSUMPTIONS
from awning.contract.page_assumptions import PAGE_ASSUMPTIONS
from awning.contract.service_assumptions import PROFILES, SERVICE_ASSUMPTIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """One open question, its possible answers, and the one that each profile takes. `source`: how it is known."""

    id: str
    side: str
    question: str
    alternatives: tuple[str, ...]
    profiles: dict[str, str]
    source: str


def assumptions() -> Iterator[Assumption]:
    """The service's, the browser's and the pages', in the order of their tables."""
    for one in SERVICE_ASSUMPTIONS:
        yield Assumption(
            id=one.id,
            side="service",
            question=one.question,
            alternatives=one.values,
            profiles={profile: one.default(profile) for profile in PROFILES},
            source=one.source,
        )
    for event in EVENT_ASSUMPTIONS.values():
        yield Assumption(
            id=event.id,
            side="browser",
            question=event.question,
            alternatives=event.alternatives,
            profiles={profile: getattr(event, profile) for profile in PROFILES},
            source=event.source,
        )
    for page in PAGE_ASSUMPTIONS.values():
        yield Assumption(
            id=page.id,
            side="pages",
            question=page.question,
            alternatives=page.alternatives,
            profiles={profile: page.value(profile) for profile in PROFILES},
            source="assumed",
        )


def lines(found: list[Assumption]) -> Iterator[str]:
    """For a terminal: each with its question, and what the three profiles answer."""
    for side in dict.fromkeys(one.side for one in found):
        yield f"{side} (documented / observed / hostile)"
        mine = [one for one in found if one.side == side]
        width = max(len(one.id) for one in mine)
        for one in mine:
            yield f"  {one.id:<{width}}  {' / '.join(one.profiles[profile] for profile in PROFILES)}"
            yield f"  {'':<{width}}  {one.question}"
