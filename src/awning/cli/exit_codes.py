"""The exit codes at the end of each verb's `--help`, from the one table in `contract/exits.py`."""

from collections.abc import Sequence

import click

from awning.contract.exits import MEANINGS, exits_of

HEADING = "Exit codes:"


def with_exit_codes(command: click.Command, path: Sequence[str]) -> click.Command:
    """The command, and those below it, each with its codes. `path` is how it is called."""
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            with_exit_codes(below, (*path, name))
    if not isinstance(command, click.Group) or command.invoke_without_command:
        command.epilog = epilog(path)
    return command


def epilog(path: Sequence[str]) -> str:
    """Lines that click leaves as they are."""
    lines = (f"  {code.value:<4} {MEANINGS[code]}" for code in exits_of(path))
    return "\n".join(("\b", HEADING, *lines))
