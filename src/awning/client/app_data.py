r"""App data as a string that is safe in text, in a script and in an attribute in single quotes.

The specification does not show how `{{svc_app_data}}` is encoded when the service inserts it. Raw text, the JSON text
of a string and HTML-escaped text are all possible. So the data is sent as a *string* of JSON, in ASCII. Apart from the
quotes around strings and the braces of objects, it has no character with a meaning in HTML or in placeholders:

    character in a string      written     because
    <  >  &  '                 \u003c ...  no tag, entity or attribute in single quotes can begin or end
    {  }                       \u007b ...  no placeholder of the service can appear
    U+2028, U+2029, non-ASCII  \u....      no character ends a line in JavaScript or depends on the charset
    U+007F                     \u007f      it is a control character, which JSON allows unescaped

The data is not sent as an object, because the service would then encode it in an unknown way.
"""

import json
import re
from typing import Any

from awning.errors import ConfigurationError

Json = Any

DEEPEST = 100
"""The most objects and lists around a value. Python and browsers end in errors of their own at some depth beyond it."""
TOO_DEEP = f"the app data nest deeper than {DEEPEST} levels"
REPLACE = "store others in their place: awning data set --replace"
JSON_FORM = "JSON has texts, finite numbers, true, false, null, lists, and objects whose names are texts"
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_ESCAPED = {ord(c): f"\\u{ord(c):04x}" for c in "<>&'{}\x7f"}


class AppDataTooDeep(ConfigurationError, RecursionError):
    """App data that nest deeper than `DEEPEST` levels, so that not every program can read them."""


def nests_too_deeply(data: Json) -> bool:
    """Return whether objects and lists are nested in more than `DEEPEST` levels."""
    level = [data]
    for _ in range(DEEPEST + 1):
        containers = [value for value in level if isinstance(value, dict | list)]
        if not containers:
            return False
        level = [
            inner for value in containers for inner in (value.values() if isinstance(value, dict) else value)
        ]
    return True


def encode_app_data(data: Json) -> str:
    """Return the JSON text of `data`, safe to insert into a page.

    Raises ConfigurationError when `data` has no JSON form, or nests too deeply.
    """
    if nests_too_deeply(data):
        raise AppDataTooDeep(TOO_DEEP, hint="awning stores none that other programs may not be able to read")
    try:
        text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"), sort_keys=True)
        text.encode("ascii")
        json.dumps(data, ensure_ascii=False).encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"this app data has no JSON form: {error}", hint=JSON_FORM) from None
    # Outside of strings, only braces could be misread, and JSON never has two opening braces in a row.
    return _STRING.sub(lambda match: match[0].translate(_ESCAPED), text)


def decode_app_data(stored: Json) -> Json:
    """Return the app data in the result of `get_data`, which is a string of JSON or an object.

    Null, an empty text and an empty list, which PHP makes of an empty object, count as no data and give {}; also as
    JSON text. A string that is not JSON is returned as it is. Raises AppDataTooDeep for data that nest deeper than
    `DEEPEST` levels.
    """
    try:
        data = json.loads(stored) if stored and isinstance(stored, str) else stored
    except ValueError:
        return stored
    except RecursionError:
        raise AppDataTooDeep(TOO_DEEP, hint=REPLACE) from None
    if data is None or data in ("", []):
        return {}
    if nests_too_deeply(data):
        raise AppDataTooDeep(TOO_DEEP, hint=REPLACE)
    return data
