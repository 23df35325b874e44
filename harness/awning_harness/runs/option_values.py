"""The values of pytest's options that `awning test` documents, checked before anything is built, and `--shard 1/4`.

For a wrong value, pytest itself prints its usage, the inifile and the root folder, which say little about the mistake.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from awning.errors import ConfigurationError

CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "--tracing": ("on", "off", "retain-on-failure"),
        "--video": ("on", "off", "retain-on-failure"),
        "--screenshot": ("on", "off", "only-on-failure"),
        "--matrix": ("pairs", "full"),
        "--pictures": ("first", "all", "none"),
        "--isolation": ("origin", "context"),
    }
)
"""The allowed values of each option that has a fixed list of values."""
NUMBERS = ("--explore", "--seed")
"""The options whose value is an integer."""


def option_values(pytest_args: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each long option with its value, as in `--browser=firefox` and `--browser firefox`.

    An option without a value is yielded with the next argument.
    """
    for argument, after in pairwise((*pytest_args, "")):
        option, equals, value = argument.partition("=")
        if option.startswith("--"):
            yield option, value if equals else after


def check_values(pytest_args: Sequence[str]) -> None:
    """Raise ConfigurationError for an option of `CHOICES` or `NUMBERS` that has no value, or a wrong one."""
    for option, value in option_values(pytest_args):
        if option in CHOICES and value not in CHOICES[option]:
            *first, last = (f"{option}={choice}" for choice in CHOICES[option])
            raise _value_error(option, value, f"{', '.join(first)} or {last}")
        if option in NUMBERS and not value.removeprefix("-").isdecimal():
            raise _value_error(option, value, f"a number: {option}=100")


def _value_error(option: str, value: str, hint: str) -> ConfigurationError:
    is_missing = not value or value.startswith("-")
    message = f"{option} needs a value" if is_missing else f'"{value}" is not a value of {option}'
    return ConfigurationError(message, hint=hint)


SHARD = re.compile(r"(\d{1,6})/(\d{1,6})")


def shard_arguments(shard: str | None) -> tuple[str, ...]:
    """Return pytest-split's options for a shard such as `1/4`; an empty tuple if `shard` is None.

    pytest-split divides the tests by their durations, which `awning test --store-durations` stores in
    `.test_durations`. Without that file, each part has the same number of tests.

    Raises ConfigurationError for anything else, and for a shard that does not exist.
    """
    if shard is None:
        return ()
    match = SHARD.fullmatch(shard.strip())
    if match is None:
        raise ConfigurationError(f"--shard {shard} is no shard", hint="write 1/4 for the first of four")
    number, count = int(match[1]), int(match[2])
    if not 1 <= number <= count:
        hint = (
            f"the first is 1/{count}, the last {count}/{count}" if count else "the only shard of one is 1/1"
        )
        raise ConfigurationError(f"--shard {shard}: there is no shard {number} of {count}", hint=hint)
    return (f"--splits={count}", f"--group={number}", "--splitting-algorithm=least_duration")
