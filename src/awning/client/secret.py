"""A secret is a value that does not print.

API keys, the app secret and authCodes travel as `Secret`: `repr`, `str`, formatting and logging show a
placeholder, pickling is refused, comparison takes constant time. `reveal()` is the one way in, and only the
drivers and the inventory call it. `redact` takes secrets out of texts that came from elsewhere.
"""

import hmac
from collections.abc import Iterable
from typing import NoReturn
from urllib.parse import quote

SHOWN = "***"


class Secret:
    """A string that must never be shown."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value

    def __repr__(self) -> str:
        return f"Secret({SHOWN})"

    def __str__(self) -> str:
        return SHOWN

    def __bool__(self) -> bool:
        return bool(self._value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        return hmac.compare_digest(self._value.encode(), other._value.encode())

    def __hash__(self) -> int:
        return hash(self._value)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not written down")


def redact(text: str, secrets: Iterable[Secret]) -> str:
    """Take every secret out of `text`, as it is and as it looks in a URL."""
    for secret in secrets:
        value = secret.reveal()
        for form in {value, quote(value, safe="")}:
            if form:
                text = text.replace(form, SHOWN)
    return text


def printable(text: str, *, limit: int = 200) -> str:
    """Make a foreign text safe for a terminal and a log line: one line, no control characters, cut at `limit`."""
    line = " ".join(text.split())
    clean = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line)
    return clean if len(clean) <= limit else clean[: limit - 1] + "\N{HORIZONTAL ELLIPSIS}"
