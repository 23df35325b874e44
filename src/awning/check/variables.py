"""Compares the calls of a template, `view({ ... })`, with the variables that the template reads.

From the syntax alone, this module reports missing, misspelt and unread variables, and literals whose type differs from
the declared type. A call is skipped if it has an argument other than one object literal, or if the template's imported
name is declared again. With a `...spread` or a computed name in the literal, no variable counts as missing. If a
template declares a name and the script passes it, a similar name in the template is taken for a misspelling of it.
"""

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from awning.diagnostics import OF_PAGE, Diagnostic, Place, Severity, did_you_mean
from awning.script.file import ScriptFile
from awning.script.template_calls import ABSENT, Field, Literal, TemplateCalls
from awning.template.types import Type, Variable, VariableUse

RULE = "template-variables"
DECLARED = frozenset({VariableUse.STRING, VariableUse.NUMBER, VariableUse.BOOLEAN})
NEVER_DECLARED = frozenset({VariableUse.LIST, VariableUse.FIELDS, VariableUse.CALLED, VariableUse.TRANSLATES})
"""Uses of variables for which no type can be declared."""
ALWAYS = "t"
"""The variable that may be passed to any template, also to one that does not read it.

Render functions usually pass it on.
"""

Reads = Mapping[str, Sequence[Variable]]


def variable_findings(script: ScriptFile, reads: Reads, templates: Mapping[str, str]) -> Iterator[Diagnostic]:
    """Yield the diagnostics for a script's calls of templates.

    `reads` are the variables that the templates read, `templates` their texts, both by path.
    """
    folder = posixpath.dirname(script.path)
    for calls in script.facts.template_calls:
        template = posixpath.normpath(posixpath.join(folder, calls.source))
        if template in reads:
            held = _TemplateCalls(
                script=script,
                calls=calls,
                reads=reads[template],
                view=template,
                templates=templates,
            )
            yield from held.findings()


@dataclass(frozen=True, slots=True, kw_only=True)
class _TemplateCalls:
    """The calls of one template in one script."""

    script: ScriptFile
    calls: TemplateCalls
    reads: Sequence[Variable]
    view: str
    """The path of the template that is called."""
    templates: Mapping[str, str]

    def findings(self) -> Iterator[Diagnostic]:
        for call in self.calls.calls:
            if call.literal is not None:
                yield from self.value(
                    call.literal, Type(use=VariableUse.FIELDS, fields=tuple(self.reads)), ""
                )

    def mapping(
        self, literal: Literal, fields: Mapping[str, Field], kind: Type, owner: str
    ) -> Iterator[Diagnostic]:
        """Compare an object literal with the template's variables or, if nested, with the attributes of `owner`."""
        variables = kind.fields
        known = {variable.name: variable for variable in variables}
        spare = [name for name in fields if name not in known and (owner or name != ALWAYS)]
        missing = (
            [] if literal.open else [variable for variable in variables if _is_missing(variable, fields)]
        )
        declared = self.names_declared() if not owner and (spare or missing) else frozenset()
        for variable in missing:
            agreed = _misspelling_of(variable, spare, declared & fields.keys())
            if agreed is not None:
                spare = [name for name in spare if name != agreed]
                yield self.misspelt(variable, agreed, (literal.at, fields[agreed].at))
                continue
            close = _closest(variable.name, spare)
            if close is not None:
                spare.remove(close)
            yield self.missing(variable, fields[close].at if close else literal.at, close, owner)
        needed = kind.open or (
            kind.tested and known.keys().isdisjoint(fields)
        )  # the template tests the mapping, which without the unread fields would be empty and so false
        for name in () if needed else spare:
            yield self.unknown(name, fields[name], () if name in declared else known, owner)
        for name, field in fields.items():
            if name in known:
                yield from self.value(field.value, known[name].type, f"{owner}{name}.")
                yield from self.declared(field, known[name])

    def declared(self, field: Field, variable: Variable) -> Iterator[Diagnostic]:
        """Report a literal whose type differs from the declared type."""
        declared_type, given_type = variable.type.use, field.value.type
        left_out = given_type == "undefined" and variable.only_if is not None
        if declared_type not in DECLARED or given_type in {None, declared_type} or left_out:
            return
        declared = f'the template declares "{variable.name}" as {declared_type}'
        message = f"{declared} (it is read in {_shown(variable.place)}), and {given_type} is passed"
        hint = f"pass a {declared_type}, or remove the name from the template's {{#def #}}"
        yield self.diagnostic(message, field.at, hint, Severity.ERROR)

    def value(self, literal: Literal, type_: Type, owner: str) -> Iterator[Diagnostic]:
        if literal.fields is not None and type_.use is VariableUse.FIELDS:
            yield from self.mapping(literal, literal.fields, type_, owner)
        elif type_.element is not None:
            for item in literal.items or ():
                yield from self.value(item, type_.element, owner)

    def names_declared(self) -> frozenset[str]:
        """Return the names of the declared variables, including variables that are never read."""
        read = (variable.name for variable in self.reads if variable.type.use in DECLARED)
        return frozenset({*read, *_declared_in(self.view, self.templates.get(self.view, ""))})

    def misspelt(self, variable: Variable, meant: str, at: Iterable[int]) -> Diagnostic:
        """Return the diagnostic for a template that reads `variable`, but declares `meant`, which the call passes.

        `at` are byte offsets in the script: of the literal that the call passes, and of `meant` in it.
        """
        lines = self.templates.get(variable.place.path, "").splitlines()
        return Diagnostic(
            rule=RULE,
            message=f'"{variable.name}" is neither declared nor passed',
            place=variable.place,
            hint=f'did you mean "{meant}"?',
            excerpt=lines[variable.place.line - 1] if 0 < variable.place.line <= len(lines) else None,
            passed_at=tuple(map(self.script.place, at)),
        )

    def missing(self, variable: Variable, at: int, close: str | None, owner: str) -> Diagnostic:
        message = f'the template reads "{owner}{variable.name}" ({_shown(variable.place)}), which is not passed here'
        hint = f'"{close}" is passed: did you mean "{variable.name}"?' if close else _hint(variable)
        return self.diagnostic(message, at, hint, Severity.ERROR)

    def unknown(self, name: str, field: Field, known: Iterable[str], owner: str) -> Diagnostic:
        return self.diagnostic(
            f'the template reads no "{owner}{name}"',
            field.at,
            did_you_mean(name, sorted(known)) or "remove it, or read it in the template",
            Severity.WARNING,
        )

    def diagnostic(self, message: str, at: int, hint: str, severity: Severity) -> Diagnostic:
        place = self.script.place(at)
        excerpt = self.script.line(place.line)
        return Diagnostic(
            rule=RULE, message=message, place=place, hint=hint, severity=severity, excerpt=excerpt
        )


def _is_missing(variable: Variable, fields: Mapping[str, Field]) -> bool:
    """Return whether a required variable is missing.

    A variable may be left out if its guard has a value with which the template does not read the variable.
    """
    if not variable.required or variable.name in fields:
        return False
    if variable.only_if is None:
        return True
    guard, needed = variable.only_if
    truth = fields[guard].value.truth if guard in fields else ABSENT.truth
    return truth is None or truth is needed


def _misspelling_of(variable: Variable, spare: Sequence[str], agreed: AbstractSet[str]) -> str | None:
    """Return the declared and passed name that `variable` is a misspelling of; None if there is none.

    If the template reads that name as well, the two must be very similar.
    """
    if variable.type.use in DECLARED | NEVER_DECLARED:
        return None
    close = _closest(variable.name, spare)
    if close is None:
        return _closest(variable.name, sorted(agreed), cutoff=0.8)
    return close if close in agreed else None


def _declared_in(path: str, text: str) -> Iterator[str]:
    if "def" in text.lower():
        from awning.template.declarations import declared_in  # noqa: PLC0415 - imports Jinja2, which a call without a missing variable does not need

        yield from (declared.name for declared in declared_in(text, path=path))


def _closest(name: str, names: Sequence[str], *, cutoff: float = 0.6) -> str | None:
    from difflib import get_close_matches  # noqa: PLC0415 - needed for few runs

    return next(iter(get_close_matches(name, names, n=1, cutoff=cutoff)), None)


def _hint(variable: Variable) -> str:
    if variable.type.use is VariableUse.TRANSLATES:
        return "pass it on: every render function gets it"
    if variable.type.use in {VariableUse.CURRENCY, VariableUse.LANGUAGE} and variable.name in OF_PAGE:
        return OF_PAGE[variable.name]
    if variable.type.use in DECLARED:
        return f"pass it: the template declares it as {variable.type.use}"
    default = f'{{{{ {variable.name}|default("") }}}}'
    return f"pass it, or give it a default in the template: {default}"


def _shown(place: Place) -> str:
    return f"{place.path}:{place.line}"
