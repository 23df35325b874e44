"""Removes the secrets of the environment from what a failed test leaves behind."""

import os
from urllib.parse import quote

from awning.workspace.variables import VARIABLES

SHORTEST_SECRET = 6


def without_secrets(text: str) -> str:
    """Return a text without the secrets of the environment, in plain form and percent-encoded.

    It must not be cut before: a part of one would stay.
    """
    for variable in VARIABLES:
        value = os.environ.get(variable.name, "") if variable.secret else ""
        if len(value) >= SHORTEST_SECRET:
            text = text.replace(value, "•••").replace(quote(value, safe=""), "•••")
    return text
