"""Most of a template is ordinary: text, and whole tags that mean nothing to later text. One pattern skips them.

Only speed: what the pattern takes, the machine would have read to the same context and emitted verbatim (a property
test holds the two together). So the pattern takes no tag that changes how text is read, no attribute that is refused,
and no value in which a reader could find something to refuse; all that, and what is unfinished, is the machine's.
"""

import re

from awning.template.html.context import Context, State
from awning.template.html.elements import (
    FOREIGN_ROOTS,
    RAWTEXT_ELEMENTS,
    RCDATA_ELEMENTS,
    REFUSED_ELEMENTS,
    TEXT_ONLY,
)

_OWN = {"script", "style", "select"}
_SPECIAL = "|".join(
    sorted(RCDATA_ELEMENTS | RAWTEXT_ELEMENTS | REFUSED_ELEMENTS.keys() | FOREIGN_ROOTS | TEXT_ONLY | _OWN)
)
_REFUSED = "srcdoc|http-equiv|attributename"
_PLAIN = "class|id|alt|title|role|type|name|value|for|width|height|viewbox|d|data-[a-z-]++|aria-[a-z]++"
_PLAIN_VALUE = r"""="[^"]*+"|='[^']*+'"""
_VALUE = r"""="(?:https?://)?[^"&:\\(){}'@*]*+"|='(?:https?://)?[^"&:\\(){}'@*]*+'"""
_ATTRIBUTE = rf"[ \t\n]++(?:(?:{_PLAIN})(?:{_PLAIN_VALUE})|(?!(?:{_REFUSED})\b)[a-z][\w.-]*+(?:{_VALUE})?)"
_REST = rf"(?:{_ATTRIBUTE})*+[ \t\n]*+/?>"
_FLAGS = re.IGNORECASE | re.ASCII

_IN_HTML = re.compile(rf"(?:[^<]++|</?(?!(?:{_SPECIAL})[ \t\n/>])[a-z][a-z0-9]*+{_REST})*+", _FLAGS)
_IN_SVG = re.compile(rf"(?:[^<]++|</?(?:path|circle|ellipse|g|line|polygon|polyline|rect){_REST})*+", _FLAGS)
_NOTHING = re.compile("")


def skip(context: Context, text: str, start: int) -> int:
    """How far the text is ordinary: the context there is the same, and the text is emitted as it is."""
    found = _pattern(context).match(text, start)
    return found.end() if found else start


def _pattern(context: Context) -> re.Pattern[str]:
    if context.state is not State.TEXT or context.select:
        return _NOTHING
    if not context.foreign:
        return _IN_HTML
    return _IN_SVG if context.foreign[-1] == "svg" else _NOTHING
