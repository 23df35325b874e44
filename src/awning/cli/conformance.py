"""`awning conformance`: tests whether a running server verifies requests."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from http import HTTPStatus

import click

from awning.cli.report import json_option, print_result, profile_option, say
from awning.cli.service_options import secret_env_option, secret_in
from awning.contract import Exit
from awning.signed_requests.conformance import (
    RequestResult,
    accepted_forms,
    partly_accepted_forms,
    requests_not_accepted,
    try_server_at,
    verifies_nothing,
)
from awning.signed_requests.trial_requests import CALLBACK, Expected, SampleValues
from awning.workspace.reader import find_profile


@click.command()
@click.argument("url")
@secret_env_option
@click.option(
    "--auth-code-env",
    metavar="NAME",
    help="The environment variable that holds an authCode that the server knows. Needed for the settings address.",
)
@click.option("--callback", default=CALLBACK, help="The return address in the requests.")
@click.option("--timeout", default=10.0, show_default=True, help="Seconds to wait for each response.")
@profile_option("whose dialect the requests have")
@json_option
def conformance(
    url: str,
    *,
    secret_env: str,
    auth_code_env: str | None,
    callback: str,
    timeout: float,
    profile: str | None,
    as_json: bool,
) -> int:
    """Try the app at URL, its install or settings address, with good and bad requests.

    A request is accepted when it gets 2XX or 3XX and the same page as the authentic request. It is refused when it gets
    4XX, or another page, such as an empty 200. 5XX or no answer is always a failure. Without --auth-code-env, good
    requests have no authCode, so that nothing is installed. In a workspace, they have the names of the profile's
    dialect.

    Exit codes: 0 all passed, 1 some failed or no server answers, 2 usage or configuration.
    """
    sample = SampleValues(
        secret=secret_in(secret_env),
        callback=callback,
        auth_code=secret_in(auth_code_env) if auth_code_env else None,
        version_parameter=find_profile(profile, os.environ).dialect.version_parameter,
    )
    results = try_server_at(url, sample, timeout_s=timeout, environ=os.environ)
    print_result(as_json, _lines(results), indent=2, **_document(url, results))
    return Exit.DONE if all(result.passed for result in results) else Exit.FINDINGS


def _document(url: str, results: Sequence[RequestResult]) -> dict[str, object]:
    failed = sum(not result.passed for result in results)
    return {
        "url": url,
        "conformant": not failed,
        "totals": {"passed": len(results) - failed, "failed": failed},
        "notes": sum(bool(result.note) for result in results),
        "forms": accepted_forms(results),
        "not_taken": requests_not_accepted(results),
        "cases": [result.as_json() for result in results],
    }


def _lines(results: Sequence[RequestResult]) -> Iterator[str]:
    """Yield the result of each request, the verdict and the totals, as lines. Explains some failures on stderr."""
    width = max(len(result.request.name) for result in results)
    for result in results:
        request = result.request
        mark = ("note" if result.note else "ok  ") if result.passed else "FAIL"
        status = f"HTTP {result.status}" if result.status else "no answer"
        yield f"{mark}  {request.name:<{width}}  {status:<10}  {request.about}"
        if not result.passed:
            may_be_either = request.expected in (Expected.EITHER, Expected.NOTED)
            expected = "answered" if may_be_either else str(request.expected)
            why = f"must be {expected}, was {result.outcome} ({result.why})"
            yield f"      {'':<{width}}  {why}: ?{request.shown}"
    yield verdict_of(results)
    for note, count in Counter(result.note for result in results if result.note).items():
        yield f"{count} noted: {note}"
    failed = sum(not result.passed for result in results)
    yield f"{len(results) - failed} passed, {failed} failed"
    if not results[0].passed:
        say(f"the simplest good request was refused: {_likely_cause(results[0].status)}")
    elif verifies_nothing(results):
        say(
            "a request with a changed hash gets the same page as the authentic one: the server verifies nothing, "
            "or refuses both (does the server use this secret?)"
        )


def _likely_cause(status: int | None) -> str:
    """Return the question that the status of the simplest good request raises."""
    match status:
        case HTTPStatus.NOT_FOUND:
            return "is this the app's install or settings address, and does the server know the authCode? (HTTP 404)"
        case HTTPStatus.MISDIRECTED_REQUEST:
            return "is this the address that browsers use? The server is for another host (HTTP 421)"
        case HTTPStatus.BAD_REQUEST:
            return "does the server use this secret? The settings address needs --auth-code-env"
        case _:
            return "does the server use this secret?"


def verdict_of(results: Sequence[RequestResult]) -> str:
    """Return the verdict in one line."""
    wrong = Counter(result.request.expected for result in results if not result.passed)
    if wrong:
        counts = (
            (wrong[Expected.REFUSED], "did not refuse what must be refused"),
            (wrong[Expected.ACCEPTED], "did not accept what must be accepted"),
            (wrong[Expected.EITHER] + wrong[Expected.NOTED], "did not answer"),
        )
        return "does not verify requests correctly: " + ", ".join(
            f"{n} times it {what}" for n, what in counts if n
        )
    forms = [form for form, taken in accepted_forms(results).items() if taken]
    missed = requests_not_accepted(results)
    if forms:
        verdict = f"verifies the {' and the '.join(forms)} form"
        partial = [form for form in partly_accepted_forms(results) if form not in forms]
        return verdict + "".join(f"; the {form} form but for {', '.join(missed[form])}" for form in partial)
    names = "; ".join(f"{form}: not {', '.join(missed[form])}" for form in missed)
    return f"verifies neither form completely, which is allowed ({names})"
