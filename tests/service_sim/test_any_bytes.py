"""Any request gets a response in the envelope, and never a 500: through the applications and over raw sockets."""

import json
import socket
from urllib.parse import urlsplit

import pytest
from asgi_calls import ask
from hypothesis import given, settings
from hypothesis import strategies as st
from volumes import volume

from awning.contract.endpoints import ENDPOINTS
from awning_harness.service import Service, serve
from awning_harness.service.apps_api import AppsApi
from awning_harness.service.control.api import control_application, control_calls

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["lv", "", "installed"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
names = st.sampled_from(
    ["snippet", "language", "data", "languages", "app_id", "website_id", "now", "fault", "value"]
)
bodies = st.one_of(
    st.binary(max_size=200),
    json_values.map(lambda value: json.dumps(value).encode()),
    st.dictionaries(names, json_values, max_size=4).map(lambda value: json.dumps(value).encode()),
)
methods = st.sampled_from(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"])
api_paths = st.sampled_from([row.path.replace("<language>", "lv") for row in ENDPOINTS]) | st.text(
    max_size=20
)
control_paths = st.sampled_from([call.split()[1].replace("<id>", "1") for call in control_calls()]) | st.text(
    max_size=20
)


def is_an_answer(response):
    answer = json.loads(response.body)
    assert response.content_type == b"application/json"
    assert response.status < 500
    assert answer["error"] is (response.status != 200)
    if answer["error"]:
        assert set(answer) == {"error", "error_code", "error_message"}
        assert isinstance(answer["error_code"], int)
        assert isinstance(answer["error_message"], str)


@settings(max_examples=volume("service-any-bytes"))
@given(method=methods, path=api_paths, query=st.binary(max_size=60), key=st.binary(max_size=60), body=bodies)
def test_any_request_without_credentials_gets_a_response(method, path, query, key, body):
    service = Service()
    headers = [(b"authorization", key)]
    is_an_answer(ask(AppsApi(service), method, "/v1" + path, query=query, headers=headers, body=body))
    service.close()


@settings(max_examples=volume("service-any-bytes"))
@given(
    calls=st.lists(st.tuples(methods, api_paths, bodies), min_size=1, max_size=5),
    assumptions=st.sampled_from([None, "hostile"]),
)
def test_any_request_with_credentials_gets_a_response(calls, assumptions):
    service = Service(assumptions=assumptions)
    app_id, key = service.register_app({"app_title": "A"})
    code = service.install(app_id, service.create_website().id)
    headers = [(b"authorization", b"ApiKey " + key.encode())]
    for method, path, body in calls:
        is_an_answer(
            ask(AppsApi(service), method, "/v1" + path, query=f"authCode={code}", headers=headers, body=body)
        )
    service.page_snippets(1, "lv")
    service.close()


@settings(max_examples=volume("service-any-bytes"))
@given(calls=st.lists(st.tuples(methods, control_paths, bodies), min_size=1, max_size=5))
def test_any_control_call_gets_a_response(calls):
    service = Service()
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    for method, path, body in calls:
        is_an_answer(ask(control_application(service), method, "/" + path, headers=headers, body=body))
    service.close()


@pytest.mark.parametrize(
    "sent",
    [
        b"nonsense\r\n\r\n",
        b"GET /v1/apps/\xff HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        b"GET  HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST /v1/apps/set_data/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /v1/apps/set_data/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /v1/apps/ HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
        b"GET /v1/apps/ HTTP/1.1\r\n\r\n",
        b"GET http://evil.example/v1/apps/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"GET /v1/apps/ HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
        b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
    ids=lambda sent: repr(sent[:50]),
)
def test_malformed_http_gets_a_response_in_the_envelope(running, sent):
    url = urlsplit(running.apps_url)
    with socket.create_connection((url.hostname, url.port), timeout=5) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"content-type: application/json" in head.lower()
    assert 400 <= int(head.split()[1]) < 500
    assert json.loads(body)["error"] is True


@pytest.fixture(scope="module")
def running():
    with serve() as running:
        yield running


def test_http_1_0_needs_no_host(running):
    url = urlsplit(running.apps_url)
    with socket.create_connection((url.hostname, url.port), timeout=5) as connection:
        connection.sendall(b"GET /v1/apps/user/ HTTP/1.0\r\n\r\n")
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 401")
    assert b"connection: close" in answer
