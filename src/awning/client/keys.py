"""Where secrets come from: the environment, a keyring, a file. Never a flag: flags show in process lists."""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from awning.client.secret import Secret
from awning.errors import ConfigurationError

KEYRING_SERVICE = "awning"


def find_secret(name: str, environ: Mapping[str, str]) -> Secret | None:
    """The secret called `name`, such as `AWNING_API_KEY`: its variable, then the keyring, then `<name>_FILE`."""
    given = environ.get(name, "").strip()
    if given:
        return Secret(given)
    kept = _from_keyring(name)
    return Secret(kept) if kept else _from_file(f"{name}_FILE", environ)


def api_key(environ: Mapping[str, str]) -> Secret:
    """The key of the Apps API. Raises ConfigurationError where there is none."""
    key = find_secret("AWNING_API_KEY", environ)
    if key is None:
        raise ConfigurationError(
            "there is no API key",
            hint="set AWNING_API_KEY, keep it in a keyring (service awning, user AWNING_API_KEY), "
            "or name a file in AWNING_API_KEY_FILE; the service's portal shows the key after a manifest is submitted",
        )
    return key


def _from_keyring(name: str) -> str | None:
    """What the optional package `keyring` holds; a machine without a usable one has none."""
    if find_spec("keyring") is None:
        return None
    try:
        value = import_module("keyring").get_password(KEYRING_SERVICE, name)
    except Exception:  # noqa: BLE001 - back ends raise what they like, and their texts are not ours to show
        return None
    return value.strip() if isinstance(value, str) else None


def _from_file(variable: str, environ: Mapping[str, str]) -> Secret | None:
    path = environ.get(variable, "").strip()
    if not path:
        return None
    try:
        text = Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"{variable} names a file that cannot be read ({type(error).__name__})"
        ) from None
    if not text:
        raise ConfigurationError(f"the file that {variable} names is empty")
    return Secret(text)
