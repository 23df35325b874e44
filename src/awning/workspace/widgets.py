"""Reads one folder below `widgets/`, with `states.toml`: the named situations of the widget."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from awning.contract.slots import FIRST_SLOT
from awning.data_schema import ANYTHING, SchemaPart, hint_for, misfits, read_schema, sentence_for
from awning.diagnostics import Diagnostic, Severity, closest, did_you_mean
from awning.workspace.document import Document, Findings, read_json, read_toml
from awning.workspace.messages import read_messages
from awning.workspace.model import Widget, WidgetState
from awning.workspace.offsets import KeyPath
from awning.workspace.responses import check_responses
from awning.workspace.shapes import STATE, STATES, WIDGET
from awning.workspace.steps import WAIT, StepSyntaxError, read_step
from awning.workspace.validation import NAME, fields_of, validate_table

TEMPLATE_ENDING = ".html.j2"
VERBATIM: Mapping[str, str] = {"head": "head.html", "body": "body.html"}
"""The files of a verbatim widget, by place."""
_BUILT_PARTS = ("widget.ts", "head.ts", "data.schema.json", "messages")
"""What only a widget with a script has in its folder, besides templates."""
_STYLE = "style.css"
WIDGET_NAMES = (
    'use lower-case letters, digits and single hyphens, such as free-shipping-bar; "app" is reserved'
)


def is_widget_name(name: str) -> bool:
    """Return whether a widget may have this name.

    `app` is reserved, because it names the unit of all widgets in the build record.
    """
    return NAME.fullmatch(name) is not None and name != "app" and len(name) <= LONGEST_NAME


LONGEST_NAME = 60
"""The most characters of a widget's name.

File systems allow longer names, but the build makes names of files from the widget's name and further words.
"""


def widget_folders(root: Path, findings: Findings) -> list[Path]:
    """Return the folders that hold a widget, sorted. Folders whose name begins with `_` or `.` are left out."""
    home = root / "widgets"
    try:
        entries = sorted(home.iterdir())
    except OSError:  # `find_sources` reports a folder that cannot be read
        return []
    folders = [entry for entry in entries if entry.name[0] not in "._" and entry.is_dir()]
    return [folder for folder in folders if _is_widget(folder, findings)]


def _is_widget(folder: Path, findings: Findings) -> bool:
    if (folder / "widget.toml").exists() or (folder / "widget.toml").is_symlink():
        if is_widget_name(folder.name):
            return True
        hint = WIDGET_NAMES
        findings.report(
            "bad-name", f'"{folder.name}" cannot be a widget\'s name', f"widgets/{folder.name}", hint=hint
        )
    elif any((folder / name).exists() for name in ("widget.ts", *VERBATIM.values())):
        path = f"widgets/{folder.name}/widget.toml"
        findings.report(
            "file-missing",
            f"{path} is missing",
            path,
            hint=_misnamed(folder, "widget.toml") or "the file needs a title and a slot",
        )
    return False


def read_widget(folder: Path, languages: tuple[str, ...], findings: Findings) -> Widget | None:
    """Return the widget; None when `widget.toml` cannot be read or parsed. Problems are added to `findings`."""
    path = f"widgets/{folder.name}"
    document = read_toml(folder / "widget.toml", f"{path}/widget.toml", findings)
    if document is None:
        return None
    values = validate_table(document, document.values, WIDGET)
    verbatim = {place: folder / name for place, name in VERBATIM.items() if (folder / name).is_file()}
    slots = _slots(document, values, is_optional=bool(verbatim))
    own_languages = _languages(document, values, languages)
    schema, part = _read_data_schema(folder / "data.schema.json", f"{path}/data.schema.json", findings)
    if verbatim:
        _report_built_parts(document, folder, [*verbatim.values()][-1].name, findings)
    fetch = values.get("fetch", {})
    check_responses(document, fetch, ("fetch",), folder)
    states = read_states(folder / "states.toml", f"{path}/states.toml", slots, part, findings, fetch=fetch)
    return Widget(
        name=folder.name,
        folder=folder,
        slots=slots,
        languages=own_languages,
        script=None if verbatim else _script(folder, path, findings),
        templates=tuple(_templates(folder)),
        verbatim=verbatim,
        style=_existing(folder / _STYLE),
        head=_head(document, values, folder),
        messages=read_messages(folder, path, own_languages, findings),
        data_schema=schema,
        data_part=None if schema is None else part,
        states=states,
        **{"title": folder.name, **fields_of(WIDGET, values)},
    )


@dataclass(slots=True)
class KnownWidgets:
    """The widgets that were read before, and their diagnostics. A folder is read again when it has changed.

    `stamps` has a value for each folder. The caller changes it whenever a file in the folder is added or deleted, or a
    file changes whose content is in `Widget`. A folder without a stamp is read each time.
    """

    stamps: dict[str, object] = field(default_factory=dict)
    _widgets: dict[str, tuple[object, Widget | None, tuple[Diagnostic, ...]]] = field(default_factory=dict)

    def read(self, folder: Path, languages: tuple[str, ...], findings: Findings) -> Widget | None:
        """Return the widget as `read_widget` does, from memory if the folder has not changed."""
        refused = len(findings.refused)
        stamp = (
            (languages, self.stamps.get(folder.name)) if folder.name in self.stamps and not refused else None
        )
        known = self._widgets.get(folder.name)
        if known is None or stamp is None or known[0] != stamp:
            own = Findings(refused=findings.refused, unsaved=findings.unsaved)
            known = (stamp, read_widget(folder, languages, own), tuple(own.diagnostics))
            if stamp is not None and len(findings.refused) == refused:
                self._widgets[folder.name] = known
        findings.diagnostics.extend(known[2])
        return known[1]


def _read_data_schema(
    file: Path, path: str, findings: Findings
) -> tuple[Mapping[str, Any] | None, SchemaPart | None]:
    """Return the schema as written, and its tree. Both are None without the file.

    For a file that cannot be read or is not a JSON object, they are None and ANYTHING.
    """
    if not file.exists():
        return None, None
    document = read_json(file, path, findings)
    if document is None:
        return None, ANYTHING
    part, problems = read_schema(document.values)
    for problem in problems:
        severity = Severity.WARNING if problem.warning else Severity.ERROR
        document.report(problem.rule, problem.message, problem.where, hint=problem.hint, severity=severity)
    return document.values, part


def _report_built_parts(document: Document, folder: Path, html: str, findings: Findings) -> None:
    """Report the files and keys beside a verbatim widget's HTML that only a widget with a script has."""
    path = f"widgets/{folder.name}"
    hint = f"remove it, or remove {html} to build the widget from a script"
    names = [*(name for name in _BUILT_PARTS if (folder / name).exists()), *_templates(folder)]
    if not (folder / VERBATIM["body"]).is_file() and (folder / _STYLE).exists():
        names.append(_STYLE)  # a style sheet is in body snippets
    for name in names:
        message = f"snippets hold {html} as it is, so awning does not read {name}"
        findings.report("verbatim-widget", message, f"{path}/{name}", hint=hint)
    for key in ("head", "isolation"):
        if key in document.values:
            document.report(
                "verbatim-widget",
                f'"{key}" has no effect beside {html}, which snippets hold as it is',
                (key,),
            )


def _slots(document: Document, values: Mapping[str, Any], *, is_optional: bool) -> tuple[str, ...]:
    """Return the widget's slots. A verbatim widget may have none: it need not subscribe to an event."""
    if {"slot", "slots"} <= document.values.keys():
        document.report("slot-twice", '"slot" and "slots" exclude each other', ("slots",))
    elif (
        not {"slot", "slots"} & document.values.keys()
        and not is_optional
        and ("slots",) not in document.misspelt
    ):
        document.report_missing_key("widget.toml", ("slot",), f'add: slot = "{FIRST_SLOT}"')
    return (values["slot"],) if "slot" in values else tuple(values.get("slots", ()))


def _languages(document: Document, values: Mapping[str, Any], languages: tuple[str, ...]) -> tuple[str, ...]:
    """Return the widget's languages: those that widget.toml names, or all of the app's. The app's order is kept."""
    named = values.get("languages")
    if named is None:
        return languages
    for index, language in enumerate(named):
        if languages and language not in languages:
            hint = did_you_mean(language, languages) or f"the app has: {', '.join(languages)}"
            message = f'"{language}" is not a language of the app'
            document.report("unknown-language", message, ("languages", index), hint=hint)
    return tuple(language for language in languages if language in named)


def _script(folder: Path, path: str, findings: Findings) -> Path:
    script = folder / "widget.ts"
    if not script.is_file() and not script.exists() and not script.is_symlink():
        name = f"{path}/widget.ts"
        findings.report(
            "file-missing",
            f"{name} is missing",
            name,
            hint=_misnamed(folder, "widget.ts")
            or "it exports the render function; or add body.html, a snippet as it is",
        )
    return script


_NAMES = ("widget.ts", "widget.toml")


def _misnamed(folder: Path, name: str) -> str | None:
    """Return the hint to rename a file to a name that is missing; None without a file of a similar name."""
    names = {file.name.lower(): file.name for file in folder.iterdir() if file.name not in _NAMES}
    near = closest(name, names, cutoff=0.8)
    return f"rename {names[near]} to {name}" if near else None


def _existing(file: Path) -> Path | None:
    return file if file.is_file() else None


def _head(document: Document, values: Mapping[str, Any], folder: Path) -> Path | None:
    """Return the head script that widget.toml names, by default `head.ts`; None without such a file in the folder."""
    name: str | None = values.get("head")
    if name is None:
        return _existing(folder / "head.ts")
    file = folder / name
    if not file.resolve().is_relative_to(folder.resolve()):
        document.report("file-outside", f'"{name}" is outside of the widget', ("head",))
        return None
    if not file.is_file():
        near = did_you_mean(
            name, (entry.name for entry in folder.iterdir() if entry.suffix in (".ts", ".js"))
        )
        document.report("file-missing", f'"{name}" is missing', ("head",), hint=near)
        return None
    return file


def _templates(folder: Path) -> list[str]:
    templates: list[str] = []
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name[0] != "."]
        here = Path(parent).relative_to(folder)
        templates += [(here / name).as_posix() for name in files if name.endswith(TEMPLATE_ENDING)]
    return sorted(templates)


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
