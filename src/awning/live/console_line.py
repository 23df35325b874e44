"""Writes the line for the browser's console that copies the events of the page on which it is run.

`svcPlugins` replays the last delivery of each event to a late subscriber (observed), so nothing need be published. The
redacting line copies what `redaction.py` allows.
"""

import json

from awning.contract import Dialect
from awning.contract.slots import event_names
from awning.live.captures import UPDATED_ITEM
from awning.live.recorder_script import recorder_script

_LINE = (
    "copy(JSON.stringify(%(events)s.flatMap(event=>{const got=[];"
    "%(service)s.subscribeEvent(event,(_,init,param,%(updated)s)=>got.push({event,...param,%(updated)s}));"
    "return got.slice(-1)}),null,1))"
)


def console_line(dialect: Dialect, *, redacts: bool = False) -> str:
    """Return the line. It puts the last delivery of each event on the clipboard, as `awning payload check` reads it."""
    if redacts:
        return recorder_script("console", dialect)
    return _LINE % {
        "events": json.dumps(event_names(dialect), separators=(",", ":")),
        "service": dialect.global_object,
        "updated": UPDATED_ITEM,
    }
