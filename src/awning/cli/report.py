"""How the command line says what is wrong: on stderr; with `--json`, in a document. The same for every verb."""

import json
from collections import Counter

import click

from awning.contract import Exit
from awning.errors import AwningError, Faulty

Failure = AwningError | click.ClickException | OSError
"""What ends a verb: an error of ours, a command line that is not understood, a disk that does not do as it should."""


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


def fail(error: Failure, *, as_json: bool) -> int:
    """Tell what ended a verb, on stderr or as the document on stdout; returns the exit code, the same for both."""
    if as_json and not isinstance(error, BrokenPipeError):
        click.echo(json.dumps(failure_document(error), ensure_ascii=False))
    elif isinstance(error, click.ClickException):
        error.show()
    elif isinstance(error, AwningError):
        report(error)
    else:
        say(f"error: {_words(error)}")
    return Exit.FINDINGS if isinstance(error, OSError) else int(error.exit_code)


def failure_document(error: Failure) -> dict[str, object]:
    """What `--json` prints for an error. The one rule: with `--json` there is a document, whatever happens."""
    diagnostics = error.diagnostics if isinstance(error, Faulty) else ()
    return {
        "schema_version": 1,
        "ok": False,
        "error": None if diagnostics else _words(error),
        "hint": _hint(error),
        "diagnostics": [found.as_json() for found in diagnostics],
    }


def _words(error: Failure) -> str:
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, AwningError):
        return error.message
    return f"{error.filename}: {error.strerror}" if error.filename else str(error)


def _hint(error: Failure) -> str | None:
    if isinstance(error, click.UsageError) and error.ctx is not None:
        return f"{error.ctx.command_path} --help"
    return error.hint if isinstance(error, AwningError) else None


def counted(severities: Counter[str]) -> str:
    """`2 errors, 1 warning`."""
    order = ("error", "warning", "note")
    return ", ".join(f"{n} {name}{'' if n == 1 else 's'}" for name in order if (n := severities[name]))
