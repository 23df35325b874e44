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


def units(workspace: Workspace, only: tuple[str, ...] = ()) -> tuple[Unit, ...]:
    """The app and each widget; with `only`, those widgets alone."""
    chosen = [widget for widget in workspace.widgets if not only or widget.name in only]
    alone = [Unit(name=widget.name, folder=f"widgets/{widget.name}/", widgets=(widget,)) for widget in chosen]
    app = Unit(name=APP, folder="", widgets=workspace.widgets)
    return tuple(alone) if only else (app, *alone)


def cells(workspace: Workspace, made: tuple[Unit, ...]) -> Iterator[Cell]:
    """Every snippet, in a fixed order: also the empty ones."""
    for unit in made:
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
