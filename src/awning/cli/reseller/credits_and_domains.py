"""The verbs for a website's AI credits and domains: `awning reseller ai-limit`, `ai-credits`, `domains`, `domain`."""

import click

from awning.cli.report import json_option
from awning.cli.reseller.connection import (
    Connection,
    RecordNumber,
    connected,
    print_json,
    print_result,
)
from awning.cli.reseller.table import table, terminal_room
from awning.cli.reseller.websites import number
from awning.client.reseller import actions


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
@connected
@number
@amount
@json_option
def set_(connection: Connection, number: int, amount: int, as_json: bool) -> None:
    """Set the monthly AI credits to CREDITS, a whole number from 0 to 1000000. 0 turns AI off.

    While AI credits are free of charge, the plan limits the number. A refusal names the limit.
    """
    connection.run(actions.set_limit(number, amount))
    print_result(as_json, f"website {number}: {amount} monthly AI credits", website=number, ai_limit=amount)


@click.group(name="ai-credits")
def ai_credits() -> None:
    """Add extra AI credits to a website."""


@ai_credits.command(name="add", context_settings=as_numbers)
@connected
@number
@amount
@json_option
def add(connection: Connection, number: int, amount: int, as_json: bool) -> None:
    """Add CREDITS extra AI credits, a whole number from 1 to 1000000.

    A website uses them after its monthly credits, and only on a paid plan. They are valid for 300 days after the last
    addition. The service refuses additions while AI credits are free of charge. When the answer is lost, awning reads
    the credits back and never sends the addition again.
    """
    connection.run(actions.add_credits(number, amount))
    print_result(as_json, f"website {number}: {amount} extra AI credits added", website=number, added=amount)


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
    if as_json:
        print_json(website=number, domains=rows)
    else:
        click.echo(table(("id", "domain"), rows, room=terminal_room()) if rows else "no domains")


@click.group()
def domain() -> None:
    """Attach a domain to a website, or remove one."""


@domain.command(name="add")
@connected
@number
@click.argument("name")
@json_option
def add_domain(connection: Connection, number: int, name: str, as_json: bool) -> None:
    """Attach the domain NAME, without www."""
    connection.run(actions.add_domain(number, name))
    print_result(as_json, f"website {number}: {name} added", website=number, domain=name)


@domain.command()
@connected
@number
@click.argument("domain_id", type=RecordNumber("domain", "domains list"), metavar="ID")
@json_option
def remove(connection: Connection, number: int, domain_id: int, as_json: bool) -> None:
    """Remove the domain that `domains list` shows with this ID."""
    connection.run(actions.remove_domain(number, domain_id))
    print_result(
        as_json, f"website {number}: domain {domain_id} removed", website=number, domain_id=domain_id
    )
