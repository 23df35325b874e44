"""How long Python's `re` may take with a regular expression of a script: it backtracks, and a script may want it to.

An estimate from the text of the pattern alone: each quantifier can stop at as many places as the text has
characters, and a repeated group in which something can go two ways doubles the ways with each round.
"""

import re
from math import inf

_PIECE = re.compile(
    r"\\(?:[pPuxk]\{[^}]*\}|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|\)|\||[*+?]|\{\d+(?:,\d*)?\}|.",
    re.DOTALL,
)
_COUNTED = re.compile(r"\{(\d+)(,?)(\d*)\}")
SHORTEST = 2


def tries(pattern: str, length: int) -> float:
    """At most how many positions a search in a text of that length tries. Infinite where the estimate gives up."""
    groups: list[float] = [1]
    before = 1.0
    total = 1.0
    for piece in _PIECE.findall(pattern):
        if piece[0] == "(":
            groups.append(1)
            before = 1
        elif piece == ")":
            before = groups.pop() if len(groups) > 1 else inf
            groups[-1] *= before
        elif piece == "|":
            groups[-1] *= 2
            before = 1
        elif (most := _most(piece, length)) is None:
            before = 1
        else:
            ways = inf if before > 1 and most >= SHORTEST else most
            groups[-1] *= max(ways, 1)
            total = max(total, ways)
            before = 1
    return max(groups[0], total) * (length + 1)


def _most(piece: str, length: int) -> int | None:
    """At how many places a quantifier can stop; None of what is no quantifier."""
    if piece in {"*", "+"}:
        return length + 1
    if piece == "?":
        return 2
    counted = _COUNTED.fullmatch(piece)
    if counted is None:
        return None
    fewest = int(counted[1][:6])
    if not counted[2]:
        return 1 if fewest < SHORTEST else min(fewest, length + 1)
    return min(int(counted[3][:6]) if counted[3] else length, length) + 1
