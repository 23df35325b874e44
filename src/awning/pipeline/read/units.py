"""Which snippets a build makes, as values: no file is read or written here.

A unit is the whole app or one widget; a variant is the default or one language; a place is head or body. Each
combination is a `Cell`: the widgets in it, its entry for the bundler, its path in `dist/`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from awning.build_record import Place
from awning.workspace import Widget, Workspace

APP = "app"
PLACES: tuple[Place, ...] = ("head", "body")
_STYLE_ENTRY = "_style"
"""Begins the bundler's names of style sheets. No unit can have this name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """`folder` is its folder in `dist/`: empty, or `widgets/<name>/`."""

    name: str
    folder: str
    widgets: tuple[Widget, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One snippet to be made. `widgets` are those that have something in this place and language."""

    unit: str
    place: Place
    language: str | None
    path: str
    widgets: tuple[Widget, ...]

    @property
    def entry(self) -> str:
        """The bundler's name for it: `app/lv/body`, `delivery-estimate/default/body`."""
        return f"{self.unit}/{self.language or 'default'}/{self.place}"

    @property
    def style_entries(self) -> dict[str, Widget]:
        """The bundler's names of the style sheets in it, and the widget of each. A head snippet has none.

        Of a widget with a shadow root, the sheet holds the rules that must stand in the document.
        """
        styled = [widget for widget in self.widgets if widget.style] if self.place == "body" else []
        return {f"{_STYLE_ENTRY}/{widget.name}": widget for widget in styled}


def units(workspace: Workspace, only: tuple[str, ...] = ()) -> tuple[Unit, ...]:
    """The app and each widget; with `only`, those widgets alone."""
    chosen = [widget for widget in workspace.widgets if not only or widget.name in only]
    alone = [Unit(name=widget.name, folder=f"widgets/{widget.name}/", widgets=(widget,)) for widget in chosen]
    app = Unit(name=APP, folder="", widgets=workspace.widgets)
    return tuple(alone) if only else (app, *alone)


def cells(workspace: Workspace, of_units: tuple[Unit, ...]) -> Iterator[Cell]:
    """Every snippet, in a fixed order: also the empty ones."""
    for unit in of_units:
        for language in (None, *workspace.languages):
            for place in PLACES:
                yield Cell(
                    unit=unit.name,
                    place=place,
                    language=language,
                    path=f"{unit.folder}{f'{language}/' if language else ''}{place}.html",
                    widgets=tuple(widget for widget in unit.widgets if _belongs(widget, place, language)),
                )


def _belongs(widget: Widget, place: Place, language: str | None) -> bool:
    """A widget is left out of a language that it does not name."""
    return (place == "body" or widget.head is not None) and (language is None or language in widget.languages)
