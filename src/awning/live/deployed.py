"""Finds the app's snippets in the HTML of a live page, and puts others in their place.

A deployed snippet begins with the stamp of its build. Its style, its app data and its script follow. Other apps made
with awning have stamps, too: a snippet is the app's own if its data element names the app, if it has a class of one of
the app's widgets (which is a hash of the app and the widget), or if its build is one of the app's own on that page.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from awning.build_record import Place, read_stamp
from awning.markup import Piece, read_markup
from awning.snippet.inline import csp_hash

CLASS = re.compile(r"\baw-[0-9a-f]{6}\b")
"""Matches the class of a widget's element."""
_IN_HEAD = frozenset(
    {"html", "head", "title", "meta", "link", "base", "style", "script", "noscript", "template"}
)
"""The elements that do not begin the body."""
_BETWEEN = frozenset({"link", "meta"})
"""Elements that a front end may put between the parts of a snippet. They stay."""
_NONCE = re.compile(r"'nonce-([A-Za-z0-9+/=_-]+)'")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeployedSnippet:
    """A stamped snippet in a page. `spans` are where its parts are.

    `app`, `data` and `language` are what its data element says: the app's title, the app data as the service inserted
    it, and the page's language; None without that element. `text` is its style and its script.
    """

    place: Place
    fingerprint: str
    spans: tuple[tuple[int, int], ...]
    app: str | None
    data: str | None
    language: str | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnMarks:
    """What tells the app's own snippets from those of other apps."""

    title: str
    classes: frozenset[str]
    fingerprint: str

    def own(self, snippets: Collection[DeployedSnippet]) -> tuple[DeployedSnippet, ...]:
        """Return those of a page's snippets that are the app's own."""
        builds = {snippet.fingerprint for snippet in snippets if self._is_own(snippet)} | {self.fingerprint}
        return tuple(
            snippet
            for snippet in snippets
            if self._is_own(snippet) or (snippet.fingerprint in builds and snippet.app is None)
        )

    def _is_own(self, snippet: DeployedSnippet) -> bool:
        return snippet.app == self.title or not self.classes.isdisjoint(CLASS.findall(snippet.text))


def deployed_snippets(html: str) -> tuple[DeployedSnippet, ...]:
    """Return all stamped snippets of a page, those of other apps too, in their order."""
    pieces = [*read_markup(html)]
    place: Place = "head"
    snippets = []
    for index, piece in enumerate(pieces):
        if (piece.kind == "start" and piece.text not in _IN_HEAD) or (
            piece.kind == "end" and piece.text == "head"
        ):
            place = "body"
        fingerprint = read_stamp(piece.text) if piece.kind == "comment" else None
        if fingerprint is not None:
            snippets.append(_snippet_at(pieces, index, place, fingerprint))
    return tuple(snippets)


def _snippet_at(pieces: list[Piece], index: int, place: Place, fingerprint: str) -> DeployedSnippet:
    """Return the snippet whose stamp is a piece of the page."""
    stamp = pieces[index]
    spans, text = [(stamp.start, stamp.end)], ""
    data: str | None = None
    attributes: Mapping[str, str] = {}
    for start, content, end in _elements_after(pieces, index + 1):
        spans.append((start.start, end))
        if "data-awning" in start.attributes:
            data, attributes = content, start.attributes
            continue
        text += content
        if start.text == "script":
            break
    return DeployedSnippet(
        place=place,
        fingerprint=fingerprint,
        spans=tuple(spans),
        app=attributes.get("data-awning"),
        data=data,
        language=attributes.get("lang"),
        text=text,
    )


def _elements_after(pieces: list[Piece], index: int) -> Iterator[tuple[Piece, str, int]]:
    """Yield the start tag, the content and the end of each style and inline script, up to anything else."""
    while index < len(pieces):
        piece = pieces[index]
        is_blank = piece.kind == "text" and not piece.text.strip()
        is_foreign = piece.kind == "start" and piece.text in _BETWEEN
        if is_blank or is_foreign or (piece.kind == "comment" and read_stamp(piece.text) is None):
            index += 1
            continue
        if piece.kind != "start" or piece.text not in {"style", "script"} or "src" in piece.attributes:
            return
        if index + 2 >= len(pieces) or pieces[index + 1].kind != "raw":
            return
        yield piece, pieces[index + 1].text, pieces[index + 2].end
        index += 3


def put_snippets(
    html: str, own: Collection[DeployedSnippet], snippets: Mapping[Place, str], nonce: str | None
) -> str:
    """Return a page with `snippets` in the place of the app's own, which are cut out.

    Where the page has none, a head snippet is added at the end of the head, a body snippet at the end of the body. With
    a nonce, scripts and styles of the snippets get it.
    """
    edits = [(start, end, "") for snippet in own for start, end in snippet.spans]
    for place, text in snippets.items():
        spans = [snippet.spans[0] for snippet in own if snippet.place == place]
        at = spans[0][0] if spans else end_of(html, place)
        edits.append((at, at, with_nonce(text, nonce)))
    parts, last = [], 0
    for start, end, text in sorted(edits, key=lambda edit: edit[:2]):
        parts += [html[last:start], text]
        last = max(last, end)
    return "".join((*parts, html[last:]))


def end_of(html: str, place: Place) -> int:
    """Return where the head or the body of a page ends. The page may lack the tags."""
    end = len(html)
    for piece in read_markup(html):
        if place == "head" and (
            (piece.kind == "end" and piece.text == "head")
            or (piece.kind == "start" and piece.text not in _IN_HEAD)
            or (piece.kind == "text" and piece.text.strip())
        ):
            return piece.start
        if place == "body" and piece.kind == "end" and piece.text in {"body", "html"}:
            end = min(end, piece.start)
    return end


def with_nonce(snippet: str, nonce: str | None) -> str:
    """Return a snippet in which each script and style has the nonce."""
    if nonce is None:
        return snippet
    parts, last = [], 0
    for piece in read_markup(snippet):
        if piece.kind == "start" and piece.text in {"script", "style"}:
            at = piece.start + 1 + len(piece.text)
            parts.append(f'{snippet[last:at]} nonce="{nonce}"')
            last = at
    return "".join((*parts, snippet[last:]))


def inline_hashes(snippet: str) -> frozenset[str]:
    """Return the hash of each inline script and style of a snippet, as a Content Security Policy names it."""
    return frozenset(csp_hash(piece.text) for piece in read_markup(snippet) if piece.kind == "raw")


def nonce_of(policies: Collection[str], html: str) -> str | None:
    """Return the nonce of a page: of its Content Security Policy in the headers, else of its scripts; None without."""
    for policy in policies:
        if match := _NONCE.search(policy):
            return match[1]
    nonces = (piece.attributes.get("nonce") for piece in read_markup(html) if piece.text == "script")
    return next((nonce for nonce in nonces if nonce and _NONCE.fullmatch(f"'nonce-{nonce}'")), None)


def language_of(html: str) -> str | None:
    """Return the language that a page declares; None if it declares none."""
    for piece in read_markup(html):
        if piece.kind == "start":
            return piece.attributes.get("lang") or None if piece.text == "html" else None
    return None
