"""Finds a text for which a pattern takes too long.

The candidates are near misses: the beginning of a text that matches, up to a part that may repeat; that part many
times; then a character that fits nowhere. A pattern such as `^(a+)+$` tries every way to divide the repeated part. The
module reads the pattern only as far as it needs samples of its parts. QuickJS says which characters a class matches,
and how long a match takes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from awning.data_schema.patterns import Match, Patterns

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
