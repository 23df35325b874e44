"""`awning explain`: prints the page of a rule or of a check."""

import click

from awning.cli.report import json_option, print_result
from awning.contract import Exit
from awning.contract.checks import WIDGET_CHECKS, check_page
from awning.diagnostics import did_you_mean
from awning.errors import ConfigurationError
from awning.rules import all_rules, find_rule, rule_ids, without_links


@click.command()
@click.argument("rule", required=False)
@json_option
def explain(rule: str | None, *, as_json: bool) -> int:
    """Show what RULE requires, with a wrong and a right example. Without RULE, list all rules and checks.

    RULE may also be one of the checks that `awning test` runs for every widget: what fails it, how to mend that, and
    how to switch it off.
    """
    names = [*sorted(rule_ids()), *WIDGET_CHECKS]
    if rule is None:
        rules = [
            {"rule": each.id, "severity": each.severity, "meaning": each.meaning} for each in all_rules()
        ]
        print_result(as_json, names, indent=2, rules=rules, checks=list(WIDGET_CHECKS))
        return Exit.DONE
    known = find_rule(rule)
    page = known.page if known else check_page(rule)
    if page is None:
        hint = did_you_mean(rule, names) or "`awning explain` lists all rules and checks"
        raise ConfigurationError(f'no rule or check is called "{rule}"', hint=hint)
    severity = known.severity if known else None
    text = without_links(page).removesuffix("\n")
    print_result(as_json, text, indent=2, rule=rule, severity=severity, page=page)
    return Exit.DONE
