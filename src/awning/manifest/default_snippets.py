"""Adds the built default snippets to the fields of a manifest."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from awning.build_record import DEFAULT_FIELDS, BuildRecord, Place, read_build_record
from awning.errors import ConfigurationError


def with_snippets(fields: Mapping[str, Any], dist: Path) -> dict[str, Any]:
    """Return the fields without the secret, and with the built default snippets of `dist`.

    A snippet that the manifest already has, as text or by its URL, is not replaced. An empty snippet is not added.

    Raises ConfigurationError when `dist` has no build, has no snippet of the whole app, or was changed after the build.
    """
    whole = {name: value for name, value in fields.items() if name != "app_secret"}
    record = read_build_record(dist)
    for place, name in DEFAULT_FIELDS.items():
        snippet = "" if f"{name}_source_url" in whole else _snippet(dist, record, place)
        if snippet:
            whole.setdefault(name, snippet)
    return whole


def _snippet(dist: Path, record: BuildRecord, place: Place) -> str:
    """Return the app's default snippet. Raises ConfigurationError when it is missing or differs from the record."""
    built = record.snippet(place)
    if built is None:
        raise ConfigurationError(
            f"{dist} holds no {place} snippet of the whole app", hint="run: awning build"
        )
    try:
        content = (dist / built.path).read_bytes()
    except OSError as error:
        raise ConfigurationError(
            f"{built.path} cannot be read ({error.strerror})", hint="run: awning build"
        ) from None
    if hashlib.sha256(content).hexdigest() != built.sha256:
        raise ConfigurationError(f"{dist / built.path} was changed after the build", hint="run: awning build")
    return content.decode()
