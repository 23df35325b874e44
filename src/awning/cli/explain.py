"""`awning explain`: prints the page of a rule or of a check."""

import re

import click

from awning.contract import Exit
from awning.contract.checks import WIDGET_CHECKS, check_page
from awning.diagnostics import did_you_mean
from awning.errors import ConfigurationError
from awning.rules import find_rule, rule_ids

LINK = re.compile(r"\[([^\]\n]+)\]\((?:\.\./)*(docs/[^)\s]+)?[^)\s]*\)")
"""A link of a rule's page. A terminal shows its text and, of a page of docs/, its path. Another target is a rule."""


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
    known = find_rule(rule)
    page = known.page if known else check_page(rule)
    if page is None:
        hint = did_you_mean(rule, names) or "`awning explain` lists all rules and checks"
        raise ConfigurationError(f'no rule or check is called "{rule}"', hint=hint)
    click.echo(LINK.sub(lambda link: f"{link[1]} ({link[2]})" if link[2] else link[1], page), nl=False)
    return Exit.DONE
