"""A template's declaration: `{#def title: string, left: number #}`, a comment for Jinja2. JinjaX uses the same form.

A declaration gives the types of the variables that the script passes. Only white space and other comments may precede
it. A comment that begins with `def` is a declaration if nothing follows, or one word and then `:`, `,`, `=` or the end.
Any other comment that begins with `def` (in upper or lower case) is prose, such as `{# def is short for definition #}`.
There is one exception: the first comment that begins with `def` is reported as a faulty declaration if it contains a
name with a type, such as `{#def title string #}`.

In an included, imported or extended template, a declared name has the script's value only if the template gets the
context, and if no template on the way there sets the name. `Promises` has the names for which, in each template, the
compiler relies on the declared type. Two rules ensure this:

- If a template is included or imported without context anywhere, no declaration counts in it, nor in any template that
  it reaches.
- If any template sets a name, no declaration of the name counts.

The second rule does not apply to the compiled template itself if it has no blocks, extends no other, and no template
includes, imports or extends it: in such a template, the scope phase distinguishes the context's variables from others.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from jinja2 import nodes

from awning.diagnostics import Diagnostic, did_you_mean
from awning.template.emit import ValueKind
from awning.template.methods import GLOBALS
from awning.template.parse import Comment, comments_of, read_source
from awning.template.refusals import Position, TemplateRefusal
from awning.template.template_set import ParsedTemplate, TemplateSet
from awning.template.types import Type, Variable, VariableUse

RULE = "template-declaration"


@dataclass(frozen=True, slots=True)
class DeclaredType:
    """A type that a declaration may name."""

    kind: ValueKind
    """The kind of value that the compiler then relies on."""
    use: VariableUse
    """How a template uses such a variable, for its type in TypeScript."""


TYPES: Mapping[str, DeclaredType] = MappingProxyType(
    {
        "string": DeclaredType(ValueKind.TEXT, VariableUse.STRING),
        "number": DeclaredType(ValueKind.NUMBER, VariableUse.NUMBER),
        "boolean": DeclaredType(ValueKind.BOOL, VariableUse.BOOLEAN),
    }
)

RESERVED = GLOBALS | {"t", "loop", "self", "super", "caller", "varargs", "kwargs"}
RESERVED |= {"true", "false", "none", "True", "False", "None"}
"""Names that Jinja2 or awning gives a meaning, some of them only in a loop or a macro. They cannot be declared."""

OTHER_WORDS = {
    "str": "string", "text": "string", "int": "number", "float": "number", "integer": "number", "bool": "boolean",
}  # fmt: skip
EMPTY = {"string": '""', "number": "0", "boolean": "false"}
FORM = "{#def title: string, left: number, sold_out: boolean #}"

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


def declared_in(text: str, *, path: str) -> tuple[DeclaredVariable, ...]:
    """Return the variables that a template declares. Raises TemplateRefusal when they cannot be read."""
    return read_declaration(comments_of(read_source(text, name=path, path=path)))


def read_declaration(comments: Iterable[Comment]) -> tuple[DeclaredVariable, ...]:
    """Return the variables that the comments of a template declare.

    Raises TemplateRefusal when a declaration is malformed, is the second one, or follows anything but white space and
    comments.
    """
    declared: tuple[DeclaredVariable, ...] | None = None
    begun = False
    for comment in comments:
        text, at = comment.text, comment.at
        begins = _BEGINS.match(text)
        if begins is None:
            continue
        is_one = _IS_ONE.match(text) or (not begun and is_faulty_declaration(text[begins.end() :]))
        begun = True
        if not is_one:
            continue
        if not comment.leads:
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


Edges = Mapping[str, Sequence[tuple[ParsedTemplate, bool]]]
"""For each template, by name: the templates that it includes, imports or extends, and whether each gets the context.

The compiled template comes first.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Promises:
    """The declarations of the templates of one compilation."""

    edges: Edges = field(default_factory=dict)
    """Empty if no template declares anything."""
    declarations: Mapping[str, Sequence[DeclaredVariable]] = field(default_factory=dict)
    """The declaration of each template, by name, also where it does not count."""
    declared: Mapping[str, DeclaredVariable] = field(default_factory=dict)
    """The variables with a declaration that counts somewhere, by name."""
    written: frozenset[str] = frozenset()
    """Names that some template sets: by a loop, `set`, `with`, an import or a macro, or as a parameter."""
    contextless: frozenset[str] = frozenset()
    """The names of templates that are included or imported without context, directly or through other templates."""
    alone: str | None = None
    """The name of the compiled template if its declarations also count for names in `written`; else None."""

    def kind(self, name: str, template: ParsedTemplate) -> ValueKind | None:
        """Return the kind of the context's variable of this name in a template; None if no declaration counts there."""
        declared = self.declared.get(name)
        if declared is None or template.name in self.contextless:
            return None
        if name in self.written and template.name != self.alone:
            return None
        return TYPES[declared.type].kind

    def typed(self, reads: Iterable[Variable]) -> tuple[Variable, ...]:
        """Return the variables that a template reads, with their declared types. A declared variable is required."""
        return tuple(
            replace(variable, type=Type(use=TYPES[declared.type].use), required=True)
            if declared
            else variable
            for variable in reads
            for declared in (self.declared.get(variable.name),)
        )


def promises_of(entry: ParsedTemplate, templates: TemplateSet) -> Promises:
    """Return the promises for the compilation of `entry`.

    Raises TemplateRefusal when a declaration cannot be read, or when two disagree.
    """
    edges = edges_from(entry, templates)
    templates_reached = [templates.by_name[name] for name in edges]
    declarations = {template.name: read_declaration(template.comments) for template in templates_reached}
    if not any(declarations.values()):
        return Promises()
    contextless = reachable_names(
        (template for goes in edges.values() for template, with_context in goes if not with_context), edges
    )
    written = frozenset(name for template in templates_reached for name in template.defined_names())
    shared = any(template is entry for goes in edges.values() for template, _ in goes)
    known = Promises(
        edges=edges,
        declarations=declarations,
        written=written,
        contextless=contextless,
        alone=None if shared or entry.blocks or entry.extends else entry.name,
    )
    return replace(known, declared=agreed_declarations(entry.name, known))


def agreed_declarations(entry: str, known: Promises) -> dict[str, DeclaredVariable]:
    """Return the declared variables by name.

    A declaration in a template other than `entry` counts only if the template always gets the context and no template
    sets the name. Raises TemplateRefusal when two declarations disagree.
    """
    out: dict[str, DeclaredVariable] = {}
    for template, declaration in known.declarations.items():
        for declared in declaration:
            if template != entry and (template in known.contextless or declared.name in known.written):
                continue
            before = out.setdefault(declared.name, declared)
            if before.type != declared.type:
                where = f"{before.at.path}:{int(before.at)}"
                raise TemplateRefusal(
                    "template-declaration-conflict",
                    f'"{declared.name}" is declared as {declared.type} here and as {before.type} in {where}',
                    at=declared.at,
                    hint="both declare the same variable: use one type in both",
                )
    return out


def unread_declarations(
    promises: Promises, templates: TemplateSet, variables: Iterable[str]
) -> Iterator[Diagnostic]:
    """Yield warnings for declared variables that are never read.

    `variables` are those that the compiled module reads.
    """
    for index, (name, declaration) in enumerate(promises.declarations.items()):
        template = templates.by_name[name]
        read = set(variables) if index == 0 else names_read(template, promises.edges, templates)
        undeclared = sorted(read - {declared.name for declared in declaration})
        for declared in declaration:
            if declared.name not in read:
                yield TemplateRefusal(
                    "template-declaration-unread",
                    f'"{declared.name}" is declared but never read',
                    at=declared.at,
                    hint=misspelling_hint(declared.name, undeclared) or "remove it, or print it",
                ).diagnostic()


def misspelling_hint(name: str, read: Iterable[str]) -> str | None:
    """Return a hint if a declared name is close to a name that is read, else None. Either may be the misspelt one."""
    close = next((other for other in read if did_you_mean(name, [other])), None)
    return f'the template reads "{close}": one of the two is misspelt' if close else None


def edges_from(entry: ParsedTemplate, templates: TemplateSet) -> dict[str, list[tuple[ParsedTemplate, bool]]]:
    """Return the links (`links_from`) of `entry` and of all templates that it reaches, by name, `entry` first."""
    edges: dict[str, list[tuple[ParsedTemplate, bool]]] = {}
    waiting = [entry]
    while waiting:
        template = waiting.pop(0)
        if template.name not in edges:
            edges[template.name] = list(links_from(template, templates))
            waiting += [to for to, _ in edges[template.name]]
    return edges


def links_from(template: ParsedTemplate, templates: TemplateSet) -> Iterator[tuple[ParsedTemplate, bool]]:
    """Yield the templates that a template includes, imports or extends, each with whether it gets the context.

    A template that cannot be loaded is left out, because lowering refuses it.
    """
    if not ("include" in template.source.text or "import" in template.source.text or template.extends):
        return
    for node in template.everything:
        if not isinstance(node, (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)):
            continue
        try:
            next_template = templates.linked(node)
        except TemplateRefusal:
            continue
        if next_template is not None:
            yield next_template, isinstance(node, nodes.Extends) or bool(getattr(node, "with_context", True))


def reachable_names(starts: Iterable[ParsedTemplate], edges: Edges) -> frozenset[str]:
    """Return the names of the templates that can be reached from `starts`, including these."""
    names: set[str] = set()
    waiting = list(starts)
    while waiting:
        template = waiting.pop()
        if template.name not in names:
            names.add(template.name)
            waiting += [to for to, _ in edges[template.name]]
    return frozenset(names)


def names_read(template: ParsedTemplate, edges: Edges, templates: TemplateSet) -> set[str]:
    """Return the names that a template and all templates that it reaches read."""
    templates_reached = [templates.by_name[name] for name in reachable_names([template], edges)]
    return {
        node.name
        for other in templates_reached
        for node in other.everything
        if isinstance(node, nodes.Name) and node.ctx == "load"
    }
