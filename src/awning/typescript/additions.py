"""The code that the check of types adds to a script, so that TypeScript knows what an author need not write.

- Where a script calls a template, the template's reads of attributes, on what the call passes.
- The types of what render functions and callbacks of events get, where the author declares none.

The result is the author's code, with code around some of its parts. TypeScript checks it beside the author's script.
Each place in the text leads back to a place in the script.
"""

import posixpath
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from awning.contract.dialect import Dialect
from awning.contract.slots import SLOTS, event_names
from awning.script.file import ScriptFile
from awning.script.imports import AWNING, SLOT_FUNCTIONS
from awning.script.names import FUNCTIONS, declared_in, named_functions, parameters
from awning.script.records import arguments_type
from awning.script.template_calls import TemplateCall
from awning.script.tree import Node
from awning.template.types import Variable
from awning.template.types.declaration import reading_code


@dataclass(frozen=True, slots=True)
class Added:
    """Code that is added. `attribute` is the attribute of a template's variable whose name it is.

    `passed_at` is the byte offset at which the script passes that variable.
    """

    text: str
    attribute: Variable | None = None
    passed_at: int = 0


@dataclass(frozen=True, slots=True)
class Wrap:
    """Code before and after the part of the author's code from `start` to `end`. Offsets count bytes."""

    start: int
    end: int
    before: Sequence[Added]
    after: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the text, from the byte offset `at`: added, or the author's code from the byte offset `start`."""

    at: int
    start: int = 0
    added: Added | None = None


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A text with additions, and the pieces that it consists of."""

    content: bytes
    pieces: tuple[Piece, ...]

    def at(self, offset: int) -> tuple[Piece, int]:
        """Return the piece at a byte offset, and how far in the piece the offset is."""
        piece = self.pieces[bisect_right(self.pieces, offset, key=lambda piece: piece.at) - 1]
        return piece, offset - piece.at


def checked_text(code: bytes, wraps: Iterable[Wrap]) -> CheckedText:
    """Return the code with the wraps. Of two wraps, one is inside the other, or they are apart."""
    wraps = [*wraps]
    # At the same offset, code after a part is before code that opens another, and inner parts end first.
    points = sorted(
        [(wrap.start, 1, -wrap.end, number) for number, wrap in enumerate(wraps)]
        + [(wrap.end, 0, -wrap.start, number) for number, wrap in enumerate(wraps)]
    )
    content, pieces, at = bytearray(), [], 0
    for offset, opens, _, number in [*points, (len(code), 1, 0, -1)]:
        if at < offset:
            pieces.append(Piece(len(content), at))
            content += code[at:offset]
            at = offset
        wrap = wraps[number] if number >= 0 else Wrap(0, 0, ())
        for added in wrap.before if opens else (Added(wrap.after),):
            if added.text:
                pieces.append(Piece(len(content), added=added))
                content += added.text.encode()
    return CheckedText(bytes(content), tuple(pieces))


READ = "awning$read"
DECLARATIONS = f"declare function {READ}<const Given>(given: Given, read: ($: Given) => void): void;\n"
"""The declaration of the function in the added code."""

SLOT_OF_FUNCTION = {slot.function: slot for slot in SLOTS.values()}
_GETS_RECORDS = SLOT_FUNCTIONS | {"subscribeEvent"}
_TYPED = re.compile(r"@(?:param|type)\b")

Reads = Callable[[str], Sequence[Variable]]
"""Returns the variables that a template reads, by its path."""


def text_with_additions(script: ScriptFile, reads: Reads, data_type: str) -> CheckedText | None:
    """Return the text with additions that TypeScript checks beside the script; None if there are none.

    `data_type` is the type of `data` as TypeScript code.
    """
    if script.facts.broken or script.is_too_large:
        return None
    wraps = [*_reads(script, reads), *_arguments(script, data_type)]
    return checked_text(script.code, wraps) if wraps else None


def _reads(script: ScriptFile, reads: Reads) -> Iterator[Wrap]:
    """Yield the reads of the templates that the script calls, before each call."""
    folder = posixpath.dirname(script.path)
    statements: set[int] | None = None
    for calls in script.facts.template_calls:
        variables = reads(posixpath.normpath(posixpath.join(folder, calls.source)))
        for call in calls.calls:
            code = _reading(script, call, variables)
            if code and statements is None:
                nodes = script.tree.root.walk()
                statements = {node.start for node in nodes if node.type == "expression_statement"}
            if code and statements is not None:
                # Without a semicolon, a parenthesis at the beginning of a statement would continue the one before.
                opening = ";(" if call.start in statements else "("
                yield Wrap(call.start, call.end, (Added(opening), *code), after=")")


def _reading(script: ScriptFile, call: TemplateCall, variables: Sequence[Variable]) -> list[Added]:
    """Return the code that reads the variables' attributes from what a call passes; empty if there is nothing."""
    pieces = [*reading_code(variables)]
    if not pieces or call.argument is None:
        return []
    start, end = call.argument
    if b"*/" in script.code[call.start : start]:
        return []  # the author has given the argument a type
    fields = call.literal.fields or {} if call.literal else {}
    places = {name: field.at for name, field in fields.items()}
    argument = script.code[start:end].decode("utf-8", "replace")
    read = [Added(piece.text, piece.attribute, places.get(piece.variable, start)) for piece in pieces]
    return [Added(f"{READ}({argument}, ($) => {{ "), *read, Added("}), ")]


def _arguments(script: ScriptFile, data_type: str) -> Iterator[Wrap]:
    """Yield the types of what render functions and callbacks of events get, where TypeScript does not infer them."""
    names = script.facts.names
    if _GETS_RECORDS.isdisjoint(names):
        return
    is_typed = script.path.endswith(("ts", "tsx"))
    if not is_typed and any(_TYPED.search(text) for _, text in script.tree.comments):
        return  # the author has declared types
    root = script.tree.root
    declared = declared_in(root)
    functions = {name: node for name, node in named_functions(root) if declared[name] == 1}
    slots = {
        imported.local: SLOT_OF_FUNCTION[imported.name]
        for statement in script.facts.imports
        if statement.module == AWNING and not statement.reexport
        for imported in statement.names
        if imported.name in SLOT_FUNCTIONS and not declared[imported.local]
    }
    typed: dict[int, tuple[Node, set[str]]] = {}
    for call in root.walk():
        values = _values(call)
        if values and (slot := slots.get(call.fields["function"].text)):
            function = _render_function(values[0])
            is_inferred = function is values[0] and function.type in FUNCTIONS
            if is_inferred and ("data" not in names or "type_arguments" in call.fields):
                continue
            types = [f'import("awning").{arguments_type(slot)}<{data_type}>']
        elif event := _event(call, values, script.dialect):
            function = values[1]
            types = [f'import("awning/types").Delivered<"{event}">[{number}]' for number in range(4)]
        else:
            continue
        function = functions.get(function.text, function)
        for parameter, type_ in zip(_untyped(function), types, strict=False):
            typed.setdefault(parameter.start, (parameter, set()))[1].add(type_)
    for parameter, declarations in typed.values():
        if len(declarations) == 1:  # with several, the function gets one or another
            yield from _declared(parameter, *declarations, is_typed=is_typed)


_WRAPPERS = {"live": 0, "redrawn": 1}
"""The functions that wrap a render function, and which of their arguments it is."""


def _values(node: Node) -> list[Node]:
    """Return what a call passes; empty for any other node."""
    arguments = node.fields.get("arguments") if node.type == "call_expression" else None
    return arguments.kids if arguments is not None and arguments.type == "arguments" else []


def _render_function(value: Node) -> Node:
    """Return the render function that a slot gets, also in `live(...)` and `redrawn(...)`."""
    values = _values(value)
    at = _WRAPPERS.get(value.fields["function"].text, len(values)) if values else 0
    return _render_function(values[at]) if at < len(values) else value


def _event(call: Node, values: Sequence[Node], dialect: Dialect) -> str | None:
    """Return the name of the event, without its prefix, if a call subscribes a callback to one; else None."""
    if len(values) < len(("event", "callback")) or values[0].type != "string":
        return None
    method = call.fields["function"].fields.get("property")
    name = values[0].text[1:-1]
    if method is None or method.text != "subscribeEvent" or name not in event_names(dialect):
        return None
    return name.removeprefix(dialect.event_prefix)


def _untyped(function: Node) -> list[Node]:
    """Return the parameters of a function; none if the author declares the type of one."""
    nodes = parameters(function) if function.type in FUNCTIONS else []
    return [] if any("type" in node.fields for node in nodes) else nodes


def _declared(parameter: Node, type_: str, *, is_typed: bool) -> Iterator[Wrap]:
    """Yield the type of a parameter: as a comment in JavaScript. A parameter without parentheses gets them."""
    pattern = parameter.fields.get("pattern", parameter)
    if pattern.type == "rest_pattern":
        return
    before, after = ("", f": {type_}") if is_typed else (f"/** @type {{{type_}}} */ ", "")
    if pattern is parameter:
        before, after = f"({before}", f"{after})"
    yield Wrap(pattern.start, pattern.end, (Added(before),), after)
