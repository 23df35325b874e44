"""Checks of updates, carts and events in an unusual order, and of a browser that refuses storage and cookies.

The checks of updates run only on pages that have updates. A shop replaces its cart in place, and may have a second one
beside it: these checks run on pages such as that of `after-cart`. The docstring of a check says what is
wrong when the check fails.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from awning.contract import SLOTS
from awning_harness.checks.families import looks_at
from awning_harness.checks.situation import CheckedWidget, Situation, each_payload, each_walk, updated_payload
from awning_harness.checks.subject import Subject, difference, is_same
from awning_harness.visit.pages.visibility import quoted
from awning_harness.visit.trial import BlockLook, Move, Observed

ON_THE_PLAIN_PAGE = "on the page as it is"
"""The name, in failures, of the page as a shopper opens it: it fires its own events, and its window is wide."""


@looks_at(updated_payload)
async def test_update_order(subject: Subject) -> None:
    """After updates in some order, the page has errors, or its block differs from that after the last update alone."""
    updates = await subject.updates()
    order = every_step(len(updates))
    walk: list[Move] = ["page", "loaded", "look"]
    for at in order:
        walk += [{"update": updates[at]}, "look"]
    fresh = [subject.trial("base", {"update": update}) for update in updates]
    *first, walked = await subject.observe(*fresh, subject.trial(*walk))
    subject.require_no_problems(walked, "after updates")
    for number, at in enumerate(order):
        expected, actual = first[at].last, walked.looks[number + 1]
        if not await is_alike(subject, expected, actual):
            before = (
                await subject.describe(updates[order[number - 1]]) if number else "the page's first update"
            )
            last = await subject.describe(updates[at])
            here, there = f"after {before}, then {last}", f"on a fresh page, after {last} alone"
            subject.fail(difference(here, actual, there, expected), at=actual)


@looks_at(updated_payload)
async def test_updates_shown(subject: Subject) -> None:
    """The block ignores updates, although it shows what they change."""
    updates = await subject.updates()
    alone = [
        subject.trial("base", params=as_base((await subject.usual()).params, update)) for update in updates
    ]
    updated = [subject.trial("base", {"update": update}) for update in updates]
    observed = await subject.observe(*alone, *updated)
    own, after = observed[: len(updates)], observed[len(updates) :]
    for first in range(len(updates)):
        for second in range(first):
            differ = own[first].last.content != own[second].last.content  # also in a closed <details>
            if differ and after[first].last.form == after[second].last.form:
                names = (
                    f"{await subject.describe(updates[second])} and {await subject.describe(updates[first])}"
                )
                sentence = f"the block shows the same for {names}: it ignores updates"
                subject.fail(sentence, at=after[first].last)


@looks_at(updated_payload)
async def test_repeated_events(subject: Subject) -> None:
    """After an update has arrived three times, the block differs from that after its first time, or is there twice."""
    for_each: list[Move] = ["page", "loaded"]
    for update in await subject.updates():
        for_each += [{"update": update}, "look", {"update": update}, {"update": update}, "look"]
    observed = await subject.observe_one(subject.trial(*for_each))
    subject.require_no_problems(observed, "after repeated updates")
    for number, update in enumerate(await subject.updates()):
        once, repeated = observed.looks[2 * number], observed.looks[2 * number + 1]
        if not is_same(once, repeated):
            name = await subject.describe(update)
            here, there = f"when the update to {name} arrives three times", "after the first of them"
            subject.fail(difference(here, repeated, there, once), at=repeated)


@looks_at(each_payload)
async def test_late_events(subject: Subject) -> None:
    """When the event or the widget's own snippet comes late, the block is different or missing."""
    late_event = subject.trial("loaded", "page")
    late_snippet = subject.trial("page", "loaded", "snippet", is_late=True)
    await require_usual(
        subject,
        await subject.observe(late_event, late_snippet),
        ("the event comes late", "the snippet comes late"),
    )


@looks_at(each_payload)
async def test_restored_page(subject: Subject) -> None:
    """When a shopper returns to the page from the back-forward cache, the block differs, is there twice or is gone."""
    restored = await subject.observe_one(subject.trial("page", "loaded", "restored", "restored"))
    await require_usual(subject, [restored], ["the shopper has returned to the page"])


@looks_at(updated_payload)
async def test_early_updates(subject: Subject) -> None:
    """An update that comes before its base event breaks the widget or leaves another block."""
    for update in (await subject.updates())[:2]:
        early, fresh = await subject.observe(
            subject.trial({"early": update}, "page"), subject.trial("base", {"update": update})
        )
        when = "when an update comes before its base event"
        subject.require_no_problems(early, when)
        known = ((await subject.usual()).last, fresh.last)
        if not any(is_same(look, early.last) for look in known) and await is_steady(subject):
            sentence = difference(when, early.last, ON_THE_PLAIN_PAGE, (await subject.usual()).last)
            subject.fail(sentence, at=early.last)


@looks_at(each_payload)
async def test_missing_events(subject: Subject) -> None:
    """Without its event the widget makes errors or inserts something, or it shows nothing before the first update."""
    usual = await subject.usual()
    none, base = await subject.observe(replace(subject.trial(), moves=("loaded",)), subject.trial("base"))
    subject.require_no_problems(none, "without an event")
    subject.require_no_problems(base, "without an update")
    if none.last.blocks:
        subject.fail("without an event the page has a block", at=none.last)
    if usual.last.text.strip() and not base.last.text.strip():
        sentence = "without an update the block shows nothing: only the base event is certain"
        subject.fail(sentence, at=base.last)


def every_step(count: int) -> list[int]:
    """Return a sequence of the numbers below `count` in which every ordered pair of them occurs next to each other."""
    order = [
        number
        for first in range(count)
        for number in (first, *(each for second in range(first + 1, count) for each in (first, second)))
    ]
    return [*order, *order[:1]]


def as_base(params: Mapping[str, Any], update: Mapping[str, Any]) -> dict[str, Any]:
    """Return the event parameter of a page that already shows what the update changes."""
    if "value" in update:
        return {**params, next(iter(params)): update["value"]}
    item = params["item"]
    variant = item["variants"][update["variant"]]
    names = ("price", "price_undiscounted", "stock", "weight")
    own = {
        name: variant[name]
        for name in names
        if name in variant and (name == "stock" or variant[name] is not None)
    }
    return {**params, "item": {**item, **own, "variants": []}}


async def is_alike(subject: Subject, expected: BlockLook, actual: BlockLook) -> bool:
    """Return whether two looks are alike.

    If a widget differs each time its page is opened, only the number of blocks counts.
    """
    if is_same(expected, actual):
        return True
    return expected.blocks == actual.blocks and not await is_steady(subject)


async def is_steady(subject: Subject) -> bool:
    """Return whether the widget shows the same content when its page is opened twice."""
    first, second = await subject.observe(subject.trial(), subject.again(subject.trial()))
    return first.last.form == second.last.form


async def require_usual(subject: Subject, observed: Sequence[Observed], whens: Sequence[str]) -> None:
    """Fail the test unless each page shows what the plain page shows. `whens` describes the pages in failures."""
    usual = (await subject.usual()).last
    for each, when in zip(observed, whens, strict=True):
        subject.require_no_problems(each, f"when {when}")
        if not is_same(usual, each.last) and await is_steady(subject):
            sentence = difference(f"when {when}", each.last, ON_THE_PLAIN_PAGE, usual)
            subject.fail(sentence, at=each.last)


REPLACED = "after the cart was replaced in place"
TWO_CARTS = "in a shop with a cart and a side cart"


def each_cart(checked: CheckedWidget) -> Sequence[Situation]:
    """Return the situations of `each_payload` on pages that the shop replaces in place."""
    return [each for each in each_payload(checked) if SLOTS[each.state.slot].page.replaced]


@looks_at(each_cart)
async def test_cart_replaced(subject: Subject) -> None:
    """When the shop has replaced the cart in place, the block is gone, is there twice, differs or makes errors."""
    trial = subject.trial("page", "loaded", "replaced", "replaced")
    observed, usual = await subject.observe_one(trial), (await subject.usual()).last
    subject.require_no_problems(observed, REPLACED)
    if not is_same(usual, observed.last) and await is_steady(subject):
        subject.fail(difference(REPLACED, observed.last, ON_THE_PLAIN_PAGE, usual), at=observed.last)


@looks_at(each_cart)
async def test_two_carts(subject: Subject) -> None:
    """In a shop with two carts, a cart has no block or several, the last block differs, or the widget makes errors."""
    trial = subject.trial("page", "loaded", options={"scenario": "two-carts"})
    observed, usual = await subject.observe_one(trial), (await subject.usual()).last
    subject.require_no_problems(observed, TWO_CARTS)
    blocks, wanted = observed.last.blocks, 2 * usual.blocks
    if blocks != wanted:
        sentence = f"{TWO_CARTS}, the page has {blocks} blocks of the widget instead of {wanted}"
        subject.fail(sentence, at=observed.last)
    # The first cart has a copy of the block's first content. Only the last block is the widget's to change.
    if not observed.last.form.endswith(usual.form) and await is_steady(subject):
        subject.fail(
            f"{TWO_CARTS}, the block of the last cart differs from the block {ON_THE_PLAIN_PAGE}: "
            f"the blocks show {quoted(observed.last.text)}, there it shows {quoted(usual.text)}",
            at=observed.last,
        )


@looks_at(each_walk)
async def test_blocked_storage(subject: Subject) -> None:
    """Where a browser refuses storage and cookies, the widget makes errors, also at steps, or shows another block."""
    observed = await subject.observe(subject.trial(is_storage_blocked=True))
    await require_usual(subject, observed, ["the browser refuses storage"])
    if subject.situation.state.steps:
        # A step that needs what an earlier one has stored cannot be taken. That is no failure.
        after = await subject.observe_one(subject.trial_of_steps(is_storage_blocked=True))
        subject.require_no_problems(after, "after the steps, when the browser refuses storage")
