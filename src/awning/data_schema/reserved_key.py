"""The reserved key of the app data, `_awning`, in which `awning publish` stores data for the runtime.

    {"_awning": {"disabled": ["free-shipping-bar"]}, "free-shipping-bar": {...}}

The runtime does not start a widget that is listed as disabled (jsrc/runtime/data.ts), unless the build has no kill
switch. Only `awning publish disable` and `enable` change the key. All other code that writes app data keeps the stored
value of the key. A value of another shape disables nothing. No widget can be called `_awning`, because names of widgets
begin with a letter.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from awning.data_schema.schema_part import Json

RESERVED_KEY = "_awning"
DISABLED = "disabled"


def disabled_widgets(data: Json) -> tuple[str, ...]:
    """Return the names of the widgets that are disabled in the app data."""
    own = data.get(RESERVED_KEY) if isinstance(data, Mapping) else None
    listed = own.get(DISABLED) if isinstance(own, Mapping) else None
    return tuple(name for name in listed if isinstance(name, str)) if isinstance(listed, list) else ()


def stopped_widgets(data: Json) -> tuple[str, ...]:
    """Return the names of the widgets that the runtime does not start with these app data.

    The publisher has disabled them, or the shop has switched them off. A default of the schema is not counted.
    """
    parts = data.items() if isinstance(data, Mapping) else ()
    switched_off = [
        name for name, part in parts if isinstance(part, Mapping) and part.get("enabled") is False
    ]
    return (*disabled_widgets(data), *(name for name in switched_off if name != RESERVED_KEY))


def with_disabled(data: Mapping[str, Json], widgets: Iterable[str]) -> dict[str, Json]:
    """Return the app data with these widgets disabled, and no others.

    The reserved key is removed when it becomes empty.
    """
    stored = data.get(RESERVED_KEY)
    own: dict[str, Any] = dict(stored) if isinstance(stored, Mapping) else {}
    own.pop(DISABLED, None)
    names = sorted(set(widgets))
    if names:
        own[DISABLED] = names
    return {**without_reserved(data), **({RESERVED_KEY: own} if own else {})}


def keep_reserved(data: Mapping[str, Json], stored: Json) -> dict[str, Json]:
    """Return the new app data with the stored value of the reserved key, whatever value the new data have."""
    has_own = isinstance(stored, Mapping) and RESERVED_KEY in stored
    own = {RESERVED_KEY: stored[RESERVED_KEY]} if has_own else {}
    return {**without_reserved(data), **own}


def without_reserved(data: Json) -> Json:
    """Return the app data without the reserved key. Data that are not an object are returned unchanged."""
    if not isinstance(data, Mapping):
        return data
    return {name: value for name, value in data.items() if name != RESERVED_KEY}
