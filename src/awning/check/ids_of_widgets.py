"""Finds ids that two widgets of a slot write although a label or an `aria-` attribute refers to one.

Their blocks are on one page, where a reference finds the first element with the id: that of the other widget. Addresses
are left out, because `url(#shade)` may well find what looks the same. In a shadow root, ids are its own.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from awning.check.repeated_ids import read_ids
from awning.diagnostics import Diagnostic, Place, Severity
from awning.workspace.document import excerpt_of
from awning.workspace.model import Isolation, Widget


def ids_of_widgets(widgets: Sequence[Widget], templates: Mapping[str, str]) -> Iterator[Diagnostic]:
    """Yield a warning for each id that an earlier widget has, too. `templates` are their texts by path."""
    first: dict[tuple[str, str], Place] = {}
    for widget in widgets:
        if widget.isolation is Isolation.SHADOW:
            continue
        paths = [f"widgets/{widget.name}/{name}" for name in widget.templates]
        texts = {path: templates[path] for path in paths if "id" in templates.get(path, "").lower()}
        own: dict[str, Place] = {}
        read = {path: read_ids(text) for path, text in texts.items()}
        references = {
            id_: reference.text
            for ids in read.values()
            for id_, reference in ids.references.items()
            if not reference.is_link
        }
        for path, ids in read.items():
            for element in ids.elements:
                place = Place(path=path, line=element.line, column=element.column)
                if own.setdefault(element.id, place) is not place or element.id not in references:
                    continue
                if earlier := _first_of(first, widget.slots, element.id):
                    yield Diagnostic(
                        rule="repeated-id",
                        message=f'the id "{element.id}" is already that of {earlier.path}:{earlier.line}, '
                        f"and on a page with both, {references[element.id]} finds the first element only",
                        place=place,
                        hint=f'begin it with the name of the widget: id="{widget.name}-{element.id}"',
                        severity=Severity.WARNING,
                        excerpt=excerpt_of(texts[path], element.line),
                    )
        for slot in widget.slots:
            for id_, place in own.items():
                first.setdefault((slot, id_), place)


def _first_of(first: Mapping[tuple[str, str], Place], slots: Iterable[str], id_: str) -> Place | None:
    return next((first[slot, id_] for slot in slots if (slot, id_) in first), None)
