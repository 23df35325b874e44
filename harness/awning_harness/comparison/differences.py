"""The values that differ between two recordings of a page, and the first of them in words."""

import json
from collections.abc import Iterator
from itertools import takewhile
from typing import Any, NamedTuple

_SHOWN = 80
"""The most characters of a value that a sentence shows."""
_WHEN = {"before": "when the page is parsed", "after": "after the events"}
_WHAT = {
    "elements": "the elements",
    "html": "the HTML",
    "rules": "the rules of style sheets",
    "shadows": "the shadow roots",
    "functions": "the text of a function on the window",
    "stored": "cookies, storage or the address",
    "trace": "the events",
    "requests": "the requests",
    "said": "the messages of the console",
}
_OF_OWN_ELEMENTS = frozenset({"html", "functions"})
"""The values of a recording that show the elements of styles and scripts themselves."""


class Difference(NamedTuple):
    """A value that differs, and its path in the recording. `actual` and `expected` begin before the difference."""

    path: tuple[str, ...]
    actual: str
    expected: str


def differences(actual: Any, expected: Any, path: tuple[str, ...] = ()) -> Iterator[Difference]:
    """Yield each value that differs, with its path and the first place of a text where it differs."""
    if type(actual) is type(expected) is dict:
        for key in dict.fromkeys((*expected, *actual)):
            yield from differences(actual.get(key), expected.get(key), (*path, key))
    elif type(actual) is type(expected) is list and len(actual) == len(expected):
        for index, pair in enumerate(zip(actual, expected, strict=True)):
            yield from differences(*pair, (*path, str(index)))
    elif actual != expected:
        texts = [
            value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for value in (actual, expected)
        ]
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*texts, strict=False)))
        yield Difference(path, *(text[max(0, same - 40) :][:_SHOWN] for text in texts))


def first_difference(actual: Any, expected: Any) -> str | None:
    """Return the first difference in words; None when there is none.

    The elements of styles and scripts may differ themselves: what they do may not.
    """
    for difference in differences(actual, expected):
        if not _OF_OWN_ELEMENTS & set(difference.path):
            return _sentence(difference, expected)
    return None


def _sentence(difference: Difference, expected: Any) -> str:
    scripts, path = difference.path[0], difference.path[1:]
    when = " without JavaScript" if scripts == "no scripts" else ""
    when += next((f" {words}" for key, words in _WHEN.items() if key in path), "")
    change = f"{difference.actual} instead of {difference.expected}"
    if "names" in path:
        name = path[path.index("names") + 1 :][:1]
        return (
            f"window.{name[0]} differs{when}: {change}"
            if name
            else f"names on the window differ{when}: {change}"
        )
    if "styles" in path and path[-1] != "styles":
        at = path.index("styles") + 1
        element = expected["scripts"]["seen"][path[1]]["styles"][int(path[at])][0]
        return f"{path[-1]} of <{element}> differs{when}: {change}"
    what = next((words for key, words in _WHAT.items() if key in path), "what is shown")
    return f"{what} differ{when}: {change}" if what != "what is shown" else f"{what} differs{when}: {change}"
