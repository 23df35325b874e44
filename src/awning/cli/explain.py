"""`awning explain`: prints the page of a rule."""

import click

from awning.contract import Exit
from awning.diagnostics import did_you_mean
from awning.errors import ConfigurationError
from awning.rule_pages import rule_ids, rule_page


@click.command()
@click.argument("rule", required=False)
def explain(rule: str | None) -> int:
    """Show what RULE requires, with a wrong and a right example. Without RULE, list the names of all rules.

    Every finding shows the name of its rule in brackets.
    """
    if rule is None:
        click.echo("\n".join(sorted(rule_ids())))
        return Exit.DONE
    page = rule_page(rule)
    if page is None:
        hint = did_you_mean(rule, sorted(rule_ids())) or "`awning explain` lists all rules"
        raise ConfigurationError(f'no rule is called "{rule}"', hint=hint)
    click.echo(page, nl=False)
    return Exit.DONE
