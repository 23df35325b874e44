"""The build that the server serves: its snippets, its data schema, its tab mode.

The build is read again when `dist/build.json` is replaced, so a new build needs no restart.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from awning.build_record import FILE_NAME, read_build_record
from awning.data_schema import Group, read_app_schema, read_form
from awning.errors import ConfigurationError
from awning.host.log import LOG
from awning.preview_record import Preview, find_preview
from awning.publish.release.build_files import BuildFiles, read_files


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedBuild:
    """The parts of a build that the server needs."""

    files: BuildFiles
    titles: Mapping[str, str] | str
    """The app's name: its display title (one text, or a text per language), else its title."""
    form: Group
    preview: Preview | None
    """What the settings form shows the widgets with; None for a build without states or of an older awning."""
    returns: bool
    """Whether the browser returns to the service after the installation: when app_tab_mode is `self`.

    This is step 8 of the Installation process (Apps Integration API).
    """


class CurrentBuild:
    """Reads the build in a folder, and reads it again when its build record changes."""

    def __init__(self, dist: Path) -> None:
        self._dist = dist
        self._stamp: tuple[int, ...] | None = None
        self._build: ServedBuild | None = None

    def build(self) -> ServedBuild:
        """Return the build. Raises Faulty or ConfigurationError when it is missing, damaged or built with errors."""
        stamp = _stamp(self._dist / FILE_NAME)
        if self._build is None or stamp is None or stamp != self._stamp:
            self._build = read_served_build(self._dist)
            self._stamp = stamp
        return self._build


def read_served_build(dist: Path) -> ServedBuild:
    """Read the build in `dist`.

    Raises Faulty or ConfigurationError when it is missing, damaged or built with errors.
    """
    record = read_build_record(dist)
    manifest = _read_json(dist / "manifest.json")
    return ServedBuild(
        files=read_files(dist),
        titles=manifest.get("app_display_title") or record.title,
        form=read_form(read_app_schema(_read_json(dist / "data.schema.json"))),
        preview=_preview(dist, record.fingerprint),
        returns=manifest.get("app_tab_mode") == "self",
    )


def _preview(dist: Path, fingerprint: str) -> Preview | None:
    """Return the preview of the build. One that cannot be used is logged: the settings can be stored without it."""
    try:
        return find_preview(dist, fingerprint)
    except ConfigurationError as error:
        LOG.warning("the settings form has no preview: %s", error)
        return None


def _stamp(path: Path) -> tuple[int, ...] | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - faster, and this runs for every request
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _read_json(path: Path) -> Mapping[str, Any]:
    """Return the JSON object in a file of the build; an empty object when the file does not exist.

    Raises ConfigurationError when the file cannot be read, or does not hold a JSON object.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        raise ConfigurationError(f"{path} is not JSON", hint="run: awning build") from None
    if not isinstance(value, dict):
        raise ConfigurationError(f"{path} is not a JSON object", hint="run: awning build")
    return value
