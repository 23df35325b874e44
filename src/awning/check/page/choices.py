"""Which way a condition on a symbol goes.

A run follows a list of choices and takes the first way where the list has ended; the explorer then flips one. Each
choice is a fact about a symbol: "this predicate holds of it". Whether two facts can hold together is tried out on
sample values, which is exact enough for the comparisons that scripts make with constants.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from awning.check.page.values import UNDEFINED, Sym, Value, truthy

Predicate = Callable[[Value], bool]


class Unjoined(Exception):
    """Something that depends on one way of a condition happened while both are run as one (`page.joined`)."""


class Thing:
    """A sample object."""


THING = Thing()
_SAMPLES: tuple[Value, ...] = (THING, None, UNDEFINED, "", "some text", True, False, 0, 1, 2, -1, 1e9)


_OF_THE_PAGE = re.compile(
    r"document\.|\$\(|jQuery\(|(?!(?:item|page|cartData|currency|selected\w+|updatedItem|eventParam|event"
    r"|location|navigator)\b)[A-Za-z_$][\w$]*(?:\.[\w$]+)*\Z"
)
"""Symbols of what other code changes: elements that were looked up, globals. The payload stays what it was."""


@dataclass(slots=True)
class Choices:
    """`wanted` is followed first; `taken` is what the run then did."""

    wanted: tuple[bool, ...] = ()
    taken: list[bool] = field(default_factory=list)
    about: set[str] = field(default_factory=set)
    """The symbols that were chosen about."""
    facts: dict[str, list[tuple[Predicate, bool]]] = field(default_factory=dict)
    constants: dict[str, list[Value]] = field(default_factory=dict)
    frozen: int = 0
    """While it is not 0, nothing is chosen."""

    def choose(self, about: str, *, first: bool = True) -> bool:
        """A free choice."""
        if self.frozen:
            raise Unjoined
        self.about.add(about)
        index = len(self.taken)
        way = self.wanted[index] if index < len(self.wanted) else first
        self.taken.append(way)
        return way

    def assume(self, key: str, predicate: Predicate) -> None:
        self.facts.setdefault(key, []).append((predicate, True))

    def forget_the_page(self) -> None:
        """Between two tasks the page goes on: an element may be there now, a library have loaded."""
        for key in [key for key in self.facts if _OF_THE_PAGE.match(key)]:
            del self.facts[key]

    def holds(self, symbol: Sym, predicate: Predicate = truthy, constants: tuple[Value, ...] = ()) -> bool:
        """Whether it holds of the symbol, in this run."""
        key = symbol.base or symbol.key
        seen, ways = self._ways(symbol, predicate, constants)
        way = ways.pop() if len(ways) == 1 else self.choose(key)
        self.facts.setdefault(key, []).append((seen, way))
        return way

    def is_open(self, symbol: Sym) -> bool:
        """Whether it can be true and can be false, in this run."""
        return len(self._ways(symbol, truthy, ())[1]) != 1

    def _ways(
        self, symbol: Sym, predicate: Predicate, constants: tuple[Value, ...]
    ) -> tuple[Predicate, set[bool]]:
        key, view = symbol.base or symbol.key, symbol.view
        seen = predicate if view is None else lambda value: predicate(view(value))
        known = self.constants.setdefault(key, [])
        known += [near for constant in constants for near in _around(constant) if near not in known]
        ways: set[bool] = set()
        for value in (*_SAMPLES, *known):
            way = bool(seen(value))
            if way not in ways and self._possible(key, value):
                ways.add(way)
                if len(ways) > 1:
                    break
        return seen, ways

    def _possible(self, key: str, value: Value) -> bool:
        return all(bool(predicate(value)) == way for predicate, way in self.facts.get(key, ()))


def _around(constant: Value) -> tuple[Value, ...]:
    if isinstance(constant, (int, float)) and not isinstance(constant, bool):
        return (constant, constant - 1, constant - 0.5, constant + 0.5, constant + 1)
    return (constant,)
