"""The type of a rule, and the file that rules check. A file is parsed and run at most once for all rules."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from awning.check.running import Behaviour, behaviour_of
from awning.diagnostics import Diagnostic, Severity
from awning.script import SLOT_FUNCTIONS, ScriptFile
from awning.script.tree import Node

_ACTS = re.compile(
    rb"subscribeEvent|initContentHandler|innerHTML|outerHTML|insertAdjacentHTML|document\b|\beval\b|\bFunction\b"
    rb"|constructor|window\[|globalThis|setTimeout|setInterval|XMLHttpRequest|ajax|setContent|\blive\(|\.html\(|\.open\("
)
_CALLED = re.compile(rb"eval|Function|setTimeout|setInterval|write|open|return this")
_GLOBAL = re.compile(r"^(?:window|self|globalThis)\.")
LONGEST_CALLEE = 200
"""The maximum length of a callee in bytes. Calls with a longer callee are not checked by their name.

The limit saves time: in a chain of calls, each callee contains all the calls before it.
"""
_WIDGET = re.compile(
    rf"""\b(?:{"|".join(sorted(SLOT_FUNCTIONS))})\b[\s\S]*["'`][^"'`\n]*<[a-zA-Z!/]""".encode()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """Replaces the bytes of a file from `start` to `end`.

    A rule offers a fix only if the code then certainly does what its author meant.
    """

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A broken rule at a byte offset. `secret` must not be shown. `severity` and `hint` replace those of the rule."""

    offset: int
    message: str
    severity: Severity | None = None
    fix: Fix | None = None
    secret: str = ""
    hint: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call or a `new`. `name` is the text of the callee without `window.`, `self.` or `globalThis.` before it."""

    name: str
    arguments: Sequence[Node]
    node: Node


@dataclass(frozen=True, kw_only=True)
class Inspected:
    """The file that rules check. Values that several rules need are computed once."""

    source: ScriptFile

    @cached_property
    def calls(self) -> Sequence[Call]:
        """The calls in the file, except those with a long callee (`LONGEST_CALLEE`).

        Empty if the file has none of the words that rules look for.
        """
        if not _CALLED.search(self.source.code):
            return ()
        return tuple(self._calls())

    def _calls(self) -> Iterator[Call]:
        for node in self.source.tree.root.walk():
            if node.type not in {"call_expression", "new_expression"}:
                continue
            callee = node.fields.get("function") or node.fields.get("constructor")
            if callee is None or callee.end - callee.start > LONGEST_CALLEE:
                continue
            arguments = node.fields.get("arguments")
            name = _GLOBAL.sub("", callee.text.replace("?.", "."))
            yield Call(name=name, arguments=arguments.kids if arguments is not None else (), node=node)

    @cached_property
    def behaviour(self) -> Behaviour:
        """What the scripts do when they run.

        They are not run if no script is in the page's head and the code has nothing that a rule looks for.
        """
        code = self.source.code
        interesting = (
            _ACTS.search(code) or _WIDGET.search(code) or self.source.dialect.global_object.encode() in code
        )
        if not interesting and not any(program.early for program in self.source.programs):
            return Behaviour([], {})
        return behaviour_of(self.source)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule over one file. `title` is one sentence, `documentation` the path of its page."""

    id: str
    title: str
    severity: Severity
    documentation: str
    hint: str
    check: Callable[[Inspected], Iterable[Finding]]

    def diagnostics(self, file: Inspected) -> list[tuple[Diagnostic, Finding]]:
        return [(self._diagnostic(file.source, finding), finding) for finding in self.check(file)]

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


def observed(rule: str) -> Callable[[Inspected], Iterable[Finding]]:
    """Return the check of a rule whose findings are observations of the running scripts.

    A doubtful observation becomes a note.
    """

    def check(file: Inspected) -> Iterable[Finding]:
        for observation in file.behaviour.observations:
            if observation.rule == rule:
                severity = Severity.NOTE if observation.doubtful else None
                yield Finding(offset=observation.offset, message=observation.message, severity=severity)

    return check


def page_of(rule: str) -> str:
    return f"docs/rules/{rule}.md"
