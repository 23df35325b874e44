"""Reads `states.toml`: the named situations of a widget."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from awning.contract.slots import FIRST_SLOT
from awning.data_schema import SchemaPart, hint_for, misfits, sentence_for
from awning.workspace.document import Document, Findings, read_toml
from awning.workspace.model import WidgetState
from awning.workspace.offsets import KeyPath
from awning.workspace.shapes import STATE, STATES
from awning.workspace.steps import WAIT, StepSyntaxError, read_step
from awning.workspace.validation import fields_of, validate_table


def read_states(
    file: Path,
    path: str,
    slots: tuple[str, ...],
    schema: SchemaPart | None,
    findings: Findings,
    *,
    fetch: Mapping[str, Any] = MappingProxyType({}),
) -> tuple[WidgetState, ...]:
    """Return the states, in the file's order. A widget without the file has none.

    `schema` is the data schema. `fetch` are the widget's responses of other hosts, which a state may replace.
    """
    if not file.exists():
        return ()
    document = read_toml(file, path, findings)
    if document is None:
        return ()
    tables = validate_table(document, document.values, STATES).get("state", [])
    states: dict[str, WidgetState] = {}
    for index, table in enumerate(tables):
        state = _read_state(document, table, index, slots, file.parent)
        if state is not None:
            state = replace(state, fetch={**fetch, **state.fetch})
            _check_data(document, state.data, schema, ("state", index, "data"))
        if state is not None and state.name in states:
            document.report(
                "repeated", f'another state "{state.name}" is already above', ("state", index, "name")
            )
        elif state is not None:
            states[state.name] = state
    return tuple(states.values())


def _read_state(
    document: Document, table: Mapping[str, Any], index: int, slots: tuple[str, ...], folder: Path
) -> WidgetState | None:
    at = ("state", index)
    values = validate_table(document, table, STATE, at)
    slot = values.get("slot") or (slots[0] if slots else FIRST_SLOT)
    if slots and slot not in slots:
        hint = f"it has: {', '.join(slots)}"
        document.report("unknown-slot", f'the widget has no slot "{slot}"', (*at, "slot"), hint=hint)
    if not {"name", "title", "payload"} <= values.keys():
        return None
    _check_steps(document, values.get("steps", ()), (*at, "steps"), has_now="now" in values)
    check_responses(document, values.get("fetch", {}), (*at, "fetch"), folder)
    return WidgetState(slot=slot, **fields_of(STATE, values))


def _check_data(document: Document, data: Mapping[str, Any], schema: SchemaPart | None, at: KeyPath) -> None:
    """Report data that does not fit the schema; without a schema, report any data.

    Missing keys are allowed, because a shop need not set all keys.
    """
    if schema is None:
        if data:
            hint = "describe the data in data.schema.json, beside states.toml, or remove the data"
            document.report(
                "data-value", "the widget gets no data, because it has no data.schema.json", at, hint=hint
            )
        return
    for misfit in misfits(data, schema, partial=True):
        where = (*at, *misfit.path)
        hint = hint_for(misfit) or "correct it here, or its schema in data.schema.json"
        document.report("data-value", sentence_for(misfit), where, hint=hint)


def _check_steps(document: Document, steps: Sequence[str], at: KeyPath, *, has_now: bool) -> None:
    for index, text in enumerate(steps):
        where = (*at, index)
        try:
            step = read_step(text)
        except StepSyntaxError as error:
            document.report("state-step", str(error), where, hint=error.hint, behind=text[: error.at])
            continue
        if step.verb == WAIT and not has_now:
            hint = 'add it to the state, such as: now = "2026-03-02T10:30:00"'
            document.report(
                "state-step", f'"{text}" needs `now`, the time at which it begins', where, hint=hint
            )


def check_responses(document: Document, responses: Mapping[str, Any], at: KeyPath, folder: Path) -> None:
    """Check the responses of other hosts.

    A string is the name of a file, which must be in the widget's folder.
    """
    hint = "a response is JSON (a table or an array), the name of a file beside states.toml, or a status"
    for url, response in responses.items():
        if not isinstance(response, str):
            continue
        if not (folder / response).resolve().is_relative_to(folder.resolve()):
            message = f"the file {response} is outside of the widget"
            document.report("file-outside", message, (*at, url), hint=hint)
        elif not (folder / response).is_file():
            document.report("file-missing", f"there is no file {response}", (*at, url), hint=hint)
