"""`awning verify-request`: tells whether a query string is from the service. Exit 0 authentic, 1 not, 2 no secret."""

import os

import click

from awning.cli.report import json_option
from awning.client import Secret
from awning.contract import Exit
from awning.errors import ConfigurationError
from awning.json_document import json_document
from awning.signed_requests import verify_request as judge


@click.command(name="verify-request")
@click.argument("query")
@click.option(
    "--secret-env",
    default="AWNING_APP_SECRET",
    show_default=True,
    metavar="NAME",
    help="The environment variable that holds the app secret.",
)
@json_option
def verify_request(query: str, secret_env: str, as_json: bool) -> int:
    """Verify QUERY, the query string of an install or settings request as received. QUERY may be a whole address."""
    secret = os.environ.get(secret_env, "")
    if not secret:
        raise ConfigurationError(f"the environment variable {secret_env} is not set or is empty")
    if query.startswith(("http://", "https://")):
        query = query.partition("#")[0].partition("?")[2]
    verdict = judge(os.fsencode(query), Secret(secret))
    if as_json:
        click.echo(json_document({"authentic": verdict.authentic, "reason": verdict.reason}))
    else:
        click.echo(f"{'authentic' if verdict.authentic else 'not authentic'}: {verdict.reason}")
    return int(Exit.DONE if verdict.authentic else Exit.FINDINGS)
