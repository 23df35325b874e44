"""What is wrong with one value: a code with a sentence in every language, and the words that fill the sentence."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """`line` counts the entries of a list from 1; 0 means the value as a whole."""

    code: str
    named: Mapping[str, str] = field(default_factory=dict)
    line: int = 0

    def at(self, line: int) -> "Problem":
        return replace(self, line=line)
