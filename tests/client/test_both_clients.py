"""Both clients send the same requests and read the same responses."""

import asyncio
import os
import subprocess
import sys

import pytest

from awning.client import Client, Limits, NoResponse, Response, Secret, apps, apps_access, apps_client
from awning.client.async_client import AsyncTransport, async_apps_client
from awning.errors import Unreachable
from awning_harness.service import Service, serve
from awning_harness.service.tls_listener import tls_for_the_run

CODE = Secret("Code-1~2")


def head_of(request: bytes) -> dict[bytes, bytes]:
    lines = request.partition(b"\n\n")[0].splitlines()[1:]
    return {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines)}


def test_a_post_carries_key_code_and_json(server, access, send):
    (got,) = send(access, apps.set_snippet(CODE, "<p>ā</p>", "lv"))
    (request,) = server.seen
    assert request.startswith(b"POST /v1/apps/set_snippet/?authCode=Code-1~2 HTTP/1.1\n")
    head = head_of(request)
    assert head[b"authorization"] == b"ApiKey SVC-0123456789abcdef0123456789abcdef"
    assert head[b"content-type"] == b"application/json"
    assert request.endswith('{"snippet":"<p>ā</p>","language":"lv"}'.encode())
    assert isinstance(got, Response)
    assert (got.status, got.body) == (200, b'{"error":false}')


@pytest.mark.parametrize("operation", [apps.installed(CODE), apps.get_snippet(CODE)], ids=lambda o: o.name)
def test_a_call_without_a_payload_has_an_empty_body_and_a_json_type(server, access, send, operation):
    send(access, operation)
    head = head_of(server.seen[0])
    assert (head[b"content-length"], head[b"content-type"]) == (b"0", b"application/json")


@pytest.mark.parametrize("final", ["", "/"])
def test_the_base_url_may_end_in_a_slash(server, send, final):
    send(apps_access(server.base_url + final, Secret("k")), apps.get_snippet(CODE, "pt-BR"))
    assert server.seen[0].startswith(b"GET /v1/apps/get_snippet/pt-BR/?authCode=Code-1~2 HTTP/1.1\n")


def test_an_auth_code_is_percent_encoded(server, access, send):
    send(access, apps.user(Secret("a+b&c=/é")))
    assert b"?authCode=a%2Bb%26c%3D%2F%C3%A9 HTTP" in server.seen[0]


def test_connections_are_reused(server, access, send):
    got = send(access, *[apps.languages(CODE)] * 5)
    assert all(isinstance(answer, Response) for answer in got)
    assert server.connections == 1


def test_a_redirect_is_not_followed(server, access, send, say):
    server.answers = [say(b"", status="302 Found", extra=b"Location: http://127.0.0.1:1/\r\n")]
    (got,) = send(access, apps.languages(CODE))
    assert isinstance(got, Response)
    assert got.status == 302
    assert len(server.seen) == 1


def test_retry_after_and_content_type_are_in_the_response(server, access, send, say):
    server.answers = [
        say(b"x", status="429 Slow", content_type=b"text/html; charset=x", extra=b"Retry-After: 7\r\n")
    ]
    (got,) = send(access, apps.languages(CODE))
    assert isinstance(got, Response)
    assert (got.status, got.content_type, got.retry_after) == (429, "text/html; charset=x", "7")


def test_a_chunked_answer_is_read_whole(server, access, send):
    chunks = b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"err\r\n9\r\nor":true}\r\n0\r\n\r\n'
    server.answers = [chunks]
    (got,) = send(access, apps.languages(CODE))
    assert isinstance(got, Response)
    assert got.body == b'{"error":true}'


LIMITS = Limits(connect_s=2, total_s=0.3, response_bytes=1000)
BREAKS = {
    "closed before an answer": (b"", "closed before an answer"),
    "no answer in time": (None, "no answer within 0.3 s"),
    "cut short": (b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{CUT", "cut short"),
    "not HTTP": (b"SMTP ready\r\n\r\n", "the connection broke"),
    "larger than told": (
        b"HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n" + b"x" * 2000,
        "larger than 1000 bytes",
    ),
    "larger than hoped": (b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 2000, "larger than 1000 bytes"),
}


@pytest.mark.parametrize("case", BREAKS)
def test_failure_after_sending_counts_as_sent(server, access, send, case):
    server.answers, why = [BREAKS[case][0]], BREAKS[case][1]
    (got,) = send(access, apps.installed(CODE), limits=LIMITS)
    assert isinstance(got, NoResponse)
    assert why in got.why
    assert got.sent
    assert got.timed_out is (case == "no answer in time")


@pytest.mark.parametrize("make", [apps_client, async_apps_client])
def test_client_keeps_the_limits_that_it_was_made_with(server, make):
    server.answers = [None]
    client = make(server.base_url, Secret("k"), limits=LIMITS)
    with pytest.raises(Unreachable, match=r"installed: no answer within 0\.3 s"):
        run_once(client, apps.installed(CODE))


@pytest.mark.parametrize("make", [apps_client, async_apps_client])
def test_client_uses_the_proxy_of_the_environment_that_it_was_made_with(server, make):
    environ = {"http_proxy": f"http://127.0.0.1:{server.port}"}
    client = make("http://service.test/v1", Secret("k"), allow_plain_http=True, environ=environ)
    run_once(client, apps.installed(CODE))
    assert server.seen[0].startswith(b"POST http://service.test/v1/apps/installed/?authCode=Code-1~2 ")


def run_once(client, operation):
    """Run `operation` with a client of either kind."""
    if isinstance(client, Client):
        with client:
            return client.run(operation)

    async def over_aiohttp():
        async with client:
            return await client.run(operation)

    return asyncio.run(over_aiohttp())


@pytest.mark.parametrize(
    "operation",
    [apps.set_snippet(CODE, "<p>old</p>"), apps.installed(CODE), apps.delete(CODE)],
    ids=lambda operation: operation.name,
)
def test_change_of_a_process_that_was_stopped_for_too_long_is_not_sent(
    server, access, monkeypatch, operation
):
    """Two hours pass between the start of the call and the moment when its bytes would be sent."""
    times = iter([0.0, 7200.0])
    monkeypatch.setattr("awning.client.async_client.steady_clock", lambda: next(times))

    async def send():
        async with AsyncTransport(access) as transport:
            return await transport.send(operation)

    assert asyncio.run(send()) == NoResponse(
        why="the process was stopped before it sent the call", sent=False
    )
    assert server.seen == []


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://127.0.0.1:1/v1", "cannot connect to 127.0.0.1:1"),
        ("https://no.invalid/v1", "no such host: no.invalid"),
    ],
)
def test_unreachable_host_counts_as_not_sent(send, url, why):
    (got,) = send(apps_access(url, Secret("k")), apps.installed(CODE))
    assert got == NoResponse(why=why, sent=False)


def test_failed_tls_handshake_counts_as_not_sent(server, send):
    access = apps_access(server.base_url.replace("http:", "https:"), Secret("k"))
    (got,) = send(access, apps.installed(CODE), limits=Limits(connect_s=0.3))
    assert isinstance(got, NoResponse)
    assert not got.sent


@pytest.mark.parametrize("make", [apps_client, async_apps_client])
def test_certificate_of_an_unknown_authority_is_named_as_the_reason_with_a_hint(make):
    with tls_for_the_run() as tls, serve(Service(), tls=tls) as running:
        client = make(running.apps_url, Secret("k"))
        with pytest.raises(Unreachable, match=r"127\.0\.0\.1:\d+ \(its certificate: unable to get") as caught:
            run_once(client, apps.installed(CODE))
    assert "SSL_CERT_FILE" in str(caught.value.hint)
    assert not caught.value.unclear


PROGRAMS = {
    "sync": "with apps_client({url!r}, Secret('k')) as client: client.run(call)",
    "async": """
async def run():
    async with async_apps_client({url!r}, Secret("k")) as client:
        await client.run(call)
asyncio.run(run())
""",
}
IMPORTS = """
import asyncio
from awning.client import Secret, apps, apps_client
from awning.client.async_client import async_apps_client
call = apps.languages(Secret("code"))
"""


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("kind", PROGRAMS)
def test_certificate_of_the_authority_in_ssl_cert_file_is_accepted(kind):
    with tls_for_the_run() as tls, serve(Service(), tls=tls) as running:
        program = IMPORTS + PROGRAMS[kind].format(url=running.apps_url)
        environ = {**os.environ, "SSL_CERT_FILE": str(tls.ca_file)}
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert "languages: Unauthorized (error 401, HTTP 401)" in done.stderr


def test_a_proxy_is_asked_for_the_whole_url(server, send):
    access = apps_access("http://service.test/v1", Secret("k"), allow_plain_http=True)
    environ = {"http_proxy": f"http://user:pass@127.0.0.1:{server.port}"}
    (got,) = send(access, apps.languages(CODE), environ=environ)
    assert isinstance(got, Response)
    assert server.seen[0].startswith(
        b"GET http://service.test/v1/apps/languages/?authCode=Code-1~2 HTTP/1.1\n"
    )
    assert head_of(server.seen[0])[b"proxy-authorization"] == b"Basic dXNlcjpwYXNz"


PROXY_ANSWERS = {
    "not HTTP": b"SMTP ready\r\n\r\n",
    "a status that is no number": b"HTTP/1.1 abc OK\r\n\r\n",
    "an endless line": b"HTTP/1.1 200 " + b"x" * 70_000 + b"\r\n\r\n",
    "a refusal": b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n",
}


@pytest.mark.parametrize("case", PROXY_ANSWERS)
def test_proxy_that_makes_no_tunnel_counts_as_not_sent(server, send, case):
    server.answers = [PROXY_ANSWERS[case]]
    environ = {"https_proxy": f"http://user:pass@127.0.0.1:{server.port}"}
    (got,) = send(apps_access("https://service.test/v1", Secret("k")), apps.installed(CODE), environ=environ)
    assert got == NoResponse(why="the proxy does not connect to service.test", sent=False)


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize(
    ("proxy", "why"),
    [
        ("no.invalid:3128", "no such host: no.invalid"),
        ("127.0.0.1:1", "cannot connect to 127.0.0.1:1"),
    ],
)
def test_unreachable_proxy_is_named_without_its_password(send, scheme, proxy, why):
    access = apps_access(f"{scheme}://service.test/v1", Secret("k"), allow_plain_http=True)
    environ = {f"{scheme}_proxy": f"http://user:pass@{proxy}"}
    (got,) = send(access, apps.installed(CODE), environ=environ)
    assert got == NoResponse(why=why, sent=False)


def test_stale_connection_does_not_break_the_next_call(server, access, send, say):
    server.answers = [say(b'{"error":false}'), b"", say(b'{"error":false}')]
    first, _, third = send(access, *[apps.installed(CODE)] * 3)
    assert isinstance(first, Response)
    assert isinstance(third, Response)
