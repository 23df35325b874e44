"""A template's declaration: TypeScript that an editor reads beside `view.html.j2`, as `view.html.d.j2.ts`.

A variable that is read only where another one is true (or only where it is not) makes a union: it need not be given
in a call that says literally that the other one is `true` (or false, 0, "", null).
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from awning.template.types.variable import Type, Variable, VariableUse

MOST_GUARDS = 4
"""Each makes three cases of all others. What further ones guard may be left out."""

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
WORDS = ("Amount", "Display", "Falsy", "Keys", "Listed", "Moment", "Printable", "View")
"""What a declaration may import from `types/view.ts`."""

TRANSLATE = "Translate"
WORD_OF = {
    VariableUse.TRANSLATES: TRANSLATE,
    VariableUse.PRINTED: "Printable",
    VariableUse.STRING: "string",
    VariableUse.NUMBER: "number",
    VariableUse.BOOLEAN: "boolean",
}
FALSE_OF = {VariableUse.STRING: '""', VariableUse.NUMBER: "0", VariableUse.BOOLEAN: "false"}
"""What of each type that a template declares itself is false."""
FORMATTED = {
    VariableUse.AMOUNT: "Amount",
    VariableUse.MOMENT: "Moment",
    VariableUse.CURRENCY: "Display",
    VariableUse.LANGUAGE: "string",
}


def declaration(path: str, reads: Sequence[Variable], *, up: str) -> str:
    """The declaration of the template at `path`. `up` leads from its folder to that of `types` and `runtime`."""
    body = "\n".join(context(reads))
    used = [word for word in WORDS if word == "View" or re.search(rf"\b{word}\b", without_comments(body))]
    lines = [
        f"// Made by awning from {plain(path)}: what its view({{ ... }}) takes.",
        f'import type {{ {TRANSLATE} }} from "{up}runtime/messages.ts";',
        f'import type {{ {", ".join(used)} }} from "{up}types/view.ts";',
        "",
        body,
        "",
        "/** Render the template. Every value is escaped for the place it is put in. */",
        "export default function render<const Given>(context: View<Given, Context>): string;",
    ]
    return "\n".join(lines) + "\n"


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/", "", text)


def plain(text: str) -> str:
    """Text for a comment: it neither ends it nor begins a line."""
    return re.sub(r"[\r\n\u2028\u2029]", " ", text).replace("*/", "* /")


def context(reads: Sequence[Variable]) -> Iterator[str]:
    """The type of the context. `t` may always be given: render functions hand it on by habit."""
    guards = guards_of(reads)
    free = [one for one in reads if one.name not in guards and guard_of(one, guards) is None]
    yield f"{'interface Always' if guards else 'export interface Context'} {{"
    for one in free:
        yield from field(one, optional=not one.required or one.only_if is not None)
    if all(one.name != "t" for one in reads):
        yield f"  t?: {TRANSLATE} | undefined;"
    yield "}"
    if guards:
        cases = [f"({' | '.join(cases_of(guard, reads, guards))})" for guard in guards]
        yield ""
        yield f"export type Context = Always & {' & '.join(cases)};"


def guards_of(reads: Sequence[Variable]) -> list[str]:
    """The variables that decide whether others are read, those that are free of others themselves."""
    free = {one.name for one in reads if one.only_if is None and one.required}
    named = dict.fromkeys(one.only_if[0] for one in reads if one.only_if and one.required)
    return [name for name in named if name in free][:MOST_GUARDS]


def guard_of(one: Variable, guards: Iterable[str]) -> tuple[str, bool] | None:
    return one.only_if if one.required and one.only_if and one.only_if[0] in guards else None


def cases_of(guard: str, reads: Sequence[Variable], guards: Sequence[str]) -> Iterator[str]:
    """The guard true, false, or not known: then all that hangs on it must be given.

    TypeScript has no type of the strings or numbers that are true.
    """
    itself = next(one for one in reads if one.name == guard)
    hanging = [one for one in reads if (found := guard_of(one, guards)) and found[0] == guard]
    truths = {found[1] for one in hanging if (found := guard_of(one, guards))}
    if False in truths and itself.type.use not in {VariableUse.STRING, VariableUse.NUMBER}:
        yield case(guard, true_type(itself.type), hanging, missing=False)
    if True in truths:
        yield case(guard, false_type(itself.type), hanging, missing=True)
    yield case(guard, type_of(itself.type), hanging, missing=None)


def case(guard: str, kind: str, hanging: Sequence[Variable], *, missing: bool | None) -> str:
    """One case as a type; what is read where the guard is `missing` may be left out."""
    lines = [f"  {key(guard)}: {kind};"]
    for one in hanging:
        optional = one.only_if is not None and one.only_if[1] is missing
        lines += field(one, optional=optional)
    return "{\n" + "\n".join(lines) + "\n}"


def true_type(found: Type) -> str:
    """What is surely true: `true`, and an object whose fields the template reads."""
    return f"true | {fields_of(found)}" if found.use is VariableUse.FIELDS else "true"


def false_type(found: Type) -> str:
    return FALSE_OF.get(found.use, "Falsy")


def field(one: Variable, *, optional: bool, indent: str = "  ") -> Iterator[str]:
    kind = type_of(one.type, indent)
    yield f"{indent}/** Read in {plain(one.place.path)}:{one.place.line}. */"
    if not optional:
        yield f"{indent}{key(one.name)}: {kind};"
    else:
        yield f"{indent}{key(one.name)}?: {kind}{'' if kind in {'Printable', 'unknown'} else ' | undefined'};"


def key(name: str) -> str:
    return name if WORD.fullmatch(name) else json.dumps(name, ensure_ascii=True)


def type_of(found: Type, indent: str = "  ") -> str:
    if found.use in WORD_OF:
        return WORD_OF[found.use]
    if found.use in FORMATTED:
        return f"{FORMATTED[found.use]}{' | Falsy' if found.tested else ''}"
    match found.use:
        case VariableUse.CALLED:
            return "((...given: never[]) => unknown)"
        case VariableUse.FIELDS:
            return f"{fields_of(found, indent)}{others(found, 'null | undefined')}"
        case VariableUse.LIST:
            return f"{list_of(found, indent)}{others(found, '')}"
        case _:
            return "unknown"


def others(found: Type, least: str) -> str:
    """What a value may be beside what is read of it."""
    kinds = "Printable" if found.printed else "Falsy" if found.tested else least
    return f" | {kinds}" if kinds else ""


def fields_of(found: Type, indent: str = "  ") -> str:
    inner = indent + "  "
    lines = [line for one in found.fields for line in field(one, optional=not one.required, indent=inner)]
    return "{\n" + "\n".join(lines) + f"\n{indent}}}"


def list_of(found: Type, indent: str) -> str:
    assert found.element is not None, "a list is one for its items"
    item = f"Listed<{type_of(found.element, indent)}>"
    return item if found.element.use is VariableUse.FIELDS else f"{item} | string | Keys"
