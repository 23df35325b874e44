"""How build.py speaks: one line at a time, to stderr, since stdout belongs to the verb."""

import sys


class BuildError(Exception):
    """Something the user can do something about: `hint` says what."""

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def say(line: str) -> None:
    sys.stderr.write(f"build.py: {line}\n")
    sys.stderr.flush()
