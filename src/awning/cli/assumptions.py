"""What awning assumes about the service where the specification is silent, as `doctor --assumptions` lists it.

Three tables, each kept where it is obeyed: the server's and the events' side in `awning.contract`, the pages' in the
storefront of the harness, which is asked by name where it is installed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from awning.contract.events import EVENT_ASSUMPTIONS
from awning.contract.service_assumptions import PROFILES, SERVICE_ASSUMPTIONS

STOREFRONT = "awning_harness.storefront.assumptions"


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
    yield from _pages()


def _pages() -> Iterator[Assumption]:
    """Those of the simulated shop. By name: awning does not depend on the harness."""
    if find_spec("awning_harness") is None or find_spec("starlette") is None:
        return
    for page in import_module(STOREFRONT).PAGE_ASSUMPTIONS.values():
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
