r"""JSON as pages write it inside a script: `\/` and `\uXXXX` escapes (observed), safe inside `<script>`."""

import json
from typing import Any


def inline_json(value: Any) -> str:
    r"""`value` as JSON in ASCII, every slash as `\/`, and `<`, `>`, `&` as `\uXXXX`.

    The slash alone keeps `</script>` out; the angle brackets keep `<!--` out, which would start a double-escaped
    state (HTML, 13.2.5.27).
    """
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("/", "\\/").translate({ord(c): f"\\u{ord(c):04x}" for c in "<>&"})
