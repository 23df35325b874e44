"""The conformance command detects each known mistake, and accepts servers that verify either form."""

import hmac
import itertools
import json
from base64 import b64encode, urlsafe_b64encode
from functools import partial
from socketserver import ThreadingMixIn
from threading import Thread
from urllib.parse import parse_qsl, unquote, unquote_plus, unquote_to_bytes, urlencode, urlsplit
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest
from command_line import run_awning
from verifiers import KEY, SECRET, digest, judged_by, run

from awning.cli.conformance import verdict_of
from awning.client import NoResponse, Response, Secret
from awning.contract import Exit
from awning.signed_requests import verify_request
from awning.signed_requests.conformance import accepted_forms, requests_not_accepted, verifies_nothing
from awning.signed_requests.query import read_query, write_query
from awning.signed_requests.trial_requests import Expected, SampleValues, trial_requests


def parts(raw):
    """Split a query into its hash and the rest. The hash is empty when a correct verifier must refuse the query."""
    pairs = [piece for piece in raw.split(b"&") if piece]
    names = [unquote_to_bytes(p.partition(b"=")[0]).partition(b"[")[0] for p in pairs]
    once = all(names.count(name) <= 1 for name in (b"hash", b"authCode", b"callback"))
    hashes = [p.partition(b"=")[2] for p in raw.split(b"&") if p.partition(b"=")[0] == b"hash"]
    remainder = b"&".join(p for p in raw.split(b"&") if p.partition(b"=")[0] != b"hash")
    return hashes[0] if hashes and once and remainder.strip(b"&") else b"", remainder


def right(raw, text=lambda remainder: remainder, key=KEY):
    sent_hash, remainder = parts(raw)
    return bool(sent_hash) and hmac.compare_digest(digest(text(remainder), key).encode(), sent_hash)


def canonical(remainder):
    return write_query(read_query(remainder))


def failing(accepts, **sample):
    return {result.request.name for result in run(judged_by(accepts), **sample) if not result.passed}


RIGHT = {
    "awning's own": (lambda raw: bool(verify_request(raw, Secret(SECRET))), {"raw": True, "canonical": True}),
    "the raw text": (right, {"raw": True, "canonical": False}),
    "the canonical form": (lambda raw: right(raw, canonical), {"raw": False, "canonical": True}),
}


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize(
    "sample", [{}, {"auth_code": Secret("code~1"), "callback": "https://x.example/a?b=c d"}]
)
def test_server_that_verifies_one_form_or_both_passes(name, sample):
    accepts, forms = RIGHT[name]
    tried = run(judged_by(accepts), **sample)
    assert [result.request.name for result in tried if not result.passed] == []
    assert accepted_forms(tried) == forms


def last_hash(raw):
    pairs = dict(parse_qsl(raw.decode(), keep_blank_values=True))
    hash_sent = pairs.pop("hash", "")
    return digest(write_query(read_query(urlencode(pairs).encode()))) == hash_sent


def python_encoded(remainder):
    return urlencode(parse_qsl(remainder.decode(), keep_blank_values=True)).encode()


def lower(raw):
    digits = raw.rpartition(b"=")[2]
    return raw.replace(digits, digits.lower())


def sorted_pairs(remainder):
    return b"&".join(sorted(remainder.split(b"&")))


def without_empty(remainder):
    return urlencode(parse_qsl(remainder.decode())).encode()


def plain(remainder):
    return unquote_to_bytes(remainder.replace(b"+", b" "))


def beginning(raw):
    sent_hash, remainder = parts(raw)
    return bool(sent_hash) and digest(remainder).encode().startswith(sent_hash)


def exact_names(raw):
    """Verify the canonical form, but count the hashes by their exact name."""
    names = [unquote_to_bytes(piece.partition(b"=")[0]) for piece in raw.split(b"&")]
    parameters = read_query(raw)
    sent_hash = parameters.pop(b"hash", b"")
    return names.count(b"hash") == 1 and digest(write_query(parameters)).encode() == sent_hash


MISTAKES = {
    "nothing is verified": (lambda _: True, {"nothing", "no-hash", "value-changed", "hash-twice-good-first"}),
    "everything is refused": (lambda _: False, {"as-sent", "hash-first", "list"}),
    "any case of digits": (lambda raw: right(lower(raw)), {"upper-case-hash"}),
    "an empty secret": (lambda raw: right(raw) or right(raw, key=b""), {"no-secret"}),
    "sorted parameters": (lambda raw: right(raw, sorted_pairs), {"as-sent", "sorted", "received-order"}),
    "Python's urlencode": (lambda raw: right(raw, python_encoded), {"tilde-and-star"}),
    "empty values are lost": (lambda raw: right(raw, without_empty), {"empty-value"}),
    "decoded values": (lambda raw: right(raw, plain), {"as-sent", "decoded"}),
    "an exception without a hash": (lambda raw: right(raw) if b"hash=" in raw else 1 // 0, {"no-hash"}),
    "a hash of the right beginning": (beginning, {"hash-cut"}),
    "an unsigned tail": (lambda raw: right(raw.partition(b"&admin")[0]), {"parameter-added-after"}),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_fails_its_requests(name):
    accepts, caught = MISTAKES[name]
    failed = failing(accepts)
    assert caught <= failed
    if "as-sent" not in caught and name != "nothing is verified":
        assert "as-sent" not in failed


EMPTY = f"hash={digest('')}".encode()
NOTED = {
    "a dictionary of parameters": (last_hash, {"hash-twice-good-last", "authCode-twice/canonical"}),
    "exact names": (exact_names, {"hash-and-a-list"}),
    "the empty remainder": (lambda raw: right(raw) or raw == EMPTY, {"hash-alone"}),
}


@pytest.mark.parametrize("name", NOTED)
def test_what_is_ordinary_in_php_is_noted_and_no_failure(name):
    accepts, noted = NOTED[name]
    results = run(judged_by(accepts))
    assert [result.request.name for result in results if not result.passed] == []
    assert noted <= {result.request.name for result in results if result.note}


def test_requests_have_the_version_parameter_of_the_dialect():
    sample = SampleValues(secret=Secret(SECRET), version_parameter="acmeVersion")
    queries = {request.name: request.query for request in trial_requests(sample)}
    assert "acmeVersion=" in queries["as-sent"]
    assert "acmeVersion=" not in queries["parameter-removed"]
    assert not [query for query in queries.values() if "svcVersion" in query]


COUNTER = itertools.count()
LAYOUT = "<header>Shop app</header> {} <footer>Company, street, town, terms, privacy</footer>"


def to_callback(query, **more):
    pairs = [pair for pair in parse_qsl(query) if pair[0] not in {"hash", "callback"}]
    callback = dict(parse_qsl(query)).get("callback", "/")
    return Response(status=302, location=f"{callback}?{urlencode([*pairs, *more.items()])}")


def to_session(_query):
    return Response(status=303, location=f"/settings/session{next(COUNTER)}/")


def said(text, status=200):
    return Response(status=status, body=text.encode())


REFUSALS = {
    "an empty 200 (observed)": (lambda q: said("<h1>Settings</h1>"), lambda q: said("")),
    "an empty 200, redirecting otherwise": (to_callback, lambda q: said("")),
    "a page of the same layout": (
        lambda q: said(LAYOUT.format(f"Settings of {dict(parse_qsl(q)).get('language')}")),
        lambda q: said(LAYOUT.format("This request cannot be verified")),
    ),
    "a page with a nonce and what was asked": (
        lambda q: said(LAYOUT.format(f"Welcome {q} nonce{next(COUNTER):020}")),
        lambda q: said(LAYOUT.format(f"Forbidden {q} nonce{next(COUNTER):020}")),
    ),
    "JSON": (lambda q: said('{"ok": true}'), lambda q: said('{"ok": false}')),
    "a redirect elsewhere": (to_callback, lambda q: Response(status=302, location="/error?code=1")),
    "a redirect back with an error": (to_callback, lambda q: to_callback(q, error="hash")),
    "a session of its own, 403 otherwise": (to_session, lambda q: said("", 403)),
    "a session of its own, an error page otherwise": (
        to_session,
        lambda q: Response(status=303, location="/error"),
    ),
    "a session of its own, a page beside it otherwise": (
        to_session,
        lambda q: Response(status=303, location="/settings/denied/"),
    ),
    "a session of its own, a page beside it for each fault otherwise": (
        to_session,
        lambda q: Response(status=303, location=f"/settings/{'bad' if 'hash=' in q else 'no'}-hash/"),
    ),
    "4XX or an empty 200, by fault": (
        to_callback,
        lambda q: said("", 403) if "hash=" in q else said(""),
    ),
}


def answering(accepts, accepted, refused):
    """A server that answers with `accepted(query)` or `refused(query)`."""

    def send(operation):
        query = urlsplit(operation.path).query
        return (accepted if accepts(query.encode()) else refused)(query)

    return send


@pytest.mark.parametrize("name", REFUSALS)
@pytest.mark.parametrize("callback", ["https://x.example/back", "https://x.example/back?a=1"])
def test_server_that_refuses_without_4xx_passes(name, callback):
    tried = run(answering(right, *REFUSALS[name]), callback=callback)
    assert [(result.request.name, result.why) for result in tried if not result.passed] == []
    assert accepted_forms(tried) == {"raw": True, "canonical": False}


@pytest.mark.parametrize("name", REFUSALS)
@pytest.mark.parametrize(
    ("accepts", "caught"),
    [
        (lambda raw: right(lower(raw)), {"upper-case-hash"}),
        (lambda raw: right(raw.partition(b"&admin")[0]), {"parameter-added-after"}),
        (lambda raw: right(raw, without_empty), {"empty-value"}),
    ],
)
def test_each_mistake_fails_its_requests_when_refusals_are_not_4xx(name, accepts, caught):
    failed = {result.request.name for result in run(answering(accepts, *REFUSALS[name])) if not result.passed}
    assert caught <= failed
    assert "as-sent" not in failed


@pytest.mark.parametrize("name", REFUSALS)
def test_server_that_accepts_every_request_is_reported(name):
    tried = run(answering(lambda _: True, *REFUSALS[name]))
    assert verifies_nothing(tried)
    assert {"no-hash", "value-changed", "callback-changed"} <= {o.request.name for o in tried if not o.passed}


def test_failed_request_has_a_reason():
    empty = run(answering(lambda raw: right(raw, without_empty), *REFUSALS["an empty 200 (observed)"]))
    [failed] = [result for result in empty if result.request.name == "empty-value"]
    assert failed.why == "HTTP 200: an empty body, where the authentic request gets 17 bytes"
    elsewhere = run(answering(lambda raw: right(raw, without_empty), *REFUSALS["a redirect elsewhere"]))
    [failed] = [result for result in elsewhere if result.request.name == "empty-value"]
    assert failed.why == "HTTP 302: it redirects to /error with code, the authentic request to callback"
    assert failed.as_json()["why"] == failed.why
    beside = run(
        answering(
            lambda raw: right(raw, without_empty),
            *REFUSALS["a session of its own, a page beside it otherwise"],
        )
    )
    [failed] = [result for result in beside if result.request.name == "empty-value"]
    assert failed.why == "HTTP 303: it redirects to /settings/denied/, the authentic request to /settings/*/"


def test_request_without_a_response_fails():
    assert not any(result.passed for result in run(lambda _: NoResponse(why="the connection was closed")))


def test_requests_have_unique_names_and_show_no_valid_hash():
    all_ = trial_requests(SampleValues(secret=Secret(SECRET)))
    assert len({case.name for case in all_}) == len(all_) > 60
    assert {case.expected for case in all_} == set(Expected)
    right_hash = all_[0].query.rpartition("=")[2]
    assert not any(right_hash in case.shown for case in all_)
    assert SECRET not in repr(all_)


def spellings(digest_):
    """The first characters of a digest in every encoding that output could have."""
    encoded = (b64encode(digest_), urlsafe_b64encode(digest_))
    texts = [digest_.hex(), digest_.hex().upper(), *(text.decode() for text in encoded)]
    return {text[:20] for text in texts}


@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_output_contains_no_valid_digest(awning, server, monkeypatch, flags):
    monkeypatch.setenv("A_CODE", "the-code-of-a-website")
    monkeypatch.setattr(
        "awning.cli.conformance.RequestResult.passed", False, raising=False
    )  # every verdict counts as wrong, so that the queries are shown
    _, out, err = awning(server, "--secret-env", "THE_SECRET", "--auth-code-env", "A_CODE", *flags)
    assert "&hash=..." in out
    sample = SampleValues(secret=Secret(SECRET), auth_code=Secret("the-code-of-a-website"))
    remainders = {parts(case.query.encode())[1] for case in trial_requests(sample)}
    texts = {text for raw in remainders for text in (raw, canonical(raw))}
    digests = [hmac.digest(KEY, text, "sha256") for text in texts]
    texts_read = {
        text for output in (out, err) for text in (output, unquote(output), unquote(unquote_plus(output)))
    }
    assert [f for value in digests for f in spellings(value) for text in texts_read if f in text] == []
    assert not any("the-code-of-a-website" in text for text in texts_read)


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


class Threaded(ThreadingMixIn, WSGIServer):
    daemon_threads = True


@pytest.fixture
def server():
    """A server that verifies the raw text, on a socket."""

    def app(environ, start):
        taken = right(environ["QUERY_STRING"].encode("latin-1"))
        start("302 Found" if taken else "403 Forbidden", [("Location", "/nowhere")] if taken else [])
        return [b""]

    with make_server("127.0.0.1", 0, app, server_class=Threaded, handler_class=Quiet) as running:
        Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


@pytest.fixture
def awning(monkeypatch, capfd):
    monkeypatch.setenv("THE_SECRET", SECRET)
    monkeypatch.setenv("OTHER_SECRET", "other")
    monkeypatch.delenv("NO_SECRET", raising=False)
    monkeypatch.delenv("AWNING_APP_SECRET", raising=False)

    return partial(run_awning, capfd, "conformance")


def test_running_server_passes(awning, server):
    code, out, err = awning(f"{server}/install", "--secret-env", "THE_SECRET")
    assert (code, err) == (0, "")
    assert "verifies the raw form\n" in out
    assert out.endswith(" passed, 0 failed\n")


def test_app_secret_is_read_by_default(awning, server, monkeypatch):
    monkeypatch.setenv("AWNING_APP_SECRET", SECRET)
    assert awning(f"{server}/install")[0] == 0


def test_running_server_passes_as_json(awning, server):
    code, out, _ = awning(server, "--secret-env", "THE_SECRET", "--json")
    document = json.loads(out)
    assert (code, document["conformant"], document["totals"]["failed"]) == (0, True, 0)
    assert document["cases"][0]["status"] == 302
    assert SECRET not in out


def raw_but_for(name):
    """Return the result of a server that verifies the raw text, but refuses the request `name`."""
    refused = {
        case.query.encode()
        for case in trial_requests(SampleValues(secret=Secret(SECRET)))
        if case.name == name
    }
    return run(judged_by(lambda raw: right(raw) and raw not in refused))


def test_verdict_names_the_request_that_a_form_fails():
    tried = raw_but_for("empty-pair/raw")
    assert requests_not_accepted(tried)["raw"] == ("empty-pair/raw",)
    assert "raw: not empty-pair/raw" in verdict_of(tried)


def test_verdict_names_the_requests_of_a_form_that_is_partly_accepted():
    tried = run(judged_by(lambda raw: right(raw) or (right(raw, canonical) and b"++" not in raw)))
    assert verdict_of(tried) == (
        "verifies the raw form; the canonical form but for leading-spaces-of-a-name/canonical"
    )


@pytest.mark.parametrize("accepts", [lambda _: True, lambda _: False])
def test_server_that_does_not_verify_has_no_accepted_form(accepts):
    tried = run(judged_by(accepts))
    assert accepted_forms(tried) == {"raw": False, "canonical": False}
    assert verdict_of(tried).startswith("does not verify requests correctly: ")


def test_wrong_secret_is_suggested_as_the_cause(awning, server):
    code, out, err = awning(server, "--secret-env", "OTHER_SECRET")
    assert code == Exit.FINDINGS
    assert "FAIL  as-sent" in out
    assert "must be accepted, was refused (HTTP 403)" in out
    assert "does the server use this secret?" in err


@pytest.mark.parametrize(
    ("status", "cause", "about_secret"),
    [
        (404, "is this the app's install or settings address", False),
        (421, "is this the address that browsers use?", False),
        (400, "The settings address needs --auth-code-env", True),
    ],
)
def test_cause_follows_from_the_status_of_the_refusal(
    awning, server, monkeypatch, status, cause, about_secret
):
    monkeypatch.setattr(
        "awning.cli.conformance.try_server_at", lambda *_, **__: run(lambda _: Response(status=status))
    )
    _, _, err = awning(server, "--secret-env", "THE_SECRET")
    assert cause in err
    assert ("does the server use this secret?" in err) == about_secret


@pytest.mark.parametrize(
    "arguments",
    [
        ["http://127.0.0.1/?a=1", "--secret-env", "THE_SECRET"],
        ["ftp://127.0.0.1/", "--secret-env", "THE_SECRET"],
        ["http://[/", "--secret-env", "THE_SECRET"],
        ["http://127.0.0.1/", "--secret-env", "NO_SECRET"],
        ["http://127.0.0.1/", "--secret-env", "THE_SECRET", "--auth-code-env", "NO_SECRET"],
        ["http://127.0.0.1/"],
    ],
)
def test_invalid_arguments_exit_with_usage(awning, arguments):
    assert awning(*arguments)[0] == Exit.USAGE


def test_unreachable_server_is_reported(awning):
    code, _, err = awning("http://127.0.0.1:9/", "--secret-env", "THE_SECRET")
    assert (code, "cannot connect" in err) == (Exit.FINDINGS, True)
