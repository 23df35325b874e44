"""Exit codes of the command line: a promise to scripts. Each verb's `--help` shows those that it can end with."""

from collections.abc import Mapping, Sequence
from enum import IntEnum


class Exit(IntEnum):
    """What a verb's exit code means, the same for every verb."""

    DONE = 0
    FINDINGS = 1
    """Findings or failures."""
    USAGE = 2
    """Usage, configuration, or a missing answer without a terminal."""
    CHANGES = 3
    """The plan has changes (only with --detailed-exitcode)."""
    DRIFT = 4
    PARTLY = 5
    """Partly done; running it again resumes."""
    REFUSED = 6
    """Refused by the service."""
    INTERRUPTED = 130


MEANINGS: Mapping[Exit, str] = {
    Exit.DONE: "done",
    Exit.FINDINGS: "findings or failures",
    Exit.USAGE: "usage, configuration, or a missing answer without a terminal",
    Exit.CHANGES: "the plan has changes (only with --detailed-exitcode)",
    Exit.DRIFT: "what the service has differs from what was published",
    Exit.PARTLY: "partly done; running it again resumes",
    Exit.REFUSED: "refused by the service",
    Exit.INTERRUPTED: "interrupted",
}
EVERY: frozenset[Exit] = frozenset({Exit.DONE, Exit.FINDINGS, Exit.USAGE, Exit.INTERRUPTED})
"""What any verb can end with."""
MORE: Mapping[str, frozenset[Exit]] = {
    "data": frozenset({Exit.REFUSED}),
    "data check": frozenset({Exit.PARTLY}),
    "manifest submit": frozenset({Exit.REFUSED}),
    "publish apply": frozenset({Exit.PARTLY, Exit.REFUSED}),
    "reseller": frozenset({Exit.REFUSED}),
}
"""What some can end with besides, by how they are called; a name speaks for all below it."""


def exits_of(path: Sequence[str]) -> tuple[Exit, ...]:
    """The codes of the verb that is called by the words of `path`, in order."""
    names = (" ".join(path[:length]) for length in range(1, len(path) + 1))
    return tuple(sorted(EVERY.union(*(MORE.get(name, frozenset()) for name in names))))
