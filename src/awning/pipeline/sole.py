"""Which widgets have one slot that is known before anything runs, and which of them only hand their `t` on."""

import re
from collections.abc import Iterable, Mapping

from awning.check import SoleSlot, Texts, sole_slot, texts_of
from awning.pipeline.files import SourceFile
from awning.pipeline.given import given
from awning.pipeline.reach import SCRIPTS, reached, reaching
from awning.workspace import Widget

_DEFAULT = re.compile(r"\bexport\s+default\s+after(?:Price|Cart|Checkout)\b")


def sole_slots(widgets: Iterable[Widget], files: Mapping[str, SourceFile]) -> dict[str, SoleSlot]:
    """By widget, its slot. One that takes scripts from another widget has none that is known, nor has the other.

    Nor has one whose own scripts may take the slot itself.
    """
    every = tuple(widgets)
    doubtful = reaching(every, files) | reached(every, files)
    scripts = _by_folder(files)
    found: dict[str, SoleSlot] = {}
    for widget in every:
        path = f"widgets/{widget.name}/{widget.script.name}"
        text = files[path].text
        if widget.name in doubtful or not _DEFAULT.search(text):
            continue
        if any(f"/{widget.script.stem}" in own for own in scripts[widget.name].values()):
            continue
        others = _scripts(widget, scripts, but=path)
        if sole := sole_slot(text, others, typed=path.endswith("ts")):
            found[widget.name] = sole
    return found


def handing_widgets(widgets: Iterable[Widget], files: Mapping[str, SourceFile]) -> dict[str, Texts]:
    """Of widgets with one slot, those whose scripts hand `t` to templates and to nobody else."""
    every = tuple(widgets)
    reads = given(every, files)
    scripts = _by_folder(files)
    found: dict[str, Texts] = {}
    for widget in every:
        if "t" in reads[widget.name] and widget.messages:
            texts = texts_of(_scripts(widget, scripts))
            if texts.handed:
                found[widget.name] = texts
    return found


def _by_folder(files: Mapping[str, SourceFile]) -> dict[str, dict[str, str]]:
    """The texts of scripts by path, by folder: those of all that widgets share together, as `_`."""
    found: dict[str, dict[str, str]] = {}
    for path, file in files.items():
        if path.endswith(SCRIPTS):
            folder = path.split("/")[1]
            found.setdefault("_" if folder[0] == "_" else folder, {})[path] = file.text
    return found


def _scripts(widget: Widget, scripts: Mapping[str, Mapping[str, str]], but: str = "") -> list[str]:
    """Its own and those that all widgets share, without that of the page's head."""
    head = f"widgets/{widget.name}/{widget.head.name}" if widget.head else ""
    own = {**scripts.get(widget.name, {}), **scripts.get("_", {})}
    return [text for path, text in own.items() if path not in (but, head)]
