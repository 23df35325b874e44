"""`awning explain`: prints the page of a rule or of a check."""

import click

from awning.contract import Exit
from awning.contract.conformance import WIDGET_CHECKS, check_page
from awning.diagnostics import did_you_mean
from awning.errors import ConfigurationError
from awning.rule_pages import rule_ids, rule_page


@click.command()
@click.argument("rule", required=False)
def explain(rule: str | None) -> int:
    """Show what RULE requires, with a wrong and a right example. Without RULE, list all rules and checks.

    Every finding shows the name of its rule in brackets. RULE may also be one of the checks that `awning test` runs for
    every widget: the page says what fails it, how to mend that, and how to switch it off.
    """
    names = [*sorted(rule_ids()), *WIDGET_CHECKS]
    if rule is None:
        click.echo("\n".join(names))
        return Exit.DONE
    page = rule_page(rule) or check_page(rule)
    if page is None:
        hint = did_you_mean(rule, names) or "`awning explain` lists all rules and checks"
        raise ConfigurationError(f'no rule or check is called "{rule}"', hint=hint)
    click.echo(page, nl=False)
    return Exit.DONE
