"""The type of a rule over scripts, and the file that rules check. A file is parsed and run once for all rules."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from awning.check.running.behaviour import Behaviour, behaviour_of
from awning.contract import Dialect
from awning.diagnostics import OF_RULE, Diagnostic, Severity
from awning.script.file import ScriptFile
from awning.script.tree import Node

_GLOBAL = re.compile(r"^(?:window|self|globalThis)\.")
LONGEST_CALLEE = 200
"""The maximum length of a callee in bytes. Calls with a longer callee are not checked by their name.

The limit saves time: in a chain of calls, each callee contains all the calls before it.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """Replaces the bytes of a file from `start` to `end`.

    A rule offers a fix only if the code then certainly does what its author meant, or, of a call that is moved, if both
    versions were run and show the same page.
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
    """The file that rules check. Values that several rules need are computed once.

    The scripts are run only if the code names the service's global object or matches one of `acts` or, in the head, of
    `acts_in_head`.
    """

    source: ScriptFile
    acts: Sequence[re.Pattern[bytes]] = ()
    acts_in_head: Sequence[re.Pattern[bytes]] = ()

    def calls(self, *words: str) -> Iterable[Call]:
        """Return the calls in the file; none if the code has none of the words.

        Calls with a long callee are left out (`LONGEST_CALLEE`).
        """
        code = self.source.code
        return self._all_calls if any(word.encode() in code for word in words) else ()

    @cached_property
    def _all_calls(self) -> Sequence[Call]:
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
        """What the scripts do when they run."""
        return behaviour_of(self.source) if self.may_act else Behaviour([], {})

    @property
    def may_act(self) -> bool:
        """Whether a running script of the file may break a rule. Whether it does is not asked."""
        code = self.source.code
        if self.source.dialect.global_object.encode() in code or any(p.search(code) for p in self.acts):
            return True
        is_in_head = any(program.early for program in self.source.programs)
        return is_in_head and any(pattern.search(code) for pattern in self.acts_in_head)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptRule:
    """A rule over one file with scripts. What it means is in `awning.rules`."""

    id: str
    hint: str
    check: Callable[[Inspected], Iterable[Finding]] | None = None
    """None: what the running scripts show (`observed`)."""
    acts: re.Pattern[bytes] | None = None
    """What code may contain that breaks the rule when it runs. Other code is not run for this rule."""
    acts_in_head: re.Pattern[bytes] | None = None
    """The same for scripts in the head."""
    templates: Callable[[Dialect], str] | None = None
    """A text of a template that breaks the rule outside of scripts. None: scripts only."""

    def may_be_broken(self, file: ScriptFile) -> bool:
        """Return whether the rule has something to check: a template without scripts seldom has."""
        if not file.path.endswith(".j2") or "script" in file.text:
            return True
        return self.templates is not None and self.templates(file.dialect) in file.text

    def diagnostics(self, file: Inspected) -> list[tuple[Diagnostic, Finding]]:
        check = self.check or observed(self.id)
        return [(self._diagnostic(file.source, finding), finding) for finding in check(file)]

    def _diagnostic(self, source: ScriptFile, finding: Finding) -> Diagnostic:
        place = source.place(finding.offset)
        line = source.line(place.line)
        return Diagnostic(
            rule=self.id,
            message=finding.message,
            place=place,
            hint=finding.hint or self.hint,
            severity=finding.severity or OF_RULE,
            excerpt=line,
        )


def observed(rule: str) -> Callable[[Inspected], Iterable[Finding]]:
    """Return the check of a rule whose findings are observations of the running scripts.

    A doubtful observation is a warning.
    """

    def check(file: Inspected) -> Iterable[Finding]:
        for observation in file.behaviour.observations:
            if observation.rule == rule:
                severity = Severity.WARNING if observation.doubtful else None
                yield Finding(offset=observation.offset, message=observation.message, severity=severity)

    return check
