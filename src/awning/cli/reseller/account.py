"""The verbs of the reseller's account: `awning reseller authorize`, `logout`, `settings`, `balance` and `password`."""

import os
from dataclasses import fields

import click

from awning.cli.report import json_option, say
from awning.cli.reseller.connection import Connection, connected, print_json, print_result
from awning.cli.reseller.table import json_value, pairs
from awning.cli.secrets import read_secret
from awning.client import find_secret
from awning.client.reseller import actions
from awning.client.reseller.actions import SETTABLE, SetPassword
from awning.client.reseller.client import TOKEN
from awning.client.secret import Secret
from awning.diagnostics import did_you_mean
from awning.errors import ConfigurationError


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
    if as_json:
        print_json(settings=values)
    else:
        click.echo(pairs(values))


@settings.command(name="set", epilog=f"Names: {', '.join(SETTABLE)}.")
@connected
@click.argument("changes", nargs=-1, required=True, metavar="NAME=VALUE...")
@json_option
def set_settings(connection: Connection, changes: tuple[str, ...], as_json: bool) -> None:
    """Change settings, and read them back. If the service did not take one, the exit code is 6.

    An unknown name is sent, too, with a warning, because the service may have more settings than awning knows.

    \b
    awning reseller settings set brand=Name aiDefaultLimit=100 tlds=com,lv
    """
    values = {}
    for change in changes:
        name, equals, value = change.partition("=")
        if not equals:
            raise ConfigurationError(f'"{change}" is not NAME=VALUE', hint="such as brand=Name")
        values[name.strip()] = value
    action, unknown = actions.set_settings(values), actions.unknown_settings(values)
    for name in unknown:
        hint = did_you_mean(name, SETTABLE)
        say(f'warning: "{name}" is not a known setting{f", {hint}" if hint else ""}; it is sent nevertheless')
    connection.run(action)
    known = [name for name in values if name not in unknown]
    results = [f"{', '.join(names)}: {how}" for names, how in ((known, "set"), (unknown, "sent")) if names]
    print_result(as_json, "; ".join(results), settings=values, unknown=list(unknown))


@click.command()
@connected
@json_option
def balance(connection: Connection, as_json: bool) -> None:
    """Show the amount due and this month's AI usage."""
    amounts = connection.run(actions.balance())
    values = {field.name: getattr(amounts, field.name) for field in fields(amounts)}
    if values["signup_fee_link"] is None:
        del values["signup_fee_link"]
    if as_json:
        print_json(balance={name: json_value(value) for name, value in values.items()})
    else:
        click.echo(pairs(values))


@click.group()
def password() -> None:
    """Change the account's password."""


@password.command(name="set")
@connected
@json_option
def set_password(connection: Connection, as_json: bool) -> None:
    """Set a new password. It comes from AWNING_RESELLER_NEW_PASSWORD, the terminal or standard input."""
    new = Secret(read_secret("AWNING_RESELLER_NEW_PASSWORD", "new password", confirm=True))
    connection.run(SetPassword(new))
    print_result(
        as_json,
        "the password was changed: set AWNING_RESELLER_PASSWORD, or the keyring or file, to the new one",
        changed=True,
    )
