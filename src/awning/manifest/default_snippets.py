"""The fields of a manifest as it is submitted. manifest.toml gets the built default snippets.

`manifest show` and `manifest submit` both get the fields here, so that one prints what the other sends.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from awning.build_record import DEFAULT_FIELDS, BuildRecord, Place, read_build_record
from awning.contract.manifest_fields import SECRET_FIELD
from awning.errors import ConfigurationError
from awning.manifest.file import ManifestFile, require_fields


def submitted_fields(manifest: ManifestFile, dist: Path) -> dict[str, Any]:
    """Return the fields of a manifest as it is submitted, but without the secret.

    manifest.toml gets the built default snippets of `dist`. A .json manifest is what the portal gets, so it stays as it
    is and needs no build.

    Raises ConfigurationError when the manifest could not be parsed or is not an object, and when `_with_snippets` does.
    """
    fields = {name: value for name, value in require_fields(manifest).items() if name != SECRET_FIELD}
    return _with_snippets(fields, dist) if manifest.toml else fields


def _with_snippets(fields: Mapping[str, Any], dist: Path) -> dict[str, Any]:
    """Return the fields with the built default snippets of `dist`.

    A snippet that the manifest already has, as text or by its URL, is not replaced. An empty snippet is not added.

    Raises ConfigurationError when `dist` has no build, has no snippet of the whole app, or was changed after the build.
    """
    whole = dict(fields)
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
