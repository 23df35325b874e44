"""Which snippets a build makes, as values. No file is read or written here.

A unit is the whole app or one widget. It gets a snippet for each place (head, body) and for each language and the
default.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from awning.build_record import WHOLE_APP, Place
from awning.workspace import Widget, Workspace

PLACES: tuple[Place, ...] = ("head", "body")

_STYLE_ENTRY = "_style"
"""The bundler's name of a style sheet begins with this text. No unit can have this name."""


class Units(Enum):
    """The units whose snippets a build makes: the app and each widget, or only the app, as in `awning dev`."""

    ALL = "all"
    APP = "app"


@dataclass(frozen=True, kw_only=True)
class PlannedSnippet:
    """One snippet to make.

    `path` is relative to `dist/`; `widgets` are the widgets with content in this place and language.

    `language` is None for the default snippet. With a `kill_switch`, the app data can turn off each widget of this
    snippet that uses the runtime.
    """

    unit: str
    place: Place
    language: str | None
    path: str
    widgets: tuple[Widget, ...]
    kill_switch: bool = False

    @cached_property
    def compiled(self) -> tuple[Widget, ...]:
        """The widgets that share the snippet's script. The others are verbatim."""
        return tuple(widget for widget in self.widgets if not widget.verbatim)

    @property
    def reads_app_data(self) -> bool:
        """Whether the service must put the app data into the snippet."""
        return self.place == "body" and (
            self.kill_switch or any(widget.data_schema is not None for widget in self.widgets)
        )

    @property
    def entry(self) -> str:
        """The bundler's name for the script of the snippet: `app/lv/body`, `delivery-estimate/default/body`."""
        return f"{self.unit}/{self.language or 'default'}/{self.place}"

    @property
    def style_entries(self) -> dict[str, Widget]:
        """The bundler's names of the snippet's style sheets, each with its widget. A head snippet has no style sheet.

        For a widget with a shadow root, the sheet has only the rules that must be in the document.
        """
        styled = [widget for widget in self.widgets if widget.style] if self.place == "body" else []
        return {style_entry(widget.name): widget for widget in styled}


def style_entry(widget: str) -> str:
    """Return the bundler's name of a widget's style sheet."""
    return f"{_STYLE_ENTRY}/{widget}"


def plan_snippets(
    workspace: Workspace, only: tuple[str, ...] = (), units: Units = Units.ALL
) -> Iterator[PlannedSnippet]:
    """Yield every snippet of the app and of each widget in a fixed order, also the empty ones.

    With `only`, just those of the widgets of these names; with `Units.APP`, just those of the app.
    """
    if units is Units.APP or not only:
        yield from _of_unit(workspace, WHOLE_APP, "", workspace.widgets)
    for widget in workspace.widgets if units is Units.ALL else ():
        if not only or widget.name in only:
            yield from _of_unit(workspace, widget.name, f"widgets/{widget.name}/", (widget,))


def _of_unit(
    workspace: Workspace, name: str, folder: str, widgets: tuple[Widget, ...]
) -> Iterator[PlannedSnippet]:
    """Yield the snippets of the app or of one widget. `folder` is its folder in `dist/`."""
    kill_switch = _has_kill_switch(workspace, widgets)
    for language in (None, *workspace.languages):
        for place in PLACES:
            yield PlannedSnippet(
                unit=name,
                place=place,
                language=language,
                path=f"{folder}{f'{language}/' if language else ''}{place}.html",
                widgets=tuple(widget for widget in widgets if _is_in(widget, place, language)),
                kill_switch=place == "body" and kill_switch,
            )


def _has_kill_switch(workspace: Workspace, widgets: Iterable[Widget]) -> bool:
    """Return whether the app data can turn off the widgets of a snippet.

    A snippet without app data gets the switch only when the workspace asks for it, because reading app data costs some
    500 bytes.
    """
    if workspace.kill_switch is None:
        return any(widget.data_schema is not None for widget in widgets)
    return workspace.kill_switch


def _is_in(widget: Widget, place: Place, language: str | None) -> bool:
    """Return whether a widget has content in a snippet.

    The widget must have the language, and in this place HTML or a script.
    """
    has_script = (widget.script if place == "body" else widget.head) is not None
    return (has_script or place in widget.verbatim) and (language is None or language in widget.languages)
