"""Exit codes of the command line. Shell scripts and CI rely on them. The `--help` of a verb lists its codes."""

from collections.abc import Mapping, Sequence
from enum import IntEnum


class Exit(IntEnum):
    """The exit codes. Each code has the same meaning for every verb."""

    DONE = 0
    FINDINGS = 1
    """The verb reports findings or failures."""
    USAGE = 2
    """Wrong usage or configuration, or a question that cannot be asked without a terminal."""
    CHANGES = 3
    """The plan has changes (only with --detailed-exitcode)."""
    DRIFT = 4
    PARTLY = 5
    """Partly done. Another run of the verb resumes the work."""
    REFUSED = 6
    """The service refused the request."""
    INTERRUPTED = 130


MEANINGS: Mapping[Exit, str] = {
    Exit.DONE: "done",
    Exit.FINDINGS: "findings or failures",
    Exit.USAGE: "usage, configuration, or a missing answer without a terminal",
    Exit.CHANGES: "the plan has changes (only with --detailed-exitcode)",
    Exit.DRIFT: "the service has other snippets than those that were published",
    Exit.PARTLY: "partly done; run the verb again to resume",
    Exit.REFUSED: "refused by the service",
    Exit.INTERRUPTED: "interrupted",
}
COMMON: frozenset[Exit] = frozenset({Exit.DONE, Exit.FINDINGS, Exit.USAGE, Exit.INTERRUPTED})
"""The exit codes of every verb."""
ADDITIONAL: Mapping[str, frozenset[Exit]] = {
    "data": frozenset({Exit.REFUSED}),
    "data check": frozenset({Exit.PARTLY}),
    "data restore": frozenset({Exit.PARTLY}),
    "data set": frozenset({Exit.PARTLY}),
    "instances refresh": frozenset({Exit.PARTLY, Exit.REFUSED}),
    "instances show": frozenset({Exit.PARTLY, Exit.REFUSED}),
    "manifest submit": frozenset({Exit.REFUSED}),
    "probe": frozenset({Exit.PARTLY, Exit.REFUSED}),
    "publish apply": frozenset({Exit.PARTLY, Exit.REFUSED}),
    "publish disable": frozenset({Exit.PARTLY, Exit.REFUSED}),
    "publish enable": frozenset({Exit.PARTLY, Exit.REFUSED}),
    "publish drift": frozenset({Exit.DRIFT, Exit.PARTLY, Exit.REFUSED}),
    "publish plan": frozenset({Exit.CHANGES, Exit.PARTLY, Exit.REFUSED}),
    "publish resume": frozenset({Exit.PARTLY, Exit.REFUSED}),
    "publish rollback": frozenset({Exit.PARTLY, Exit.REFUSED}),
    "publish verify": frozenset({Exit.DRIFT, Exit.PARTLY, Exit.REFUSED}),
    "reseller": frozenset({Exit.PARTLY, Exit.REFUSED}),
}
"""Further exit codes, by verb. The codes of a group apply to all its verbs."""


ONLY_COMMON: frozenset[str] = frozenset({"publish drift acknowledge", "reseller log"})
"""Verbs that do not call the service, so the codes of their group do not apply to them."""


def exits_of(path: Sequence[str]) -> tuple[Exit, ...]:
    """Return the exit codes, in order, of the verb that is called with the words of `path`."""
    if " ".join(path) in ONLY_COMMON:
        return tuple(sorted(COMMON))
    names = (" ".join(path[:length]) for length in range(1, len(path) + 1))
    return tuple(sorted(COMMON.union(*(ADDITIONAL.get(name, frozenset()) for name in names))))
