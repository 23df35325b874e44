"""Reads a workspace into frozen values, and creates new workspaces.

    find_workspace    the root folder, from any folder inside it      root.py
    read_workspace    the values, or all errors at once               reader.py
    pseudo_workspace  the same workspace in a language for tests      messages.py
    read_profile      one service to talk to, without the widgets     reader.py
    scaffolding       creates a new workspace or one more widget      scaffolding.py

The names of this package are imported at their first use, so that finding a workspace does not import the code that
reads it.
"""

from typing import TYPE_CHECKING

from awning.late_import import late_names

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

__getattr__ = late_names(
    __name__,
    {
        "messages": "arguments pseudo_code pseudo_workspace",
        "model": "Isolation Message Profile Widget WidgetState Workspace",
        "reader": "read_profile read_workspace",
        "root": "find_workspace",
        "widgets": "TEMPLATE_ENDING KnownWidgets",
    },
)
