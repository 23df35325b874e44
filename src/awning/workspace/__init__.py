"""Reads a workspace into frozen values, and creates new workspaces.

    find_workspace    the root folder, from any folder inside it      root.py
    read_workspace    the values, or all errors at once               reader.py
    pseudo_workspace  the same workspace in a language for tests      messages.py
    read_profile      one service to talk to, without the widgets     reader.py
    scaffolding       creates a new workspace or one more widget      scaffolding.py

The names of this package are imported at their first use, so that finding a workspace does not import the code that
reads it.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from awning.workspace.messages import arguments, pseudo_code, pseudo_workspace
    from awning.workspace.model import Isolation, Message, Profile, Widget, WidgetState, Workspace
    from awning.workspace.reader import read_profile, read_workspace
    from awning.workspace.root import find_workspace
    from awning.workspace.widgets import TEMPLATE_ENDING, KnownWidgets

__all__ = [
    "TEMPLATE_ENDING",
    "Isolation",
    "KnownWidgets",
    "Message",
    "Profile",
    "Widget",
    "WidgetState",
    "Workspace",
    "arguments",
    "find_workspace",
    "pseudo_code",
    "pseudo_workspace",
    "read_profile",
    "read_workspace",
]

_HOMES = {
    "KnownWidgets": "widgets",
    "TEMPLATE_ENDING": "widgets",
    "arguments": "messages",
    "find_workspace": "root",
    "pseudo_code": "messages",
    "pseudo_workspace": "messages",
    "read_profile": "reader",
    "read_workspace": "reader",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - see above

    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'model')}"), name)
