"""Requests byte for byte as public clients send them (PHP curl and streams, Node, curl, Java) are accepted."""

import json
import socket
from urllib.parse import quote, urlsplit

import pytest

from awning_harness.service import serve
from awning_harness.service.reseller import accounts

EMAIL = "reseller@example.com"
PASSWORD = 'pä ss&+%"<'


@pytest.fixture(scope="module")
def running():
    with serve() as running:
        running.service.assumptions.set("token-lifetime", "0")
        running.service.resellers.create(email=EMAIL, password=PASSWORD, websites=1, ai_pricing="priced")
        yield running


@pytest.fixture
def token(running):
    running.service.assumptions.set("reseller-json-body", "read")
    with running.service.database.writing() as db:
        return accounts.add_token(db, 1, running.service.clock.now())


def request(line, *headers, body=""):
    """The bytes of a request. The last request on a connection needs the header CLOSE."""
    return ("\r\n".join((line, "Host: 127.0.0.1", *headers)) + f"\r\n\r\n{body}").encode()


def exchange(running, *requests):
    """Send requests on one connection. Returns the text received before the last body, and the last body as JSON."""
    url = urlsplit(running.reseller_url)
    with socket.create_connection((url.hostname, url.port), timeout=5) as connection:
        connection.sendall(b"".join(requests))
        answer = b""
        while part := connection.recv(65536):
            answer += part
    head, _, body = answer.rpartition(b"\r\n\r\n")
    return head.decode(), json.loads(body)


def limit(running):
    return running.service.resellers.sites(1)[0].ai.limit


FORM = "Content-Type: application/x-www-form-urlencoded"
JSON = "Content-Type: application/json"
CLOSE = "Connection: close"
AT = "/api/website/1/ai_limit/set/"
POST, GET, OLD = f"POST {AT} HTTP/1.1", f"GET {AT} HTTP/1.1", f"POST {AT} HTTP/1.0"
OFFER = ("Connection: Upgrade, HTTP2-Settings, close", "HTTP2-Settings: AAEAAEAA", "Upgrade: h2c")
WAYS = {
    "a form, as PHP's curl posts http_build_query": (POST, "Accept: */*", FORM, CLOSE),
    "no final slash": (f"POST {AT.removesuffix('/')} HTTP/1.1", FORM, CLOSE),
    "a form that names its charset, as Node's": (POST, f"{FORM}; charset=UTF-8", CLOSE),
    "HTTP/1.0, as PHP's streams": (OLD, FORM, CLOSE),
    "no content type at all": (POST, CLOSE),
    "h2c offered, as Java's HttpClient": (POST, FORM, *OFFER),
    "a body expected to be asked for, as curl's": (POST, "Expect: 100-continue", FORM, CLOSE),
    "a body with a GET, as CURLOPT_CUSTOMREQUEST": (GET, FORM, CLOSE),
}


@pytest.mark.parametrize("way", WAYS)
def test_call_is_accepted_in_every_encoding(running, token, way):
    body, wanted = parameters(token, WAYS, way)
    line, *headers = WAYS[way]
    head, answer = exchange(running, request(line, *headers, f"Content-Length: {len(body)}", body=body))
    assert ("200 OK" in head, answer, limit(running)) == (True, {"error": False}, wanted)


IN_THE_QUERY = {"a GET": ("GET", ()), "an empty POST": ("POST", (FORM, "Content-Length: 0"))}


@pytest.mark.parametrize("way", IN_THE_QUERY)
def test_parameters_can_all_be_in_the_query(running, token, way):
    query, wanted = parameters(token, IN_THE_QUERY, way)
    method, headers = IN_THE_QUERY[way]
    _, answer = exchange(running, request(f"{method} {AT}?{query} HTTP/1.1", *headers, CLOSE))
    assert (answer, limit(running)) == ({"error": False}, wanted)


def test_chunked_body_is_read(running, token):
    body, wanted = parameters(token, ["chunks"], "chunks")
    halves = body[:40], body[40:]
    chunks = "".join(f"{len(half):x}\r\n{half}\r\n" for half in halves) + "0\r\n\r\n"
    _, answer = exchange(running, request(POST, FORM, CLOSE, "Transfer-Encoding: chunked", body=chunks))
    assert (answer, limit(running)) == ({"error": False}, wanted)


def parameters(token, ways, way):
    """The parameters of the call, encoded as by PHP's http_build_query, and the amount in them: unique for each way."""
    wanted = 500 + list(ways).index(way)
    return f"apiToken={token}&list%5B0%5D=a&deep%5Ba%5D%5Bb%5D=1&yes=1&no=0&credits={wanted}", wanted


def test_connection_stays_open_for_the_next_call(running, token):
    body = f"apiToken={token}&credits=77"
    keeping_alive = request(POST, FORM, f"Content-Length: {len(body)}", body=body)
    last = request(POST, FORM, f"Content-Length: {len(body)}", CLOSE, body=body)
    answers, _ = exchange(running, keeping_alive, keeping_alive, last)
    assert (answers.count("200 OK"), limit(running)) == (3, 77)


def test_password_with_special_characters_is_accepted(running):
    body = f"email={quote(EMAIL)}&password={quote(PASSWORD)}".replace("%20", "+")
    line = "POST /api/authorize/ HTTP/1.1"
    _, answer = exchange(running, request(line, FORM, CLOSE, f"Content-Length: {len(body)}", body=body))
    assert len(answer["apiToken"]) == 32


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("5", None),
        ("0", None),
        ("5.0", 507),
        ("true", 507),
        ("on", 507),
        ("", 507),
        ("5 ", 507),
        ("5,0", 507),
    ],
)
def test_amount_must_consist_of_digits(running, token, value, code):
    query = f"apiToken={token}&credits={quote(value)}"
    _, answer = exchange(running, request(f"GET {AT}?{query} HTTP/1.1", CLOSE))
    assert answer.get("errorCode") == code


@pytest.mark.parametrize(
    ("member", "value", "code"),
    [("6", "read", None), ('"6"', "read", None), ("6.0", "read", 507), ("true", "read", 507), ("null", "read", 507),
     ("[6]", "read", 507), ("6", "ignored", 401)],
)  # fmt: skip
def test_json_body_is_read_when_assumed(running, token, member, value, code):
    running.service.assumptions.set("reseller-json-body", value)
    body = f'{{"apiToken": "{token}", "credits": {member}}}'
    _, answer = exchange(running, request(POST, JSON, CLOSE, f"Content-Length: {len(body)}", body=body))
    assert answer.get("errorCode") == code


@pytest.mark.parametrize("body", ["", "[]", "{", "7", '"x"', "[" * 5000, '{"apiToken": {}}'])
def test_json_body_that_is_not_an_object_gives_no_parameters(running, body):
    head, answer = exchange(running, request(POST, JSON, CLOSE, f"Content-Length: {len(body)}", body=body))
    assert ("200 OK" in head, answer["errorCode"]) == (True, 401)
