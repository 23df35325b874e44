"""Adds a state with a payload of its own to a widget's `states.toml`, below what is there."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from awning.errors import ConfigurationError
from awning.workspace.author_file import rewrite_file
from awning.workspace.document import toml_limit
from awning.workspace.model import Widget
from awning.workspace.toml_text import toml_string, toml_table
from awning.workspace.validation import NAMED

_HEAD = "#:schema ../../.awning/types/states.schema.json\n"


def add_state(
    root: Path, widget: Widget, name: str, *, title: str, slot: str, payload: Mapping[str, Any]
) -> Path:
    """Write the state to the widget's `states.toml`. Returns the file's path, relative to `root`.

    The file's text stays as it is, and is replaced whole or not at all. Raises ConfigurationError when the name is not
    one, or is taken; when the payload cannot be written in TOML; and when the file cannot be added to or written.
    """
    if not NAMED.accepts(name):
        raise ConfigurationError(
            f'"{name}" cannot be the name of a state', hint=f"it must be {NAMED.expected}"
        )
    path = f"widgets/{widget.name}/states.toml"
    if name in (state.name for state in widget.states):
        raise ConfigurationError(
            f'{path} has a state "{name}" already', hint="choose another name; nothing was written"
        )
    file = root / path
    old = file.read_bytes().decode("utf-8") if file.exists() else _HEAD
    added = state_text(name, title=title, slot=slot, payload=payload)
    new = f"{old.rstrip()}\n\n{added}".replace("\r\n", "\n")
    _require_added(path, old.removeprefix("\ufeff"), new.removeprefix("\ufeff"))
    rewrite_file(file, new.replace("\n", "\r\n") if "\r\n" in old else new)
    return Path(path)


def state_text(name: str, *, title: str, slot: str, payload: Mapping[str, Any]) -> str:
    """Return the state as TOML."""
    lines = [
        "[[state]]",
        f"name = {toml_string(name)}",
        f"title = {toml_string(title)}",
        f"slot = {toml_string(slot)}",
        *toml_table("state.payload", payload),
    ]
    return "\n".join(lines).encode("utf-8", "replace").decode() + "\n"


def _require_added(path: str, old: str, new: str) -> None:
    """Raise ConfigurationError unless the new text has the states of the old one, and one more."""
    excess = toml_limit(new, path)
    if excess is not None:
        raise ConfigurationError(f"the payload is too large for a state: {excess.message}", hint=excess.hint)
    try:
        before, after = tomllib.loads(old).get("state", []), tomllib.loads(new)["state"]
    except ValueError as error:
        raise ConfigurationError(
            f"no state can be added at the end of {path}: {error}",
            hint="write its states as [[state]], one below the other; nothing was written",
        ) from None
    if after[:-1] != before or len(after) != len(before) + 1:
        raise ConfigurationError(f"no state can be added at the end of {path}", hint="nothing was written")
