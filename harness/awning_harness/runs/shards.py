"""`--shard 1/4`: the first of four parts of the tests, which take about equally long.

pytest-split divides the tests by their durations. `awning test --store-durations` stores them in `.test_durations`;
without that file, each part has the same number of tests.
"""

import re

from awning.errors import ConfigurationError

SHARD = re.compile(r"(\d{1,6})/(\d{1,6})")


def shard_arguments(shard: str | None) -> tuple[str, ...]:
    """Return pytest-split's options for a shard such as `1/4`; an empty tuple if `shard` is None.

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
