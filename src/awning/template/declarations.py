"""A template's declaration: `{#def title: string, left: number #}`, a comment for Jinja2. JinjaX uses the same form.

A declaration gives the types of the variables that the script passes. Only white space and other comments may precede
it. A comment that begins with `def` is a declaration if nothing follows, or one word and then `:`, `,`, `=` or the end.
Any other comment that begins with `def` (in upper or lower case) is prose, such as `{# def is short for definition #}`.
There is one exception: the first comment that begins with `def` is reported as a faulty declaration if it contains a
name with a type, such as `{#def title string #}`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from awning.diagnostics import did_you_mean
from awning.template.emit import ValueKind
from awning.template.methods import GLOBALS
from awning.template.parse import tokens_of
from awning.template.refusals import Position, TemplateRefusal, TemplateSource

RULE = "template-declaration"
TYPES: Mapping[str, ValueKind] = MappingProxyType(
    {"string": ValueKind.TEXT, "number": ValueKind.NUMBER, "boolean": ValueKind.BOOL}
)
"""The types that a declaration may name, and the kind of value of each."""

RESERVED = GLOBALS | {"t", "loop", "self", "super", "caller", "varargs", "kwargs"}
RESERVED |= {"true", "false", "none", "True", "False", "None"}
"""Names that Jinja2 or awning gives a meaning, some of them only in a loop or a macro. They cannot be declared."""

OTHER_WORDS = {
    "str": "string", "text": "string", "int": "number", "float": "number", "integer": "number", "bool": "boolean",
}  # fmt: skip
EMPTY = {"string": '""', "number": "0", "boolean": "false"}
FORM = "{#def title: string, left: number, sold_out: boolean #}"

BYTE_ORDER_MARK = "\ufeff"
"""Some editors write this character at the beginning of a file."""

_MAY_BE_ONE = re.compile(r"\{#[-+]?\s*def\b", re.IGNORECASE)
_BEGINS = re.compile(r"\s*(def)\b", re.IGNORECASE)
_IS_ONE = re.compile(r"\s*def(?:\s+[^\s:,=]+\s*(?:[:,=]|\Z)|\s*\Z)")
_PAIR = re.compile(r"[\w?-]*\s*:\s*([^\W\d_]+\??)(?=\s*(.?))", re.DOTALL)
_TWO_WORDS = re.compile(r"([^\W\d]\w*)\s+([^\W\d]\w*)")
_NAMED = re.compile(r"\s*([^\s:]+)\s*:\s*(\S+)\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredVariable:
    """One variable of a declaration. `type` is a key of TYPES."""

    name: str
    type: str
    at: Position


def read_declaration(source: TemplateSource) -> tuple[DeclaredVariable, ...]:
    """Return the variables that a template declares.

    Raises TemplateRefusal when a declaration is malformed, is the second one, or follows anything but white space and
    comments.
    """
    if "{#" not in source.text:
        return ()
    last = max((match.start() for match in _MAY_BE_ONE.finditer(source.text)), default=-1)
    declared: tuple[DeclaredVariable, ...] | None = None
    begun = False
    for at, text, first in comments(source, last):
        begins = _BEGINS.match(text)
        if begins is None:
            continue
        is_one = _IS_ONE.match(text) or (not begun and is_faulty_declaration(text[begins.end() :]))
        begun = True
        if not is_one:
            continue
        if not first:
            raise refuse(at, "a declaration must be the first thing in a template", "move it to the top")
        if declared is not None:
            raise refuse(at, "a template has one declaration", "put all variables into the first")
        if begins[1] != "def":
            where = at.moved(begins.start(1))
            raise refuse(where, f'a declaration begins with def, not with "{begins[1]}"', FORM)
        start = begins.end()
        declared = tuple(read_variables(text[start:], at.moved(start)))
    return declared or ()


def is_faulty_declaration(text: str) -> bool:
    """Return whether the text after `def` is a faulty declaration.

    It is one if each part between commas is a name and a type without a colon, or if a type follows a colon. A misspelt
    type counts only if a comma, `=` or the end follows it, because prose may have colons, too.
    """
    if all(pair_without_colon(part.strip()) for part in text.strip().removesuffix(",").split(",")):
        return True
    pairs = ((match[1].lower().removesuffix("?"), match[2]) for match in _PAIR.finditer(text))
    return any(word in TYPES or (end in {"", ",", "="} and is_misspelt_type(word)) for word, end in pairs)


def pair_without_colon(text: str) -> tuple[str, str] | None:
    """Return the name and the type in `title string` or `string title`; None for any other text."""
    words = _TWO_WORDS.fullmatch(text)
    if words is None or (words[1] in TYPES) == (words[2] in TYPES):
        return None
    return (words[2], words[1]) if words[1] in TYPES else (words[1], words[2])


def is_misspelt_type(word: str) -> bool:
    """Return whether a word is close to the name of a type, or is another usual name for a type (`str`, `text`)."""
    return word in OTHER_WORDS or did_you_mean(word, TYPES, cutoff=0.8) is not None


def comments(source: TemplateSource, last: int) -> Iterator[tuple[Position, str, bool]]:
    """Yield each comment: its place, its text, and whether only white space and comments come before it.

    The source is read up to the comment that begins at the offset `last`. If `last` is -1, nothing is read.
    """
    first = True
    for at, kind, text in tokens_of(source) if last >= 0 else ():
        assert isinstance(at, Position)
        if kind == "comment":
            yield at, text, first
        elif kind.startswith("comment"):
            continue
        elif at.offset > last:
            return
        elif text.removeprefix(BYTE_ORDER_MARK).strip():
            first = False


def read_variables(text: str, start: Position) -> Iterator[DeclaredVariable]:
    """Read the variables of a declaration, whose text begins at `start`.

    Raises TemplateRefusal when one is malformed or declared twice.
    """
    names: set[str] = set()
    offset = 0
    *parts, last = text.split(",")
    for part in [*parts, last] if last.strip() or not parts else parts:
        at = start.moved(offset + len(part) - len(part.lstrip()))
        declared = read_variable(part.strip(), at)
        if declared.name in names:
            raise refuse(at, f'"{declared.name}" is declared twice', "leave out one of them")
        names.add(declared.name)
        offset += len(part) + 1
        yield declared


def read_variable(text: str, at: Position) -> DeclaredVariable:
    """Read one variable, such as `title: string`. Raises TemplateRefusal when it is malformed."""
    match = _NAMED.fullmatch(text)
    if match is None or "=" in text:
        raise refuse(at, *explain_malformed(text))
    name, kind = match.groups()
    if not name.isidentifier():
        optional = optional_hint(name.removesuffix("?"), kind)
        hint = optional if name.endswith("?") else "letters, digits and _"
        raise refuse(at, f'"{name}" cannot be the name of a variable', hint)
    if name in RESERVED:
        raise refuse(at, f'"{name}" has a meaning of its own in templates', "give the variable another name")
    if kind not in TYPES:
        where = at.moved(match.start(2))
        raise refuse(where, f'there is no type "{kind}"', type_hint(name, kind))
    return DeclaredVariable(name=name, type=kind, at=at)


def explain_malformed(text: str) -> tuple[str, str]:
    """Return the message and the hint for a malformed variable."""
    name = re.split(r"[\s:=]", text)[0]
    if not text:
        return "a name is missing", FORM
    if "=" in text:
        hint = f'do not declare a variable that may be missing: {{{{ {name}|default("") }}}}'
        return "a declaration has no defaults: the script passes each variable", hint
    if ":" not in text and name == text:
        return f'"{name}" has no type', f"{name}: string, {name}: number or {name}: boolean"
    pair = pair_without_colon(text)
    if pair:
        return f'there is no colon in "{text}"', f"write {pair[0]}: {pair[1]}"
    hint = f"write names with their types, separated by commas: {FORM}; a comment must begin with another word than def"
    return f'"{text}" declares no variable', hint


def optional_hint(name: str, kind: str) -> str:
    """Return the hint for `note?: string` and `note: string?`."""
    nothing = EMPTY.get(kind, '"", 0 or false')
    return (
        f"the script always passes a declared variable: write {name}: {kind}, and pass {nothing} for no value"
    )


def type_hint(name: str, kind: str) -> str:
    if kind.endswith("?"):
        return optional_hint(name, kind.removesuffix("?"))
    word = OTHER_WORDS.get(kind)
    if word:
        return f'did you mean "{word}"?'
    others = f"the types are string, number and boolean; do not declare {name} if it is something else"
    return (did_you_mean(kind, TYPES) if kind.isalpha() else None) or others


def refuse(at: Position, message: str, hint: str) -> TemplateRefusal:
    return TemplateRefusal(RULE, message, at=at, hint=hint)
