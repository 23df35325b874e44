"""`awning reseller websites list` lists and sorts websites. `awning reseller website ...` shows or changes one."""

import os

import click

from awning.cli.report import json_option, print_result
from awning.cli.reseller.changing import ChangeOptions, change_websites, changes_websites
from awning.cli.reseller.connection import Connection, RecordNumber, connected
from awning.cli.reseller.table import cell_text, check_one_form, csv_option, json_row, pairs, print_rows
from awning.client.reseller import actions
from awning.client.reseller.client import find_time_zone
from awning.client.reseller.resources import FREE
from awning.client.reseller.selection import WEBSITE_FIELDS, WebsiteSelection, field_names, fields_of
from awning.contract.reseller_calls import DEFAULT_SUBSCRIPTION
from awning.reseller.changes import set_enabled, set_plan

SHOWN = ("id", "brandname", "plan", "enabled", "ai_limit", "ai_spent", "ai_extra")
"""The default columns of the table. They fit into a terminal of 80 columns."""

number = click.argument("number", type=RecordNumber("website", "websites list"), metavar="WEBSITE")


@click.group()
def websites() -> None:
    """Show the websites of the account."""


FIELDS = "\n".join(f"  {name:<20}{about}" for name, about in WEBSITE_FIELDS.items())


@websites.command(name="list", epilog=f"\b\nFields, for --where, --columns and --sort:\n{FIELDS}")
@connected
@click.option(
    "--where",
    help="Show only websites that meet this condition, such as 'premium and ai_spent > 0.8 * ai_limit'.",
)
@click.option(
    "--columns",
    help=f"The fields to show, separated by commas. Default: {', '.join(SHOWN)}; with --csv, all fields.",
)
@click.option(
    "--sort", help="The one field to sort by. A minus before the field sorts from the largest value."
)
@csv_option
@json_option
def list_(
    connection: Connection,
    *,
    where: str | None,
    columns: str | None,
    sort: str | None,
    csv_: bool,
    as_json: bool,
) -> None:
    """List all websites, or those that meet a condition.

    \b
    awning reseller websites list --where 'premium and ai_spent > 0.8 * ai_limit' --sort -ai_spent
    awning reseller websites list --where 'ai_extra > 0 and ai_extra_until < "2026-06-01"' --json
    """
    check_one_form(csv_, as_json)
    names = (tuple(WEBSITE_FIELDS) if csv_ else SHOWN) if columns is None else field_names(columns)
    zone = find_time_zone(os.environ)
    selection = WebsiteSelection(where, sort, zone)
    rows = [fields_of(website) for website in selection.select(connection.run(actions.websites(zone)))]
    print_rows(as_json, names, rows, "no websites", csv_=csv_, websites=list(map(json_row, rows)))


@click.group()
def website() -> None:
    """Show or change one website: state, plan, login link."""


@website.command()
@connected
@number
@json_option
def show(connection: Connection, number: int, as_json: bool) -> None:
    """Show every field of a website."""
    fields = fields_of(connection.run(actions.website(number, find_time_zone(os.environ))))
    texts = {name: cell_text(value) for name, value in fields.items()}
    print_result(as_json, pairs(texts), website=json_row(fields))


@website.command()
@changes_websites()
def enable(options: ChangeOptions) -> int:
    """Enable websites."""
    return change_websites(options, set_enabled(True), lambda n: f"website {n}: enabled", enabled=True)


@website.command()
@changes_websites()
def disable(options: ChangeOptions) -> int:
    """Disable websites."""
    return change_websites(options, set_enabled(False), lambda n: f"website {n}: disabled", enabled=False)


@website.command(name="enable-premium")
@changes_websites(last="subscription")
def enable_premium(options: ChangeOptions, subscription: str | None) -> int:
    """Put websites on a paid plan: premium (by default), premiumplus or premiumpro.

    \b
    awning reseller website enable-premium 12 premiumplus
    awning reseller website enable-premium --where 'plan == "premium" and ai_spent > 900' premiumplus --dry-run
    """
    plan = subscription or DEFAULT_SUBSCRIPTION
    return change_websites(options, set_plan(plan), lambda n: f"website {n}: on {plan}", plan=plan)


@website.command(name="disable-premium")
@changes_websites()
def disable_premium(options: ChangeOptions) -> int:
    """Stop the paid subscription of websites."""
    sentence = "website {}: no paid subscription".format
    return change_websites(options, set_plan(None), sentence, plan=FREE)


@website.command()
@connected
@number
@json_option
def login(connection: Connection, number: int, as_json: bool) -> None:
    """Print a one-time link that logs in to the website."""
    url = connection.run(actions.login(number))
    print_result(as_json, url, website=number, login_url=url)
