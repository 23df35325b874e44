"""Prints messages for people on stderr, and reports errors: as text on stderr or, with `--json`, as a document."""

import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, pairwise, takewhile
from pathlib import Path
from typing import Any

import click

from awning.client.access import is_on
from awning.client.secret import escaped
from awning.contract import Exit
from awning.diagnostics import did_you_mean, printable_lines
from awning.errors import AwningError, ConfigurationError, Faulty
from awning.json_document import json_document

Command = Callable[..., Any]
Failure = AwningError | click.ClickException | OSError
"""The errors that end a verb: an error of awning, a wrong command line, an error of the operating system."""

LISTED = 20
"""The most names that are listed before the user is asked for confirmation."""


json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
"""The option `--json` of a verb that prints one document, as `as_json`."""


def profile_option(use: str = "to use") -> Callable[[Command], Command]:
    """Return the option `--profile`. `use` ends the sentence about the profile."""
    return click.option("--profile", envvar="AWNING_PROFILE", help=f"The profile in pyproject.toml {use}.")


def dist_option(about: str = "The build. Default: dist/ of the workspace.") -> Callable[[Command], Command]:
    """Return the option `--dist`, which names the folder of a build."""
    return click.option("--dist", type=click.Path(file_okay=False, path_type=Path), help=about)


def print_result(
    as_json: bool, lines: str | Iterable[str], /, *, indent: int | None = None, **document: Any
) -> None:
    """Print the result of a verb: with `--json` the document, else the lines."""
    if as_json:
        lines = json_document(document, indent=indent)
    for line in (lines,) if isinstance(lines, str) else lines:
        click.echo(line)


def plural(count: int, noun: str) -> str:
    """Return a number of things in words: `1 cell`, `2,000 cells`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def say(text: str) -> None:
    """Print a message for people, on stderr. It is never part of a verb's result.

    Control characters, which names of files may contain, are escaped.
    """
    click.echo(printable_lines(text), err=True)


def is_confirmed(question: str, *, yes: bool, names: Sequence[str] = ()) -> bool:
    """Ask the user to confirm, and return the answer. The first of `names` are listed before.

    With `yes`, the answer is True. Raises ConfigurationError when there is neither `yes` nor a terminal.
    """
    if yes:
        return True
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise ConfigurationError(
            "confirmation needs a terminal; nothing was changed", hint="add --yes to confirm"
        )
    for name in names[:LISTED]:
        say(f"  {name}")
    if len(names) > LISTED:
        say(f"  and {len(names) - LISTED} more")
    if click.confirm(question, err=True):
        return True
    say("nothing was changed")
    return False


def report(error: AwningError) -> None:
    """Print the error, how many diagnostics it has, and its hint."""
    if isinstance(error, Faulty):
        say(error.message)
        say(counted(Counter(str(diagnostic.severity) for diagnostic in error.diagnostics)))
    else:
        say(f"error: {error.message}")
    if error.hint:
        say(f"  hint: {error.hint}")


def fail(error: Failure, *, as_json: bool) -> int:
    """Report the error that ended a verb: as text on stderr, or as a document on stdout. Returns the exit code."""
    if isinstance(error, click.NoSuchOption):
        error = _with_similar_options(error)
    if as_json and not isinstance(error, BrokenPipeError):
        click.echo(json_document(failure_document(error)))
    elif isinstance(error, click.ClickException):
        error.show()
    elif isinstance(error, AwningError):
        report(error)
    else:
        say(f"error: {_error_message(error)}")
    return Exit.FINDINGS if isinstance(error, OSError) else int(error.exit_code)


def _with_similar_options(error: click.NoSuchOption) -> click.NoSuchOption:
    """Return the error with those of its suggestions that are similar without their dashes.

    click compares the dashes too, so that it finds `--out` similar to `--bogus`.
    """
    name = error.option_name.lstrip("-")
    similar = [option for option in error.possibilities or () if did_you_mean(name, [option.lstrip("-")])]
    return click.NoSuchOption(error.option_name, error.message, similar, error.ctx)


def failure_document(error: Failure) -> dict[str, object]:
    """Return the fields of the document that `--json` prints for an error."""
    diagnostics = error.diagnostics if isinstance(error, Faulty) else ()
    return {
        "ok": False,
        "error": None if diagnostics else _error_message(error),
        "hint": _hint(error),
        "diagnostics": [diagnostic.as_json() for diagnostic in diagnostics],
    }


def _error_message(error: Failure) -> str:
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
    """Return the numbers of diagnostics by severity as text: `2 errors, 1 warning`."""
    order = ("error", "warning", "note")
    return ", ".join(plural(severities[name], name) for name in order if severities[name])


def is_json_asked_for(arguments: Sequence[str], environ: Mapping[str, str]) -> bool:
    """Return whether a command line asks for JSON.

    It does so with `--json`, `--format json` or a variable such as AWNING_BUILD_JSON. The function does not parse the
    options, so it also works for an invalid command line, such as one without a verb.
    """
    options = list(takewhile(lambda argument: argument != "--", arguments))
    if "--json" in options or "--format=json" in options or ("--format", "json") in pairwise(options):
        return True
    words = takewhile(lambda option: not option.startswith("-"), options)
    paths = accumulate(words, lambda path, word: f"{path}_{word}")
    names = (f"AWNING_{path}_JSON".replace("-", "_").upper() for path in paths)
    return any(is_on(name, environ) for name in names)


def awning_command() -> str:
    """Return the command as hints show it.

    The command is `awning`. If it is not on PATH, but is beside the Python interpreter, its path is returned.
    """
    own = Path(sys.executable).with_name("awning")
    if shutil.which("awning") or not own.exists():
        return "awning"
    return str(own)


LONGEST_LINE = 200
"""The most characters of a line of a diff that are shown."""


def cut_line(text: str) -> str:
    """Return a line with control and invisible characters escaped, cut to LONGEST_LINE characters."""
    line = escaped(text)
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}\N{HORIZONTAL ELLIPSIS}"
