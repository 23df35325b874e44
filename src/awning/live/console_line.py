"""Writes the line for the browser's console that copies the events of the page on which it is run.

`svcPlugins` replays the last delivery of each event to a late subscriber (observed), so nothing need be published. The
redacting line copies no text: keys, types, numbers of known fields and short codes (a currency, a language, an id)
remain. Which field holds a code is in the contract's tables: a string with an example, or with a fixed list of values.
"""

import json
import re
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

_MORE_WORDS = (
    "account address amount attribute availability available barcode base billing bonus brutto bundle button "
    "buyer catalog checkout city class client color colour comment company contact container content cost count "
    "country coupon created customer data date days default delivery deposit description detail details digital "
    "discounted discounts district email ean end fax fee field file first flag footer format free full gift "
    "gross group gtin guest has header height hidden image images in incl include is key kind label last length "
    "level line link list loyalty manufacturer max maximum message method min minimum mobile model module mpn "
    "net netto no note notes number of old on order parent payment person phone photo pickup placeholder points "
    "postal postcode preorder priced product products promo promotion properties property qty rate rating "
    "reduced reference region regular row sale section seo session short side size slot slug special start "
    "state status street subtotal sum summary surname tag tags tax text thumbnail time token tokens top type "
    "undiscounted unit units updated url user value vat vendor version volume warehouse widget width wrap "
    "wrapper year zip event"
)
"""Words of a program's names, beyond those in the names of the fields that are known."""


def _words() -> tuple[str, ...]:
    groups = (PARAMETERS.values(), *RECORDS.values(), *UPDATES.values())
    fields = [field for group in groups for field in group]
    parts = (part.lower() for field in fields for part in re.findall(r"[A-Z]?[a-z]+", field.name))
    once = {*parts, *_MORE_WORDS.split(), "name", *(value for f in fields for value in f.one_of)}
    return tuple(sorted(once, key=lambda word: (-len(word), word)))


WORD = rf"^(?:[_-]?(?:{'|'.join(_words())}))+\d?$"
"""Matches a name that a program gave a field or a class. Another name may be a person's, an address or a token."""

_CODE = r"/^(\d{1,6}|[A-Z]{3}|[a-z]{2,3}([-_][A-Za-z]{2,4})?|[^\p{L}\p{N}\p{C}_@]{0,3})$/u"
"""Matches a string that is copied as it is: an id, a currency, a language, a symbol."""

REDACT = (
    "((word,code)=>function clean(value,known){"
    "if(Array.isArray(value))return value.map(each=>clean(each,known));"
    "if(value&&typeof value=='object')return Object.fromEntries(Object.entries(value).map(([key,inner],at)=>"
    "[key.length<31&&word.test(key)?key:'key'+at,clean(inner,Object(known)[key])]));"
    "if(typeof value=='string')"
    "return known===2||known===1&&value.length<31&&(code.test(value)||word.test(value))?value:'***';"
    "return typeof value!='number'||known===1&&Math.abs(value)<1e7?value:0"
    f"}})(/{WORD}/i,{_CODE})"
)
"""JavaScript: a function of a value of JSON and of what is known of it (KNOWN), that returns the value without texts.

It is the only redaction. Its own results it leaves as they are.
"""

_REDACTING = f"copy(JSON.stringify({REDACT}(JSON.parse(JSON.stringify({_CAPTURE})),%(known)s),null,1))"


def console_line(dialect: Dialect, *, redacts: bool = False) -> str:
    """Return the line. It puts the last delivery of each event on the clipboard, as `awning payload check` reads it."""
    names = {
        "events": json.dumps(event_names(dialect), separators=(",", ":")),
        "service": dialect.global_object,
        "updated": UPDATED_ITEM,
    }
    if not redacts:
        return _LINE % names
    return _REDACTING % {**names, "known": known_fields()}


def known_fields() -> str:
    """Return the argument `known` of REDACT for a list of events, as JSON."""
    updates = [slot.payload.update_fields for slot in SLOTS.values() if slot.updates]
    known: dict[str, Any] = {"event": 2} | _readable(PARAMETERS.values())
    known[UPDATED_ITEM] = {name: inner for fields in updates for name, inner in _readable(fields).items()}
    return json.dumps(known, separators=(",", ":"))


def _readable(fields: Iterable[PayloadField]) -> dict[str, Any]:
    """Return the fields whose values remain: 1 for a number or a code, an object for the fields of a record."""
    return {
        field.name: _readable(UPDATES.get(field.record) or RECORDS[field.record]) if field.record else 1
        for field in fields
        if field.record or "number" in field.types or field.example is not None or field.one_of
    }
