"""What a rule is, and what it is given: one file, parsed and run on paper at most once for all rules together."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from awning.check.interpreter import Exploration, explore, page_scripts
from awning.diagnostics import Diagnostic, Severity
from awning.script import ScriptFile

_ACTS = re.compile(
    rb"subscribeEvent|initContentHandler|innerHTML|outerHTML|insertAdjacentHTML|document\b|\beval\b|\bFunction\b"
    rb"|constructor|window\[|globalThis|setTimeout|setInterval|XMLHttpRequest|ajax|setContent|\.html\(|\.open\("
)
_WIDGET = re.compile(rb"""\bafter(?:Price|Cart|Checkout)\b[\s\S]*["'`][^"'`\n]*<[a-zA-Z!/]""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """Replace the bytes from `start` to `end` of a file. Offered only where the meaning is certain to be right."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A rule broken in a file, at a byte offset. `secret` must not be shown; `hint` stands for the rule's."""

    offset: int
    message: str
    severity: Severity | None = None
    fix: Fix | None = None
    secret: str = ""
    hint: str | None = None


@dataclass(frozen=True, kw_only=True)
class Inspected:
    """A file as a rule gets it."""

    source: ScriptFile

    @cached_property
    def explored(self) -> Exploration:
        """What the abstract interpreter sees its scripts do."""
        code = self.source.code
        interesting = (
            _ACTS.search(code) or _WIDGET.search(code) or self.source.dialect.global_object.encode() in code
        )
        if not interesting and not any(program.early for program in self.source.programs):
            return Exploration([], {})
        scripts = page_scripts(self.source.tree.root, self.source.programs)
        return explore(scripts, self.source.dialect, self.source.names_in_head)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """`title` is one sentence, `documentation` the page."""

    id: str
    title: str
    severity: Severity
    documentation: str
    hint: str
    check: Callable[[Inspected], Iterable[Finding]]

    def diagnostics(self, file: Inspected) -> list[tuple[Diagnostic, Finding]]:
        return [(self._diagnostic(file.source, one), one) for one in self.check(file)]

    def _diagnostic(self, source: ScriptFile, finding: Finding) -> Diagnostic:
        place = source.place(finding.offset)
        line = source.line(place.line)
        return Diagnostic(
            rule=self.id,
            message=finding.message,
            place=place,
            hint=finding.hint or self.hint,
            severity=finding.severity or self.severity,
            excerpt=line,
        )


def seen(rule: str) -> Callable[[Inspected], Iterable[Finding]]:
    """The check of a rule that is broken by what a script does. What depends on code elsewhere is a note."""

    def check(file: Inspected) -> Iterable[Finding]:
        for one in file.explored.observations:
            if one.rule == rule:
                doubt = Severity.NOTE if one.doubtful else None
                yield Finding(offset=one.offset, message=one.message, severity=doubt)

    return check


def page_of(rule: str) -> str:
    return f"docs/rules/{rule}.md"
