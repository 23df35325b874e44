"""The active faults, and the random choice of calls on which they act.

A rule has a share (the probability that it acts on a call), a route (the name of an operation; a rule without a route
applies to every call) and a seed. With the same seed, it acts on the same calls each time, if they come in the same
order. The rules are tried in order, and at most one acts on a call.
"""

import random
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import fields as options_of

from awning.diagnostics import did_you_mean
from awning.typed_values import Mismatch, convert
from awning_harness.service.faults.faults import FAULTS, Fault, Got


class BadFault(ValueError):
    """A rule is invalid. The message has the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One active fault. `fields` are those of the control call."""

    name: str
    fault: Fault
    fields: Mapping[str, Any]
    lots: random.Random = field(repr=False, compare=False)

    @property
    def refuses_all(self) -> bool:
        """Whether clients get no connection."""
        return self.fault.effect.got is Got.NO_CONNECTION

    def hits(self, operation: str | None) -> bool:
        if self.fault.route is not None and self.fault.route != operation:
            return False
        return self.lots.random() < self.fault.share


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
    if "fault" not in fields:
        raise BadFault(_nameless(fields))
    name, route = fields["fault"], fields.get("route")
    if name not in [*FAULTS]:
        raise BadFault(_unknown("fault", name, FAULTS))
    if route is not None and route not in routes:
        raise BadFault(_unknown("route", route, routes))
    present = {key: value for key, value in fields.items() if key != "share" or value is not None}
    try:
        fault = convert(present, FAULTS[name])
    except Mismatch as mismatch:
        raise BadFault(mismatch.of(f'the fault "{name}"')) from mismatch
    return Rule(name=name, fault=fault, fields=fields, lots=random.Random(fault.seed))  # noqa: S311


def _nameless(fields: Mapping[str, Any]) -> str:
    """Return the message for a rule without `fault`.

    It names the first unknown key, which may be a mistyped `fault`.
    """
    options = {option.name for kind in FAULTS.values() for option in options_of(kind)}
    unknown = [key for key in fields if key not in options]
    instead = f', which is not called "{unknown[0]}"' if unknown else ""
    return f'"fault" is required{instead}: such as {{"fault": "status", "status": 503}}'


def _unknown(what: str, word: object, known: Iterable[str]) -> str:
    names = tuple(known)
    return f'unknown {what} "{word}": {did_you_mean(str(word), names) or "there are " + ", ".join(names)}'
