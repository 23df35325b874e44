"""Assumptions about the pages of a shop: questions that neither the specification nor deployed pages answer.

The first alternative is the most likely answer, and `hostile` the one that breaks careless widgets.
"""

from awning.contract.assumptions.assumption import Assumption
from awning.contract.payloads import RECORDS


def _assume(
    name: str,
    about: tuple[str, ...],
    question: str,
    alternatives: tuple[str, ...],
    *,
    hostile: str,
    documented: str | None = None,
) -> Assumption:
    return Assumption(
        id=name,
        side="pages",
        about=about,
        question=question,
        alternatives=dict.fromkeys(alternatives, ""),
        hostile=hostile,
        documented=documented,
        source="assumed",
    )


_CART_DETAILS = tuple(
    f"field:{record}.{field.name}"
    for record in ("CartData", "CartLine")
    for field in RECORDS[record]
    if field.source == "assumed"
)

PAGE_ASSUMPTIONS: tuple[Assumption, ...] = (
    _assume(
        name="head-snippet",
        about=("place:head",),
        question="Does the head snippet run after the script that defines svcPlugins, or before it?",
        alternatives=("after", "before"),
        hostile="before",
    ),
    _assume(
        name="cart-fields",
        about=_CART_DETAILS,
        question="Does cartData hold more than the two public fields, total and total_no_discount?",
        alternatives=("full", "known"),
        hostile="known",
        documented="known",
    ),
    _assume(
        name="cart-changes",
        about=("event:after-cart",),
        question=(
            "Does a changed cart replace the HTML of the cart and the side cart in place, with a new host, or "
            "load the page again?"
        ),
        alternatives=("in-place", "page-load"),
        hostile="in-place",
        documented="page-load",
    ),
    _assume(
        name="empty-cart",
        about=("event:after-cart",),
        question="Is after-cart fired for an empty cart?",
        alternatives=("no-event", "event"),
        hostile="event",
    ),
    _assume(
        name="page-global",
        about=("global:page",),
        question="Has the page a global `page`, an object with its language and kind?",
        alternatives=("present", "absent"),
        hostile="absent",
        documented="absent",
    ),
    _assume(
        name="page-value",
        about=("field:Page.page",),
        question="Does page.page have the same value on product, cart and checkout pages?",
        alternatives=("catalog", "own"),
        hostile="own",
    ),
    _assume(
        name="page-address",
        about=("page:address",),
        question="Is each language's page at the website's address and its code, the first language's too?",
        alternatives=("language-path", "first-at-root"),
        hostile="first-at-root",
    ),
    _assume(
        name="order-page",
        about=("page:order",),
        question="Has the page after a finished order the apps' snippets? No event is fired there.",
        alternatives=("snippets", "none"),
        hostile="none",
    ),
)
