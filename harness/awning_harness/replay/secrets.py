"""Removes the secrets of the environment from what a failed test leaves behind."""

import os

from awning.workspace.variables import VARIABLES

SHORTEST_SECRET = 6


def without_secrets(text: str) -> str:
    """Return a text without the secrets of the environment. It must not be cut before: a part of one would stay."""
    for variable in VARIABLES:
        value = os.environ.get(variable.name, "") if variable.secret else ""
        if len(value) >= SHORTEST_SECRET:
            text = text.replace(value, "•••")
    return text
