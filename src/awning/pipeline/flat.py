"""The entry of a snippet with one widget in one slot: `jsrc/runtime/flat.ts`, with what is known of it filled in."""

import re
from collections.abc import Mapping
from functools import cache

from awning.jsrc import jsrc_root

_LINE = re.compile(r"^// -+\n", re.MULTILINE)
_NAME = re.compile(r"\bWIDGET_([A-Z]+)\b")


@cache
def _form() -> str:
    """What is below the line."""
    text = (jsrc_root() / "runtime" / "flat.ts").read_text(encoding="utf-8")
    return _LINE.split(text)[1]


def flat_source(known: Mapping[str, str]) -> str:
    """The text with `known`, code by name without `WIDGET_`, in the names' places. It speaks of `render`."""
    return _NAME.sub(lambda name: known[name[1]], _form())
