"""`awning conformance`: does a running server verify requests rightly? Exit 0 it does, 1 it does not."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence

import click

from awning.cli.report import say
from awning.client import Limits, Secret, Wire
from awning.contract import Exit
from awning.errors import ConfigurationError
from awning.verify.conformance import (
    Tried,
    forms_taken,
    not_taken,
    server_access,
    try_server,
    verifies_nothing,
)
from awning.verify.conformance_cases import CALLBACK, Expected, Sample, cases


@click.command()
@click.argument("url")
@click.option(
    "--secret-env", required=True, metavar="NAME", help="The environment variable that holds the app secret."
)
@click.option(
    "--auth-code-env",
    metavar="NAME",
    help="The environment variable that holds an authCode the server knows: for its settings address.",
)
@click.option("--callback", default=CALLBACK, help="The return address sent.")
@click.option("--timeout", default=10.0, show_default=True, help="Seconds for one answer.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def conformance(
    url: str, *, secret_env: str, auth_code_env: str | None, callback: str, timeout: float, as_json: bool
) -> int:
    """Try the app at URL, its install or settings address, with good and bad requests.

    Accepted is 2XX or 3XX with what the authentic request gets. Refused is 4XX, or an answer unlike that one, such
    as an empty 200 or another page. 5XX or no answer is a failure whatever was sent. Good requests look like a
    first install request: without an authCode, so that nothing is installed.

    Exit codes: 0 all passed, 1 some failed or nobody is there, 2 usage or configuration.
    """
    sample = Sample(
        secret=_secret(secret_env),
        callback=callback,
        auth_code=_secret(auth_code_env) if auth_code_env else None,
    )
    access = server_access(url)
    limits = Limits(connect_s=timeout, total_s=timeout)
    with Wire(access, limits=limits, environ=os.environ) as wire:
        tried = try_server(cases(sample), wire.send)
    if as_json:
        click.echo(json.dumps(_document(url, tried), ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(_lines(tried)))
    return Exit.DONE if all(one.passed for one in tried) else Exit.FINDINGS


def _secret(variable: str) -> Secret:
    value = os.environ.get(variable, "")
    if not value:
        raise ConfigurationError(f"the environment variable {variable} is not set")
    return Secret(value)


def _document(url: str, tried: Sequence[Tried]) -> dict[str, object]:
    failed = sum(not one.passed for one in tried)
    return {
        "schema_version": 1,
        "url": url,
        "conformant": not failed,
        "totals": {"passed": len(tried) - failed, "failed": failed},
        "forms": forms_taken(tried),
        "not_taken": not_taken(tried),
        "cases": [one.as_json() for one in tried],
    }


def _lines(tried: Sequence[Tried]) -> Iterator[str]:
    """One line for each request, then what it comes to."""
    width = max(len(one.case.name) for one in tried)
    for one in tried:
        mark = "ok  " if one.passed else "FAIL"
        status = f"HTTP {one.status}" if one.status else "no answer"
        yield f"{mark}  {one.case.name:<{width}}  {status:<10}  {one.case.about}"
        if not one.passed:
            yield f"      {'':<{width}}  must be {_must(one)}, was {one.outcome} ({one.why}): ?{one.case.shown}"
    yield verdict(tried)
    failed = sum(not one.passed for one in tried)
    yield f"{len(tried) - failed} passed, {failed} failed"
    if not tried[0].passed:
        say("the plainest good request was refused: is the secret the server's?")
    elif verifies_nothing(tried):
        say(
            "a request with a changed hash gets what the authentic one gets: the server verifies nothing, "
            "or refuses both alike (is the secret the server's?)"
        )


def verdict(tried: Sequence[Tried]) -> str:
    """What it comes to, in a line."""
    wrong = Counter(one.case.expected for one in tried if not one.passed)
    if wrong:
        counts = (
            (wrong[Expected.REFUSED], "did not refuse what must be refused"),
            (wrong[Expected.ACCEPTED], "did not accept what must be accepted"),
            (wrong[Expected.EITHER], "did not answer"),
        )
        return "does not verify requests rightly: " + ", ".join(
            f"{n} times it {what}" for n, what in counts if n
        )
    forms = [form for form, taken in forms_taken(tried).items() if taken]
    if forms:
        return f"verifies the {' and the '.join(forms)} form"
    missed = "; ".join(f"{form}: not {', '.join(names)}" for form, names in not_taken(tried).items())
    return f"verifies neither form in full, which is no failure ({missed})"


def _must(one: Tried) -> str:
    return "answered" if one.case.expected is Expected.EITHER else str(one.case.expected)
