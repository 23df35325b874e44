"""`awning reseller`: every call of the Reseller API as a subcommand, a report, and the log of changes."""

import click

from awning.cli.reseller.account import authorize, balance, logout, password, settings
from awning.cli.reseller.log import log
from awning.cli.reseller.report import report, upcoming
from awning.cli.reseller.websites import ai_credits, ai_limit, domain, domains, website, websites


@click.group()
def reseller() -> None:
    """Use the Reseller API: websites, plans, AI credits, domains, settings, balance.

    AWNING_RESELLER_URL, AWNING_RESELLER_EMAIL and AWNING_RESELLER_PASSWORD hold the service's address and the account.
    The password may also be in a keyring, or in the file that AWNING_RESELLER_PASSWORD_FILE names. To try commands
    safely, use `awning service`, which simulates a reseller account.

    \b
    awning reseller websites list --where 'premium and ai_spent > 0.8 * ai_limit'
    awning reseller ai-credits add 12 500
    awning reseller ai-limit set --where 'plan == "premium"' 500 --dry-run
    awning reseller report --format html -o report.html

    Exit codes: 0 done, 1 failed (the message tells whether the change may still take effect), 2 usage or configuration,
    5 only some of several changes are done, 6 refused by the service.
    """


for _command in (
    authorize,
    logout,
    websites,
    website,
    ai_limit,
    ai_credits,
    domains,
    domain,
    settings,
    balance,
    password,
    report,
    upcoming,
    log,
):
    reseller.add_command(_command)

__all__ = ["reseller"]
