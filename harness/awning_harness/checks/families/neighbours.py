"""Checks of a widget among other apps, and of the page around it.

The docstring of a check says what is wrong when the check fails.
"""

from awning_harness.checks.families import looks_at
from awning_harness.checks.families.events import is_steady
from awning_harness.checks.situation import each_payload
from awning_harness.checks.subject import Subject
from awning_harness.visit.pages.visibility import quoted

NEIGHBOURS = ("Reviews, loaded late", "An app with the same class names")


@looks_at(each_payload)
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
        missing = [text for text in NEIGHBOURS if text not in observed.last.others]
        if missing:
            subject.fail(
                f"the block of another app is gone or changed: {quoted(missing[0])}", at=observed.last
            )


@looks_at(each_payload)
async def test_page_intact(subject: Subject) -> None:
    """The widget changes the page outside of its block: its elements, their styles or attributes, or the title."""
    options = {"theme": "plain"}
    without, alone = await subject.observe(
        subject.trial("page", "loaded", "surroundings", options=options, has_app=False),
        subject.trial("page", "loaded", "surroundings", options=options),
    )
    if len(without.surroundings) != len(alone.surroundings):
        more = set(alone.surroundings) ^ set(without.surroundings)
        subject.fail(f"the page has other elements outside of the block: {min(more)[:160]}")
    for before, after in zip(without.surroundings, alone.surroundings, strict=True):
        if before != after:
            changed = [
                f"{b}; without the widget, {a}"
                for a, b in zip(before.split("|"), after.split("|"), strict=False)
                if a != b
            ]
            subject.fail(
                f"the widget changes the page outside of its block: {before.split('|')[0]} has {changed[0]}"
            )
