"""Matches texts with the patterns of a schema, within a time limit.

A pattern of JSON Schema is a regular expression of JavaScript with the flag `u`, so JavaScript's engine (QuickJS)
matches it. A pattern such as `^(a+)+$` can take longer than a lifetime for 30 characters. So a match has a limit of
processor time, and all matches of one check have one together.

There is no QuickJS for macOS on Intel and for Windows on Arm. There, no pattern is checked and no text is refused.

A text for which a pattern takes too long is found among near misses: the beginning of a text that matches, up to a part
that may repeat; that part many times; then a character that fits nowhere. A pattern such as `^(a+)+$` tries every way
to divide the repeated part. Our reader reads the pattern only as far as it needs samples of its parts. QuickJS says
which characters a class matches, and how long a match takes.
"""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache
from itertools import islice
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


LENGTH = 100
"""The length of a near miss. It is short, so that only a pattern whose time grows without measure runs out: on every
machine, or on none.
"""

SEARCH_S = 1.0
"""The processor time of the search in one pattern."""

MOST_REPEATS = 60
"""The most repeated parts that are tried."""

MOST_SAMPLES = 6
MOST_OF_CLASS = 3
_REPRESENTATIVES = 'a0 A_-.,/@:;"é\n'
_ENDS = ("\0", "!", "\n")
_CLASSES = frozenset("dDwWsSpP")
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "v": "\v", "f": "\f", "0": "\0"}


@lru_cache(maxsize=256)
def slow_text(pattern: str, longest: int | None) -> str | None:
    """Return a text of at most `longest` characters for which the pattern runs out of time; None when none is found.

    The pattern must be a regular expression of JavaScript.
    """
    patterns = Patterns(left_s=SEARCH_S)
    length = LENGTH if longest is None else min(LENGTH, longest)
    try:
        for text in _near_misses(pattern, length):
            if patterns.match(pattern, text) is Match.SLOW:
                return text if patterns.left_s > 0 else None
    except RecursionError:  # the pattern is nested too deeply to be read
        return None
    return None


def _near_misses(pattern: str, length: int) -> Iterator[str]:
    reader = _Reader(pattern)
    reader.alternatives("")
    for before, part in islice(reader.repeats, MOST_REPEATS):
        times = (length - len(before) - 1) // len(part)
        if times > 1:
            yield from (before + part * times + end for end in _ENDS)


@dataclass(slots=True)
class _Reader:
    """Reads a pattern from `at`. `repeats` has a sample of what precedes each part that may repeat, and of the part."""

    pattern: str
    at: int = 0
    repeats: dict[tuple[str, str], None] = field(default_factory=dict)
    _classes: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def alternatives(self, before: str) -> tuple[str, ...]:
        """Read alternatives up to `)` or the end. Returns samples of what they match."""
        samples: list[str] = []
        while True:
            samples += self._sequence(before)
            if self._next() != "|":
                return _some(samples)
            self.at += 1

    def _sequence(self, before: str) -> tuple[str, ...]:
        samples: tuple[str, ...] = ("",)
        while self._next() not in ("", "|", ")"):
            own = self._atom(before + samples[0])
            least, most = self._quantifier()
            if most > 1:
                self._repeat(before + samples[0], own)
            repeated = [part * least for part in own] if least else [*own, ""]
            samples = _some(sample + part for sample in samples for part in repeated)
        return samples

    def _repeat(self, before: str, samples: tuple[str, ...]) -> None:
        pairs = (first + second for first in samples for second in samples if first != second)
        for part in (*samples, *islice(pairs, MOST_SAMPLES)):
            if part:
                self.repeats.setdefault((before, part))

    def _atom(self, before: str) -> tuple[str, ...]:
        start, character = self.at, self.pattern[self.at]
        self.at += 1
        match character:
            case "(":
                return self._group(before)
            case "[":
                while self._next() not in ("]", ""):
                    self.at += 2 if self._next() == "\\" else 1
                self.at += 1
                return self._of_class(self.pattern[start : self.at])
            case ".":
                return self._of_class(".")
            case "^" | "$":
                return ("",)
            case "\\":
                return self._escape(start)
        return (character,)

    def _group(self, before: str) -> tuple[str, ...]:
        is_assertion = False
        if self._next() == "?":
            opened = self.pattern[self.at : self.at + 3]
            is_assertion = opened[:2] in ("?=", "?!") or opened in ("?<=", "?<!")
            ends = ">" if opened[:2] == "?<" and not is_assertion else ":"
            width = 2 if opened[:2] in ("?=", "?!") else 3
            self.at = self.at + width if is_assertion else self.pattern.find(ends, self.at) + 1
        samples = self.alternatives(before)
        self.at += 1
        return ("",) if is_assertion else samples

    def _escape(self, start: int) -> tuple[str, ...]:
        letter = self._next()
        self.at += 1
        braced = self.pattern.find("}", self.at) + 1 if self._next() == "{" else 0
        match letter:
            case "p" | "P" | "u" if braced:
                self.at = braced
            case "x" | "u":
                self.at += 2 if letter == "x" else 4
            case "c":
                self.at += 1
            case "k":
                self.at = self.pattern.find(">", self.at) + 1
                return ("",)
            case "b" | "B":
                return ("",)
        if letter in _CLASSES:
            return self._of_class(self.pattern[start : self.at])
        if letter in "xuc":
            return self._of_class(self.pattern[start : self.at])
        if letter in "123456789":
            return ("",)
        return (_CONTROLS.get(letter, letter),)

    def _of_class(self, text: str) -> tuple[str, ...]:
        """Return some characters that the class matches."""
        if text not in self._classes:
            matcher, tried = Patterns(), dict.fromkeys(_REPRESENTATIVES + self.pattern)
            matched = (
                character for character in tried if matcher.match(f"^(?:{text})$", character) is Match.YES
            )
            self._classes[text] = tuple(islice(matched, MOST_OF_CLASS)) or ("",)
        return self._classes[text]

    def _quantifier(self) -> tuple[int, int]:
        """Read a quantifier. Returns the least number, limited to `LENGTH`, and the most."""
        least, most = {"*": (0, LENGTH), "+": (1, LENGTH), "?": (0, 1)}.get(self._next(), (1, 1))
        if self._next() == "{":
            end = self.pattern.find("}", self.at)
            low, comma, high = self.pattern[self.at + 1 : end].partition(",")
            least = min(int(low), LENGTH)
            most = int(high) if high else LENGTH if comma else int(low)
            self.at = end + 1
        elif (least, most) != (1, 1):
            self.at += 1
        else:
            return 1, 1
        if self._next() == "?":  # not greedy
            self.at += 1
        return least, most

    def _next(self) -> str:
        return self.pattern[self.at : self.at + 1]


def _some(samples: Iterator[str] | list[str]) -> tuple[str, ...]:
    """Return the first different samples that are not too long; one at least."""
    fitting = (sample for sample in samples if len(sample) <= LENGTH)
    return tuple(islice(dict.fromkeys(islice(fitting, MOST_SAMPLES * 4)), MOST_SAMPLES)) or ("",)
