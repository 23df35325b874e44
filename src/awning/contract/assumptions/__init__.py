"""All assumptions in one table. A file for each subject: the two APIs, events in the browser, the shop's pages.

The simulated service and shop, the emulator, `doctor --assumptions`, the portal and docs/reference/service.md read this
table.
"""

from collections.abc import Mapping
from types import MappingProxyType

from awning.contract.assumptions.apps import APPS_ASSUMPTIONS
from awning.contract.assumptions.assumption import ASSUMPTION_SETS, DEFAULT_SET, Assumption, Side
from awning.contract.assumptions.events import EVENT_ASSUMPTIONS
from awning.contract.assumptions.pages import PAGE_ASSUMPTIONS
from awning.contract.assumptions.reseller import RESELLER_ASSUMPTIONS

__all__ = ["ASSUMPTIONS", "ASSUMPTION_SETS", "DEFAULT_SET", "Assumption", "Side", "assumptions_of"]

ASSUMPTIONS: Mapping[str, Assumption] = MappingProxyType(
    {a.id: a for a in (*APPS_ASSUMPTIONS, *RESELLER_ASSUMPTIONS, *EVENT_ASSUMPTIONS, *PAGE_ASSUMPTIONS)}
)
"""All assumptions by id. A test checks that each id is unique."""


def assumptions_of(side: Side) -> Mapping[str, Assumption]:
    """Return the assumptions about one side, by id."""
    return {id_: assumption for id_, assumption in ASSUMPTIONS.items() if assumption.side == side}
