"""Matches texts with the patterns of a schema, within a time limit.

A pattern of JSON Schema is a regular expression of JavaScript with the flag `u`, so JavaScript's engine (QuickJS)
matches it. A pattern such as `^(a+)+$` can take longer than a lifetime for 30 characters. So a match has a limit of
processor time, and all matches of one check have one together.

There is no QuickJS for macOS on Intel and for Windows on Arm. There, no pattern is checked and no text is refused.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from threading import Lock
from typing import Any

LIMIT_S = 0.05
"""The processor time of one match. An ordinary match takes 20 microseconds."""

WHOLE_S = 0.5
"""The processor time that matches take beyond `ORDINARY_S` each, in one check, such as that of a posted form."""

ORDINARY_S = 0.0002

MEMORY_BYTES = 64 * 1024 * 1024
_MATCH = """
(() => {
  const compiled = new Map();
  return (pattern, text) => {
    if (!compiled.has(pattern)) {
      if (compiled.size === 500) compiled.clear();
      compiled.set(pattern, new RegExp(JSON.parse(pattern), "u"));
    }
    return compiled.get(pattern).test(JSON.parse(text));
  };
})()
"""
"""The arguments are JSON, because a text may hold half of a pair of surrogates, which is not UTF-8."""


class Match(Enum):
    """The result of a match. SLOW: it ran out of time. UNKNOWN: the pattern cannot be checked."""

    YES = auto()
    NO = auto()
    SLOW = auto()
    UNKNOWN = auto()


@dataclass(slots=True)
class Patterns:
    """The matches of one check. `left_s` is the processor time that they still have."""

    left_s: float = WHOLE_S
    _ran_out: bool = False

    def match(self, pattern: str, text: str) -> Match:
        """Match a text. When no time is left, the first result is SLOW, unless there was one, and others are UNKNOWN.

        So a check without a SLOW result has tried every text.
        """
        engine = _engine()
        if engine is None or (self.left_s <= 0 and self._ran_out):
            return Match.UNKNOWN
        start = time.thread_time()
        result = engine.match(pattern, text) if self.left_s > 0 else Match.SLOW
        self.left_s -= max(time.thread_time() - start - ORDINARY_S, 0)
        self._ran_out = self._ran_out or result is Match.SLOW
        return result


def are_patterns_checked() -> bool:
    """Return whether there is an engine on this machine."""
    return _engine() is not None


@lru_cache(maxsize=256)
def pattern_fault(pattern: str) -> str | None:
    """Return why a pattern is no regular expression of JavaScript; None when it is one, or when there is no engine."""
    engine = _engine()
    return None if engine is None else engine.fault(pattern)


@dataclass(frozen=True, slots=True)
class _Engine:
    """One context of QuickJS. The lock lets one thread at a time use it."""

    call: Callable[[str, str], bool]
    exception: type[Exception]
    lock: Lock

    def match(self, pattern: str, text: str) -> Match:
        try:
            return Match.YES if self._run(pattern, text) else Match.NO
        except self.exception as error:
            return Match.UNKNOWN if "SyntaxError" in str(error) else Match.SLOW

    def fault(self, pattern: str) -> str | None:
        try:
            self._run(pattern, "")
        except self.exception as error:
            kind, _, message = str(error).partition("\n")[0].partition(": ")
            return message if kind == "SyntaxError" else None
        return None

    def _run(self, pattern: str, text: str) -> bool:
        with self.lock:
            return self.call(json.dumps(pattern), json.dumps(text))


@lru_cache(maxsize=1)
def _engine() -> _Engine | None:
    try:
        import quickjs  # type: ignore[import-untyped]  # noqa: PLC0415 - most schemas have no pattern
    except ImportError:
        return None
    context: Any = quickjs.Context()
    context.set_memory_limit(MEMORY_BYTES)
    context.set_time_limit(LIMIT_S)  # of processor time; it also holds inside of one match
    return _Engine(call=context.eval(_MATCH), exception=quickjs.JSException, lock=Lock())
