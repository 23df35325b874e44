"""Checks of what a widget costs a page: time, bytes, and what its updates leave on the page.

The docstring of a check says what is wrong when the check fails.
"""

import gzip
from collections.abc import Sequence

from awning.contract import SLOTS
from awning_harness.checks.families import looks_at
from awning_harness.checks.situation import CheckedWidget, Situation, each_payload, each_slot, updated_slot
from awning_harness.checks.subject import Subject
from awning_harness.shop import unit_folder
from awning_harness.visit.pages.causes import Cause, CauseKind, fail_because
from awning_harness.visit.pages.stacks import first_author_place
from awning_harness.visit.trial import Move, Observed

LONGEST_TASK_MS = 50
"""The longest time that a task may keep the page busy. A longer task delays what a shopper does (W3C, Long Tasks)."""

USUAL_WORK_MS = 60
"""The time that WORK takes on an idle machine of the usual speed, in milliseconds.

It is about LONGEST_TASK_MS: on a busy machine, much shorter work can run without an interruption.
"""

TIMES = 5
"""How often a delivery is timed. The shortest time counts, because other processes on the machine make times longer.

A first event is timed so often only if its first time is too long, because each needs a page.
"""

LARGEST_BYTES = 16_384
"""The budget, in gzip bytes, of a body snippet whose widget has no `budget`."""

WORK = """() => {
  const times = Array.from({ length: 3 }, () => {
    const start = performance.now();
    let text = "";
    for (let n = 0; n < 15e4; n++) text = JSON.stringify({ n, text: text.slice(0, 20) });
    return performance.now() - start + text.length * 0;
  });
  return Math.min(...times);
}"""
"""JavaScript that returns how many milliseconds a fixed piece of work takes on this machine now."""


@looks_at(each_payload)
async def test_long_tasks(subject: Subject) -> None:
    """The widget keeps the page busy for longer than 50 ms with one event.

    On a slow machine, as measured by WORK, the limit is higher.
    """
    base = subject.trial("loaded", {"times": 1, "of": "base"})
    updates = [
        subject.trial("base", "loaded", {"times": TIMES, "of": each})
        for each in (await subject.updates())[:1]
    ]
    once = await subject.observe(base, *updates)
    if _longest(once) <= LONGEST_TASK_MS:
        return
    work_ms = subject.laboratory.evaluate(WORK)
    first = await subject.observe(*(subject.again(base, number) for number in range(TIMES)), is_alone=True)
    later = await subject.observe(*map(subject.again, updates), is_alone=True)
    longest = max(min(_longest([each]) for each in first), _longest(later))
    work_ms = max(work_ms, subject.laboratory.evaluate(WORK))
    slowness = max(1.0, work_ms / USUAL_WORK_MS)
    if longest > LONGEST_TASK_MS * slowness:
        subject.fail(
            f"an event keeps the page busy for {longest:.0f} ms; at most {LONGEST_TASK_MS} are right"
        )


def _longest(observed: Sequence[Observed]) -> float:
    """Return the longest time of an event in milliseconds; 0 without one."""
    return max((each.shortest or 0 for each in observed), default=0)


@looks_at(each_slot)
def test_weight(subject: Subject) -> None:
    """The body snippet has more gzip bytes than its budget, or than LARGEST_BYTES without one."""
    shop, unit = subject.laboratory.shop, subject.laboratory.unit
    budget = subject.widget.budget or LARGEST_BYTES
    body = (unit_folder(shop.dist, unit) / "body.html").read_bytes()
    size = len(gzip.compress(body, 9, mtime=0))
    if size > budget:
        what = f"the body snippet has {size} gzip bytes; its budget is {budget}"
        fail_because(f"widgets/{unit}/widget.toml: {what}", Cause(CauseKind.OTHER, what))


def each_lasting(checked: CheckedWidget) -> Sequence[Situation]:
    """Return the situations of `updated_slot`, and one for each slot without updates that the shop replaces."""
    slots = [(each, SLOTS[each.state.slot]) for each in each_slot(checked)]
    return [*updated_slot(checked), *(each for each, of in slots if of.page.replaced and not of.updates)]


@looks_at(each_lasting)
async def test_growth(subject: Subject) -> None:
    """Each update, or each cart that is replaced in place, leaves an element, a listener or a timer."""
    updates = await subject.updates()
    once: list[Move] = [{"update": update} for update in updates] or ["replaced"]
    moves: list[Move] = ["page", "loaded", *once, *once, "look"]
    for _ in range(5):
        moves += [*once, "look"]
    observed = await subject.observe_one(subject.trial(*moves))
    first, last = observed.looks[0].counts, observed.looks[-1].counts
    # An observer of a block that is gone ends with it.
    kinds = [name for name in first if updates or name != "observers"]
    for name in kinds:
        number = first[name]
        grown = last[name] - number
        if grown >= 5:  # noqa: PLR2004 - at least one for each round of updates
            causes = f"{5 * len(once)} updates" if updates else "5 carts that are replaced in place"
            why = f"{causes} leave {grown} more {name} on the page: {number} become {last[name]}"
            traced = await subject.observe_one(subject.trial(*moves, is_traced=True))
            begun = traced.begun.get(name, "")
            subject.fail(f"{why}\n{begun}" if first_author_place(begun) else why, at=observed.looks[-1])
