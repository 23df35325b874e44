"""How the command line says what is wrong: on stderr; with `--json`, in a document. The same for every verb."""

import json
from collections import Counter
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import click

from awning.errors import AwningError, Faulty

P = ParamSpec("P")


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


def failure_document(error: AwningError) -> dict[str, object]:
    """What `--json` prints for an error. The one rule: with `--json` there is a document, whatever happens."""
    diagnostics = error.diagnostics if isinstance(error, Faulty) else ()
    return {
        "schema_version": 1,
        "ok": False,
        "error": None if diagnostics else error.message,
        "hint": error.hint,
        "diagnostics": [found.as_json() for found in diagnostics],
    }


def told_as_json(verb: Callable[P, int | None]) -> Callable[P, int | None]:
    """A verb with `--json` (`as_json`), whose errors become that document. The exit code stays."""

    @wraps(verb)
    def telling(*args: P.args, **kwargs: P.kwargs) -> int | None:
        try:
            return verb(*args, **kwargs)
        except AwningError as error:
            if not kwargs.get("as_json"):
                raise
            click.echo(json.dumps(failure_document(error), ensure_ascii=False))
            return int(error.exit_code)

    return telling


def counted(severities: Counter[str]) -> str:
    """`2 errors, 1 warning`."""
    order = ("error", "warning", "note")
    return ", ".join(f"{n} {name}{'' if n == 1 else 's'}" for name in order if (n := severities[name]))
