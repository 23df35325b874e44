"""Converts frozen values to dicts and lists for `json`, and writes JSON that is safe inside a `<script>`."""

import json
from collections.abc import Mapping
from typing import Any


def inline_json(value: Any) -> str:
    r"""Return `value` as JSON in ASCII, with every slash as `\/` (observed), and with `<`, `>`, `&` as `\uXXXX`.

    The escaped slash prevents `</script>`. The escaped angle brackets prevent `<!--`, which would start a
    double-escaped state (HTML, 13.2.5.27).
    """
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("/", "\\/").translate({ord(c): f"\\u{ord(c):04x}" for c in "<>&"})


def thaw(value: Any) -> Any:
    """Return `value` with mappings as dicts and tuples as lists, which `json` can write."""
    if isinstance(value, Mapping):
        return {key: thaw(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [thaw(inner) for inner in value]
    return value
