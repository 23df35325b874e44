"""Writes as TypeScript what a template needs. An editor reads `view.html.d.j2.ts` for `view.html.j2`.

Some variables are read only if another variable, their guard, is true (or only if it is false). Then the type of the
context is a union. A call may leave out such a variable if it passes a literal with the other truth as the guard:
`true`, or one of false, 0, "", null.

The reads of attributes become code, too: `$?.shop?.city;` for `{{ shop.city }}`. The check of types runs it on what a
script passes to the template, as `$`. So TypeScript, which knows the types of the script, finds missing attributes.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from awning.template.types import Type, Variable, VariableUse

MOST_GUARDS = 4
"""The maximum number of guards in one declaration. Variables of further guards are optional.

Each guard multiplies the number of cases by up to three.
"""

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
WORDS = sorted(
    {"Falsy", "Keys", "Listed", "View"}.union(
        use.type for use in VariableUse if use.type[:1].isupper() and use is not VariableUse.TRANSLATES
    )
)
"""The types that a declaration may import from `types/view.ts`."""

TRANSLATE = VariableUse.TRANSLATES.type
FALSE_OF = {VariableUse.STRING: '""', VariableUse.NUMBER: "0", VariableUse.BOOLEAN: "false"}
"""The TypeScript type of the false value of each promised type (`promises`)."""


def declaration(path: str, reads: Sequence[Variable], *, up: str) -> str:
    """Return the declaration of the template at `path`.

    `up` is the path from the declaration's folder to the folder that contains `types` and `runtime`.
    """
    body = "\n".join(context(reads))
    bare = re.sub(r"/\*.*?\*/", "", body)
    used = [word for word in WORDS if word == "View" or re.search(rf"\b{word}\b", bare)]
    lines = [
        f"// Made by awning from {comment_text(path)}: what its view({{ ... }}) takes.",
        f'import type {{ {TRANSLATE} }} from "{up}runtime/messages.ts";',
        f'import type {{ {", ".join(used)} }} from "{up}types/view.ts";',
        "",
        body,
        "",
        "/** Render the template. Every value is escaped for the place it is put in. */",
        "export default function render<const Given>(context: View<Given, Context>): string;",
    ]
    return "\n".join(lines) + "\n"


def comment_text(text: str) -> str:
    """Return a text that is safe in a comment: it neither ends the comment nor begins a line."""
    return re.sub(r"[\r\n\u2028\u2029]", " ", text).replace("*/", "* /")


def context(reads: Sequence[Variable]) -> Iterator[str]:
    """Yield the type of the context. `t` is always allowed, because render functions usually pass it on."""
    guards = guards_of(reads)
    free = [
        variable for variable in reads if variable.name not in guards and guard_of(variable, guards) is None
    ]
    yield f"{'interface Always' if guards else 'export interface Context'} {{"
    for variable in free:
        yield from field(variable, optional=not variable.required or variable.only_if is not None)
    if all(variable.name != "t" for variable in reads):
        yield f"  t?: {TRANSLATE} | undefined;"
    yield "}"
    if guards:
        cases = [f"({' | '.join(cases_of(guard, reads, guards))})" for guard in guards]
        yield ""
        yield f"export type Context = Always & {' & '.join(cases)};"


def guards_of(reads: Sequence[Variable]) -> list[str]:
    """Return the first `MOST_GUARDS` guards: the variables that decide whether other required variables are read.

    A guard is itself required, and has no guard.
    """
    free = {variable.name for variable in reads if variable.only_if is None and variable.required}
    named = dict.fromkeys(variable.only_if[0] for variable in reads if variable.only_if and variable.required)
    return [name for name in named if name in free][:MOST_GUARDS]


def guard_of(variable: Variable, guards: Iterable[str]) -> tuple[str, bool] | None:
    return (
        variable.only_if if variable.required and variable.only_if and variable.only_if[0] in guards else None
    )


def cases_of(guard: str, reads: Sequence[Variable], guards: Sequence[str]) -> Iterator[str]:
    """Yield the type of each case of a guard: true, false, and not known.

    The cases for true and false are left out if they make no variable optional. If the guard is not known, the
    variables of both cases are required. A string or a number has no case for true, because TypeScript has no type for
    non-empty strings and numbers other than zero.
    """
    itself = next(variable for variable in reads if variable.name == guard)
    hanging = [variable for variable in reads if (by := guard_of(variable, guards)) and by[0] == guard]
    truths = {by[1] for variable in hanging if (by := guard_of(variable, guards))}
    if False in truths and itself.type.use not in {VariableUse.STRING, VariableUse.NUMBER}:
        yield case_type(guard, true_type(itself.type), hanging, missing=False)
    if True in truths:
        yield case_type(guard, FALSE_OF.get(itself.type.use, "Falsy"), hanging, missing=True)
    yield case_type(guard, type_of(itself.type), hanging, missing=None)


def case_type(guard: str, kind: str, hanging: Sequence[Variable], *, missing: bool | None) -> str:
    """Return one case as a type. Variables that are read only when the guard has the truth `missing` are optional."""
    lines = [f"  {key(guard)}: {kind};"]
    for variable in hanging:
        optional = variable.only_if is not None and variable.only_if[1] is missing
        lines += field(variable, optional=optional)
    return "{\n" + "\n".join(lines) + "\n}"


def true_type(type_: Type) -> str:
    """Return the type of values that are certainly true: `true`, or also an object if its fields are read."""
    return f"true | {fields_of(type_)}" if type_.use is VariableUse.FIELDS else "true"


def field(variable: Variable, *, optional: bool, indent: str = "  ") -> Iterator[str]:
    kind = type_of(variable.type, indent)
    yield f"{indent}/** Read in {comment_text(variable.place.path)}:{variable.place.line}. */"
    if not optional:
        yield f"{indent}{key(variable.name)}: {kind};"
    else:
        undefined = "" if kind in {"Printable", "Value", "unknown"} else " | undefined"
        yield f"{indent}{key(variable.name)}?: {kind}{undefined};"


def key(name: str) -> str:
    return name if WORD.fullmatch(name) else json.dumps(name, ensure_ascii=True)


def type_of(type_: Type, indent: str = "  ") -> str:
    match type_.use:
        case VariableUse.FIELDS:
            return f"{fields_of(type_, indent)}{empty_values(type_, 'null | undefined')}"
        case VariableUse.LIST:
            return f"{list_of(type_, indent)}{empty_values(type_, '')}"
        case use:
            return f"{use.type}{' | Falsy' if use.is_formatted and type_.tested else ''}"


def empty_values(type_: Type, least: str) -> str:
    """Return the union members for values that a template also accepts, such as false or null; empty if there are none.

    `least` are the members for a value that is neither printed nor tested.
    """
    kinds = "Printable" if type_.printed else "Falsy" if type_.tested else least
    return f" | {kinds}" if kinds else ""


def fields_of(type_: Type, indent: str = "  ") -> str:
    inner = indent + "  "
    lines = [
        line for field_ in type_.fields for line in field(field_, optional=not field_.required, indent=inner)
    ]
    return "{\n" + "\n".join(lines) + f"\n{indent}}}"


def list_of(type_: Type, indent: str) -> str:
    assert type_.element is not None, "a list is one for its items"
    item = f"Listed<{type_of(type_.element, indent)}>"
    return item if type_.element.use is VariableUse.FIELDS else f"{item} | string | Keys"


_ITEM = None
"""A step from a list to its items."""


@dataclass(frozen=True, slots=True)
class ReadCode:
    """A piece of the code. It may be the name of an `attribute`, which belongs to the `variable` of the template."""

    text: str
    attribute: Variable | None = None
    variable: str = ""


def reading_code(reads: Sequence[Variable]) -> Iterator[ReadCode]:
    """Yield the code that reads each attribute of the variables. Variables without attributes are left out."""
    for variable in reads:
        for steps in _chains(variable.type):
            yield from _statement(variable.name, steps)


def _chains(type_: Type) -> Iterator[tuple[Variable | None, ...]]:
    """Yield the ways from a value to each attribute that has no attributes itself."""
    if type_.element is not None:
        for steps in _chains(type_.element):
            yield (_ITEM, *steps)
    for field in type_.fields if type_.use is VariableUse.FIELDS else ():
        inner = list(_chains(field.type))
        for steps in inner or [()]:
            yield (field, *steps)


def _statement(variable: str, steps: Sequence[Variable | None]) -> Iterator[ReadCode]:
    # TypeScript may report a key in brackets at the beginning of the expression.
    in_brackets = next((step for step in steps if step is not None and not WORD.fullmatch(step.name)), None)
    yield ReadCode("$", in_brackets, variable)
    yield ReadCode(f"?.[{json.dumps(variable)}]")
    for step in steps:
        if step is None:
            yield ReadCode("?.[0]")
        elif WORD.fullmatch(step.name):
            yield ReadCode("?.")
            yield ReadCode(step.name, step, variable)
        else:
            yield ReadCode("?.[")
            yield ReadCode(json.dumps(step.name), step, variable)
            yield ReadCode("]")
    yield ReadCode("; ")
