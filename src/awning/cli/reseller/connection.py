"""The options that the subcommands of `awning reseller` share, and functions that print results.

A flag overrides the environment, which overrides the profile. The password comes from AWNING_RESELLER_PASSWORD, a
keyring or the file that AWNING_RESELLER_PASSWORD_FILE names, never from a flag.
"""

import os
from functools import wraps
from typing import Any, TypeVar

import click

from awning.cli.report import Command, profile_option
from awning.cli.trust import OF_RESELLER_API, folder_that_names, require_trust
from awning.client.reseller import ResellerClient
from awning.client.reseller.client import HasFlow, find_reseller_client
from awning.workspace.reader import find_profile

T = TypeVar("T")


class Connection:
    """The service and the account that a command uses. Nothing is sent before the client of `open` runs an action."""

    def __init__(self, url: str | None, email: str | None, profile: str | None) -> None:
        self._url = url
        self._email = email
        self._profile = profile

    def open(self) -> ResellerClient:
        url = self._url or find_profile(self._profile, os.environ).reseller_url
        client = find_reseller_client(url, self._email, os.environ)
        named_by = folder_that_names(self._url, "AWNING_RESELLER_URL", os.environ)
        require_trust(url or "", named_by, OF_RESELLER_API, os.environ)
        return client

    def run(self, action: HasFlow[T]) -> T:
        """Run one action in a new session."""
        with self.open() as client:
            return client.run(action)


def connected(command: Command) -> Command:
    """Add `--url`, `--email` and `--profile` to a command. They are passed as one argument, `connection`."""

    @wraps(command)
    def with_connection(url: str | None, email: str | None, profile: str | None, **rest: Any) -> Any:
        return command(connection=Connection(url, email, profile), **rest)

    url = click.option("--url", envvar="AWNING_RESELLER_URL", help="The service's address, without /api/...")
    email = click.option("--email", envvar="AWNING_RESELLER_EMAIL", help="The account's e-mail.")
    return url(email(profile_option()(with_connection)))


class RecordNumber(click.IntRange):
    """The number of a website or a domain on the command line. `listed_by` is the subcommand that shows the numbers."""

    def __init__(self, record: str, listed_by: str) -> None:
        super().__init__(min=1)
        self._record = record
        self._listed_by = listed_by

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            hint = f"`awning reseller {self._listed_by}` shows the numbers"
            self.fail(f"{value!r} is not the number of a {self._record}: {hint}.", param, ctx)
