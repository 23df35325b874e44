"""Prints the messages of build.py: single lines on stderr, because stdout belongs to the verb."""

import sys


class BuildError(Exception):
    """A problem that the user can solve. `hint` tells how."""

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def say(line: str) -> None:
    sys.stderr.write(f"build.py: {line}\n")
    sys.stderr.flush()
