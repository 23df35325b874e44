"""Options and variables that the verbs which call the service share: its address, the profile, the state store.

An option overrides its environment variable, which overrides the profile, which overrides the default.
"""

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from awning.cli.report import Command, profile_option, say
from awning.cli.trust import OF_APPS_API, folder_that_names, require_trust
from awning.client import Access, Secret
from awning.client.access import find_apps_access
from awning.client.secret import REPAIR, open_to_others, secret_files
from awning.errors import ConfigurationError
from awning.publish.state.cipher import CodeCipher
from awning.publish.state.server import database_url, state_at
from awning.publish.state.store import StateStore, private_paths
from awning.publish.stores import Stores
from awning.workspace.reader import find_profile
from awning.workspace.root import find_state_directory
from awning.workspace.variables import VARIABLES


def service_options(command: Command) -> Command:
    """Add `--base-url` and `--profile` to a command."""
    base_url = click.option(
        "--base-url", envvar="AWNING_BASE_URL", help="The address of the Apps API, ending in /v1."
    )
    return profile_option()(base_url(command))


def open_state(environ: Mapping[str, str]) -> StateStore:
    """Return the state store: the database of AWNING_DATABASE_URL, else the directory AWNING_STATE_DIR.

    Without both variables, it is the workspace's `.awning/state`. With AWNING_STATE_KEY, its authCodes are encrypted.
    Raises ConfigurationError when there is neither a variable nor a workspace, or when the store or the key cannot be
    used.
    """
    database, cipher = database_url(environ), CodeCipher.found_in(environ)
    directory = find_state_directory(environ) if database is None else Path()
    state = state_at(directory, database, cipher)
    warn_of_open_files(private_paths(directory) if database is None else (), environ)
    return state


def open_stores(environ: Mapping[str, str]) -> Stores:
    """Return the tables of the state store. They are closed when the verb ends. Raises as `open_state` does."""
    return click.get_current_context().with_resource(Stores(open_state(environ)))


def warn_of_open_files(paths: Iterable[Path], environ: Mapping[str, str]) -> None:
    """Warn of files and folders with secrets that others on this machine may read: `paths`, and files of secrets."""
    secrets = (variable.name for variable in VARIABLES if variable.secret)
    for path in open_to_others([*paths, *secret_files(secrets, environ)]):
        say(f"warning: others on this machine may read or write {path}; only its owner should")
        say(f"  hint: {REPAIR}")


def find_access(base_url: str | None, profile: str | None, environ: Mapping[str, str]) -> Access:
    """Return the access to the Apps API.

    Raises ConfigurationError when the address or the key is missing or wrong, when the profile does not exist, or when
    the user has not confirmed an address of the workspace for a key of the user's. Raises Faulty when pyproject.toml
    has errors.
    """
    access = find_apps_access(base_url or find_profile(profile, environ).base_url, environ)
    named_by = folder_that_names(base_url, "AWNING_BASE_URL", environ)
    require_trust(access.base_url, named_by, OF_APPS_API, environ)
    return access


secret_env_option = click.option(
    "--secret-env",
    default="AWNING_APP_SECRET",
    show_default=True,
    metavar="NAME",
    help="The environment variable that holds the app secret.",
)


def secret_in(variable: str) -> Secret:
    """Return the secret in an environment variable. Raises ConfigurationError when it has none."""
    secret = os.environ.get(variable, "")
    if not secret:
        raise ConfigurationError(f"the environment variable {variable} is not set or is empty")
    return Secret(secret)


def read_secret(variable: str, name: str, *, confirm: bool = False) -> str:
    """Read a secret from the environment variable, the terminal, or standard input.

    With `confirm`, the terminal asks for it twice. Raises ConfigurationError when standard input is empty.
    """
    secret = os.environ.get(variable, "").strip()
    if secret:
        return secret
    if sys.stdin.isatty():
        return str(click.prompt(name, hide_input=True, confirmation_prompt=confirm, err=True)).strip()
    secret = sys.stdin.read(4096).strip()
    if not secret:
        raise ConfigurationError(f"there is no {name}", hint=f"set {variable}, or write it to standard input")
    return secret
