"""The verbs of the reseller's account: `awning reseller authorize`, `logout`, `settings`, `balance` and `password`."""

import os
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import fields

import click

from awning.cli.report import json_option, print_result, say
from awning.cli.reseller.changing import alone, dry_run_option, open_log, show_changes
from awning.cli.reseller.connection import Connection, connected
from awning.cli.reseller.table import json_row, pairs
from awning.cli.service_options import read_secret
from awning.client import find_secret
from awning.client.reseller import actions
from awning.client.reseller.actions import SETTABLE, SetPassword
from awning.client.reseller.client import TOKEN
from awning.client.secret import Secret
from awning.diagnostics import did_you_mean
from awning.errors import ConfigurationError
from awning.publish.operator import operator_name
from awning.reseller.changes import Change, Changing, settings_change


@click.command()
@connected
@json_option
def authorize(connection: Connection, as_json: bool) -> None:
    """Test whether the service accepts the e-mail and password. The token is not shown, and ends at once."""
    with connection.open() as client:
        client.authorize()
    print_result(as_json, "authorized", authorized=True)


@click.command()
@connected
@json_option
def logout(connection: Connection, as_json: bool) -> None:
    """Invalidate the token in AWNING_RESELLER_TOKEN. Tokens that awning obtains itself end with each command."""
    if find_secret(TOKEN, os.environ) is None:
        raise ConfigurationError(
            f"there is no token in {TOKEN}",
            hint="a token that awning obtains itself is ended after each command",
        )
    with connection.open() as client:
        client.end()
    print_result(as_json, "logged out", logged_out=True)


@click.group()
def settings() -> None:
    """Show or change the settings of the account."""


@settings.command(name="show")
@connected
@json_option
def show_settings(connection: Connection, as_json: bool) -> None:
    """Show all settings."""
    account_settings = connection.run(actions.settings())
    values = {**account_settings.values, **account_settings.others}
    print_result(as_json, pairs(values), settings=values)


@settings.command(name="set", epilog=f"Names: {', '.join(SETTABLE)}.")
@connected
@click.argument("changes", nargs=-1, required=True, metavar="NAME=VALUE...")
@click.option(
    "--any-name",
    is_flag=True,
    help="Send any name, also one that services were seen to ignore.",
)
@dry_run_option
@json_option
def set_settings(
    connection: Connection, changes: tuple[str, ...], *, any_name: bool, dry_run: bool, as_json: bool
) -> None:
    """Change settings, and read them back. If the service did not take one, the exit code is 6.

    An unknown name is sent, too, with a warning. With --any-name, so is one that services were seen not to change, such
    as company.

    \b
    awning reseller settings set brand=Name aiDefaultLimit=100 tlds=com,lv
    """
    values = _parsed(changes)
    action, unknown = actions.set_settings(values, any_name=any_name), actions.unknown_settings(values)
    for name in unknown if not any_name else ():
        hint = did_you_mean(name, SETTABLE)
        say(f'warning: "{name}" is not a known setting{f", {hint}" if hint else ""}; it is sent nevertheless')
    log = None if dry_run else open_log()
    with connection.open() as client, nullcontext() if log is None else alone(client):
        change = settings_change(client.run(actions.settings()), values, action)
        if log is None:
            show_changes([change], as_json=as_json)
            return
        Changing(client, log, operator_name(os.environ)).make(change)
    known = [name for name in values if name not in unknown]
    results = [f"{', '.join(names)}: {how}" for names, how in ((known, "set"), (unknown, "sent")) if names]
    print_result(as_json, "; ".join(results), settings=values, unknown=list(unknown))


def _parsed(changes: Sequence[str]) -> dict[str, str]:
    values = {}
    for change in changes:
        name, equals, value = change.partition("=")
        if not equals:
            raise ConfigurationError(f'"{change}" is not NAME=VALUE', hint="such as brand=Name")
        values[name.strip()] = value
    return values


@click.command()
@connected
@json_option
def balance(connection: Connection, as_json: bool) -> None:
    """Show the amount due and this month's AI usage."""
    amounts = connection.run(actions.balance())
    values = {field.name: getattr(amounts, field.name) for field in fields(amounts)}
    if values["signup_fee_link"] is None:
        del values["signup_fee_link"]
    print_result(as_json, pairs(values), balance=json_row(values))


@click.group()
def password() -> None:
    """Change the account's password."""


@password.command(name="set")
@connected
@json_option
def set_password(connection: Connection, as_json: bool) -> None:
    """Set a new password. It comes from AWNING_RESELLER_NEW_PASSWORD, the terminal or standard input."""
    new = Secret(read_secret("AWNING_RESELLER_NEW_PASSWORD", "new password", confirm=True))
    log = open_log()
    with connection.open() as client:
        change = Change(operation="password set", action=SetPassword(new))
        Changing(client, log, operator_name(os.environ)).make(change)
    print_result(
        as_json,
        "the password was changed: set AWNING_RESELLER_PASSWORD, or the keyring or file, to the new one",
        changed=True,
    )
