"""Whether a widget's templates promise types of what the script gives: `{#def low: boolean #}`."""

import re
from pathlib import Path

from awning.template.declarations import read_declaration
from awning.template.parse import read_source
from awning.template.refusals import TemplateRefusal
from awning.workspace import Widget

QUOTED = re.compile(r"""["']([^"']+)["']""")
MAY_DECLARE = re.compile(r"\{#[-+]?\s*def\b")


def declares(widget: Widget) -> bool:
    """In a template of its own, or in a shared one that these name."""
    waiting, found = list(widget.templates), dict[str, str]()
    while waiting:
        name = waiting.pop()
        if name not in found and (text := text_of(widget, name)) is not None:
            found[name] = text
            waiting += QUOTED.findall(text)
    return any(is_declaring(name, text) for name, text in found.items())


def text_of(widget: Widget, name: str) -> str | None:
    """The template of that name: the widget's, else what widgets share. What cannot be read, a build tells of."""
    for folder in (widget.folder, widget.folder.parent / "_shared"):
        try:
            return Path(folder, name).read_text(encoding="utf-8-sig")
        except (OSError, ValueError):
            continue
    return None


def is_declaring(name: str, text: str) -> bool:
    """Of what is malformed, a build tells."""
    if not MAY_DECLARE.search(text):
        return False
    try:
        return bool(read_declaration(read_source(text, name=name, path=name)))
    except TemplateRefusal:
        return False
