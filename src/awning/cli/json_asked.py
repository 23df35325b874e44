"""Whether a command line asks for JSON: told without running it, for what goes wrong before a verb is even found."""

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise, takewhile

OFF = frozenset({"", "0", "false", "f", "no", "n", "off"})
"""What click takes for no in a flag's variable."""


def json_asked(arguments: Sequence[str], environ: Mapping[str, str]) -> bool:
    """By `--json` or `--format json`, or by the verb's variable, as AWNING_BUILD_JSON."""
    options = list(takewhile(lambda one: one != "--", arguments))
    if "--json" in options or "--format=json" in options or ("--format", "json") in pairwise(options):
        return True
    words = takewhile(lambda one: not one.startswith("-"), options)
    paths = accumulate(words, lambda path, word: f"{path}_{word}")
    names = (f"AWNING_{path}_JSON".replace("-", "_").upper() for path in paths)
    return any(environ.get(name, "").strip().lower() not in OFF for name in names)
