"""The folder of awning among the settings of the user: what is there comes from no workspace."""

import sys
from collections.abc import Mapping
from pathlib import Path

from awning.errors import ConfigurationError


def user_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder, which may not exist yet. Raises ConfigurationError without a home folder."""
    try:
        return _settings_of(environ) / "awning"
    except RuntimeError:
        raise ConfigurationError("your home folder is unknown", hint="set HOME") from None


def _settings_of(environ: Mapping[str, str]) -> Path:
    if sys.platform == "win32":
        return Path(environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    named = environ.get("XDG_CONFIG_HOME", "")
    return Path(named) if named.startswith("/") else Path.home() / ".config"
