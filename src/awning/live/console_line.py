"""Writes the line for the browser's console that copies the events of the page on which it is run.

`svcPlugins` replays the last delivery of each event to a late subscriber (observed), so nothing need be published. The
redacting line copies no text: keys, types, numbers of known fields and short codes (a currency, a language, an id)
remain. Which field holds a code is in the contract's tables: a string with an example, or with a fixed list of values.
"""

import json
from collections.abc import Iterable
from typing import Any

from awning.contract import Dialect
from awning.contract.payloads import PARAMETERS, RECORDS, UPDATES, PayloadField
from awning.contract.slots import SLOTS, event_names
from awning.live.captures import UPDATED_ITEM

_CAPTURE = (
    "%(events)s.flatMap(event=>{const got=[];"
    "%(service)s.subscribeEvent(event,(_,init,param,%(updated)s)=>got.push({event,...param,%(updated)s}));"
    "return got.slice(-1)})"
)

_LINE = f"copy(JSON.stringify({_CAPTURE},null,1))"

_CODE = r"/^(\d{1,6}|[A-Z]{3}|[a-z]{2,8}([-_][A-Za-z]{2,8})?|[^\w@]{0,3})$/"
"""Matches a string that is copied as it is: an id, a currency, a language, a word of the service, a symbol."""

_KEY = r"/^[a-z]+([_A-Z][a-z]*)*\d?$/"
"""Matches a name that a program gave a field. Another key may be a person's name, an address or a token."""

_REDACTING = (
    "copy(JSON.stringify((function clean(value,known){"
    "if(Array.isArray(value))return value.map(each=>clean(each,known));"
    "if(value&&typeof value=='object')return Object.fromEntries(Object.entries(value).map(([key,inner],at)=>"
    f"[key.length<31&&{_KEY}.test(key)?key:'key'+at,clean(inner,Object(known)[key])]));"
    f"if(typeof value=='string')return known===2||known===1&&{_CODE}.test(value)?value:'***';"
    "return typeof value=='number'&&known!==1?0:value"
    f"}})(JSON.parse(JSON.stringify({_CAPTURE})),%(known)s),null,1))"
)


def console_line(dialect: Dialect, *, redacts: bool = False) -> str:
    """Return the line. It puts the last delivery of each event on the clipboard, as `awning payload check` reads it."""
    names = {
        "events": json.dumps(event_names(dialect), separators=(",", ":")),
        "service": dialect.global_object,
        "updated": UPDATED_ITEM,
    }
    if not redacts:
        return _LINE % names
    updates = [slot.payload.update_fields for slot in SLOTS.values() if slot.updates]
    known: dict[str, Any] = {"event": 2} | _readable(PARAMETERS.values())
    known[UPDATED_ITEM] = {name: inner for fields in updates for name, inner in _readable(fields).items()}
    return _REDACTING % {**names, "known": json.dumps(known, separators=(",", ":"))}


def _readable(fields: Iterable[PayloadField]) -> dict[str, Any]:
    """Return the fields whose values remain: 1 for a number or a code, an object for the fields of a record."""
    return {
        field.name: _readable(UPDATES.get(field.record) or RECORDS[field.record]) if field.record else 1
        for field in fields
        if field.record or "number" in field.types or field.example is not None or field.one_of
    }
