"""`awning trust`: confirms which hosts get a secret. `require_trust` asks for it before a verb sends one.

A secret or an address that the user gives (in the environment, a keyring, a flag) is the user's. What is in the
workspace (a profile, `.env`, a file in its folder) is the folder's, which may come from somebody else. Only one
combination needs a confirmation: a secret of the user's to an address of the folder's. It needs it for loopback, too:
a port of this machine may be another user's.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from awning.cli.report import json_option, print_result, say
from awning.client.secret import ENVIRONMENT, KEYRING, secret_source
from awning.client.trusted_hosts import VARIABLE, Trust, TrustedHosts, listed_origins, origin_of, shown_origin
from awning.contract import Exit
from awning.errors import ConfigurationError
from awning.workspace.env_file import names_from_env_file
from awning.workspace.root import find_workspace
from awning.workspace.variables import VARIABLES

STATE = "AWNING_STATE_DIR"
OF_APPS_API = ("AWNING_API_KEY", "AWNING_DATABASE_URL", STATE)
"""What holds secrets for the Apps API: the key, and where the inventory with its authCodes is."""

OF_RESELLER_API = ("AWNING_RESELLER_PASSWORD", "AWNING_RESELLER_TOKEN")
OF_PORTAL = ("AWNING_APP_SECRET",)
_NAMES = (*(variable.name for variable in VARIABLES if variable.has_file), STATE)


@click.command()
@click.argument("address", required=False)
@click.option("--secret", "names", multiple=True, type=click.Choice(_NAMES), help="The secret. Repeatable.")
@click.option(
    "--remove", is_flag=True, help="Take the confirmation back. Without --secret, for every secret."
)
@json_option
def trust(address: str | None, *, names: tuple[str, ...], remove: bool, as_json: bool) -> int:
    """Confirm that a secret may be sent to ADDRESS, or list what is confirmed.

    A folder that you got from somebody else names the service in its profile or its .env. Your own secrets go there
    only after you have confirmed the host, once for each secret and each source of it: the environment, a keyring, a
    file. In CI, AWNING_TRUSTED_HOSTS lists the hosts instead.
    """
    store = TrustedHosts.of_user(os.environ)
    trusted = set(store.read())
    if address is not None:
        origin = origin_of(address)
        if remove:
            trusted -= {
                entry for entry in trusted if entry.origin == origin and entry.secret in (names or _NAMES)
            }
        elif names:
            trusted |= {Trust(origin=origin, secret=name, source=_source(name)) for name in names}
        else:
            raise ConfigurationError(
                "which secret may go there?", hint=f"awning trust {address} --secret AWNING_API_KEY"
            )
        store.write(trusted)
    elif remove or names:
        raise ConfigurationError("there is no address", hint="awning trust ADDRESS --secret NAME")
    _print(sorted(trusted), as_json=as_json)
    return Exit.DONE


def _source(name: str) -> str:
    source = _source_of(name, os.environ)
    if source is None:
        hint = "set it first: each confirmation is for one source of a secret"
        raise ConfigurationError(f"{name} is not set", hint=hint)
    return source


def _print(trusted: Sequence[Trust], *, as_json: bool) -> None:
    rows = [
        {"address": shown_origin(entry.origin), "secret": entry.secret, "source": entry.source}
        for entry in trusted
    ]
    lines = (f"{shown_origin(entry.origin)}  {_described(entry)}" for entry in trusted)
    print_result(as_json, lines, trusted=rows)
    if not trusted and not as_json:
        say("no host is confirmed")


def folder_that_names(value: str | None, variable: str, environ: Mapping[str, str]) -> str | None:
    """Return what in the workspace names an address; None when the user gave it.

    `value` is that of the option, or of `variable`. It is None when the address comes from a profile.
    """
    if not value:
        return "the profile in pyproject.toml"
    if variable in names_from_env_file(environ) and value.strip() == environ.get(variable, "").strip():
        return f"{variable} in .env"
    return None


def require_trust(url: str, named_by: str | None, names: Sequence[str], environ: Mapping[str, str]) -> None:
    """Ask the user to confirm an address before secrets of the user's go there.

    `named_by` is what in the workspace names the address; None when the user gave it, which confirms it. `names` are
    the secrets. Raises ConfigurationError when the user refuses, or cannot be asked.
    """
    needed = {
        Trust(origin=origin_of(url), secret=name, source=source)
        for name, source in _sources_of_user(names, environ)
    }
    if named_by is None or not needed or origin_of(url) in listed_origins(environ):
        return
    store = TrustedHosts.of_user(environ)
    trusted = set(store.read())
    missing = sorted(needed - trusted)
    if not missing:
        return
    what, host = " and ".join(_described(entry) for entry in missing), shown_origin(origin_of(url))
    if sys.stdin.isatty() and sys.stderr.isatty():
        say(f"{named_by} names {host}. You have not confirmed this host for {what}.")
        if not click.confirm("Send it there, now and from now on?", err=True):
            raise ConfigurationError("the host is not confirmed; nothing was sent")
        store.write(trusted | needed)
        return
    command = " ".join(("awning trust", host, *(f"--secret {entry.secret}" for entry in missing)))
    raise ConfigurationError(
        f"{named_by} names {host}, which you have not confirmed for {what}; nothing was sent",
        hint=f"if you trust it: {command}; in CI: {VARIABLE}={host.removeprefix('https://')}",
    )


def _sources_of_user(names: Sequence[str], environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield name and source of each secret that is set, and that does not come from the workspace."""
    of_folder = names_from_env_file(environ)
    for name in names:
        source = _source_of(name, environ)
        if source is None or (source == ENVIRONMENT and name in of_folder):
            continue
        if source not in (ENVIRONMENT, KEYRING) and _is_in_workspace(Path(source)):
            continue
        yield name, source


def _source_of(name: str, environ: Mapping[str, str]) -> str | None:
    if name != STATE:
        return secret_source(name, environ)
    folder = environ.get(STATE, "").strip()
    return str(Path(folder).resolve()) if folder else None


def _is_in_workspace(path: Path) -> bool:
    try:
        return path.is_relative_to(find_workspace(Path.cwd()))
    except ConfigurationError:
        return False


def _described(entry: Trust) -> str:
    match entry.source:
        case "environment" | "keyring":
            return f"{entry.secret} of your {entry.source}"
        case path:
            return f"the inventory in {path}" if entry.secret == STATE else f"{entry.secret} in {path}"
