"""Reads a workspace into frozen values, and makes new ones.

    find_workspace   the folder, from anywhere inside it           find.py
    read_workspace   its values, or every fault at once            read.py
    pseudo_workspace  the same in a language for tests alone       pseudo.py
    read_profile     one service to talk to, without the widgets   read.py
    scaffolding      a new workspace, one more widget              scaffolding.py

Imported when they are asked for: finding a workspace needs nothing of reading one.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from awning.workspace.find import find_workspace
    from awning.workspace.messages import arguments
    from awning.workspace.model import Isolation, Message, Profile, State, Widget, Workspace
    from awning.workspace.pseudo import pseudo_code, pseudo_workspace
    from awning.workspace.read import read_profile, read_workspace
    from awning.workspace.widgets import TEMPLATE_ENDING

__all__ = [
    "TEMPLATE_ENDING",
    "Isolation",
    "Message",
    "Profile",
    "State",
    "Widget",
    "Workspace",
    "arguments",
    "find_workspace",
    "pseudo_code",
    "pseudo_workspace",
    "read_profile",
    "read_workspace",
]

_HOMES = {
    "TEMPLATE_ENDING": "widgets",
    "arguments": "messages",
    "find_workspace": "find",
    "pseudo_code": "pseudo",
    "pseudo_workspace": "pseudo",
    "read_profile": "read",
    "read_workspace": "read",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - see above

    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'model')}"), name)
