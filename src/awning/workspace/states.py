"""Reads `states.toml`: the named situations of a widget."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from awning.data_schema import Part, hint_for, misfits, sentence_for
from awning.workspace.document import Document, Findings, read_toml
from awning.workspace.locate import KeyPath
from awning.workspace.model import State
from awning.workspace.shape import hold
from awning.workspace.shapes import STATE, STATES


def read_states(
    file: Path, path: str, slots: tuple[str, ...], settings: Part | None, findings: Findings
) -> tuple[State, ...]:
    """The states, in the file's order. A widget without the file has none. `settings` is the rule for their data."""
    if not file.exists():
        return ()
    document = read_toml(file, path, findings)
    if document is None:
        return ()
    tables = hold(document, document.values, STATES).get("state", [])
    states: dict[str, State] = {}
    for index, table in enumerate(tables):
        state = _state(document, table, index, slots, file.parent)
        if state is not None:
            _hold_data(document, state.data, settings, ("state", index, "data"))
        if state is not None and state.name in states:
            document.report("repeated", f'a state "{state.name}" is already above', ("state", index, "name"))
        elif state is not None:
            states[state.name] = state
    return tuple(states.values())


def _state(
    document: Document, table: Mapping[str, Any], index: int, slots: tuple[str, ...], folder: Path
) -> State | None:
    at = ("state", index)
    values = hold(document, table, STATE, at)
    slot = values.get("slot") or (slots[0] if slots else None)
    if slots and slot not in slots:
        hint = f"it has: {', '.join(slots)}"
        document.report("unknown-slot", f'the widget has no slot "{slot}"', (*at, "slot"), hint=hint)
    if slot is None or not {"name", "title", "payload"} <= values.keys():
        return None
    return State(
        name=values["name"],
        title=values["title"],
        slot=slot,
        payload=values["payload"],
        data=values.get("data", {}),
        steps=tuple(values.get("steps", ())),
        shows=_texts(values.get("shows", {})),
        hides=_texts(values.get("hides", {})),
        empty=values.get("empty", False),
        now=_moment(values.get("now")),
        fetch=_fetch(document, values.get("fetch", {}), at, folder),
    )


def _hold_data(document: Document, data: Mapping[str, Any], settings: Part | None, at: KeyPath) -> None:
    """What a shop has set: keys that it may leave out are the widget's to do without."""
    if settings is None:
        if data:
            hint = "describe the data in data.schema.json, beside states.toml, or leave them out"
            document.report(
                "data-value", "the widget has no data.schema.json: it is given no data", at, hint=hint
            )
        return
    for misfit in misfits(data, settings, partial=True):
        where = (*at, *misfit.path)
        document.report("data-value", sentence_for(misfit), where, hint=hint_for(misfit))


def _fetch(document: Document, answers: Mapping[str, Any], at: KeyPath, folder: Path) -> Mapping[str, Any]:
    """What other hosts answer. A string is a file of the widget's folder."""
    for url, answer in answers.items():
        hint = "an answer is JSON as a table or an array, or a file beside states.toml, or a status"
        if not isinstance(answer, str):
            continue
        if not (folder / answer).resolve().is_relative_to(folder.resolve()):
            message = f"the file {answer} is outside of the widget"
            document.report("file-outside", message, (*at, "fetch", url), hint=hint)
        elif not (folder / answer).is_file():
            document.report("file-missing", f"there is no file {answer}", (*at, "fetch", url), hint=hint)
    return answers


def _texts(by_language: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {language: tuple(texts) for language, texts in by_language.items()}


def _moment(now: str | datetime | None) -> str | None:
    """TOML has dates of its own; both ways of writing one are the same."""
    return now.isoformat() if isinstance(now, datetime) else now
