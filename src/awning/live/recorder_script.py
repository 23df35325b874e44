"""Bundles the scripts of `jsrc/recorder`, which capture and redact events: as a line for the console, as a widget.

`svcPlugins` replays the last delivery of each event to a late subscriber (observed), so nothing need be published. The
redacting line copies what `redaction.py` allows. The widget is verbatim, and published to one instance for a day.
"""

import hashlib
import json
import secrets
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from awning.bundle.request import BundleRequest, EntryPoint
from awning.bundle.run import bundle, find_esbuild
from awning.contract import SLOTS, Dialect
from awning.contract.slots import event_names
from awning.errors import ConfigurationError
from awning.jsrc import jsrc_root
from awning.live.captures import UPDATED_ITEM
from awning.live.redaction import redaction_rules

Script = Literal["console", "visit", "second_pass", "snippet"]
"""An entry point of `jsrc/recorder`."""


def recorder_script(
    name: Script, dialect: Dialect, options: Mapping[str, object] = MappingProxyType({})
) -> str:
    """Return one of the scripts, on one line. `options` are its further constants, without their prefix `AWNING_`.

    Raises ProgramUnusable when esbuild does not run.
    """
    root = jsrc_root()
    request = BundleRequest(
        entry_points=(EntryPoint(name=name, path=root / "recorder" / f"{name}.ts"),),
        root=root,
        jsrc=root,
        defines={
            "AWNING_GLOBAL": dialect.global_object,
            "AWNING_GLOBAL_NAME": json.dumps(dialect.global_object),
            "AWNING_EVENTS": json.dumps(event_names(dialect)),
            "AWNING_SLOTS": json.dumps([*SLOTS]),
            "AWNING_REDACTION": redaction_rules(dialect),
            **{f"AWNING_{key}": json.dumps(value) for key, value in options.items()},
        },
        source_maps=False,
    )
    return bundle(find_esbuild(), request).outputs[name].code.decode().strip()


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


_BODY, _SETTINGS = "body.html", "widget.toml"


def write_recorder_widget(folder: Path, dialect: Dialect, until: datetime) -> str:
    """Write the widget into a new folder, or in the place of an earlier one. It does nothing after `until`.

    Returns the query with which an address starts it. The token in it is new each time, and the widget has its hash.

    Raises ConfigurationError when the folder has other files, or cannot be written; ProgramUnusable without esbuild.
    """
    token = secrets.token_urlsafe(9)
    options = {
        "UNTIL": round(until.timestamp() * 1000),
        "TOKEN_HASH": hashlib.sha256(token.encode()).hexdigest(),
    }
    script = recorder_script("snippet", dialect, options)
    texts = {_BODY: f"<script>{script}</script>\n", _SETTINGS: 'title = "Recorder"\n'}
    try:
        others = {file.name for file in folder.iterdir()} - texts.keys() if folder.exists() else set()
        if others:
            raise ConfigurationError(
                f"{folder} holds something else: {min(others)}", hint="name a new folder; nothing was written"
            )
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"cannot write {folder}: {error.strerror}") from None
    return f"awning-record={token}"
