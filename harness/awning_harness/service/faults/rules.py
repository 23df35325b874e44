"""The active faults, and the random choice of calls on which they act.

A rule has a share (the probability that it acts on a call), a route (the name of an operation; a rule without a route
applies to every call) and a seed. With the same seed, it acts on the same calls each time, if they come in the same
order. The rules are tried in order, and at most one acts on a call.
"""

import random
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field
from dataclasses import fields as option_fields
from typing import Any, get_type_hints

from awning.diagnostics import did_you_mean
from awning_harness.service.faults.exchange import Fault
from awning_harness.service.faults.faults import FAULTS, Refused

COMMON = ("fault", "share", "route", "seed")
LIMITS = {
    "ms": (0, 600_000),
    "status": (200, 599),
    "retry_after": (0, 86_400),
    "error_code": (-(2**31), 2**31),
}


class BadFault(ValueError):
    """A rule is invalid. The message has the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One active fault."""

    name: str
    fault: Fault
    share: float
    route: str | None
    fields: Mapping[str, Any]
    lots: random.Random = field(repr=False, compare=False)

    @property
    def refuses_all(self) -> bool:
        """Whether all connections are refused: the fault `refused` for every call, with share 1."""
        return isinstance(self.fault, Refused) and self.route is None and self.share == 1

    def hits(self, operation: str | None) -> bool:
        if self.route is not None and self.route != operation:
            return False
        return self.lots.random() < self.share


class Faults:
    """The rules in force."""

    def __init__(self) -> None:
        self._rules: tuple[Rule, ...] = ()
        self._lock = threading.Lock()
        self._watcher: Callable[[bool], None] | None = None

    def watch(self, watcher: Callable[[bool], None] | None) -> None:
        """Call `watcher` after each change. Its argument tells whether all connections are refused."""
        self._watcher = watcher

    def put(self, rules: Iterable[Any], routes: Iterable[str]) -> None:
        """Replace all rules; `routes` are the known operations.

        Raises BadFault, and changes nothing, when a rule is invalid.
        """
        known = tuple(routes)
        self._rules = tuple(_rule(rule, known) for rule in rules)
        if self._watcher is not None:
            self._watcher(any(rule.refuses_all for rule in self._rules))

    def listing(self) -> list[dict[str, Any]]:
        return [dict(rule.fields) for rule in self._rules]

    def draw(self, operation: str | None) -> Rule | None:
        """Return the rule that acts on this call of `operation`; None when no rule does."""
        if not self._rules:
            return None
        with self._lock:
            return next((rule for rule in self._rules if rule.hits(operation)), None)


def _rule(fields: Any, routes: tuple[str, ...]) -> Rule:
    if not isinstance(fields, dict):
        raise BadFault("each fault is an object")
    name, share, route, seed = (fields.get(common) for common in COMMON)
    if "fault" not in fields:
        raise BadFault(_nameless(fields))
    if not isinstance(name, str) or name not in FAULTS:
        raise BadFault(_unknown("fault", name, FAULTS))
    share = 1 if share is None else share
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
        raise BadFault("share must be a number from 0 to 1")
    if route is not None and route not in routes:
        raise BadFault(_unknown("route", route, routes))
    if seed is not None and not isinstance(seed, int | str):
        raise BadFault("seed must be a whole number or a string")
    fault = _fault(FAULTS[name], {key: value for key, value in fields.items() if key not in COMMON})
    return Rule(name=name, fault=fault, share=share, route=route, fields=fields, lots=random.Random(seed))  # noqa: S311


def _nameless(fields: Mapping[str, Any]) -> str:
    """Return the message for a rule without `fault`.

    It names the first unknown key, which may be a mistyped `fault`.
    """
    options = {option.name for kind in FAULTS.values() for option in option_fields(kind)}
    unknown = [key for key in fields if key not in COMMON and key not in options]
    instead = f', which is not called "{unknown[0]}"' if unknown else ""
    return f'"fault" is required{instead}: such as {{"fault": "status", "status": 503}}'


def _fault(kind: type[Any], options: dict[str, Any]) -> Fault:
    """Return the fault of this kind with its options, which are all whole numbers."""
    known = {option.name: option for option in option_fields(kind)}
    for name, value in options.items():
        if name not in known:
            raise BadFault(_unknown("option", name, (*COMMON, *known)))
        low, high = LIMITS[name]
        optional = value is None and type(None) in getattr(get_type_hints(kind)[name], "__args__", ())
        if not optional and (
            not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high
        ):
            raise BadFault(f"{name} must be a whole number from {low} to {high}")
    missing = [name for name, option in known.items() if option.default is MISSING and name not in options]
    if missing:
        raise BadFault(f"{missing[0]} is required")
    fault: Fault = kind(**options)
    return fault


def _unknown(what: str, word: object, known: Iterable[str]) -> str:
    names = tuple(known)
    return f'unknown {what} "{word}": {did_you_mean(str(word), names) or "there are " + ", ".join(names)}'
