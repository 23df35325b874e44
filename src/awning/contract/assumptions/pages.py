"""Assumptions about the pages of a shop: questions that neither the specification nor deployed pages answer.

The first alternative is the most likely answer, and `hostile` the one that breaks careless widgets.
"""

from awning.contract.assumptions.assumption import Assumption


def _assume(
    name: str,
    question: str,
    alternatives: tuple[str, ...],
    *,
    hostile: str,
    documented: str | None = None,
    settled_by: str | None = None,
) -> Assumption:
    return Assumption(
        id=name,
        side="pages",
        question=question,
        alternatives=dict.fromkeys(alternatives, ""),
        hostile=hostile,
        documented=documented,
        source="assumed",
        settled_by=settled_by,
    )


PAGE_ASSUMPTIONS: tuple[Assumption, ...] = (
    _assume(
        name="head-snippet",
        question="Does the head snippet run after the script that defines svcPlugins, or before it?",
        alternatives=("after", "before"),
        hostile="before",
    ),
    _assume(
        name="cart-fields",
        question="Does cartData hold more than the two public fields, total and total_no_discount?",
        alternatives=("full", "known"),
        hostile="known",
        documented="known",
        settled_by="CartData",
    ),
    _assume(
        name="cart-changes",
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
        question="Is after-cart fired for an empty cart?",
        alternatives=("no-event", "event"),
        hostile="event",
    ),
    _assume(
        name="page-global",
        question="Has the page a global `page`, an object with its language and kind?",
        alternatives=("present", "absent"),
        hostile="absent",
        documented="absent",
    ),
    _assume(
        name="page-value",
        question="Does page.page have the same value on product, cart and checkout pages?",
        alternatives=("catalog", "own"),
        hostile="own",
        settled_by="Page.page",
    ),
    _assume(
        name="page-address",
        question="Is each language's page at the website's address and its code, the first language's too?",
        alternatives=("language-path", "first-at-root"),
        hostile="first-at-root",
    ),
    _assume(
        name="order-page",
        question="Has the page after a finished order the apps' snippets? No event is fired there.",
        alternatives=("snippets", "none"),
        hostile="none",
    ),
)
