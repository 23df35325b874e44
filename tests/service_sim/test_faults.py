"""Faults: what a client gets, and whether the call was performed."""

import asyncio
import http.client
import json
import socket
import threading
import time
from urllib.parse import urlsplit

import pytest
from fault_effects import every_fault, name_of, rule_of

from awning_harness.service import serve
from awning_harness.service.faults.faults import BadFault, ErrorIn200, Faults, Got, HtmlPage, Status
from awning_harness.service.listeners import Listener, listening_socket

ROUTES = ("set_snippet", "get_snippet")


@pytest.fixture(scope="module")
def served():
    with serve() as served:
        yield served


@pytest.fixture
def running(served):
    """The service, without what earlier tests have stored and without their faults."""
    served.service.reset()
    return served


@pytest.fixture
def app(running):
    website = running.service.create_website()
    app_id, key = running.service.register_app({"app_title": "A"})
    return key, running.service.install(app_id, website.id)


@pytest.fixture
def set_snippet(running, app):
    """Call set_snippet once; returns status, headers and body, or raises the connection's exception."""

    def call(text="new", timeout=10):
        key, code = app
        url = urlsplit(running.apps_url)
        connection = http.client.HTTPConnection(url.netloc, timeout=timeout)
        try:
            connection.request(
                "POST",
                f"{url.path}/apps/set_snippet/?authCode={code}",
                json.dumps({"snippet": text}),
                {"Authorization": f"ApiKey {key}"},
            )
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    return call


def stored(running):
    with running.service.database.reading() as db:
        row = db.execute("SELECT text FROM snippet").fetchone()
    return row and row["text"]


def until(condition):
    """Return the first true result of `condition`; its last result, if none is true for a minute."""
    latest, pause = time.monotonic() + 60, threading.Event()
    while not (result := condition()) and time.monotonic() < latest:
        pause.wait(0.01)
    return result


def put(running, *rules):
    running.service.faults.put(rules, ROUTES)


SUCCESS = b'{"error":false}'


BREAKS = {
    Got.NO_CONNECTION: ConnectionRefusedError,
    Got.RESET: ConnectionResetError,
    Got.HALF: http.client.IncompleteRead,
    Got.NOTHING: TimeoutError,
}
"""The exceptions of a plain client that gets no whole response."""
PATIENCE_S = 0.3
UNUSUAL = [
    HtmlPage(status=304),
    ErrorIn200(error_code=7),
    Status(status=204),
    Status(status=503),
    Status(status=429, retry_after=7),
    Status(status=599),
]


@pytest.mark.parametrize("fault", [*every_fault(PATIENCE_S), *UNUSUAL], ids=name_of)
def test_client_gets_what_the_effect_of_a_fault_says(running, set_snippet, fault):
    effect = fault.effect
    put(running, rule_of(fault))
    if effect.got in BREAKS:
        with pytest.raises(BREAKS[effect.got]):
            set_snippet(timeout=PATIENCE_S if effect.got is Got.NOTHING else 10)
    else:
        status, headers, body = set_snippet()
        assert status == (effect.status or 200)
        assert headers.get("retry-after", "None") == str(effect.retry_after)
        assert kind_of(body) == (effect.got, effect.error_code)
    assert stored(running) == ("new" if effect.performed else None)
    put(running)
    assert set_snippet()[2] == SUCCESS


def kind_of(body):
    """Return what kind of response has this body, and its error code."""
    try:
        fields = json.loads(body)
    except ValueError:
        return Got.NOT_JSON, None
    return (Got.ERROR if fields["error"] else Got.RESPONSE), fields.get("error_code")


def test_response_without_a_body_arrives_despite_a_drip(running, app):
    running.service.faults.put([{"fault": "drip", "ms": 20}], ROUTES)
    connection = http.client.HTTPConnection(urlsplit(running.reseller_url).netloc, timeout=10)
    for _ in range(2):
        connection.request("POST", "/login/unknown")
        response = connection.getresponse()
        assert (response.status, response.read()) == (405, b"")
    connection.close()


def test_delayed_call_is_performed_after_its_client_times_out(running, set_snippet):
    put(running, {"fault": "delay", "ms": 200})
    with pytest.raises(TimeoutError):
        set_snippet(timeout=0.05)
    calls = until(running.service.requests)
    assert [(call.status, call.fault) for call in calls] == [(200, "delay")]
    assert stored(running) == "new"


def test_truncated_request_gets_no_response(running, app):
    """An empty object and a cut-off one must differ: the end of the connection is not the end of a body."""
    key, code = app
    url = urlsplit(running.apps_url)
    with socket.create_connection((url.hostname, url.port), timeout=5) as connection:
        head = (
            f"POST {url.path}/apps/installed/?authCode={code} HTTP/1.1\r\nHost: {url.netloc}\r\n"
            f"Authorization: ApiKey {key}\r\nContent-Length: 100\r\n\r\n{{"
        )
        connection.sendall(head.encode())
    with socket.create_connection((url.hostname, url.port), timeout=5) as connection:
        connection.sendall(f"GET /v1/ HTTP/1.1\r\nHost: {url.netloc}\r\n\r\n".encode())
        assert connection.recv(1000).startswith(b"HTTP/1.1 404")
    assert [call.path for call in running.service.requests()] == ["/v1/"]


def test_a_share_of_refused_calls_are_reset_and_the_others_performed(running, set_snippet):
    put(running, {"fault": "refused", "share": 0.5, "seed": 3})
    outcomes = set()
    for _ in range(20):
        try:
            outcomes.add(set_snippet()[0])
        except ConnectionResetError:
            outcomes.add("reset")
    assert outcomes == {200, "reset"}


def test_refused_fault_closes_idle_connections_and_keeps_the_port(running):
    url = urlsplit(running.apps_url)
    idle = http.client.HTTPConnection(url.netloc, timeout=5)
    idle.request("GET", "/")
    idle.getresponse().read()
    put(running, {"fault": "refused"})
    assert idle.sock.recv(1) == b""
    idle.close()
    for _ in range(3):
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((url.hostname, url.port), timeout=5)
    put(running)
    socket.create_connection((url.hostname, url.port), timeout=5).close()


def connects(running):
    url = urlsplit(running.apps_url)
    try:
        socket.create_connection((url.hostname, url.port), timeout=5).close()
    except ConnectionRefusedError:
        return False
    return True


def test_connections_are_refused_and_accepted_from_each_change_on(running):
    """The next change comes while a listener accepts connections again."""
    seen = []
    for _ in range(60):
        put(running, {"fault": "refused"})
        seen.append(connects(running))
        put(running)
    assert not any(seen)
    assert connects(running)


def test_connections_of_a_service_that_starts_with_the_fault_are_refused(service):
    service.faults.put([{"fault": "refused"}], ROUTES)
    with serve(service) as running:
        assert not connects(running)
        put(running)
        assert connects(running)


def test_faults_that_are_put_while_the_service_ends_have_no_effect(service):
    with serve(service):
        put = service.faults._watcher  # as another thread has read it
    for refuses in (True, False):
        put(refuses)


def test_listener_that_has_stopped_accepts_no_connections_again():
    async def stopped():
        listener = Listener(listening_socket(0), app=None)
        await listener.open()
        listener.refuse(True)
        await listener.stop()
        listener.refuse(False)
        await listener.settled()

    asyncio.run(stopped())


def test_fault_of_another_route_has_no_effect(running, set_snippet):
    put(running, {"fault": "refused", "route": "get_snippet"})
    assert set_snippet()[0] == 200


def test_faults_do_not_act_on_the_control_api(running):
    put(running, {"fault": "refused"})
    with socket.create_connection(
        (urlsplit(running.control_url).hostname, urlsplit(running.control_url).port)
    ) as s:
        s.sendall(b"GET /clock HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert s.makefile("rb").readline().startswith(b"HTTP/1.1 200")


def test_the_log_names_the_fault(running, set_snippet):
    put(running, {"fault": "status", "status": 500})
    set_snippet()
    (entry,) = running.service.requests()
    assert (entry.fault, entry.operation, entry.status) == ("status", "set_snippet", 500)


def test_share_with_the_same_seed_affects_the_same_calls():
    def struck():
        faults = Faults()
        faults.put([{"fault": "timeout", "share": 0.3, "seed": 7}], ROUTES)
        return [faults.draw("set_snippet") is not None for _ in range(1000)]

    first = struck()
    assert first == struck()
    assert 250 < sum(first) < 350


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("delay", "each fault is an object"),
        ({}, '"fault" is required'),
        ({"name": "status", "status": 503}, '"fault" is required, which is not called "name"'),
        ({"fault": None}, 'unknown fault "None"'),
        ({"fault": "dealy"}, 'did you mean "delay"?'),
        ({"fault": "delay"}, "ms is required"),
        ({"fault": "delay", "ms": -1}, "ms must be a whole number"),
        ({"fault": "delay", "ms": True}, "ms must be a whole number"),
        ({"fault": "delay", "ms": "5"}, "ms must be a whole number"),
        ({"fault": "delay", "ms": 5, "status": 1}, 'unknown field "status"'),
        ({"fault": "status"}, "status is required"),
        ({"fault": "status", "status": None}, "status must be a whole number, not null"),
        ({"fault": "status", "status": 99}, "status must be"),
        ({"fault": "refused", "share": 1.1}, "share must be"),
        ({"fault": "refused", "share": "1"}, "share must be"),
        ({"fault": "refused", "route": "set_snipet"}, 'did you mean "set_snippet"?'),
        ({"fault": "refused", "route": 5}, 'unknown route "5"'),
        ({"fault": "refused", "seed": [1]}, "seed must be"),
    ],
    ids=str,
)
def test_invalid_fault_rule_is_refused_and_changes_nothing(rule, message):
    faults = Faults()
    faults.put([{"fault": "refused"}], ROUTES)
    with pytest.raises(BadFault) as caught:
        faults.put([{"fault": "timeout"}, rule], ROUTES)
    assert message in str(caught.value)
    assert faults.listing() == [{"fault": "refused"}]
