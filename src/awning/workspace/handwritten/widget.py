"""The files of a verbatim widget, made of hand-written snippets, and remarks for its author.

body.html, head.html   the snippets as they are
widget.toml            the title, the slots whose events the scripts name, and the globals that the scripts leave
states.toml            a state for each slot, with an empty answer for each file of another host

The files of other hosts are at the addresses that a browser requests for the snippet. They are written as the browser
requests them: normalised, without a query.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urljoin, urlsplit

from awning.contract import Dialect
from awning.contract.hosts import ascii_host
from awning.contract.slots import FIRST_SLOT, SLOTS
from awning.errors import ConfigurationError
from awning.markup import Piece, read_markup
from awning.script.elements import script_kind
from awning.script.file import ScriptFile
from awning.script.globals import globals_left_by
from awning.workspace.toml_text import toml_key, toml_string

MOST_BYTES = 4_000_000
"""The most bytes of a snippet's file."""

_NO_ELEMENT_OF_ITS_OWN = frozenset(
    {"html", "head", "body", "title", "base", "meta", "link", "script", "style", "template", "noscript"}
)
"""Elements that no check sees as a change of the page outside of the widget's block."""
_EMPTY_ANSWER = (
    "tests ask no other host: states.toml has an empty answer; name a file there to answer with it"
)


@dataclass(frozen=True, kw_only=True)
class HandwrittenSnippet:
    """A snippet for one place of a page (`head` or `body`). `name` is its file name, which remarks show.

    `html` has the line ends of the file.
    """

    name: str
    place: str
    html: str
    dialect: Dialect

    @cached_property
    def script(self) -> ScriptFile:
        return ScriptFile(path=f"{self.place}.html", text=self.html, dialect=self.dialect)

    def has_placeholder(self, text: str) -> bool:
        """Return whether the service replaces something in a text. Spaces and letter case may be as it allows them."""
        return re.search(rf"\{{\{{\s*{self.dialect.placeholder_prefix}", text, re.IGNORECASE) is not None

    def line_of(self, index: int) -> int:
        """Return the line of an index in the HTML, from 1."""
        return self.html.count("\n", 0, index) + 1


def read_snippet(file: Path, place: str, dialect: Dialect) -> HandwrittenSnippet:
    """Return the snippet in a file. Raises ConfigurationError when it is empty, too large or not UTF-8."""
    if file.stat().st_size > MOST_BYTES:
        raise ConfigurationError(
            f"{file} is larger than {MOST_BYTES // 1_000_000} MB", hint="is it a snippet?"
        )
    try:
        html = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise ConfigurationError(f"{file}: not UTF-8 (byte 0x{byte:02x})", hint="save it as UTF-8") from None
    if not html.strip():
        raise ConfigurationError(
            f"{file} is empty", hint="name the file with the snippet; nothing was written"
        )
    return HandwrittenSnippet(name=file.name, place=place, html=html, dialect=dialect)


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtWidget:
    """A verbatim widget. `files` has the text of each file by its path in the widget's folder.

    `remarks` are sentences for the author, each with the lines of the snippet that it refers to.
    """

    files: dict[str, str]
    remarks: tuple[str, ...]


@dataclass(slots=True)
class _Remarks:
    """The lines of each remark, by the name of the file and the sentence."""

    lines: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    def add(self, snippet: HandwrittenSnippet, line: int, sentence: str) -> None:
        self.lines.setdefault((snippet.name, sentence), []).append(line)

    def texts(self) -> Iterator[str]:
        """Yield the remarks. Equal sentences are one remark with all their lines: `old.html:12, 14: ...`."""
        for (name, sentence), lines in sorted(self.lines.items(), key=lambda item: (item[0][0], item[1])):
            yield f"{name}:{', '.join(map(str, sorted(set(lines))))}: {sentence}"


def bring_in(snippets: Sequence[HandwrittenSnippet], *, title: str, slot: str | None = None) -> BroughtWidget:
    """Return the widget of these snippets, at most one for each place. `title` is the title of the widget.

    `slot` is the widget's slot if the snippets name no event. Raises ConfigurationError when they name events of other
    slots only.
    """
    remarks = _Remarks()
    slots = _slots(snippets, slot)
    subscribes = any(_names_service(snippet) for snippet in snippets)
    texts = list(remarks.texts())
    if not slots:
        names = " and ".join(snippet.name for snippet in snippets)
        service = snippets[0].dialect.global_object
        texts = [
            f"{names}: no event tells the slot: if the widget has one, name it in widget.toml (slot)"
            if subscribes
            else f"{names}: no script calls {service}.subscribeEvent, so the widget has no slot"
        ]
    files = {f"{snippet.place}.html": snippet.html for snippet in snippets}
    files["widget.toml"] = _settings(snippets, title, slots, remarks)
    files["states.toml"] = _states(snippets, slots, remarks, shows_block=subscribes)
    return BroughtWidget(files=files, remarks=(*texts, *remarks.texts()))


def _names_service(snippet: HandwrittenSnippet) -> bool:
    name = re.escape(snippet.dialect.global_object)
    return re.search(rf"(?<![\w$]){name}(?![\w$])", snippet.html) is not None


def _slots(snippets: Iterable[HandwrittenSnippet], requested: str | None) -> tuple[str, ...]:
    """Return the slots whose events the snippets name; the requested slot when they name none."""
    named = [
        slot.name
        for slot in SLOTS.values()
        if any(slot.event(snippet.dialect) in snippet.html for snippet in snippets)
    ]
    if named and requested is not None and requested not in named:
        raise ConfigurationError(
            f"the snippet subscribes to events of {' and '.join(named)}, not of {requested}",
            hint="leave --slot out; nothing was written",
        )
    return tuple(named or filter(None, [requested]))


def _settings(
    snippets: Iterable[HandwrittenSnippet], title: str, slots: Sequence[str], remarks: _Remarks
) -> str:
    """Return `widget.toml`."""
    reasons: dict[str, str] = {}
    for snippet in snippets:
        for name, offset in globals_left_by(snippet.script).items():
            if name != snippet.dialect.global_object and name not in reasons:
                reasons[name] = f"{snippet.name} leaves it on the window"
                line = snippet.script.line_of(offset)
                remarks.add(
                    snippet, line, "names on the window, as before: [globals] in widget.toml allows them"
                )
    lines = ["#:schema ../../.awning/types/widget.schema.json", f"title = {toml_string(title)}"]
    if len(slots) == 1:
        lines.append(f'slot = "{slots[0]}"')
    elif slots:
        lines.append(f"slots = {json.dumps(list(slots))}")
    if any(snippet.place == "body" and _has_elements(snippet) for snippet in snippets):
        lines += ["", "[checks]", 'page-intact = "the snippet has elements of its own on the page"']
    if reasons:
        rows = (f"{toml_key(name)} = {toml_string(reason)}" for name, reason in reasons.items())
        lines += ["", "[globals]", *rows]
    return "\n".join(lines) + "\n"


def _has_elements(snippet: HandwrittenSnippet) -> bool:
    pieces = read_markup(snippet.html)
    return any(piece.kind == "start" and piece.text not in _NO_ELEMENT_OF_ITS_OWN for piece in pieces)


def _states(
    snippets: Iterable[HandwrittenSnippet], slots: Sequence[str], remarks: _Remarks, *, shows_block: bool
) -> str:
    """Return `states.toml`. Tests ask no other host, so each state has an answer for each file of another host."""
    answers = {address: 200 for snippet in snippets for address in _other_hosts(snippet, remarks)}
    fetch = "".join(f"{toml_string(address)} = {answer}\n" for address, answer in answers.items())
    if fetch:
        fetch = f"\n[state.fetch]  # 200 is an empty answer; instead, name a file in this folder\n{fetch}"
    states = [
        f'\n[[state]]\nname = "{slot}"\ntitle = "As it was, {slot.replace("-", " ")}"\nslot = "{slot}"\n'
        f"payload = {_payload(slot)}\n{fetch}"
        for slot in slots
    ]
    if not states:
        empty = "" if shows_block else "empty = true  # the snippet inserts no block into a slot\n"
        title = 'name = "product-page"\ntitle = "On the page of a product"'
        states = [f"\n[[state]]\n{title}\npayload = {_payload(FIRST_SLOT)}\n{empty}{fetch}"]
    return "#:schema ../../.awning/types/states.schema.json\n" + "".join(states)


def _other_hosts(snippet: HandwrittenSnippet, remarks: _Remarks) -> Iterator[str]:
    """Yield the addresses of other hosts that a snippet may request, without their queries.

    An answer for an address without a query is for every query. Each address gets a remark.
    """
    for written, at in addresses_of_other_hosts(snippet):
        line = snippet.line_of(at)
        if snippet.has_placeholder(re.split(r"[?#]", written)[0]):
            remarks.add(
                snippet,
                line,
                f"tests ask no other host: name an answer for each language in states.toml, for {written}",
            )
        elif (address := requested_address(written)) is not None:
            remarks.add(snippet, line, _EMPTY_ANSWER)
            yield address


def _payload(slot: str) -> str:
    """Return the payload of a state in TOML: the ordinary product or cart, or none where a page has neither."""
    topic = SLOTS[slot].topic
    return toml_string(topic.ordinary) if topic else "{}"


_OTHER_HOST = re.compile(r"(?:https?:)?//[^/?#\s]", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_IN_STYLE = re.compile(
    r"""(?:\burl\(|@import(?!\s*url\())\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'()]+))""",
    re.IGNORECASE,
)
_IN_SCRIPT = re.compile(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}(?::\d+)?(?:[/?#][^\s\\]*)?", re.IGNORECASE)
"""Matches a string literal of a script that is an address: a script may request it."""
_CANDIDATE = re.compile(r"([^\s,]\S*[^\s,])(?:\s+[\d.]+[wxh])*\s*(?:,|$)")
"""Matches an address of a `srcset` with its descriptors."""
_SOURCES = ("img", "iframe", "frame", "embed", "source", "track", "video", "audio", "input")
_REQUESTED = {
    **dict.fromkeys(_SOURCES, ("src",)),
    "video": ("src", "poster"),
    "object": ("data",),
    "image": ("href", "xlink:href"),
}
"""The attributes with an address that the browser requests, by element."""
_PLAIN = "!$%&'()*+,-./:;=@[]_~"
"""The punctuation that browsers do not encode in a path."""
_PORTS = {"http": 80, "https": 443}


class WrittenAddress(NamedTuple):
    """An address as the snippet has it, and the index in the HTML of its element or its string."""

    text: str
    at: int


def addresses_of_other_hosts(snippet: HandwrittenSnippet) -> Iterator[WrittenAddress]:
    """Yield the addresses of other hosts that the snippet requests or may request, in no order.

    What is in `<noscript>` and in a `<template>` requests nothing.
    """
    templates = 0
    opened: Piece | None = None
    for piece in read_markup(snippet.html):
        if piece.text == "template":
            templates += 1 if piece.kind == "start" else -1
        for address in () if templates > 0 else _addresses_in(piece, opened):
            if _OTHER_HOST.match(address.strip()):
                yield WrittenAddress(address, piece.start)
        opened = piece if piece.kind == "start" else None
    content = snippet.script.content
    for node in snippet.script.tree.root.walk():
        if node.type == "string" and _IN_SCRIPT.fullmatch(node.text[1:-1]):
            yield WrittenAddress(node.text[1:-1], len(content[: node.start].decode()))


def _addresses_in(piece: Piece, opened: Piece | None) -> list[str]:
    """Return the addresses that one piece requests. `opened` is the start tag just before it, if there is one."""
    if piece.kind == "raw":
        return _in_style(piece.text) if opened is not None and opened.text == "style" else []
    if piece.kind != "start":
        return []
    attributes = piece.attributes
    addresses = [attributes[name] for name in _REQUESTED.get(piece.text, ()) if name in attributes]
    if piece.text in {"img", "source"}:
        addresses += _CANDIDATE.findall(attributes.get("srcset", ""))
    if piece.text == "script" and script_kind(attributes) and "src" in attributes:
        addresses.append(attributes["src"])
    if piece.text == "link" and "stylesheet" in attributes.get("rel", "").lower().split():
        addresses.append(attributes.get("href", ""))
    return addresses + _in_style(attributes.get("style", ""))


def _in_style(css: str) -> list[str]:
    """Return the addresses of `url(...)` and `@import` outside of comments."""
    matches = _IN_STYLE.finditer(_COMMENT.sub(" ", css))
    return [match[1] or match[2] or match[3] or "" for match in matches]


def requested_address(written: str) -> str | None:
    """Return the address of another host as a browser requests it, without query; None if it is not valid.

    An address without a scheme gets `http`, the scheme of the simulated shop.
    """
    address = re.split(r"[?#]", written.strip())[0].replace("\\", "/")
    try:
        parts = urlsplit(f"http:{address}" if address.startswith("//") else address)
        host = ascii_host(parts.hostname or "")
        port = parts.port
    except ValueError:
        return None
    shown_port = "" if port in (None, _PORTS[parts.scheme]) else f":{port}"
    origin = f"{parts.scheme}://{host}{shown_port}/"
    path = quote(parts.path, safe=_PLAIN)
    return urljoin(origin, path) if path and not path.startswith("//") else origin + path[1:]
