"""`AWNING_*` for every flag: which environment variable stands in for which flag, decided in one place.

The variable is spelled as the command line is: `awning build --json` is AWNING_BUILD_JSON, `awning add widget --slot`
AWNING_ADD_WIDGET_SLOT. click's own automatic names are those of Python parameters, which nobody can see.
"""

from collections.abc import Sequence

import click

NEVER = frozenset({"--help", "--version"})
"""They replace what was asked for: set in the environment, no verb would run any more."""


def with_variables(command: click.Command, path: Sequence[str]) -> click.Command:
    """The command, each flag of it and of the commands below with its variable. `path` is how it is called."""
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not NEVER & set(parameter.opts):
            _add(parameter, variable(path, parameter))
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            with_variables(below, (*path, name))
    return command


def variable(path: Sequence[str], option: click.Option) -> str:
    """The variable of a flag of the command `path`, by the flag's long spelling."""
    flag = next((opt for opt in option.opts if opt.startswith("--")), option.name or "")
    return "_".join(("AWNING", *path, flag.lstrip("-"))).replace("-", "_").upper()


def _add(option: click.Option, name: str) -> None:
    """Beside those it names itself, which come first: AWNING_PROFILE is for all verbs."""
    given = option.envvar
    named = [given] if isinstance(given, str) else [*(given or ())]
    if name not in named:
        option.envvar = [*named, name]
