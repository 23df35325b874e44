"""The recorder as a verbatim widget, which is published to one instance for a day."""

import hashlib
import secrets
from datetime import datetime
from pathlib import Path

from awning.contract import Dialect
from awning.errors import ConfigurationError
from awning.live.recorder_script import recorder_script

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
