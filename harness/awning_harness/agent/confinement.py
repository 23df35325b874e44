"""Keeps an agent to the folder of one workspace: neither a path nor a link may lead out of it."""

from collections.abc import Iterator
from pathlib import Path

from awning.diagnostics import did_you_mean, printable
from awning.errors import ConfigurationError
from awning.workspace.model import Widget, Workspace

LONGEST_SHOWN = 200
"""The most characters of a path that nothing can have, in the message about it."""


def inside(root: Path, path: str) -> Path:
    """Return the file or folder at a path relative to the workspace, with links resolved.

    Raises ConfigurationError when it is elsewhere, also through a link, or does not exist.
    """
    try:
        target = (root / path).resolve()
        exists = target.exists()
    except (
        OSError,
        RuntimeError,
        ValueError,
    ) as error:  # a link to itself, a name that is too long or has a null
        raise ConfigurationError(f"{printable(path[:LONGEST_SHOWN])} cannot be followed") from error
    if not target.is_relative_to(root.resolve()):
        raise ConfigurationError(
            f"{printable(path)} is outside of the workspace",
            hint="name a path below the folder of pyproject.toml; links that lead out are not followed",
        )
    if not exists:
        raise ConfigurationError(f"{printable(path)} does not exist")
    return target


def is_inside(root: Path, path: str) -> bool:
    """Return whether `inside` accepts a path."""
    try:
        inside(root, path)
    except ConfigurationError:
        return False
    return True


def own_widgets(workspace: Workspace) -> Iterator[Widget]:
    """Yield the widgets whose folders are in the workspace. awning itself also follows a link to a widget elsewhere."""
    return (widget for widget in workspace.widgets if is_inside(workspace.root, f"widgets/{widget.name}"))


def find_widget(workspace: Workspace, name: str) -> Widget:
    """Return the widget with a name. Raises ConfigurationError when there is none, or its folder is elsewhere."""
    widgets = {widget.name: widget for widget in workspace.widgets}
    if name not in widgets:
        hint = did_you_mean(name, widgets) or f"widgets: {', '.join(sorted(widgets))}"
        raise ConfigurationError(f'no widget is called "{printable(name)}"', hint=hint)
    inside(workspace.root, f"widgets/{name}")
    return widgets[name]
