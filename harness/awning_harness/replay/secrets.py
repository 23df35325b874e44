"""Removes the secrets of the environment from what a failed test leaves behind."""

import os

from awning.client.secret import Secret, redact
from awning.workspace.variables import VARIABLES

SHORTEST_SECRET = 6


def without_secrets(text: str) -> str:
    """Return a text without the secrets of the environment, in plain form and percent-encoded.

    It must not be cut before: a part of one would stay.
    """
    values = (os.environ.get(variable.name, "") for variable in VARIABLES if variable.secret)
    return redact(text, [Secret(value) for value in values if len(value) >= SHORTEST_SECRET])
