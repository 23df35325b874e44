"""Compares pages, to tell an accepted request from a refused one when both responses have the same status.

Some servers refuse with status 200 and an empty body or an error page, or redirect the browser. So a response of 2XX or
3XX counts as accepted only if it has the status and the redirect of the response to the authentic request, and
resembles that response at least as much as the response to a forged request. The response to the forged request is
ignored when it is not 2XX or 3XX, has another status or redirect, or is like the authentic one. In that case, the
likeness to the authentic response must reach `LIKE`. Words of the query and long tokens are ignored, because they
differ from request to request.

A server may redirect each accepted request to a fresh address, such as that of a session. Then the two redirects of the
authentic request differ, and the parts of the path in which they differ may differ in every accepted request. A target
that another request gets twice is not fresh: it is the address of a page, such as one for refused requests.
"""

import re
from collections import Counter
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from awning.client.operation import Response

CALLBACK = "callback"
LIKE = 0.8
"""The minimum likeness of an accepted page to the authentic page, relative to the likeness of two authentic pages."""
READ_BYTES = 256 * 1024
_WORD = re.compile(r"\w+")
_TOKEN = 16
"""Words of at least this length are ignored, because they may be nonces, session ids or hashes."""
_FRESH = "*"
"""Stands for a part of a path that is new in each redirect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSummary:
    """The parts of a 2XX or 3XX response that are compared.

    `target` is the address of a redirect without its query, "callback" when that is the request's own callback, and
    None without a redirect. `query_words` are the words of the request's query.
    """

    status: int
    target: str | None
    added: frozenset[str]
    """The names of the redirect's query parameters that the request did not have, such as `error`."""
    words: Counter[str]
    query_words: frozenset[str]
    bytes: int


def summary_of(answer: Response, query: str) -> PageSummary:
    """Return the summary of the response to a request with `query`."""
    sent = parse_qsl(query, keep_blank_values=True)
    target, added = _target(answer.location, sent)
    text = answer.body[:READ_BYTES].decode("utf-8", "replace")
    return PageSummary(
        status=answer.status,
        target=target,
        added=added,
        words=Counter(word for word in _WORD.findall(text) if len(word) < _TOKEN),
        query_words=frozenset(_WORD.findall(" ".join(part for pair in sent for part in pair))),
        bytes=len(answer.body),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferencePages:
    """The pages to compare with: two for the authentic request, which is sent twice, and one for a forged request.

    `forged` is None when the forged request got no 2XX or 3XX. `fixed_targets` are those that a request got twice.
    """

    authentic: PageSummary
    again: PageSummary
    forged: PageSummary | None
    fixed_targets: frozenset[str] = frozenset()

    def difference(self, page: PageSummary) -> str | None:
        """Return how `page` differs from the page for the authentic request; None when they are alike."""
        authentic = self.authentic
        if page.status != authentic.status:
            return f"the authentic request gets HTTP {authentic.status}"
        if not self._redirects_like_authentic(page):
            usual = _destination(self._authentic_target, authentic.added)
            return f"it redirects {_destination(page.target, page.added)}, the authentic request {usual}"
        if self._like_authentic(page):
            return None
        if not page.bytes:
            return f"an empty body, where the authentic request gets {authentic.bytes} bytes"
        return "another page than the authentic request gets"

    @property
    def _authentic_target(self) -> str | None:
        """The target of the authentic request, with `_FRESH` for each part that differs when it is sent again."""
        first, second = self.authentic.target, self.again.target
        if first is None or second is None or first.count("/") != second.count("/"):
            return first
        parts = zip(first.split("/"), second.split("/"), strict=True)
        return "/".join(part if part == other else _FRESH for part, other in parts)

    def seems_fresh(self, page: PageSummary) -> bool:
        """Return whether the target of `page` is another than the authentic one, but may be as fresh."""
        return page.target != self.authentic.target and self._redirects_like_authentic(page)

    def _redirects_like_authentic(self, page: PageSummary) -> bool:
        if page.added != self.authentic.added:
            return False
        if page.target is None or page.target == self.authentic.target:
            return page.target == self.authentic.target
        return page.target not in self.fixed_targets and _fits(page.target, self._authentic_target or "")

    def _like_authentic(self, page: PageSummary) -> bool:
        usual, own = likeness(self.authentic, self.again), likeness(page, self.authentic)
        forged = self.forged
        if (
            forged is None
            or forged.status != page.status
            or not self._redirects_like_authentic(forged)
            or likeness(self.authentic, forged) >= usual
        ):
            return own >= LIKE * usual
        return own >= likeness(page, forged)


def likeness(page: PageSummary, other: PageSummary) -> float:
    """Return the share of words that two pages have in common, from 0 to 1; 1 when neither has any.

    Words of their queries do not count.
    """
    ignored = page.query_words | other.query_words
    mine, theirs = (Counter({w: n for w, n in p.words.items() if w not in ignored}) for p in (page, other))
    total = mine.total() + theirs.total()
    return 2 * (mine & theirs).total() / total if total else 1.0


def _target(location: str | None, sent: list[tuple[str, str]]) -> tuple[str | None, frozenset[str]]:
    if location is None:
        return None, frozenset()
    try:
        parts = urlsplit(location)
    except ValueError:
        return "an unreadable address", frozenset()
    plain = parts._replace(query="", fragment="").geturl()
    own = {value.partition("?")[0] for name, value in sent if name.startswith(CALLBACK)}
    names = {name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}
    for name, value in sent:  # the callback's own query may have parameters, too
        names -= {name, *(inner for inner, _ in parse_qsl(value.partition("?")[2], keep_blank_values=True))}
    return CALLBACK if plain in own else plain, frozenset(names)


def _fits(target: str, pattern: str) -> bool:
    parts, expected = target.split("/"), pattern.split("/")
    return len(parts) == len(expected) and all(
        part == usual or (part and usual == _FRESH) for part, usual in zip(parts, expected, strict=True)
    )


def _destination(target: str | None, added: frozenset[str]) -> str:
    where = "nowhere" if target is None else f"to {target}"
    return f"{where} with {', '.join(sorted(added))}" if added else where
