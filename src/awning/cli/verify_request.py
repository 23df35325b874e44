"""`awning verify-request`: tells whether a query string is from the service. Exit 0 authentic, 1 not, 2 no secret."""

import os

import click

from awning.cli.report import json_option, print_result
from awning.cli.service_options import secret_env_option, secret_in
from awning.contract import Exit
from awning.signed_requests import verify_request as judge


@click.command(name="verify-request")
@click.argument("query")
@secret_env_option
@json_option
def verify_request(query: str, secret_env: str, as_json: bool) -> int:
    """Verify QUERY, the query string of an install or settings request as received. QUERY may be a whole address."""
    secret = secret_in(secret_env)
    if query.lower().startswith(("http://", "https://")):
        query = query.partition("#")[0].partition("?")[2]
    verdict = judge(os.fsencode(query), secret)
    text = f"{'authentic' if verdict.authentic else 'not authentic'}: {verdict.reason}"
    print_result(as_json, text, authentic=verdict.authentic, reason=verdict.reason)
    return int(Exit.DONE if verdict.authentic else Exit.FINDINGS)
