"""Calls of a template, `view({ ... })`, against what the template reads: given too little, or under another name.

Read from the syntax alone, as an editor's TypeScript reads it from types. What cannot be told from the call itself is
no finding: an argument that is no literal, a `...spread`, a computed name, an import whose name is declared again.
Where a template declares a name and the script gives it, a name like it in the template is what is misspelt.
"""

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from awning.diagnostics import Diagnostic, Place, Severity, did_you_mean
from awning.script import ScriptFile
from awning.script.template_calls import ABSENT, Field, Literal, TemplateCalls
from awning.template.types import Type, Variable, VariableUse

RULE = "template-variables"
DECLARED = frozenset({VariableUse.STRING, VariableUse.NUMBER, VariableUse.BOOLEAN})
NEVER_DECLARED = frozenset({VariableUse.LIST, VariableUse.FIELDS, VariableUse.CALLED, VariableUse.TRANSLATES})
"""What is read like this is none of the types that can be declared."""
ALWAYS = "t"
"""It may be given to every template: render functions hand it on by habit."""

Reads = Mapping[str, Sequence[Variable]]


def variable_findings(script: ScriptFile, reads: Reads, templates: Mapping[str, str]) -> Iterator[Diagnostic]:
    """What is wrong with a script's calls of templates.

    `reads` is what the templates read, `templates` their texts, both by their paths.
    """
    folder = posixpath.dirname(script.path)
    for calls in script.facts.template_calls:
        template = posixpath.normpath(posixpath.join(folder, calls.source))
        if template in reads:
            held = _Held(
                script=script,
                calls=calls,
                reads=reads[template],
                view=template,
                templates=templates,
            )
            yield from held.findings()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """The calls of one template in one script."""

    script: ScriptFile
    calls: TemplateCalls
    reads: Sequence[Variable]
    view: str
    """The path of the template that is called."""
    templates: Mapping[str, str]

    def findings(self) -> Iterator[Diagnostic]:
        for call in self.calls.calls:
            if call is not None:
                yield from self.value(call, Type(use=VariableUse.FIELDS, fields=tuple(self.reads)), "")

    def mapping(
        self, given: Literal, fields: Mapping[str, Field], kind: Type, owner: str
    ) -> Iterator[Diagnostic]:
        """An object literal against variables, or against the attributes of `owner`."""
        wanted = kind.fields
        known = {one.name: one for one in wanted}
        spare = [name for name in fields if name not in known and (owner or name != ALWAYS)]
        missing = [] if given.open else [one for one in wanted if _is_missing(one, fields)]
        declared = self.names_declared() if not owner and (spare or missing) else frozenset()
        for one in missing:
            agreed = _meant(one, spare, declared & fields.keys())
            if agreed is not None:
                spare = [name for name in spare if name != agreed]
                yield self.misspelt(one, agreed)
                continue
            close = _closest(one.name, spare)
            if close is not None:
                spare.remove(close)
            yield self.missing(one, fields[close].at if close else given.at, close, owner)
        needed = kind.open or (kind.tested and known.keys().isdisjoint(fields))  # an empty mapping is false
        for name in () if needed else spare:
            yield self.unknown(name, fields[name], () if name in declared else known, owner)
        for name, field in fields.items():
            if name in known:
                yield from self.value(field.value, known[name].type, f"{owner}{name}.")
                yield from self.declared(field, known[name])

    def declared(self, field: Field, one: Variable) -> Iterator[Diagnostic]:
        """A literal of another type than the template declares."""
        wanted, given = one.type.use, field.value.type
        left_out = given == "undefined" and one.only_if is not None
        if wanted not in DECLARED or given in {None, wanted} or left_out:
            return
        declared = f'the template declares "{one.name}" as {wanted}'
        message = f"{declared} (it is read in {_shown(one.place)}), and {given} is given"
        hint = f"give a {wanted}, or take the name out of the template's {{#def #}}"
        yield self.diagnostic(message, field.at, hint, Severity.ERROR)

    def value(self, given: Literal, wanted: Type, owner: str) -> Iterator[Diagnostic]:
        if given.fields is not None and wanted.use is VariableUse.FIELDS:
            yield from self.mapping(given, given.fields, wanted, owner)
        elif wanted.element is not None:
            for item in given.items or ():
                yield from self.value(item, wanted.element, owner)

    def names_declared(self) -> frozenset[str]:
        """The names that are declared of the script's values, those that nothing reads too."""
        read = (one.name for one in self.reads if one.type.use in DECLARED)
        return frozenset({*read, *_declared_in(self.view, self.templates.get(self.view, ""))})

    def misspelt(self, one: Variable, meant: str) -> Diagnostic:
        """In the template, which reads a name other than the one that it declares and is given."""
        lines = self.templates.get(one.place.path, "").splitlines()
        return Diagnostic(
            rule=RULE,
            message=f'"{one.name}" is neither declared nor given',
            place=one.place,
            hint=f'did you mean "{meant}"?',
            excerpt=lines[one.place.line - 1] if 0 < one.place.line <= len(lines) else None,
        )

    def missing(self, one: Variable, at: int, close: str | None, owner: str) -> Diagnostic:
        message = f'the template reads "{owner}{one.name}" ({_shown(one.place)}), which is not given here'
        hint = f'"{close}" is given: did you mean "{one.name}"?' if close else _hint(one)
        return self.diagnostic(message, at, hint, Severity.ERROR)

    def unknown(self, name: str, field: Field, known: Iterable[str], owner: str) -> Diagnostic:
        return self.diagnostic(
            f'the template reads no "{owner}{name}"',
            field.at,
            did_you_mean(name, sorted(known)) or "leave it out, or read it in the template",
            Severity.WARNING,
        )

    def diagnostic(self, message: str, at: int, hint: str, severity: Severity) -> Diagnostic:
        place = self.script.place(at)
        excerpt = self.script.line(place.line)
        return Diagnostic(
            rule=RULE, message=message, place=place, hint=hint, severity=severity, excerpt=excerpt
        )


def _is_missing(one: Variable, given: Mapping[str, Field]) -> bool:
    """Not where it is read only if another one is true, and that one is literally not, or the other way round."""
    if not one.required or one.name in given:
        return False
    if one.only_if is None:
        return True
    guard, needed = one.only_if
    truth = given[guard].value.truth if guard in given else ABSENT.truth
    return truth is None or truth is needed


def _meant(one: Variable, spare: Sequence[str], agreed: AbstractSet[str]) -> str | None:
    """The name that is declared and given and that `one` is a misspelling of.

    One that the template reads as well is so only where the two are very much alike.
    """
    if one.type.use in DECLARED | NEVER_DECLARED:
        return None
    close = _closest(one.name, spare)
    if close is None:
        return _closest(one.name, sorted(agreed), cutoff=0.8)
    return close if close in agreed else None


def _declared_in(path: str, text: str) -> Iterator[str]:
    if "def" in text.lower():
        from awning.template.declarations import read_declaration  # noqa: PLC0415 - imports Jinja2: not where all is given
        from awning.template.parse import read_source  # noqa: PLC0415

        yield from (one.name for one in read_declaration(read_source(text, name=path, path=path)))


def _closest(name: str, given: Sequence[str], *, cutoff: float = 0.6) -> str | None:
    from difflib import get_close_matches  # noqa: PLC0415 - needed for few runs

    return next(iter(get_close_matches(name, given, n=1, cutoff=cutoff)), None)


def _hint(one: Variable) -> str:
    if one.type.use is VariableUse.TRANSLATES:
        return "hand it on: every render function is given it"
    if one.type.use in DECLARED:
        return f"give it: the template declares it as {one.type.use}"
    default = f'{{{{ {one.name}|default("") }}}}'
    return f"give it, or say in the template what stands in for it: {default}"


def _shown(place: Place) -> str:
    return f"{place.path}:{place.line}"
