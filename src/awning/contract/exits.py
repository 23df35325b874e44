"""Exit codes of the command line: a promise to scripts."""

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
