"""Tells an accepted request from a refused one where the status does not: by what the authentic request gets.

Some servers refuse with status 200 and an empty body or a page of their own, or send the browser elsewhere. So an
answer of 2XX or 3XX counts as accepted only when it looks like the answer to the authentic request, and not more
like the answer to a forged one. What differs from request to request is left out: the words of the query, and long
tokens.
"""

import re
from collections import Counter
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from awning.client.operation import Answer

CALLBACK = "callback"
LIKE = 0.8
"""Of the likeness of two answers to one and the same request."""
READ_BYTES = 256 * 1024
_WORD = re.compile(r"\w+")
_TOKEN = 16
"""Characters from which on a word is taken for a nonce, a session or a hash."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One answer of 2XX or 3XX. `target` is where it leads, without the query; "callback" for the request's own."""

    status: int
    target: str | None
    added: frozenset[str]
    """Parameters of the target that the request did not have, such as `error`."""
    words: Counter[str]
    said: frozenset[str]
    """Words of the request's query."""
    bytes: int

    @property
    def kind(self) -> tuple[int, str | None, frozenset[str]]:
        return self.status, self.target, self.added


def look_of(answer: Answer, query: str) -> Look:
    """How the answer to a request with `query` looks."""
    sent = parse_qsl(query, keep_blank_values=True)
    target, added = _target(answer.location, sent)
    text = answer.body[:READ_BYTES].decode("utf-8", "replace")
    return Look(
        status=answer.status,
        target=target,
        added=added,
        words=Counter(word for word in _WORD.findall(text) if len(word) < _TOKEN),
        said=frozenset(_WORD.findall(" ".join(part for pair in sent for part in pair))),
        bytes=len(answer.body),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Compares answers with those of the authentic request, sent twice, and of a forged one."""

    authentic: Look
    again: Look
    forged: Look | None

    def differs(self, look: Look) -> str | None:
        """Why this is not what the authentic request gets; None when it is."""
        authentic = self.authentic
        if look.status != authentic.status:
            return f"the authentic request gets HTTP {authentic.status}"
        if (look.target, look.added) != (authentic.target, authentic.added):
            return f"it leads {_shown(look)}, the authentic request {_shown(authentic)}"
        if self._like_authentic(look):
            return None
        if not look.bytes:
            return f"an empty body, where the authentic request gets {authentic.bytes} bytes"
        return "another page than the authentic request gets"

    def _like_authentic(self, look: Look) -> bool:
        usual, own = likeness(self.authentic, self.again), likeness(look, self.authentic)
        forged = self.forged
        if forged is None or forged.kind != look.kind or likeness(self.authentic, forged) >= usual:
            return own >= LIKE * usual
        return own >= likeness(look, forged)


def likeness(one: Look, other: Look) -> float:
    """From 0 to 1: the share of words that two answers have in common, but for those that the requests said."""
    said = one.said | other.said
    mine, theirs = (Counter({w: n for w, n in k.words.items() if w not in said}) for k in (one, other))
    total = mine.total() + theirs.total()
    return 2 * (mine & theirs).total() / total if total else 1.0


def _target(location: str | None, sent: list[tuple[str, str]]) -> tuple[str | None, frozenset[str]]:
    if location is None:
        return None, frozenset()
    try:
        parts = urlsplit(location)
    except ValueError:
        return "nowhere that can be read", frozenset()
    plain = parts._replace(query="", fragment="").geturl()
    own = {value.partition("?")[0] for name, value in sent if name.startswith(CALLBACK)}
    names = {name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}
    for name, value in sent:  # a callback may bring parameters of its own
        names -= {name, *(inner for inner, _ in parse_qsl(value.partition("?")[2], keep_blank_values=True))}
    return CALLBACK if plain in own else plain, frozenset(names)


def _shown(look: Look) -> str:
    where = "nowhere" if look.target is None else f"to {look.target}"
    return f"{where} with {', '.join(sorted(look.added))}" if look.added else where
