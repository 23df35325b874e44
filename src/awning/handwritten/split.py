"""Takes a verbatim widget apart: what a file of its own can hold leaves the HTML, step by step.

A style goes to `style.css`. If only a script is left then, it becomes `widget.ts`, a raw script. A step is taken only
if a comparison of the widget's page with the snippet's finds no difference; else the part stays, with the reason.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from awning.contract import Dialect
from awning.handwritten.snippet import HandwrittenSnippet
from awning.handwritten.widget import BroughtWidget
from awning.markup import Piece, read_outermost
from awning.script.elements import script_kind

HTML, STYLE, SCRIPT = "body.html", "style.css", "widget.ts"
_UNCHECKED = "// @ts-nocheck: written as JavaScript. Remove this line, and your editor checks the types.\n"
_NAMES_TYPE = frozenset({"type", "language"})
_PAGE_WIDE = frozenset({"lexical_declaration", "class_declaration"})
"""Declarations that a classic script shares with the page, though not on the window: no comparison may see them."""

Differs = Callable[[Mapping[str, str]], str | None]
"""Returns how the page of a widget with these files differs from the page of the snippet; None if it does not."""


@dataclass(frozen=True, slots=True)
class _SnippetPart:
    """An outermost part of the snippet, at the indexes `start` to `end`: a style, a script, or other markup.

    `text` is the content of a style or a script, and `tag` its start tag.
    """

    name: str
    start: int
    end: int
    tag: Piece
    text: str = ""


@dataclass
class _RunningSplit:
    """The widget's files so far, the parts that have left the HTML, and a remark for each part."""

    snippet: HandwrittenSnippet
    files: dict[str, str]
    differs: Differs
    taken: list[_SnippetPart] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def take(self, part: _SnippetPart, files: Mapping[str, str], target: str) -> None:
        """Take a part out of the HTML, if the page stays the same with these files."""
        if self.unsure:
            self.keep(part, f"even as it was, {self.unsure}")
            return
        if reason := self.differs(files):
            self.keep(part, reason)
            return
        self.files = dict(files)
        self.taken.append(part)
        self.remark(part, f"the {part.name} is in {target}: the page does the same")

    @cached_property
    def unsure(self) -> str | None:
        """How the pages of widget and snippet differ before a step. If they do, a comparison says nothing about it."""
        return self.differs(self.files)

    def keep(self, part: _SnippetPart, reason: str) -> None:
        self.remark(part, f"the {part.name} stays in {HTML}: {reason}")

    def remark(self, part: _SnippetPart, sentence: str) -> None:
        self.remarks.append(f"{self.snippet.name}:{self.snippet.line_of(part.start)}: {sentence}")

    def html_without(self, part: _SnippetPart) -> str:
        """Return the HTML without a part and without those that have left it."""
        pieces, at = [], 0
        for gone in sorted((*self.taken, part), key=lambda part: part.start):
            pieces.append(self.snippet.html[at : gone.start])
            at = gone.end
        return "".join([*pieces, self.snippet.html[at:]])


def split(widget: BroughtWidget, snippet: HandwrittenSnippet, differs: Differs) -> BroughtWidget:
    """Return the widget with parts of its body snippet in files of their own, and a remark for each part."""
    work = _RunningSplit(snippet, dict(widget.files), differs)
    parts = list(_parts(snippet.html))
    for style in (part for part in parts if part.name == "style"):
        _split_style(work, style)
    for script in (part for part in parts if part.name == "script"):
        _split_script(work, script)
    if markup := next((part for part in parts if part.name == "markup"), None):
        work.keep(markup, "only a script can show a template, and this needs none")
    return replace(widget, files=work.files, remarks=(*widget.remarks, *work.remarks))


def _split_style(work: _RunningSplit, style: _SnippetPart) -> None:
    others = [name for name in style.tag.attributes if name != "type"]
    if others:
        work.keep(style, f"it has the attribute {others[0]}")
    elif style.tag.attributes.get("type", "").lower() not in {"", "text/css"}:
        work.keep(style, "it is not CSS")
    elif _has_placeholder(style, work.snippet.dialect):
        work.keep(style, "the service replaces a placeholder in it")
    else:
        sheet = work.files.get(STYLE, "") + style.text.replace("\r\n", "\n").strip("\n") + "\n"
        work.take(style, {**work.files, STYLE: sheet, HTML: work.html_without(style)}, STYLE)


def _split_script(work: _RunningSplit, script: _SnippetPart) -> None:
    others = [name for name in script.tag.attributes if name not in _NAMES_TYPE]
    if others:
        work.keep(script, f"it has the attribute {others[0]}")
    elif script_kind(script.tag.attributes) != "classic":
        work.keep(script, "it is not a classic script")
    elif _has_placeholder(script, work.snippet.dialect):
        work.keep(script, "the service replaces a placeholder in it")
    elif work.html_without(script).strip() or "head.html" in work.files:
        work.keep(script, f"a widget has a script or HTML as it is, and other parts stay in {HTML}")
    elif any(node.type in _PAGE_WIDE for node in work.snippet.script.tree.root.kids):
        work.keep(script, "every script and event handler of the page knows the names that it declares")
    elif "\nslot" not in work.files["widget.toml"]:
        work.keep(script, "a widget with a script has a slot, and this one has none")
    else:
        code = script.text.replace("\r\n", "\n").strip("\n")
        files = {path: text for path, text in work.files.items() if path != HTML}
        work.take(script, {**files, SCRIPT: f"{_UNCHECKED}{code}\n"}, SCRIPT)


def _has_placeholder(part: _SnippetPart, dialect: Dialect) -> bool:
    return f"{{{{{dialect.placeholder_prefix}" in part.text


def _parts(html: str) -> Iterator[_SnippetPart]:
    """Yield the outermost parts but comments: complete styles and scripts, and the pieces of other markup."""
    pieces = list(read_outermost(html))
    at = 0
    while at < len(pieces):
        piece = pieces[at]
        if piece.kind == "start" and piece.text in {"style", "script"} and len(pieces) > at + 2:
            content, end = pieces[at + 1 : at + 3]
            yield _SnippetPart(piece.text, piece.start, end.end, piece, html[content.start : content.end])
            at += 3
            continue
        if piece.kind in {"start", "end"} or (piece.kind == "text" and piece.text.strip()):
            yield _SnippetPart("markup", piece.start, piece.end, piece)
        at += 1
