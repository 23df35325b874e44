"""Runs a script again and again, each time with one choice flipped, until there is nothing new or it is enough.

Runs with few flipped choices come first: what breaks a rule seldom needs more than two conditions at once. A
sighting is certain when one run that depends on nothing doubtful has it.
"""

from contextlib import suppress
from heapq import heappop, heappush

from awning.check.page import delivery
from awning.check.page.choices import Choices
from awning.check.page.functions import finish
from awning.check.page.machine import new_run
from awning.check.page.run import Exhausted, Left, Run, Sighting, Thrown
from awning.check.page.values import Scope
from awning.check.script.tree import Node
from awning.contract import Dialect

MOST_RUNS = 160
MOST_STEPS = 400_000


def explore(root: Node, dialect: Dialect) -> list[Sighting]:
    seen: dict[tuple[str, int], Sighting] = {}
    steps = 0
    for order in (False, True):
        waiting: list[tuple[int, int, tuple[bool, ...]]] = [(0, 0, ())]
        runs = 0
        while waiting and runs < (MOST_RUNS if not order else MOST_RUNS // 4) and steps < MOST_STEPS:
            flips, _, wanted = heappop(waiting)
            run = live(root, dialect, Choices(wanted), updates_first=order)
            steps += run.steps
            runs += 1
            _remember(seen, run, doubtful=order)
            taken = run.choices.taken
            for index in range(len(wanted), len(taken)):
                entry = (flips + 1, runs * 1000 + index, (*taken[:index], not taken[index]))
                heappush(waiting, entry)
    return sorted(seen.values(), key=lambda one: (one.offset, one.rule))


def live(root: Node, dialect: Dialect, choices: Choices, *, updates_first: bool = False) -> Run:
    """One life of a page with this script."""
    run = new_run(dialect, choices)
    try:
        with suppress(Thrown, Left):
            finish(run.execute(run, root, Scope(run.page, function=True)))
        delivery.drain(run)
        delivery.fire(run, root, updates_first=updates_first)
        delivery.drain(run, listeners=True)
        delivery.call_the_rest(run, root)
    except (Exhausted, RecursionError):
        pass
    except (LookupError, AttributeError, TypeError, ValueError):
        run.steps += 1  # a tree with syntax errors has nodes without their parts: what was seen so far stands
    return run


def _remember(seen: dict[tuple[str, int], Sighting], run: Run, *, doubtful: bool) -> None:
    for one in run.seen:
        key = (one.rule, one.offset)
        if doubtful and not one.doubtful:
            continue
        if key not in seen or (seen[key].doubtful and not one.doubtful):
            seen[key] = one
