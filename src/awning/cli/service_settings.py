"""Settings that the verbs for the service share: its address, its key, the state directory.

A flag comes before the environment, then the profile, then the default.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from awning.cli.state_path import state_path
from awning.client import Access, api_key, apps_access
from awning.client.access import checked_base_url
from awning.errors import ConfigurationError
from awning.publish import StateDir, StateServer, StateStore, database_url
from awning.workspace import Profile, find_workspace, read_profile


def service_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--base-url` and `--profile`."""
    profile = click.option(
        "--profile", envvar="AWNING_PROFILE", help="Which service, of pyproject.toml's profiles."
    )
    base_url = click.option("--base-url", envvar="AWNING_BASE_URL", help="The Apps API, ending in /v1.")
    return profile(base_url(command))


def open_state(environ: Mapping[str, str]) -> StateStore:
    """AWNING_DATABASE_URL; else AWNING_STATE_DIR, or `.awning/state` of the workspace around here."""
    database = database_url(environ)
    return StateServer(database) if database else StateDir(state_path(environ))


def chosen_profile(name: str | None, environ: Mapping[str, str]) -> Profile:
    """The workspace's profile. Outside a workspace it is the default one; a named one raises ConfigurationError."""
    try:
        root = find_workspace(Path.cwd())
    except ConfigurationError:
        if name:
            raise
        return Profile()
    return read_profile(root, profile=name, environ=environ)


def chosen_portal(url: str | None, profile: str | None, environ: Mapping[str, str]) -> str:
    """The portal's address, without a final slash. Raises ConfigurationError when none is named."""
    address = url or chosen_profile(profile, environ).portal_url
    if not address:
        hint = "set AWNING_PORTAL_URL, or portal_url in the profile; `awning service` simulates one"
        raise ConfigurationError("no portal is named", hint=hint)
    return checked_base_url(address)


def open_access(base_url: str | None, profile: Profile, environ: Mapping[str, str]) -> Access:
    """The Apps API, with its key. Raises ConfigurationError when the address or the key is missing."""
    url = base_url or profile.base_url
    if not url:
        raise ConfigurationError(
            "no service is named",
            hint="set AWNING_BASE_URL, or base_url in the profile; `awning service` simulates one",
        )
    plain = environ.get("AWNING_ALLOW_PLAIN_HTTP", "") not in {"", "0"}
    return apps_access(url, api_key(environ), allow_plain_http=plain)
