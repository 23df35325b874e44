"""Runs a script again and again, each time with one choice flipped, until there is nothing new or it is enough.

Runs with few flipped choices come first: what breaks a rule seldom needs more than two conditions at once. A run that
did what another one did, and had the same to choose about, is not followed up. A
sighting is certain when one run that depends on nothing doubtful has it.
"""

import re
from bisect import bisect_right
from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from heapq import heappop, heappush

from awning.check.budget import RUNS, STEPS, STEPS_OF_A_RUN, Budget, Exhausted, room_for_nesting
from awning.check.page import delivery, early
from awning.check.page.choices import MORE_WAYS, Choices
from awning.check.page.functions import finish
from awning.check.page.machine import new_run
from awning.check.page.run import Left, Run, Sighting, Thrown
from awning.check.page.values import Func, Scope, Value
from awning.check.script.source import Program
from awning.check.script.tree import Node
from awning.contract import Dialect

SPENT = f"what it does after {STEPS:,} steps"
LONG = f"what it does after {STEPS_OF_A_RUN:,} steps in a row"
WAYS = f"{MORE_WAYS}, after {RUNS} of them"


@dataclass(frozen=True, slots=True)
class Explored:
    """What was seen, and what was not looked at, each reason with the byte offset where that happened first.

    `steps` is what it took.
    """

    sightings: list[Sighting]
    left_out: dict[str, int]
    steps: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One script of the page, as a tree of its own."""

    root: Node
    program: Program


def parts(root: Node, programs: Sequence[Program]) -> list[Part]:
    """The tree of a file, divided into its scripts. They run in the order of the text, modules after the others."""
    if len(programs) == 1:
        return [Part(root=root, program=programs[0])]
    starts = [program.start for program in programs]
    kids: list[list[Node]] = [[] for _ in programs]
    for kid in root.kids:
        if kid.start >= starts[0]:
            kids[bisect_right(starts, kid.start) - 1].append(kid)
    made = [
        Part(root=Node(root.type, program.start, program.end, root.code, listed), program=program)
        for program, listed in zip(programs, kids, strict=True)
    ]
    return sorted(made, key=lambda part: part.program.module)


def explore(scripts: Sequence[Part], dialect: Dialect, named: frozenset[str] = frozenset()) -> Explored:
    """Run them. `named` are ids and classes of the elements in the page's head."""
    page = _Page(scripts=scripts, dialect=dialect, named=named)
    seen: dict[tuple[str, int], Sighting] = {}
    budget = Budget()
    with room_for_nesting():
        if _explore(page, seen, budget, RUNS):
            _explore(page, seen, budget, RUNS // 8, updates_first=True)
    if budget.is_spent:  # says all that the others would
        budget.left_out = {SPENT: budget.left_out[SPENT]}
    sightings = sorted(seen.values(), key=lambda one: (one.offset, one.rule))
    return Explored(sightings, budget.left_out, budget.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    scripts: Sequence[Part]
    dialect: Dialect
    named: frozenset[str]


def _explore(
    page: _Page,
    seen: dict[tuple[str, int], Sighting],
    budget: Budget,
    most: int,
    *,
    updates_first: bool = False,
) -> bool:
    """Whether a callback of an update may init: then its order against the base event matters."""
    waiting: list[tuple[int, int, tuple[bool, ...]]] = [(0, 0, ())]
    known: set[Hashable] = set()
    runs = 0
    updates = False
    always: set[Sighting] | None = None
    while waiting and runs < most and not budget.is_spent:
        flips, _, wanted = heappop(waiting)
        run = _live(page, Choices(wanted, budget=budget), updates_first=updates_first)
        runs += 1
        if not run.cut:
            always = set(run.seen) if always is None else always & set(run.seen)
        updates |= any(
            delivery.kind_of(one.event) != "base" and _may_init(one.callback) for one in run.subscriptions
        )
        _remember(seen, run, doubtful=updates_first)
        if (kind := _kind_of(run)) not in known:
            known.add(kind)
            taken = run.choices.taken
            for index in range(len(wanted), len(taken)):
                flipped = (*taken[:index], not taken[index])
                heappush(waiting, (flips + 1, runs * 1000 + index, flipped))
    if not updates_first:
        _doubt_what_depends(seen, always or set())
    if waiting and not updates_first and not budget.is_spent:
        budget.leave_out(WAYS, 0)
    return updates


def _may_init(callback: Value) -> bool:
    """Whether a subscriber can get at its own initContentHandler: by its second parameter, or by all of them."""
    if not isinstance(callback, Func) or callback.is_class:
        return True
    listed, body = callback.node.fields.get("parameters"), callback.node.fields.get("body")
    kids = listed.kids if listed is not None else []
    if body is None or "..." in (listed.text if listed else "") or "arguments" in callback.node.text:
        return True
    name = kids[1].fields.get("pattern", kids[1]) if len(kids) > 1 else None
    if name is None:
        return False
    return (
        name.type != "identifier"
        or re.search(rf"(?<![\w$]){re.escape(name.text)}(?![\w$])", body.text) is not None
    )


def _kind_of(run: Run) -> Hashable:
    """Runs of one kind called initContentHandler alike and chose about the same: one of them is followed up."""
    return (tuple(run.inits), frozenset(run.choices.about), frozenset(run.seen))


def _live(page: _Page, choices: Choices, *, updates_first: bool) -> Run:
    """One life of a page with these scripts."""
    choices.budget.begin_run()
    run = new_run(page.dialect, choices)
    run.named.update(page.named)
    try:
        _load(run, page.scripts)
        delivery.drain(run)
        delivery.fire(run, page.scripts[0].root, updates_first=updates_first)
        delivery.drain(run, listeners=True)
        delivery.call_the_rest(run, page.scripts[0].root)
    except Exhausted:
        run.cut = True
        run.budget.leave_out(SPENT if run.budget.is_spent else LONG, run.at)
    return run


def _load(run: Run, scripts: Sequence[Part]) -> None:
    """Run each script. What one throws ends that one alone; they share their globals, but for those of modules."""
    shared = Scope(run.page, function=True)
    for part in scripts:
        run.early = part.program.early
        scope = Scope(shared, function=True) if part.program.module else shared
        with suppress(Thrown, Left):
            finish(run.execute(run, part.root, scope))
        run.early = False
        delivery.end_of_script(run)


def _doubt_what_depends(seen: dict[tuple[str, int], Sighting], always: set[Sighting]) -> None:
    """Early access is certain where every run has it: what a condition decides may be right on a real page."""
    for key, one in seen.items():
        if one.rule == early.RULE and one not in always:
            seen[key] = replace(one, doubtful=True)


def _remember(seen: dict[tuple[str, int], Sighting], run: Run, *, doubtful: bool) -> None:
    for one in run.seen:
        key = (one.rule, one.offset)
        if doubtful and not one.doubtful:
            continue
        if key not in seen or (seen[key].doubtful and not one.doubtful):
            seen[key] = one
