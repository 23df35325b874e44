"""Adds an environment variable to each flag of a verb, and the exit codes to the end of its `--help`.

The help of a group has the whole first sentence of each subcommand, which click would cut to one line.

The variable's name follows the command line: AWNING_BUILD_JSON for `awning build --json`, AWNING_ADD_WIDGET_SLOT for
`awning add widget --slot`. click would name it after the parameter of the Python function, which users cannot see.
"""

from collections.abc import Sequence

import click

HEADING = "Exit codes:"
WITHOUT_VARIABLE = frozenset({"--help", "--version"})
"""Flags without a variable. If the environment could set them, no verb would run."""


class InOrder(click.Group):
    """A group whose help lists the subcommands in the order in which they are used, not in that of the alphabet."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(self.commands)


def with_variables(command: click.Command, path: Sequence[str]) -> click.Command:
    """Add a variable to each flag of the command and of its subcommands. `path` has the words that call the command."""
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not WITHOUT_VARIABLE & set(parameter.opts):
            _add_variable(parameter, path)
    if isinstance(command, click.Group):
        for name, subcommand in command.commands.items():
            with_variables(subcommand, (*path, name))
    return command


def with_exit_codes(command: click.Command, path: Sequence[str]) -> click.Command:
    """Put the exit codes at the end of the help of the command, or of the subcommands of a group.

    They follow the command's own epilog. A second call changes nothing. A group gets them only if it can also run
    without a subcommand. `path` has the words that call the command.
    """
    from awning.contract.exits import MEANINGS, exits_of  # noqa: PLC0415 - not needed for `awning --help`

    if isinstance(command, click.Group):
        for name, subcommand in command.commands.items():
            with_exit_codes(subcommand, (*path, name))
    if not isinstance(command, click.Group) or command.invoke_without_command:
        lines = (f"  {code.value:<4} {MEANINGS[code]}" for code in exits_of(path))
        codes = "\n".join(("\b", HEADING, *lines))
        own = (command.epilog or "").removesuffix(codes).rstrip("\n")
        command.epilog = f"{own}\n\n{codes}" if own else codes
    return command


def with_whole_summaries(command: click.Command) -> click.Command:
    """Let the help of a group have the first sentence of each of its subcommands, as long as it is."""
    if isinstance(command, click.Group):
        for subcommand in command.commands.values():
            with_whole_summaries(subcommand)
            first = " ".join((subcommand.help or "").partition("\n\n")[0].split())
            sentence, stop, _ = f"{first} ".partition(". ")
            subcommand.short_help = subcommand.short_help or (f"{sentence}." if stop else first)
    return command


def _add_variable(option: click.Option, path: Sequence[str]) -> None:
    """Add the variable after the option's own variables, such as AWNING_PROFILE, which several verbs share."""
    flag = next((opt for opt in option.opts if opt.startswith("--")), option.name or "")
    name = "_".join(("AWNING", *path, flag.lstrip("-"))).replace("-", "_").upper()
    own = option.envvar
    names = [own] if isinstance(own, str) else [*(own or ())]
    if name not in names:
        option.envvar = [*names, name]
