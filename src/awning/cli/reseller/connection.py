"""Shared by the subcommands: the service, the account, the sources of secrets, how results are printed.

A flag comes before the environment, then the profile. The password comes from AWNING_RESELLER_PASSWORD, a keyring or
the file that AWNING_RESELLER_PASSWORD_FILE names, never from a flag.
"""

import json
import os
import sys
from collections.abc import Callable
from datetime import datetime, tzinfo
from typing import Any, TypeVar

import click

from awning.cli.service_settings import chosen_profile
from awning.client import find_secret
from awning.client.reseller import ResellerClient, reseller_client
from awning.client.reseller.client import HasFlow
from awning.errors import ConfigurationError

T = TypeVar("T")
Command = Callable[..., Any]
PASSWORD = "AWNING_RESELLER_PASSWORD"  # noqa: S105 - the variable's name
TOKEN = "AWNING_RESELLER_TOKEN"  # noqa: S105 - the variable's name


class Connection:
    """The service and the account that a command uses. Nothing is sent before `open`."""

    def __init__(self, url: str | None, email: str | None, profile: str | None) -> None:
        self._url = url
        self._email = email
        self._profile = profile

    def open(self) -> ResellerClient:
        url = self._url or chosen_profile(self._profile, os.environ).reseller_url
        if not url:
            raise ConfigurationError(
                "no reseller service is named",
                hint="set AWNING_RESELLER_URL, or reseller_url in the profile; `awning service` simulates one",
            )
        password, token = find_secret(PASSWORD, os.environ), find_secret(TOKEN, os.environ)
        if token is None and not (self._email and password):
            missing = "e-mail" if not self._email else "password"
            raise ConfigurationError(
                f"there is no {missing} of the reseller account",
                hint=f"set AWNING_RESELLER_EMAIL and {PASSWORD}, or keep the password in a keyring "
                f"(service awning, user {PASSWORD}) or in the file that {PASSWORD}_FILE names",
            )
        plain = os.environ.get("AWNING_ALLOW_PLAIN_HTTP", "") not in {"", "0"}
        return reseller_client(
            url, self._email or "", password, token=token, allow_plain_http=plain, environ=os.environ
        )

    def run(self, action: HasFlow[T]) -> T:
        """One call in a session of its own."""
        with self.open() as client:
            return client.run(action)


def connected(command: Command) -> Command:
    """Give a command `--url`, `--email` and `--profile` as one argument `connection`."""

    def with_connection(url: str | None, email: str | None, profile: str | None, **rest: Any) -> Any:
        return command(connection=Connection(url, email, profile), **rest)

    with_connection.__name__ = command.__name__
    with_connection.__doc__ = command.__doc__
    if hasattr(command, "__click_params__"):
        with_connection.__click_params__ = command.__click_params__  # type: ignore[attr-defined]
    url = click.option("--url", envvar="AWNING_RESELLER_URL", help="What /api/... is appended to.")
    email = click.option("--email", envvar="AWNING_RESELLER_EMAIL", help="The account's e-mail.")
    profile = click.option(
        "--profile", envvar="AWNING_PROFILE", help="Which service, of pyproject.toml's profiles."
    )
    return url(email(profile(with_connection)))


json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")


def time_zone() -> tzinfo:
    """The zone the service writes its dates in: AWNING_RESELLER_TIME_ZONE, such as +02:00; UTC by default."""
    text = os.environ.get("AWNING_RESELLER_TIME_ZONE", "").strip() or "+00:00"
    try:
        zone = datetime.strptime(text, "%z").tzinfo
    except ValueError:
        zone = None
    if zone is None:
        raise ConfigurationError("AWNING_RESELLER_TIME_ZONE is not an offset", hint="such as +02:00")
    return zone


def print_json(**document: Any) -> None:
    click.echo(json.dumps({"schema_version": 1, **document}, ensure_ascii=False))


def print_result(as_json: bool, sentence: str, **document: Any) -> None:
    """Print the result of a change: a sentence, or with --json a document."""
    if as_json:
        print_json(**document)
    else:
        click.echo(sentence)


def read_secret(variable: str, prompt: str) -> str:
    """A secret that the user gives now: from the environment, the terminal, or standard input."""
    given = os.environ.get(variable, "").strip()
    if given:
        return given
    if sys.stdin.isatty():
        return str(click.prompt(prompt, hide_input=True, confirmation_prompt=True, err=True)).strip()
    given = sys.stdin.read(4096).strip()
    if not given:
        raise ConfigurationError(
            f"there is no {prompt}", hint=f"set {variable}, or write it to standard input"
        )
    return given
