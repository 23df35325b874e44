"""Reads a workspace into frozen values, and makes new ones.

find_workspace   the folder, from anywhere inside it
read_workspace   its values, or every fault at once
read_profile     the service to talk to, and nothing else
"""

from awning.workspace.data_schema import defaults_of
from awning.workspace.messages import arguments
from awning.workspace.model import Isolation, Message, Profile, State, Widget, Workspace
from awning.workspace.read import find_workspace, read_profile, read_workspace
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
    "defaults_of",
    "find_workspace",
    "read_profile",
    "read_workspace",
]
