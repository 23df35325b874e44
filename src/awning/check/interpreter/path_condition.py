"""The path condition: the decisions about symbolic values in one execution.

An execution follows a list of decisions. After the end of the list, each decision is the default: True. For another
execution, the explorer reverses one decision. Most decisions are facts about a symbolic value: a predicate holds or
not. Sample values show whether two facts can hold together. This is exact enough for comparisons with constants.
"""

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from awning.check.budget import CHOICES_OF_A_RUN, Budget
from awning.check.interpreter.values import UNDEFINED, Symbolic, Value, truthy

Predicate = Callable[[Value], bool]


OTHER_PATHS = "some combinations of its conditions"
MOST_SAMPLES = 100
"""A symbolic value that has this many sample values besides `_SAMPLES` gets no more."""


class JoinFailed(Exception):
    """Two branches cannot be joined (`joins`).

    One of them has a side effect, needs a decision, pauses at `await`, or gives a value that has no join.
    """


class SampleObject:
    """An object among the sample values."""


THING = SampleObject()
_SAMPLES: tuple[Value, ...] = (THING, None, UNDEFINED, "", "some text", True, False, 0, 1, 2, -1, 1e9)


_OF_THE_PAGE = re.compile(
    r"document\.|\$\(|jQuery\(|(?!(?:item|page|cartData|currency|selected\w+|updatedItem|eventParam|event"
    r"|location|navigator)\b)[A-Za-z_$][\w$]*(?:\.[\w$]+)*\Z"
)
"""Matches keys of symbolic values that other code may change, such as elements and globals.

The payload does not change.
"""


@dataclass(slots=True)
class PathCondition:
    """The decisions of one execution. `wanted` is the list to follow; `taken` has all decisions so far."""

    wanted: tuple[bool, ...] = ()
    taken: list[bool] = field(default_factory=list)
    about: set[str] = field(default_factory=set)
    """The keys of the symbolic values and events that decisions were made about."""
    facts: dict[str, dict[Hashable, tuple[Predicate, bool]]] = field(default_factory=dict)
    """The facts about each symbolic value. A fact has a key, a predicate and whether the predicate holds."""
    constants: dict[str, list[Value]] = field(default_factory=dict)
    """The sample values of each symbolic value, besides `_SAMPLES`."""
    budget: Budget = field(default_factory=Budget)
    frozen: int = 0
    """The number of nested joins that are being tried. While it is not 0, a decision raises JoinFailed."""

    def choose(self, about: str, *, first: bool = True) -> bool:
        """Choose a branch and record the decision. `about` names a symbolic value or an event, such as "throws f".

        `first` is the branch for a decision that `wanted` does not have, or that is beyond the limit.

        Raises JoinFailed while a join is tried.
        """
        if self.frozen:
            raise JoinFailed
        self.about.add(about)
        index = len(self.taken)
        if index >= CHOICES_OF_A_RUN:
            self.budget.leave_out(OTHER_PATHS, 0)
            return first
        way = self.wanted[index] if index < len(self.wanted) else first
        self.taken.append(way)
        return way

    def assume(self, key: str, predicate: Predicate) -> None:
        self.facts.setdefault(key, {})[predicate] = (predicate, True)

    def forget_the_page(self) -> None:
        """Drop facts about the page between two tasks, because an element may exist now, or a library may be loaded."""
        self.budget.spend(len(self.facts) // 8)
        for key in [key for key in self.facts if _OF_THE_PAGE.match(key)]:
            del self.facts[key]

    def holds(
        self, symbol: Symbolic, predicate: Predicate = truthy, constants: tuple[Value, ...] = ()
    ) -> bool:
        """Return whether a predicate holds for a symbolic value: by the facts, or else by a decision.

        Two predicates with `constants` count as equal if their code and their constants are equal. Raises JoinFailed
        when a decision is needed while a join is tried.
        """
        key = symbol.base or symbol.key
        question = (symbol.key, predicate if not constants else (predicate.__qualname__, constants))
        facts = self.facts.setdefault(key, {})
        if question in facts:
            return facts[question][1]
        seen, ways = self._possible_truths(symbol, predicate, constants)
        way = ways.pop() if len(ways) == 1 else self.choose(key)
        facts[question] = (seen, way)
        return way

    def is_open(self, symbol: Symbolic) -> bool:
        """Return whether, by the facts, a symbolic value can be true and can also be false."""
        return len(self._possible_truths(symbol, truthy, ())[1]) != 1

    def _possible_truths(
        self, symbol: Symbolic, predicate: Predicate, constants: tuple[Value, ...]
    ) -> tuple[Predicate, set[bool]]:
        key, view = symbol.base or symbol.key, symbol.view
        seen = predicate if view is None else lambda value: predicate(view(value))
        known = self.constants.setdefault(key, [])
        for constant in constants:
            self.sample(key, constant)
        ways: set[bool] = set()
        for value in (*_SAMPLES, *known):
            way = bool(seen(value))
            if way not in ways and self._possible(key, value):
                ways.add(way)
                if len(ways) > 1:
                    break
        return seen, ways

    def sample(self, key: str, constant: Value) -> None:
        """Add sample values: a constant that the script compares with, and values beside it."""
        known = self.constants.setdefault(key, [])
        if len(known) < MOST_SAMPLES:
            known += [near for near in _around(constant) if not any(_same(near, other) for other in known)]

    def _possible(self, key: str, value: Value) -> bool:
        facts = self.facts.get(key, {})
        self.budget.spend(len(facts) // 4)
        return all(bool(predicate(value)) == way for predicate, way in facts.values())


def _same(left: Value, right: Value) -> bool:
    """Return whether two values have the same type and are equal. (In Python, `1 == True`.)"""
    return type(left) is type(right) and left == right


def _around(constant: Value) -> tuple[Value, ...]:
    if isinstance(constant, (int, float)) and not isinstance(constant, bool):
        return (constant, constant - 1, constant - 0.5, constant + 0.5, constant + 1)
    return (constant,)
