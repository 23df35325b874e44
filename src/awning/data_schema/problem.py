"""What is wrong with one value: a code, which every language has a sentence for, and what the sentence names."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """`line` is the line of a list that is meant, from 1; 0 is the value as a whole."""

    code: str
    named: Mapping[str, str] = field(default_factory=dict)
    line: int = 0

    def at(self, line: int) -> "Problem":
        return replace(self, line=line)
