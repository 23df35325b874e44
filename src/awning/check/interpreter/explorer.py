"""Executes the scripts again and again, until there is no new path or no budget left.

Each execution after the first one reverses one decision of an earlier execution.

Executions with few reversed decisions come first, because a broken rule seldom needs more than two conditions at once.
The decisions of an execution are not reversed if an earlier execution had the same signature. An observation is
certain if at least one execution makes it without depending on anything doubtful. An observation of `early-dom` is
certain only if all executions make it.
"""

import re
from bisect import bisect_right
from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from heapq import heappop, heappush

from awning.check.budget import RUNS, STEPS, STEPS_OF_A_RUN, Budget, Exhausted, room_for_nesting
from awning.check.interpreter import early_dom, events
from awning.check.interpreter.execution import (
    AbruptCompletion,
    Execution,
    Observation,
    ThrownException,
    finish,
)
from awning.check.interpreter.path_condition import OTHER_PATHS, PathCondition
from awning.check.interpreter.realm import new_run
from awning.check.interpreter.tasks import drain, end_of_script
from awning.check.interpreter.values import Environment, FunctionValue, Value
from awning.contract import Dialect
from awning.script.file import Program
from awning.script.tree import Node

OUT_OF_STEPS = f"what it does after {STEPS:,} steps"
LONG_EXECUTION = f"what it does after {STEPS_OF_A_RUN:,} steps in a row"
TOO_MANY_PATHS = f"{OTHER_PATHS}, after {RUNS} of them"

_SERIAL = re.compile(r"#\d+(?=@\d)")
"""Matches the serial number in the key of a symbolic value that a call made, such as `new Date()#47@310`.

The number after `@` is the call's offset, so the same call in two branches is two subjects.
"""


@dataclass(frozen=True, slots=True)
class Exploration:
    """The result of an exploration.

    `left_out` maps each reason for incomplete exploration to the byte offset where it first occurred. `steps` is the
    number of steps of all executions together.
    """

    observations: list[Observation]
    left_out: dict[str, int]
    steps: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PageScript:
    """One script of the page with its syntax tree."""

    root: Node
    program: Program


def page_scripts(root: Node, programs: Sequence[Program]) -> list[PageScript]:
    """Return the scripts of a file in the order in which they run: as in the text, but modules come last."""
    if len(programs) == 1:
        return [PageScript(root=root, program=programs[0])]
    starts = [program.start for program in programs]
    kids: list[list[Node]] = [[] for _ in programs]
    for kid in root.kids:
        if kid.start >= starts[0]:
            kids[bisect_right(starts, kid.start) - 1].append(kid)
    scripts = [
        PageScript(root=Node(root.type, program.start, program.end, root.code, listed), program=program)
        for program, listed in zip(programs, kids, strict=True)
    ]
    return sorted(scripts, key=lambda part: part.program.module)


def explore(
    scripts: Sequence[PageScript], dialect: Dialect, named: frozenset[str] = frozenset()
) -> Exploration:
    """Execute the scripts along their paths. `named` are ids and classes of the elements in the page's head."""
    page = _ExploredPage(scripts=scripts, dialect=dialect, named=named)
    seen: dict[tuple[str, int], Observation] = {}
    budget = Budget()
    with room_for_nesting():
        if _explore(page, seen, budget, RUNS):
            _explore(page, seen, budget, RUNS // 8, updates_first=True)
    if budget.is_spent:  # report only that the steps are used up, without the other reasons
        budget.left_out = {OUT_OF_STEPS: budget.left_out[OUT_OF_STEPS]}
    observations = sorted(seen.values(), key=lambda observation: (observation.offset, observation.rule))
    return Exploration(observations, budget.left_out, budget.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ExploredPage:
    scripts: Sequence[PageScript]
    dialect: Dialect
    named: frozenset[str]


def _explore(
    page: _ExploredPage,
    seen: dict[tuple[str, int], Observation],
    budget: Budget,
    most: int,
    *,
    updates_first: bool = False,
) -> bool:
    """Execute the scripts along their paths.

    Returns True if a subscriber of an update, or of an event with an unknown name, may call initContentHandler. Then
    the order of events matters.
    """
    waiting: list[tuple[int, int, tuple[bool, ...]]] = [(0, 0, ())]
    known: set[Hashable] = set()
    runs = 0
    updates = False
    always: set[Observation] | None = None
    while waiting and runs < most and not budget.is_spent:
        flips, _, decisions = heappop(waiting)
        run = _execute_page(page, PathCondition(decisions, budget=budget), updates_first=updates_first)
        runs += 1
        if not run.out_of_steps:
            always = set(run.observations) if always is None else always & set(run.observations)
        updates |= any(
            events.kind_of(subscription.event) != "base" and _may_init(subscription.callback)
            for subscription in run.subscriptions
        )
        _add_observations(seen, run, doubtful=updates_first)
        if (kind := _signature(run)) not in known:
            known.add(kind)
            taken = run.path.taken
            for index in range(len(decisions), len(taken)):
                flipped = (*taken[:index], not taken[index])
                heappush(waiting, (flips + 1, runs * 1000 + index, flipped))
    if not updates_first:
        _mark_conditional_as_doubtful(seen, always or set())
    if waiting and not updates_first and not budget.is_spent:
        budget.leave_out(TOO_MANY_PATHS, 0)
    return updates


def _may_init(callback: Value) -> bool:
    """Return whether a subscriber can reach its initContentHandler.

    It can by its second parameter, by `...rest` or by `arguments`. True also for a subscriber whose code is unknown.
    """
    if not isinstance(callback, FunctionValue) or callback.is_class:
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


def _signature(run: Execution) -> Hashable:
    """Return the signature of an execution: its init calls, observations, flags, and the subjects of its decisions.

    A subject is the key of a symbolic value without serial numbers, because these differ on each path.
    """
    return (
        tuple(run.init_calls),
        tuple(sorted(_SERIAL.sub("", subject) for subject in run.path.about)),
        frozenset(run.observations),
        frozenset(run.flags.items()),
    )


def _execute_page(page: _ExploredPage, path: PathCondition, *, updates_first: bool) -> Execution:
    """Execute one life of a page with these scripts."""
    path.budget.begin_run()
    run = new_run(page.dialect, path)
    run.known_names.update(page.named)
    try:
        # An exception ends only its own script. Scripts share their globals; modules have their own.
        shared = Environment(run.page, function=True)
        for part in page.scripts:
            run.in_head = part.program.early
            scope = Environment(shared, function=True) if part.program.module else shared
            with suppress(ThrownException, AbruptCompletion):
                finish(run.execute(run, part.root, scope))
            run.in_head = False
            end_of_script(run)
        drain(run)
        events.fire_events(run, page.scripts[0].root, updates_first=updates_first)
        drain(run, listeners=True)
        events.call_remaining_functions(run, page.scripts[0].root)
    except Exhausted:
        run.out_of_steps = True
        run.budget.leave_out(OUT_OF_STEPS if run.budget.is_spent else LONG_EXECUTION, run.offset)
    return run


def _mark_conditional_as_doubtful(seen: dict[tuple[str, int], Observation], always: set[Observation]) -> None:
    """Mark an early look-up as doubtful unless all executions make it. On a real page, a condition may prevent it."""
    for key, observation in seen.items():
        if observation.rule == early_dom.RULE and observation not in always:
            seen[key] = replace(observation, doubtful=True)


def _add_observations(seen: dict[tuple[str, int], Observation], run: Execution, *, doubtful: bool) -> None:
    for observation in run.observations:
        key = (observation.rule, observation.offset)
        if doubtful and not observation.doubtful:
            continue
        if key not in seen or (seen[key].doubtful and not observation.doubtful):
            seen[key] = observation
