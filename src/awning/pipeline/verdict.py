"""Whether a workspace may be built: one verdict for `check`, `build` and `dev`."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from awning.diagnostics import Diagnostic, Severity, gravest_first
from awning.pipeline.repeated import without_repeated

UNREAD = (
    "mend the errors first: until then nothing is read but the files that describe the workspace, so scripts, styles, "
    "templates, types and sizes are not checked"
)
UNBUILT = (
    "mend the errors first: until then no snippet is built, so sizes are not checked, nor is all of a file with a "
    "syntax error"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The diagnostics of a workspace.

    With a `fatal` diagnostic, nothing can be built. The baseline can accept the `others`, and a caller can allow errors
    among them. `baseline` is the path of the baseline's file; None without a baseline.
    """

    fatal: tuple[Diagnostic, ...] = ()
    others: tuple[Diagnostic, ...] = ()
    baseline: Path | None = None
    unchecked: str | None = None
    """What was not looked at because of the fatal diagnostics, and why, as a hint; None when all was."""

    def counted(self) -> tuple[Diagnostic, ...]:
        """Return the diagnostics that the baseline does not accept: errors, warnings, notes, each sorted by place.

        Raises ConfigurationError when the baseline cannot be read.
        """
        from awning.check.files import sort_by_place  # noqa: PLC0415 - an unchanged build does without the rules

        if self.baseline is None:
            return tuple(gravest_first(sort_by_place((*self.fatal, *self.others))))
        from awning.check.baseline import read_baseline, without_known  # noqa: PLC0415 - most workspaces have none

        others = without_known(self.others, read_baseline(self.baseline))
        return tuple(gravest_first(sort_by_place((*self.fatal, *others))))


def fatal_verdict(
    fatal: Iterable[Diagnostic], others: Iterable[Diagnostic], baseline: Path | None, *, unchecked: str
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
        unchecked=unchecked if blocking else None,
    )


def with_further(verdict: Verdict, diagnostics: Iterable[Diagnostic]) -> Verdict:
    """Return the verdict with further diagnostics, none of which is fatal."""
    unique = without_repeated([*verdict.fatal, *verdict.others, *diagnostics])
    return replace(verdict, others=tuple(item for item in unique if item not in verdict.fatal))


def _rule_and_place(diagnostic: Diagnostic) -> tuple[str, object]:
    return diagnostic.rule, diagnostic.place
