"""How the command line says that something is wrong: on stderr, the same for every verb."""

from collections import Counter

import click

from awning.errors import AwningError, Faulty


def say(text: str) -> None:
    """A line for people, which is never part of a verb's result."""
    click.echo(text, err=True)


def report(error: AwningError) -> None:
    """What went wrong, what to do, and how much of it there is."""
    if isinstance(error, Faulty):
        say(error.message)
        say(counted(Counter(str(found.severity) for found in error.diagnostics)))
    else:
        say(f"error: {error.message}")
    if error.hint:
        say(f"  hint: {error.hint}")


def counted(severities: Counter[str]) -> str:
    """`2 errors, 1 warning`."""
    order = ("error", "warning", "note")
    return ", ".join(f"{n} {name}{'' if n == 1 else 's'}" for name in order if (n := severities[name]))
