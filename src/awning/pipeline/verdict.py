"""Whether a workspace may be built: one verdict for `check`, `build` and `dev`."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from awning.diagnostics import Diagnostic, Severity

_MISUSE = "placeholder-misuse"
_MORE_EXACT = ("template-placeholder", "placeholder-literal")
"""Rules that report a misused placeholder more exactly than the rule `_MISUSE`."""


_TYPES = "type-error"
_CLEARER = frozenset(
    {
        "data-key",
        "missing-export",
        "missing-import",
        "script-error",
        "style-import",
        "template-variables",
        "unresolved-import",
    }
)
"""Rules whose message is clearer than TypeScript's at the same place. There they are errors, as TypeScript's are."""
_LESS_CLEAR = "payload-field"
"""A rule whose warning is less than TypeScript's error at the same place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The diagnostics of a workspace.

    With a `fatal` diagnostic, nothing can be built. The baseline can accept the `others`, and a caller can allow errors
    among them. `baseline` is the path of the baseline's file; None without a baseline.
    """

    fatal: tuple[Diagnostic, ...] = ()
    others: tuple[Diagnostic, ...] = ()
    baseline: Path | None = None

    def counted(self) -> tuple[Diagnostic, ...]:
        """Return the diagnostics that the baseline does not accept, sorted by place.

        Raises ConfigurationError when the baseline cannot be read.
        """
        from awning.check.files import sort_by_place  # noqa: PLC0415 - an unchanged build does without the rules

        if self.baseline is None:
            return sort_by_place((*self.fatal, *self.others))
        from awning.check.baseline import read_baseline, without_known  # noqa: PLC0415 - most workspaces have none

        return sort_by_place((*self.fatal, *without_known(self.others, read_baseline(self.baseline))))


def fatal_verdict(
    fatal: Iterable[Diagnostic], others: Iterable[Diagnostic], baseline: Path | None
) -> Verdict:
    """Return the verdict on a workspace that cannot be built.

    A warning in `fatal` becomes one of the verdict's `others`. If a diagnostic in `others` has the same rule and place
    as an error in `fatal`, it replaces the error, and becomes fatal.
    """
    fatal, others = tuple(fatal), tuple(others)
    blocking = {_rule_and_place(diagnostic) for diagnostic in fatal if diagnostic.severity is Severity.ERROR}
    ours = {_rule_and_place(diagnostic) for diagnostic in others}
    diagnostics = without_repeated(
        [*(diagnostic for diagnostic in fatal if _rule_and_place(diagnostic) not in ours), *others]
    )
    return Verdict(
        fatal=tuple(diagnostic for diagnostic in diagnostics if _rule_and_place(diagnostic) in blocking),
        others=tuple(diagnostic for diagnostic in diagnostics if _rule_and_place(diagnostic) not in blocking),
        baseline=baseline,
    )


def with_further(verdict: Verdict, diagnostics: Iterable[Diagnostic]) -> Verdict:
    """Return the verdict with further diagnostics, none of which is fatal."""
    return replace(verdict, others=tuple(without_repeated([*verdict.others, *diagnostics])))


def _rule_and_place(diagnostic: Diagnostic) -> tuple[str, object]:
    return diagnostic.rule, diagnostic.place


def without_repeated(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics so that each problem is reported once, by the most exact rule.

    For a script with a syntax error, this rule is `script-error` of the bundler, not `script-syntax` of the check.
    """
    unique = list(dict.fromkeys(diagnostics))
    unread = _paths_with(unique, ("script-error",))
    refused = _paths_with(unique, _MORE_EXACT)
    clearer = {diagnostic.place for diagnostic in unique if diagnostic.rule in _CLEARER}
    typed = {diagnostic.place for diagnostic in unique if diagnostic.rule == _TYPES}
    misspelt = tuple(f"Property '{name}' is missing" for name in _misspelt_variables(unique))
    return [
        replace(diagnostic, severity=Severity.ERROR)
        if diagnostic.rule in _CLEARER and diagnostic.place in typed
        else diagnostic
        for diagnostic in unique
        if not (diagnostic.rule == "script-syntax" and diagnostic.place and diagnostic.place.path in unread)
        and not (diagnostic.rule == _MISUSE and diagnostic.place and diagnostic.place.path in refused)
        and not (
            diagnostic.rule == _TYPES
            and (diagnostic.place in clearer or diagnostic.message.startswith(misspelt))
        )
        and not (diagnostic.rule == _LESS_CLEAR and diagnostic.place in typed)
    ]


def _misspelt_variables(diagnostics: Iterable[Diagnostic]) -> set[str]:
    """Return the variables that are reported in a template, because it misspells what each call passes."""
    return {
        diagnostic.message.split('"')[1]
        for diagnostic in diagnostics
        if diagnostic.rule == "template-variables"
        and diagnostic.place
        and diagnostic.place.path.endswith(".j2")
    }


def _paths_with(diagnostics: Iterable[Diagnostic], rules: tuple[str, ...]) -> set[str]:
    """Return the paths of the files for which one of the rules has a diagnostic."""
    return {
        diagnostic.place.path for diagnostic in diagnostics if diagnostic.rule in rules and diagnostic.place
    }
