"""Checks of a widget among other apps, and of the page around it.

The docstring of a check says what is wrong when the check fails.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from awning_harness.checks.families import looks_at
from awning_harness.checks.families.events import is_steady
from awning_harness.checks.situation import each_use
from awning_harness.checks.subject import Subject
from awning_harness.visit.pages.visibility import quoted
from awning_harness.visit.trial import BlockLook, Observed, Trial, is_block_step, steps_of_the_shop

NEIGHBOURS = ("Reviews, loaded late", "An app with the same class names")

AFTER_STEPS = "after the steps, "

HIDDEN = re.compile(r' (?:inert|aria-hidden)="[^"]*"')
"""What an open dialog may give to all that is beside it."""

LOCK = ("overflow", "position", "padding", "margin", "cursor")
"""The properties of the page that an open dialog, or one that loads, may set."""


@looks_at(each_use)
async def test_other_apps(subject: Subject) -> None:
    """Among apps that are late, throw or have the same class names, the block or a block of these apps is changed."""
    crowded, together = await subject.observe(
        subject.trial(options={"theme": "crowded"}),
        subject.trial(options={"theme": "crowded", "scenario": "late-neighbour"}),
    )
    for observed in (crowded, together):
        subject.require_no_problems(observed, "among other apps")
        if observed.last.is_seen != (await subject.usual()).last.is_seen or observed.last.blocks > 1:
            blocks, usual = observed.last.blocks, (await subject.usual()).last.blocks
            subject.fail(
                f"among other apps, the page has {blocks} blocks of the widget; without them, {usual}",
                at=observed.last,
            )
        if observed.last.content != (await subject.usual()).last.content and await is_steady(subject):
            here, there = observed.last.content[:120], (await subject.usual()).last.content[:120]
            subject.fail(
                f"among other apps, the block shows {quoted(here)}; without them, {quoted(there)}",
                at=observed.last,
            )
        _require_neighbours(subject, observed.last, "")
    walk = subject.trial_of_steps(options={"theme": "crowded"})
    if not any(map(is_block_step, walk.moves)):
        return
    walked = await subject.observe_one(walk)
    if not walked.refused:
        _require_neighbours(subject, walked.last, AFTER_STEPS)
        before, after = (HIDDEN.sub("", page.last.others) for page in (crowded, walked))
        if not steps_of_the_shop(walk) and before != after:
            subject.fail(f"{AFTER_STEPS}the block of another app is changed", at=walked.last)


def _require_neighbours(subject: Subject, look: BlockLook, when: str) -> None:
    missing = [text for text in NEIGHBOURS if text not in look.others]
    if missing:
        subject.fail(f"{when}the block of another app is gone or changed: {quoted(missing[0])}", at=look)


@looks_at(each_use)
async def test_page_intact(subject: Subject) -> None:
    """The widget changes the page outside of its block: its elements, their styles or attributes, or the title."""
    loaded = subject.trial("page", "loaded", "surroundings", options={"theme": "plain"})
    without, alone = await subject.observe(replace(loaded, has_app=False), loaded)
    _require_alike(subject, without.surroundings, alone.surroundings, "", loaded)
    walk = subject.trial_of_steps(options={"theme": "plain"})
    if not any(map(is_block_step, walk.moves)):
        return
    walk = replace(walk, moves=(*walk.moves, "surroundings"))
    by_shop = replace(walk, moves=("page", "loaded", *steps_of_the_shop(walk), "surroundings"), has_app=False)
    without, walked = await subject.observe(by_shop, walk)
    if walked.refused or without.refused or _chosen(walked) != _chosen(without):
        return  # What the widget chooses in the shop changes the page as a shopper's choice does.
    unlocked, shop = ([*map(_without_lock, page.surroundings)] for page in (walked, without))
    _require_alike(subject, shop, unlocked, AFTER_STEPS, walk)


def _chosen(observed: Observed) -> list[str]:
    """Return the description of what is chosen in the shop."""
    return [each for each in observed.surroundings if each.startswith("chosen|")]


def _without_lock(description: str) -> str:
    """Return the description of an element without what keeps the page from scrolling below an open dialog."""
    name, *parts = description.split("|")
    if not name.startswith(("<html", "<body")):
        return description
    return "|".join([f"{name[:5]}>", *(part for part in parts if part.partition(":")[0] not in LOCK)])


def _require_alike(
    subject: Subject, without: Sequence[str], alone: Sequence[str], when: str, trial: Trial
) -> None:
    """Fail the test if the page outside of the block differs from the page without the app."""
    if len(without) != len(alone):
        more = (Counter(alone) - Counter(without)) | (Counter(without) - Counter(alone))
        subject.fail(
            f"{when}the page has other elements outside of the block: {min(more).split('|')[0][:160]}",
            trial=trial,
        )
    for before, after in zip(without, alone, strict=True):
        if before != after:
            changed = [
                f"{b}; without the widget, {a}"
                for a, b in zip(before.split("|"), after.split("|"), strict=False)
                if a != b
            ]
            subject.fail(
                f"{when}the widget changes the page outside of its block: {before.split('|')[0]} has {changed[0]}",
                trial=trial,
            )
