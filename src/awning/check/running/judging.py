"""Judges what a life of a page has reported: HTML with marks in it, and exceptions of scripts in the head."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from awning.check.running.payloads import CHOSEN, FIELDS
from awning.markup import read_markup

_MARK = re.compile(r"aw(\d+)", re.IGNORECASE)
_OF_HEAD = frozenset({
    "textContent", "text", "innerHTML", "outerHTML", "content", "href", "src", "sheet", "media", "disabled", "rel",
    "type", "nonce", "dataset", "getAttribute", "hasAttribute", "setAttribute", "removeAttribute", "remove",
    "parentNode", "parentElement", "attr", "data", "prop", "html",
})  # fmt: skip
"""Members that scripts also use on elements of the head. The look-up of an id or a class may find such an element."""
_OF_ROOT = frozenset({"classList", "className", "removeClass", "toggleClass", "addClass"})
"""Members that scripts also use on the root element, after a look-up by class."""
_WRITES = frozenset({"textContent", "innerHTML", "outerHTML"})
_OF_NOTHING = re.compile(
    r"cannot (read|set) property '([^']*)' of (?:null|undefined)|not of type '(?:Node|Element)'|"
    r"Cannot convert undefined or null to object"
)


_NOTHING = re.compile(r"cannot (?:read|set) property '([^']*)' of (undefined|null)")


def judged(
    report: Mapping[str, Any], sources: Sequence[str], there: Collection[int], *, usual: bool
) -> dict[str, Any] | None:
    """Return a report of the page as a broken rule; None if it breaks none.

    `sources` are what the marks stand for, `there` the places of exceptions that a page with a body has too, `usual` is
    whether the life is the usual one.
    """
    rule, at = report["rule"], max(report["at"], 0)
    if rule == "raw-html":
        number = raw_markup(report["html"])
        if number is None:
            return None
        source = sources[number] if number < len(sources) else ""
        return {"rule": rule, "at": at, "message": report["message"], "source": source}
    if rule == "early-dom":
        doubtful = not usual
        if report.get("thrown"):
            match = _OF_NOTHING.search(report["message"])
            if match is None or at in there:
                return None
            doubtful |= _may_be_in_head(report.get("by", ""), match[2] or "", writes=match[1] == "set")
        return {"rule": rule, "at": at, "message": report.get("lookup", ""), "doubtful": doubtful}
    if rule == "unhandled-error":
        return _of_nothing(report, at, usual=usual)
    return {"rule": rule, "at": at, "message": report["message"]}


def _of_nothing(report: Mapping[str, Any], at: int, *, usual: bool) -> dict[str, Any] | None:
    """Return an exception of a subscriber that comes from a field of the payload; None if it may come from this page.

    A field that may be null is null on some pages. One that no payload has is undefined on each page, unless the
    service sends more than is known: so it is doubtful, too.
    """
    path = report["field"]
    match = _NOTHING.search(report["message"])
    if match is None or not path:
        return None
    is_null = match[2] == "null"
    if path in FIELDS or path in CHOSEN:
        may_be = is_null and (path in CHOSEN or "null" in FIELDS[path].types)
    else:
        may_be = usual and not is_null
    if not may_be:
        return None
    return {
        "rule": report["rule"],
        "at": at,
        "message": match[1],
        "source": path,
        "doubtful": True,
        "is_null": is_null,
    }


def _may_be_in_head(by: str, member: str, *, writes: bool) -> bool:
    """Return whether a look-up (by an `id`, by a `class`) may find an element of the head, as its use suggests."""
    may = (by != "" and member in _OF_HEAD) or (by == "class" and member in _OF_ROOT)
    return may and not (writes and member in _WRITES)


def raw_markup(html: str) -> int | None:
    """Return the number of the first mark that a browser would read as markup; None if there is none."""
    for piece in read_markup(html):
        mark = None
        if piece.kind in {"start", "end"}:
            mark = _MARK.match(piece.text) or _in_attributes(html, piece.attributes)
        elif piece.kind == "raw" and ("<" in piece.text or '"' in piece.text):
            mark = _MARK.search(piece.text)
        if mark is not None:
            return int(mark[1])
    return None


def _in_attributes(html: str, attributes: Mapping[str, str]) -> re.Match[str] | None:
    """Return the mark whose text ended the value of an attribute, or is the name of one."""
    for name, value in attributes.items():
        if mark := _MARK.search(name):
            return mark
        mark = _MARK.search(value)
        if mark and f"wa{mark[1]}" not in value.lower() and f"wa{mark[1]}" in html.lower():
            return mark
    return None
