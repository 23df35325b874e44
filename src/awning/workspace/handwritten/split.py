"""Takes a verbatim widget apart: what a file of its own can hold leaves the HTML, step by step.

A style goes to `style.css`. If only a script is left then, it becomes `widget.ts`, a raw script. A step is taken only
if a comparison of the app's pages before and after it finds no difference; else the part stays, with the reason. What a
comparison cannot see is decided by the text: what happens after a click, and what other hosts answer.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property

from awning.markup import Piece, read_markup, read_outermost
from awning.script.elements import script_kind
from awning.script.file import ScriptFile
from awning.script.globals import OWN_THIS, undeclared_targets
from awning.script.tree import Node
from awning.workspace.handwritten.widget import BroughtWidget, HandwrittenSnippet

HTML, STYLE, SCRIPT = "body.html", "style.css", "widget.ts"
_UNCHECKED = "// @ts-nocheck: written as JavaScript. Remove this line, and your editor checks the types.\n"
_NAMES_TYPE = frozenset({"type", "language"})
_OF_A_WHOLE_SHEET = re.compile(r"@(import|namespace|charset)\b", re.IGNORECASE)
"""At-rules that hold for a whole sheet or stand at its top: in the app's sheet they would do something else."""

_FUNCTIONS = frozenset({"function_declaration", "generator_function_declaration"})
_LEXICAL = frozenset({"lexical_declaration", "class_declaration"})
_EVERY_FUNCTION = OWN_THIS | {"arrow_function"}
_USES = frozenset({"identifier", "shorthand_property_identifier"})
_TYPES_ONLY = frozenset(
    {"type_arguments", "type_assertion", "as_expression", "satisfies_expression", "non_null_expression"}
)
"""Nodes of TypeScript. In JavaScript, `a(b<c, d>(e))` has two arguments; in TypeScript, one."""

_OF_CALLERS = re.compile(r"\.\s*(callee|caller)\b")

Differs = Callable[[Mapping[str, str]], str | None]
"""Returns how the pages differ when the widget has these files; None if no difference is found."""


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
    has_slot: bool
    taken: list[_SnippetPart] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def take(self, part: _SnippetPart, files: Mapping[str, str], target: str) -> None:
        """Take a part out of the HTML, if the page stays the same with these files."""
        if self.unsure:
            self.keep(part, f"the page cannot be compared with itself: {self.unsure}")
            return
        if reason := self.differs(files):
            self.keep(part, reason)
            return
        self.files = dict(files)
        self.taken.append(part)
        self.remark(part, f"the {part.name} is in {target}: no difference was found")

    @cached_property
    def unsure(self) -> str | None:
        """How the pages differ before any step. If they do, a comparison says nothing about a step."""
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


def split(
    widget: BroughtWidget, snippet: HandwrittenSnippet, differs: Differs, *, has_slot: bool
) -> BroughtWidget:
    """Return the widget with parts of its body snippet in files of their own, and a remark for each part."""
    work = _RunningSplit(snippet, dict(widget.files), differs, has_slot)
    parts = list(_parts(snippet.html))
    for style in (part for part in parts if part.name == "style"):
        _split_style(work, style)
    for script in (part for part in parts if part.name == "script"):
        _split_script(work, script)
    if markup := next((part for part in parts if part.name == "markup"), None):
        work.keep(markup, "a template needs a script that shows it")
    return replace(widget, files=work.files, remarks=(*widget.remarks, *work.remarks))


def _split_style(work: _RunningSplit, style: _SnippetPart) -> None:
    reason = _reason_of_style(work, style)
    if reason:
        work.keep(style, reason)
        return
    sheet = work.files.get(STYLE, "") + style.text.replace("\r\n", "\n").strip("\n") + "\n"
    work.take(style, {**work.files, STYLE: sheet, HTML: work.html_without(style)}, STYLE)


def _reason_of_style(work: _RunningSplit, style: _SnippetPart) -> str | None:
    """Return why a style stays without a comparison; None if a comparison decides."""
    attributes = [name for name in style.tag.attributes if name != "type"]
    if attributes:
        return f"it has the attribute {attributes[0]}"
    if style.tag.attributes.get("type", "").lower() not in {"", "text/css"}:
        return "it is not CSS"
    if work.snippet.has_placeholder(style.text):
        return "the service replaces a placeholder in it"
    if rule := _OF_A_WHOLE_SHEET.search(style.text):
        return f"{rule[0]} holds for a sheet of its own"
    for piece in read_markup(work.snippet.html[: style.start]):
        if piece.kind == "start" and (piece.text == "link" or "src" in piece.attributes):
            return f"its rules come after those that <{piece.text}> before it may bring"
    return None


def _split_script(work: _RunningSplit, script: _SnippetPart) -> None:
    reason = _reason_of_script(work, script) or next(_reasons_of_code(work.snippet.script), None)
    if reason:
        work.keep(script, reason)
        return
    code = script.text.replace("\r\n", "\n").strip("\n")
    files = {path: text for path, text in work.files.items() if path != HTML}
    work.take(script, {**files, SCRIPT: f"{_UNCHECKED}{code}\n"}, SCRIPT)


def _reason_of_script(work: _RunningSplit, script: _SnippetPart) -> str | None:
    attributes = [name for name in script.tag.attributes if name not in _NAMES_TYPE]
    if attributes:
        return f"it has the attribute {attributes[0]}"
    if script_kind(script.tag.attributes) != "classic":
        return "it is not a classic script"
    if work.snippet.has_placeholder(script.text):
        return "the service replaces a placeholder in it"
    if work.html_without(script).strip() or "head.html" in work.files:
        return f"a widget has a script or HTML as it is, and other parts stay in {HTML}"
    if not work.has_slot:
        return "a widget with a script has a slot, and this one has none"
    return None


def _reasons_of_code(script: ScriptFile) -> Iterator[str]:
    """Yield what a classic script does that the script of a widget, a strict module in TypeScript, cannot do."""
    root = script.tree.root
    # Arrow functions have the `this` around them.
    if any(node.type == "this" for node in _outside(root, OWN_THIS)):
        yield "its this outside of functions is the window, and that of a widget's script is not"
    if any(map(_declares, _outside(root, _EVERY_FUNCTION))) or any(kid.type in _LEXICAL for kid in root.kids):
        yield "the page has the names that it declares, and those of a widget's script are its own"
    for _, name in undeclared_targets(script):
        yield f"it sets {name} without declaring it, which a widget's script cannot do"
    for name in _used_outside_their_blocks(root):
        yield f"it uses {name} outside of the block that declares it, which a widget's script cannot do"
    if any(node.type in _TYPES_ONLY for node in root.walk()):
        yield "its code means something else in TypeScript"
    if _OF_CALLERS.search(script.text):
        yield "it asks for its caller, which a widget's script cannot do"


def _outside(root: Node, functions: AbstractSet[str]) -> Iterator[Node]:
    """Yield the nodes that no function of these types contains."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        if node.type not in functions:
            waiting += reversed(node.kids)


def _used_outside_their_blocks(root: Node) -> Iterator[str]:
    """Yield the functions that a block declares and code around it uses, as sloppy code can (ECMA-262, B.3.2)."""
    bodies: set[Node] = {root}
    uses: dict[str, list[int]] = {}
    for node in root.walk():
        if node.type in _EVERY_FUNCTION and "body" in node.fields:
            bodies.add(node.fields["body"])
        elif node.type in _USES:
            uses.setdefault(node.text, []).append(node.start)
    for block in root.walk():
        for kid in () if block in bodies else block.kids:
            name = kid.fields["name"].text if kid.type in _FUNCTIONS and "name" in kid.fields else ""
            if any(not block.start <= at < block.end for at in uses.get(name, ())):
                yield name


def _declares(node: Node) -> bool:
    """Return whether a node outside of functions declares names for the page."""
    in_head = node.type == "for_in_statement" and "kind" in node.fields and node.fields["kind"].text == "var"
    return in_head or node.type == "variable_declaration" or node.type in _FUNCTIONS


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
