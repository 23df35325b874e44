"""The check of themes, policies and assumption sets.

The docstring of a check says what is wrong when the check fails.
"""

from typing import NoReturn

from awning.contract.assumptions import DEFAULT_SET
from awning.workspace.store.records import EMPTY_CART
from awning_harness.checks.families import looks_at
from awning_harness.checks.families.payloads import require_no_raw_values
from awning_harness.checks.situation import every_shop
from awning_harness.checks.subject import Subject
from awning_harness.visit.pages.causes import NOT_EMPTY, Cause, CauseKind
from awning_harness.visit.pages.visibility import quoted
from awning_harness.visit.trial import BlockLook

ELEMENTS = "set-content-argument=html"
"""The assumption that `setContent` takes elements. The other apps of the theme `crowded` need it, and so does a page
with the policy `trusted-types`, which refuses strings."""
ALSO_WITHOUT_LINES = "empty-cart=event"
"""The assumption that the event is fired for an empty cart. Without it, what a widget does then is not tried."""


@looks_at(every_shop)
async def test_every_shop(subject: Subject) -> None:
    """In some theme, policy or assumption set the block is missing, doubled, too wide, cut off or makes errors.

    Or it shows a value that is not formatted, or moves although a shopper prefers reduced motion.
    """
    situation = subject.situation
    options = {"theme": situation.theme, "csp": situation.csp, "assumptions": situation.assumptions}
    own = {name: value for name, value in options.items() if value}
    if situation.theme == "crowded" or situation.csp == "trusted-types":
        own["assumptions"] += f",{ELEMENTS}"
    if situation.state.payload == EMPTY_CART:
        own["assumptions"] += f",{ALSO_WITHOUT_LINES}"
    trial = subject.trial("page", "loaded", options=own, preference=situation.preference)
    observed = await subject.observe_one(trial)
    look, state = observed.last, situation.state
    subject.require_no_problems(observed, "on this page")
    await subject.require_fit(look, "on this page")
    require_no_raw_values(subject, look)
    if situation.preference == "reduced-motion" and look.moving:
        subject.fail(f"a shopper prefers reduced motion, and it moves: {look.moving[0]}", at=look)
    if look.blocks > 1:
        subject.fail(f"the page has {look.blocks} blocks of the widget", at=look)
    # `empty` need not hold before the steps of a state, or when an assumption set leaves out fields of the cart.
    if state.steps or situation.assumptions != DEFAULT_SET:
        return
    is_wrong = look.is_seen if state.empty else not look.is_seen
    if is_wrong:
        await fail_for_what_it_shows(subject, look)


async def fail_for_what_it_shows(subject: Subject, look: BlockLook) -> NoReturn:
    """Fail the test because a state that must be empty has a block, or another state has none.

    If the state's plain page has the same defect, the report shows that page, and the failure has that page's cause.
    """
    usual, is_empty = (await subject.usual()).last, subject.situation.state.empty
    is_plain = usual.is_seen == look.is_seen
    look, also = (usual, ", also on the state's plain page") if is_plain else (look, "")
    if subject.situation.state.payload == EMPTY_CART and not is_plain:
        also = ", also in a shop that fires the event for an empty cart"
    if is_empty:
        sentence = f"the block must be empty{also}; it shows: {quoted(look.text)}"
        subject.fail(sentence, NOT_EMPTY if is_plain else None, at=look, key=("empty",))
    cause = Cause(CauseKind.BLOCK, "no block") if is_plain else None
    subject.fail(f"the page has no block that shows anything{also}", cause, at=look)
