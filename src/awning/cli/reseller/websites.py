"""`awning reseller websites list` lists and sorts websites. `awning reseller website ...` shows or changes one.

Those for a website's AI credits and domains are `ai-limit`, `ai-credits`, `domains` and `domain`.
"""

import os

import click

from awning.cli.report import json_option, print_result
from awning.cli.reseller.changing import ChangeOptions, change_websites, changes_websites, run_changes
from awning.cli.reseller.connection import Connection, RecordNumber, connected
from awning.cli.reseller.table import cell_text, check_one_form, csv_option, json_row, pairs, print_rows
from awning.client.reseller import ResellerClient, Website, actions
from awning.client.reseller.client import find_time_zone
from awning.client.reseller.resources import FREE
from awning.client.reseller.selection import WEBSITE_FIELDS, WebsiteSelection, field_names, fields_of
from awning.contract.reseller_calls import DEFAULT_SUBSCRIPTION
from awning.reseller.changes import (
    Change,
    add_credits,
    domain_added,
    domain_removed,
    set_enabled,
    set_limit,
    set_plan,
)

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


class WholeNumber(click.ParamType[int]):
    """A number of AI credits on the command line. The action checks its range."""

    name = "credits"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value)
        if not text.removeprefix("-").isascii() or not text.removeprefix("-").isdecimal():
            self.fail(f"{text!r} is not a whole number", param, ctx)
        return int(text[:20])


amount = click.argument("amount", type=WholeNumber(), metavar="CREDITS")
as_numbers = {"ignore_unknown_options": True}  # -1 is an invalid amount, not an option


@click.group(name="ai-limit")
def ai_limit() -> None:
    """Set the monthly AI credits of a website."""


@ai_limit.command(name="set", context_settings=as_numbers)
@changes_websites()
@amount
def set_(options: ChangeOptions, amount: int) -> int:
    """Set the monthly AI credits to CREDITS, a whole number from 0 to 1000000. 0 turns AI off.

    While AI credits are free of charge, the plan limits the number. A refusal names the limit.

    \b
    awning reseller ai-limit set --where 'premium and ai_limit < 500' 500 --dry-run
    """
    sentence = f"website {{}}: {amount} monthly AI credits".format
    return change_websites(options, set_limit(amount), sentence, ai_limit=amount)


@click.group(name="ai-credits")
def ai_credits() -> None:
    """Add extra AI credits to a website."""


@ai_credits.command(name="add", context_settings=as_numbers)
@changes_websites()
@amount
def add(options: ChangeOptions, amount: int) -> int:
    """Add CREDITS extra AI credits, a whole number from 1 to 1000000.

    A website uses them after its monthly credits, and only on a paid plan. They are valid for 300 days after the last
    addition. The service refuses additions while AI credits are free of charge. An addition is never sent twice.
    """
    sentence = f"website {{}}: {amount} extra AI credits added".format
    return change_websites(options, add_credits(amount), sentence, added=amount)


@click.group()
def domains() -> None:
    """Show the domains of a website."""


@domains.command(name="list")
@connected
@number
@json_option
def list_domains(connection: Connection, number: int, as_json: bool) -> None:
    """List the domains with their ids."""
    rows = [{"id": domain.id, "domain": domain.name} for domain in connection.run(actions.domains(number))]
    print_rows(as_json, ("id", "domain"), rows, "no domains", website=number, domains=rows)


@click.group()
def domain() -> None:
    """Attach a domain to a website, or remove one."""


@domain.command(name="add")
@changes_websites()
@click.argument("name")
def add_domain(options: ChangeOptions, name: str) -> int:
    """Attach the domain NAME, without www, to one website."""
    actions.add_domain(1, name)  # refuses a wrong name before anything is sent

    def plan(client: ResellerClient, website: Website) -> Change:
        return domain_added(website, name, client.run(actions.domains(website.id)))

    return run_changes(options, plan, lambda n: f"website {n}: {name} added", {"domain": name}, most=1)


@domain.command()
@changes_websites()
@click.argument("domain_id", type=RecordNumber("domain", "domains list"), metavar="ID")
def remove(options: ChangeOptions, domain_id: int) -> int:
    """Remove the domain that `domains list` shows with this ID, from one website."""

    def plan(client: ResellerClient, website: Website) -> Change:
        return domain_removed(website, domain_id, client.run(actions.domains(website.id)))

    sentence = f"website {{}}: domain {domain_id} removed".format
    return run_changes(options, plan, sentence, {"domain_id": domain_id}, most=1)
