"""Decides which variables a workspace's `.env` may set. It is apart because it knows the flags of every verb.

`.env` sets the variables that `awning.workspace.variables` allows, and flags whose value is a switch, a number or one
of a few words. A flag with another value could name a program, a file or an address.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

import click

from awning.cli.decorators import with_variables
from awning.cli.verbs import joined_verbs
from awning.diagnostics import did_you_mean
from awning.errors import ConfigurationError
from awning.workspace.variables import VARIABLES, known_variable

OURS = "AWNING_"
_FREE_TYPES = (click.types.StringParamType, click.types.UnprocessedParamType, click.Path, click.File)


def refusal(name: str) -> tuple[str, str] | None:
    """Return why `.env` may not set the variable, and what to do instead; None when it may."""
    variable = known_variable(name)
    instead = f"to use it, set it in the environment: export {name}=..."
    if variable is not None:
        return (
            (f"{variable.refused}, and a folder may come from somebody else", instead)
            if variable.refused
            else None
        )
    if not name.startswith(OURS):
        return (
            "it is not a variable of awning",
            "programs that need it must get it elsewhere; see docs/profiles.md",
        )
    option = next((option for option in _flags(name) if name in (option.envvar or ())), None)
    if option is None:
        close = did_you_mean(name, (known.name for known in VARIABLES))
        return ("awning has no such variable", close or "docs/reference/variables.md lists them")
    if option.is_flag or option.count or not isinstance(option.type, _FREE_TYPES):
        return None
    return ("it may name a program, a file or an address, and a folder may come from somebody else", instead)


def named_profile(arguments: Sequence[str], environ: Mapping[str, str]) -> str | None:
    """Return the profile that `--profile` or a variable such as AWNING_BUILD_PROFILE names; None without one."""
    options = list(takewhile(lambda argument: argument != "--", arguments))
    for index, option in enumerate(options):
        if option.startswith("--profile="):
            return option.partition("=")[2]
        if option == "--profile":
            return next(iter(options[index + 1 :]), None)
    words = list(takewhile(lambda option: not option.startswith("-"), options))
    names = (f"AWNING_{'_'.join(words[:length])}_PROFILE" for length in range(1, len(words) + 1))
    return next(filter(None, (environ.get(name.replace("-", "_").upper()) for name in names)), None)


def _flags(variable: str) -> Iterator[click.Option]:
    """Yield the flags of the verbs that the variable's name may begin with."""
    for verb in joined_verbs().values():
        if variable.startswith(f"{OURS}{verb.name.replace('-', '_').upper()}_"):
            try:
                command = verb.load()
            except ConfigurationError:  # a part of awning is not installed
                continue
            yield from _options(with_variables(command, (verb.name,)))


def _options(command: click.Command) -> Iterator[click.Option]:
    yield from (parameter for parameter in command.params if isinstance(parameter, click.Option))
    if isinstance(command, click.Group):
        for subcommand in command.commands.values():
            yield from _options(subcommand)
