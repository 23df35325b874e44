"""`awning`: finds the verb and runs it. An error becomes text on stderr or a JSON document, and an exit code."""

import gc
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from awning import __version__
from awning.cli.decorators import with_exit_codes, with_variables, with_whole_summaries
from awning.cli.termination import ended_by_sigterm
from awning.cli.verbs import BUILT_IN, LazyVerb, joined_verbs

if TYPE_CHECKING:
    from awning.contract import Exit
    from awning.errors import AwningError
    from awning.workspace.env_file import EnvFile


class Verbs(click.Group):
    """A click group that imports a verb only when it is typed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(joined_verbs())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        built_in = next((verb for verb in BUILT_IN if verb.name == cmd_name), None)
        verb: LazyVerb | None = built_in or joined_verbs().get(cmd_name)
        if verb is None:
            return None
        command = with_whole_summaries(verb.load())
        return with_exit_codes(with_variables(command, (cmd_name,)), (cmd_name,))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb. The error for a misspelt verb suggests the nearest one."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from awning.diagnostics import did_you_mean  # noqa: PLC0415 - not needed for --help

            close = did_you_mean(args[0], joined_verbs()) or ""
            raise click.UsageError(f"{error.message} {close[:1].upper()}{close[1:]}".rstrip(), ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        verbs = joined_verbs().values()
        width = max(len(verb.name) for verb in verbs)
        for heading, below in groupby(verbs, key=attrgetter("heading")):
            with formatter.section(heading):
                _write_rows(formatter, [(verb.name.ljust(width), verb.help) for verb in below])


def _write_rows(formatter: click.HelpFormatter, rows: Sequence[tuple[str, str]]) -> None:
    """Write rows as click does. Rows that fit are not wrapped, which takes a sixth of the time of `awning --help`."""
    indent = " " * formatter.current_indent
    lines = [f"{indent}{name}  {text}" for name, text in rows]
    if max(map(len, lines)) <= formatter.width:
        formatter.write("".join(f"{line}\n" for line in lines))
    else:
        formatter.write_dl(rows)


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="awning")
def awning() -> None:
    """Build, simulate, test and publish storefront widgets.

    \b
    awning new my-app && cd my-app   make a workspace with a first widget
    awning dev                       open a shop with your widget in it
    awning test                      run its tests in a real browser
    awning build                     write the snippets to dist/

    Every flag has an environment variable: AWNING_BUILD_JSON=1 means awning build --json. The file .env in the root of
    the workspace may set variables, except those that name a program.
    """


def _write_utf_8() -> None:
    """Write UTF-8 to files and pipes, whatever the locale, and never fail on a character.

    A byte that is not UTF-8, as in some paths, is written as an escape such as `\\udcff`. JSON has the same escape.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")


def _collect_rarely() -> None:
    """Let Python collect garbage less often.

    Most values of a build live until its end, so a collection frees little. With 1000 widgets, collections took an
    eighth of the processor time.
    """
    gc.set_threshold(50_000, 20, 50)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line. It ends the process with one of the codes in `awning.contract.Exit`."""
    _write_utf_8()
    _collect_rarely()
    line = sys.argv[1:] if arguments is None else arguments
    with ended_by_sigterm():
        if not _is_env_file_above():
            sys.exit(_run(line, ()))
        from awning.cli.env_variables import named_profile, refusal  # noqa: PLC0415 - most workspaces have no .env
        from awning.workspace.env_file import env_files_in_force  # noqa: PLC0415

        profile = named_profile(line, os.environ)
        with env_files_in_force(Path.cwd(), os.environ, profile, refusal) as env_files:
            sys.exit(_run(line, env_files))


def _run(arguments: list[str], env_files: "tuple[EnvFile, ...]") -> int:
    try:
        if env_files and not _works_without_variables(arguments):
            _report_env_files(env_files)
        code = _call_verb(arguments, env_files)
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except (click.exceptions.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return _exit().INTERRUPTED
    except _expected_errors() as error:
        from awning.cli.report import fail, is_json_asked_for  # noqa: PLC0415 - most runs do not fail

        return fail(error, as_json=is_json_asked_for(arguments, os.environ))
    return code if isinstance(code, int) else _exit().DONE


def _exit() -> "type[Exit]":
    from awning.contract import Exit  # noqa: PLC0415 - not needed for --help

    return Exit


def _expected_errors() -> "tuple[type[click.ClickException | AwningError | OSError], ...]":
    """Return the exceptions that become a message. Python asks for them when one was raised."""
    from awning.errors import AwningError  # noqa: PLC0415 - not needed for --help

    return (click.ClickException, AwningError, OSError)


def _report_env_files(env_files: "tuple[EnvFile, ...]") -> None:
    """Print a warning for each variable that `.env` cannot set. Raises Faulty for a file that cannot be used."""
    from awning.cli.report import say  # noqa: PLC0415 - most workspaces have no .env

    for file in env_files:
        for diagnostic in file.refused:
            say(diagnostic.render())
        if file.problem:
            raise file.problem


def _call_verb(arguments: list[str], env_files: "tuple[EnvFile, ...]") -> Any:
    """Call the verb that the arguments name. Raises KeyboardInterrupt after Ctrl-C.

    After Ctrl-C, asyncio's Runner cancels the coroutine and should raise KeyboardInterrupt. If Ctrl-C comes just before
    the first step of the coroutine, the Runner may raise CancelledError: it sets its count of interrupts to 0 after it
    has installed its signal handler.
    """
    try:
        return awning.main(args=arguments, prog_name="awning", standalone_mode=False, obj=env_files)
    except BaseException as error:
        asyncio = sys.modules.get("asyncio")  # most verbs do not need it, and importing it is slow
        if asyncio and isinstance(error, asyncio.CancelledError):
            raise KeyboardInterrupt from error
        raise


def _is_env_file_above() -> bool:
    """Return whether a `.env` may apply. This quick test saves most runs the slower exact one."""
    try:
        here = Path.cwd()
    except OSError:  # the folder was deleted
        return False
    return any(
        os.path.isfile(folder / "pyproject.toml") and any(folder.glob(".env*"))  # noqa: PTH113
        for folder in (here, *here.parents)
    )


def _works_without_variables(arguments: list[str]) -> bool:
    """Return whether the command line also works with an invalid `.env`.

    `doctor` reports the `.env`, and the help and the version need no variables.
    """
    return arguments[:1] == ["doctor"] or not {"-h", "--help", "--version"}.isdisjoint(arguments)
