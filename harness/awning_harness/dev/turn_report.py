"""Prints the result of each turn in the terminal. A turn is one build or one patch.

A problem that stays is printed once, not with each turn. A provisional turn prints no problems, and nothing at all if
it has an error: the build that follows reports them.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from awning.cli.report import failure_document
from awning.diagnostics import Severity
from awning.errors import Faulty
from awning.pipeline.live import Rebuilt

_TYPE_ERROR = "type-error"


@dataclass(slots=True)
class TurnReport:
    """The report of all turns of one workspace. `say` prints a text."""

    say: Callable[[str], None]
    _printed: frozenset[str] = frozenset()
    """The problems of the last turn that was not provisional, as printed, and those in `_types`."""
    _types: frozenset[str] = frozenset()
    """The type errors of the last check of types, as printed. A build leaves out those that may be mended."""
    _unreported: frozenset[str] = frozenset()
    """The files that changed since the last turn that was not provisional."""
    _has_built: bool = False
    """Whether pages show a build: one of this run, or the saved build."""

    def print(self, turn: Rebuilt) -> None:
        """Print the new problems, and one line about the turn that names the changed file or the number of files."""
        self._unreported |= frozenset(turn.changed)
        # The build that follows a provisional build has no changed files of its own.
        changed = frozenset(turn.changed) if turn.is_provisional else self._unreported
        self._has_built |= turn.built is not None
        duration = f"{turn.seconds * 1000:.0f} ms{_cause(changed)}"
        if turn.is_provisional:
            # The build that follows reports the problems, each once.
            if turn.error is None:
                is_saved = turn.built is not None and not turn.built.fresh
                done = f"{'built' if turn.built else 'shown'} in {duration}"
                self.say("the build of the last run is shown" if is_saved else done)
            return
        self._unreported = frozenset()
        problems = _problems(turn)
        for problem in problems:
            if problem not in self._printed:
                self.say(problem)
        repeated = sum(problem in self._printed for problem in problems)
        before = f"; {repeated} {'problem' if repeated == 1 else 'problems'} as before" if repeated else ""
        self._types = _types(turn) if turn.is_check else self._types | _types(turn)
        self._printed = frozenset(problems) | self._types
        if turn.is_check:
            self.say(f"types checked in {duration}{', with errors' if turn.error else ''}{before}")
        elif turn.built is None:
            pages = "pages keep the last good build" if self._has_built else "pages have no widgets yet"
            self.say(f"not built, after {duration}; {pages}{before}")
        else:
            errors = ", with errors" if turn.error else ""
            self.say(f"built in {duration}{errors}{before}")


def turn_document(turn: Rebuilt) -> dict[str, Any] | None:
    """Return the fields of the line of `awning dev --json` about a turn; None about a provisional one."""
    if turn.is_provisional:
        return None
    about = {"changed": list(turn.changed), "seconds": round(turn.seconds, 3)}
    if turn.error is not None:
        return {**about, **failure_document(turn.error)}
    diagnostics = turn.built.diagnostics if turn.built else ()
    return {**about, "ok": True, "diagnostics": [diagnostic.as_json() for diagnostic in diagnostics]}


def _cause(changed: Collection[str]) -> str:
    """Return the changed file, or the number of changed files, in parentheses; empty if none has changed."""
    if not changed:
        return ""
    return f" ({len(changed)} files)" if len(changed) > 1 else f" ({next(iter(changed))})"


def _problems(turn: Rebuilt) -> tuple[str, ...]:
    """Return the text of each problem, in order, each once."""
    if isinstance(turn.error, Faulty):
        texts = [diagnostic.render() for diagnostic in turn.error.diagnostics]
        return tuple(dict.fromkeys([*texts, *([f"  hint: {turn.error.hint}"] if turn.error.hint else [])]))
    if turn.error is not None:
        hint = f"\n  hint: {turn.error.hint}" if turn.error.hint else ""
        return (f"error: {turn.error.message}{hint}",)
    diagnostics = turn.built.diagnostics if turn.built else ()
    return tuple(dict.fromkeys(d.render() for d in diagnostics if d.severity is not Severity.NOTE))


def _types(turn: Rebuilt) -> frozenset[str]:
    diagnostics = turn.error.diagnostics if isinstance(turn.error, Faulty) else ()
    return frozenset(diagnostic.render() for diagnostic in diagnostics if diagnostic.rule == _TYPE_ERROR)
