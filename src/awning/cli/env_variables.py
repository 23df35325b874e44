"""Decides which variables a workspace's `.env` may set. It is apart because it knows the flags of every verb.

`.env` sets the variables that `awning.workspace.variables` allows, and the flags in HARMLESS. Any other flag is
refused: it could name a program, a file or an address, agree to something in the user's place, hide a fault, or change
files, stores or websites. A flag that is new is refused until it is added here.
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
HARMLESS = frozenset(
    {
        *("--json", "--csv", "--format", "--progress", "--verbose"),
        *("--port", "--workers", "--timeout"),
        *("--days", "--near", "--soon"),
        *("--open", "--pseudo", "--slot", "--bare", "--no-minify"),
    }
)
"""The flags that only choose the form of an output, a port, a period, or how an author's own pages look. An option
with `is_harmless` says it itself."""
DECIDES = frozenset({"trust"})
"""The verbs that record a decision of the user's. `.env` sets none of their flags."""
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
            "set it in the environment of the program that needs it: `awning explain env-file`",
        )
    verb, option = next((flag for flag in _flags(name) if name in (flag[1].envvar or ())), (None, None))
    if option is None:
        close = did_you_mean(name, (known.name for known in VARIABLES))
        return ("awning has no such variable", close or "`awning doctor` lists them")
    if isinstance(option.type, _FREE_TYPES):
        return (
            "it may name a program, a file or an address, and a folder may come from somebody else",
            instead,
        )
    harmless = getattr(option, "is_harmless", False) or bool(HARMLESS & set(option.opts))
    if verb in DECIDES or not harmless:
        return ("it may decide something in your place, and a folder may come from somebody else", instead)
    return None


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


def _flags(variable: str) -> Iterator[tuple[str, click.Option]]:
    """Yield the flags of the verbs that the variable's name may begin with, each with the verb."""
    for verb in joined_verbs().values():
        if variable.startswith(f"{OURS}{verb.name.replace('-', '_').upper()}_"):
            try:
                command = verb.load()
            except ConfigurationError:  # a part of awning is not installed
                continue
            yield from ((verb.name, option) for option in _options(with_variables(command, (verb.name,))))


def _options(command: click.Command) -> Iterator[click.Option]:
    yield from (parameter for parameter in command.params if isinstance(parameter, click.Option))
    if isinstance(command, click.Group):
        for subcommand in command.commands.values():
            yield from _options(subcommand)
