"""Checks of what a widget costs a page: time, bytes, and what its updates leave on the page.

The docstring of a check says what is wrong when the check fails.
"""

import gzip
from collections.abc import Collection, Sequence
from dataclasses import replace

from awning.contract import SLOTS
from awning_harness.checks.families import looks_at
from awning_harness.checks.situation import (
    CheckedWidget,
    Situation,
    each_block_walk,
    each_payload,
    each_slot,
    updated_slot,
    with_other_states,
)
from awning_harness.checks.subject import Subject
from awning_harness.shop import unit_folder
from awning_harness.visit.pages.causes import Cause, CauseKind, fail_because
from awning_harness.visit.pages.stacks import first_author_place
from awning_harness.visit.trial import Move, Observed, Trial, is_block_step, is_step, steps_of_the_shop

LONGEST_TASK_MS = 50
"""The longest time that a task may keep the page busy. A longer task delays what a shopper does (W3C, Long Tasks)."""

USUAL_WORK_MS = 60
"""The time that WORK takes on an idle machine of the usual speed, in milliseconds.

It is about LONGEST_TASK_MS: on a busy machine, much shorter work can run without an interruption.
"""

ROUNDS = 5
"""How often a page does the same again. What each round leaves behind is then as often on the page."""

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
    """Return the situations of `updated_slot` and of `each_block_walk`.

    Each slot without updates that the shop replaces has one, too.
    """
    slots = [(each, SLOTS[each.state.slot]) for each in each_slot(checked)]
    replaced = [each for each, of in slots if of.page.replaced and not of.updates]
    return with_other_states([*updated_slot(checked), *replaced], each_block_walk(checked))


@looks_at(each_lasting)
async def test_growth(subject: Subject) -> None:
    """Each update, each cart that is replaced in place, or each click leaves a listener, an observer or a timer."""
    loaded = subject.trial("page", "loaded")
    if updates := await subject.updates():
        moves: list[Move] = [{"update": update} for update in updates]
        await _require_no_growth(subject, loaded, moves, f"{ROUNDS * len(moves)} updates", but=())
    elif SLOTS[subject.situation.state.slot].page.replaced:
        what = f"{ROUNDS} carts that are replaced in place"
        # An observer of a block that is gone ends with it.
        await _require_no_growth(subject, loaded, ["replaced"], what, but=("observers",))
    walk = subject.trial_of_steps()
    if any(map(is_block_step, walk.moves)):
        again = [move for move in walk.moves if is_step(move) and move not in steps_of_the_shop(walk)]
        # Twice, because a click may open what the next one closes. It may be there to add something to the block.
        what = f"the steps in the block, {2 * ROUNDS} times more,"
        await _require_no_growth(subject, walk, [*again, *again], what, but=("nodes", "observers"))


async def _require_no_growth(
    subject: Subject, trial: Trial, again: Sequence[Move], what: str, *, but: Collection[str]
) -> None:
    """Fail the test if the moves `again`, after those of the trial, leave something on the page each time.

    `but` are kinds of `BlockLook.counts` that may grow.
    """
    rounds = [move for _ in range(ROUNDS) for move in (*again, "look")]
    trial = replace(trial, moves=(*trial.moves, *again, *again, "look", *rounds, "later"))
    observed = await subject.observe_if_it_stays(trial)
    if observed is None or observed.refused:
        return  # Not everything can be done again.
    first, last = observed.looks[0].counts, observed.looks[-1].counts
    for name, number in first.items():
        grown = last[name] - number
        if grown >= ROUNDS and name not in but:
            why = f"{what} leave {grown} more {name} on the page: {number} become {last[name]}"
            traced = await subject.observe_one(replace(trial, is_traced=True))
            begun = traced.begun.get(name, "")
            subject.fail(f"{why}\n{begun}" if first_author_place(begun) else why, at=observed.looks[-1])
