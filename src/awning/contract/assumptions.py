"""All assumptions in one table: those about the server, about events in the browser, and about the shop's pages.

It joins `service_assumptions` (with `reseller_assumptions`), `event_assumptions` and `page_assumptions`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from awning.contract.assumption import ASSUMPTION_SETS, DEFAULT_SET
from awning.contract.event_assumptions import EVENT_ASSUMPTIONS
from awning.contract.page_assumptions import PAGE_ASSUMPTIONS
from awning.contract.service_assumptions import SERVICE_ASSUMPTIONS

__all__ = ["ASSUMPTIONS", "ASSUMPTION_SETS", "DEFAULT_SET", "Assumption", "Side"]

Side = Literal["service", "browser", "pages"]
MOST_SECONDS_DIGITS = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """One open question. `side` is what it is about: the APIs, `svcPlugins` in the browser, or the shop's pages.

    `alternatives` maps each possible answer to its meaning, which is "" when the question explains it. `sets` maps each
    assumption set to its answer. With `seconds`, the answer is a number of seconds: any whole number of at most
    `MOST_SECONDS_DIGITS` digits.
    """

    id: str
    side: Side
    question: str
    alternatives: Mapping[str, str]
    sets: Mapping[str, str]
    source: str
    seconds: bool = False

    def allows(self, value: str) -> bool:
        """Return whether `value` is a possible answer."""
        if value in self.alternatives:
            return True
        return self.seconds and value.isascii() and value.isdecimal() and len(value) <= MOST_SECONDS_DIGITS


def _all_assumptions() -> Iterator[Assumption]:
    for service in SERVICE_ASSUMPTIONS:
        yield Assumption(
            id=service.id,
            side="service",
            question=service.question,
            alternatives=dict(service.alternatives),
            sets={name: service.answer(name) for name in ASSUMPTION_SETS},
            source=service.source,
            seconds=service.seconds,
        )
    for event in EVENT_ASSUMPTIONS.values():
        yield Assumption(
            id=event.id,
            side="browser",
            question=event.question,
            alternatives=dict.fromkeys(event.alternatives, ""),
            sets={name: getattr(event, name) for name in ASSUMPTION_SETS},
            source=event.source,
        )
    for page in PAGE_ASSUMPTIONS.values():
        yield Assumption(
            id=page.id,
            side="pages",
            question=page.question,
            alternatives=dict.fromkeys(page.alternatives, ""),
            sets={name: page.answer(name) for name in ASSUMPTION_SETS},
            source="assumed",
        )


ASSUMPTIONS: Mapping[str, Assumption] = MappingProxyType({a.id: a for a in _all_assumptions()})
"""All assumptions by id, in the order of the tables. A test checks that each id is unique."""
