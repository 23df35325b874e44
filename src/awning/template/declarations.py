"""A template's declaration: `{#def title: string, left: number #}`, JinjaX's comment, which Jinja2 itself passes over.

It is the first thing in a template but for white space and other comments, and says of variables that the script gives
what they are. A comment is one where behind `def` comes one word and then `:`, `,`, `=` or the comment's end, or
nothing. The first that begins with `def`, in letters of any case, is meant as one also where it holds a name with
its type anywhere: what is wrong with it is said. `{# def is short for definition #}` is prose.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from awning.diagnostics import did_you_mean
from awning.template.js_value import ValueKind
from awning.template.names import GLOBALS
from awning.template.parse import tokens_of
from awning.template.refusals import At, Refused, TemplateSource

RULE = "template-declaration"
TYPES: Mapping[str, ValueKind] = MappingProxyType(
    {"string": ValueKind.TEXT, "number": ValueKind.NUMBER, "boolean": ValueKind.BOOL}
)
"""What a variable may be declared as, and what that tells the compiler."""

RESERVED = GLOBALS | {"t", "loop", "self", "super", "caller", "varargs", "kwargs"}
RESERVED |= {"true", "false", "none", "True", "False", "None"}
"""Names that mean something in templates without being given."""

OTHER_WORDS = {
    "str": "string", "text": "string", "int": "number", "float": "number", "integer": "number", "bool": "boolean",
}  # fmt: skip
EMPTY = {"string": '""', "number": "0", "boolean": "false"}
FORM = "{#def title: string, left: number, sold_out: boolean #}"

BYTE_ORDER_MARK = "\ufeff"
"""What some editors put at the beginning of a file."""

_MAY_BE_ONE = re.compile(r"\{#[-+]?\s*def\b", re.IGNORECASE)
_BEGINS = re.compile(r"\s*(def)\b", re.IGNORECASE)
_IS_ONE = re.compile(r"\s*def(?:\s+[^\s:,=]+\s*(?:[:,=]|\Z)|\s*\Z)")
_PAIR = re.compile(r"[\w?-]*\s*:\s*([^\W\d_]+\??)(?=\s*(.?))", re.DOTALL)
_TWO_WORDS = re.compile(r"([^\W\d]\w*)\s+([^\W\d]\w*)")
_NAMED = re.compile(r"\s*([^\s:]+)\s*:\s*(\S+)\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """One variable: `type` is a key of TYPES."""

    name: str
    type: str
    at: At


def declared_in(source: TemplateSource) -> tuple[Declared, ...]:
    """What a template declares. Raises Refused where that is malformed, or does not stand first."""
    if "{#" not in source.text or not _MAY_BE_ONE.search(source.text):
        return ()
    found: tuple[Declared, ...] | None = None
    begun = False
    for at, text, first in comments(source):
        begins = _BEGINS.match(text)
        if begins is None:
            continue
        is_one = _IS_ONE.match(text) or (not begun and is_meant(text[begins.end() :]))
        begun = True
        if not is_one:
            continue
        if not first:
            raise refused(source, at, "a declaration is the first thing in a template", "move it to the top")
        if found is not None:
            raise refused(source, at, "a template has one declaration", "put all variables into the first")
        if begins[1] != "def":
            where = source.at(at.offset + begins.start(1))
            raise refused(source, where, f'a declaration begins with def, not with "{begins[1]}"', FORM)
        start = begins.end()
        found = tuple(variables(source, text[start:], at.offset + start))
    return found or ()


def is_meant(text: str) -> bool:
    """Whether what comes behind `def` holds a name with its type, the colon forgotten or the type misspelt.

    A word of prose behind a colon may be like a type's name: it is taken for one where the variable ends with it.
    """
    if all(typed(part.strip()) for part in text.strip().removesuffix(",").split(",")):
        return True
    found = ((one[1].lower().removesuffix("?"), one[2]) for one in _PAIR.finditer(text))
    return any(word in TYPES or (end in {"", ",", "="} and misspelt(word)) for word, end in found)


def typed(text: str) -> tuple[str, str] | None:
    """`title string` and `string title`: the name and its type."""
    words = _TWO_WORDS.fullmatch(text)
    if words is None or (words[1] in TYPES) == (words[2] in TYPES):
        return None
    return (words[2], words[1]) if words[1] in TYPES else (words[1], words[2])


def misspelt(word: str) -> bool:
    """Whether a word is clearly meant for a type."""
    return word in OTHER_WORDS or did_you_mean(word, TYPES, cutoff=0.8) is not None


def comments(source: TemplateSource) -> Iterator[tuple[At, str, bool]]:
    """Each comment, where its text stands, and whether nothing but white space and comments is before it."""
    first = True
    for at, kind, text in tokens_of(source):
        if kind == "comment":
            assert isinstance(at, At)
            yield at, text, first
        elif not kind.startswith("comment") and text.removeprefix(BYTE_ORDER_MARK).strip():
            first = False


def variables(source: TemplateSource, text: str, offset: int) -> Iterator[Declared]:
    names: set[str] = set()
    *parts, last = text.split(",")
    for part in [*parts, last] if last.strip() or not parts else parts:
        at = source.at(offset + len(part) - len(part.lstrip()))
        one = variable(source, part.strip(), at)
        if one.name in names:
            raise refused(source, at, f'"{one.name}" is declared twice', "leave out one of them")
        names.add(one.name)
        offset += len(part) + 1
        yield one


def variable(source: TemplateSource, text: str, at: At) -> Declared:
    """`title: string`."""
    found = _NAMED.fullmatch(text)
    if found is None or "=" in text:
        raise refused(source, at, *malformed(text))
    name, kind = found.groups()
    if not name.isidentifier():
        raise refused(source, at, f'"{name}" is no name of a variable', other_name(name, kind))
    if name in RESERVED:
        raise refused(
            source, at, f'"{name}" has a meaning of its own in templates', "give the variable another name"
        )
    if kind not in TYPES:
        where = source.at(at.offset + found.start(2))
        raise refused(source, where, f'there is no type "{kind}"', other_type(name, kind))
    return Declared(name=name, type=kind, at=at)


def malformed(text: str) -> tuple[str, str]:
    """What is wrong with a declaration of a variable, and what to do."""
    name = re.split(r"[\s:=]", text)[0]
    if not text:
        return "a name is missing", FORM
    if "=" in text:
        hint = f'what may be left out is not declared: {{{{ {name}|default("") }}}}'
        return "a declaration has no defaults: the script gives each variable", hint
    if ":" not in text and name == text:
        return f'"{name}" has no type', f"{name}: string, {name}: number or {name}: boolean"
    found = typed(text)
    if found:
        return f'there is no colon in "{text}"', f"write {found[0]}: {found[1]}"
    hint = f"names with their types, commas between them: {FORM}; prose begins with another word than def"
    return f'"{text}" declares no variable', hint


def other_name(name: str, kind: str) -> str:
    return always_given(name.removesuffix("?"), kind) if name.endswith("?") else "letters, digits and _"


def always_given(name: str, kind: str) -> str:
    """What to do about `note?: string` and `note: string?`."""
    nothing = EMPTY.get(kind, '"", 0 or false')
    return f"what is declared is always given: write {name}: {kind}, and give {nothing} where there is none"


def other_type(name: str, kind: str) -> str:
    if kind.endswith("?"):
        return always_given(name, kind.removesuffix("?"))
    word = OTHER_WORDS.get(kind)
    if word:
        return f'did you mean "{word}"?'
    others = f"there are string, number and boolean; leave {name} out where it is something else"
    return (did_you_mean(kind, TYPES) if kind.isalpha() else None) or others


def refused(source: TemplateSource, at: int, message: str, hint: str) -> Refused:
    return Refused(RULE, message, at=at, hint=hint).inside(source)
