"""Assumptions about the pages of a shop: questions that neither the specification nor deployed pages answer.

The first alternative is the most likely answer. The simulated storefront follows these assumptions, and
`doctor --assumptions` lists them. Assumptions about events are in `event_assumptions`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True, kw_only=True)
class PageAssumption:
    """One open question about the pages. `hostile` is the answer that breaks careless widgets.

    `documented` is the answer that promises nothing beyond the specification; without it, the first alternative.
    """

    id: str
    question: str
    alternatives: tuple[str, ...]
    hostile: str
    documented: str | None = None

    def answer(self, assumption_set: str) -> str:
        own = {"hostile": self.hostile, "documented": self.documented}.get(assumption_set)
        return own or self.alternatives[0]


PAGE_ASSUMPTIONS: Mapping[str, PageAssumption] = MappingProxyType(
    {
        a.id: a
        for a in (
            PageAssumption(
                id="head-snippet",
                question="Does the head snippet run after the script that defines svcPlugins, or before it?",
                alternatives=("after", "before"),
                hostile="before",
            ),
            PageAssumption(
                id="cart-fields",
                question="Does cartData hold more than the two public fields, total and total_no_discount?",
                alternatives=("full", "known"),
                hostile="known",
                documented="known",
            ),
            PageAssumption(
                id="cart-changes",
                question=(
                    "Does a changed cart replace the HTML of the cart and the side cart in place, with a new host, or "
                    "load the page again?"
                ),
                alternatives=("in-place", "page-load"),
                hostile="in-place",
                documented="page-load",
            ),
            PageAssumption(
                id="empty-cart",
                question="Is after-cart fired for an empty cart?",
                alternatives=("no-event", "event"),
                hostile="event",
            ),
            PageAssumption(
                id="page-global",
                question="Has the page a global `page`, an object with its language and kind?",
                alternatives=("present", "absent"),
                hostile="absent",
                documented="absent",
            ),
            PageAssumption(
                id="page-value",
                question="Does page.page have the same value on product, cart and checkout pages?",
                alternatives=("catalog", "own"),
                hostile="own",
            ),
            PageAssumption(
                id="page-address",
                question="Is each language's page at the website's address and its code, the first language's too?",
                alternatives=("language-path", "first-at-root"),
                hostile="first-at-root",
            ),
            PageAssumption(
                id="order-page",
                question="Has the page after a finished order the apps' snippets? No event is fired there.",
                alternatives=("snippets", "none"),
                hostile="none",
            ),
        )
    }
)
