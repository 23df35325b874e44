"""The verbs for a website's AI credits and domains: `awning reseller ai-limit`, `ai-credits`, `domains`, `domain`."""

import click

from awning.cli.report import json_option
from awning.cli.reseller.changing import ChangeOptions, change_websites, changes_websites, run_changes
from awning.cli.reseller.connection import Connection, RecordNumber, connected
from awning.cli.reseller.table import print_rows
from awning.cli.reseller.websites import number
from awning.client.reseller import ResellerClient, Website, actions
from awning.reseller.changes import Change, add_credits, domain_added, domain_removed, set_limit


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
def list_(connection: Connection, number: int, as_json: bool) -> None:
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
