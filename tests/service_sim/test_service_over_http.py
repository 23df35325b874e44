"""The service on real sockets: addresses, hosts, the control API's protection, concurrency."""

import asyncio
import gc
import http.client
import json
import socket
import subprocess
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import urlopen

import pytest
from http_calls import ask_json

from awning.errors import ConfigurationError
from awning_harness.service import Service, serve, server
from awning_harness.service.clock import Clock
from awning_harness.service.listeners import Listener, listening_socket
from awning_harness.service.log import RequestLog
from awning_harness.service.server import Sockets


@pytest.fixture(scope="module")
def running():
    with serve() as running:
        yield running


def control(running, method, path, body=None):
    payload = None if body is None else json.dumps(body)
    return ask_json(running.control_url, method, path, payload, **{"Content-Type": "application/json"})


def installed(running):
    website = control(running, "POST", "/websites", {})[1]
    app = control(running, "POST", "/apps", {"app_title": "A"})[1]
    code = control(
        running, "POST", "/instances", {"app_id": app["app_id"], "website_id": website["website_id"]}
    )[1]
    return website, {"Authorization": f"ApiKey {app['api_key']}"}, f"?authCode={code['authCode']}"


def test_addresses_are_four_origins_and_the_api_ends_in_v1(running):
    urls = [running.apps_url, running.portal_url, running.control_url, running.storefront_url]
    assert len({urlsplit(url).port for url in urls}) == 4
    assert running.apps_url.endswith("/v1")
    assert all(urlsplit(url).hostname == "127.0.0.1" for url in urls)


def sockets_at_the_last_ports():
    """Return a first port, and its sockets. It is so high that the port of the last socket would be above 65535."""
    for port in range(65535, 65531, -1):
        with suppress(ConfigurationError):  # another program uses the port
            return port, Sockets(port)
    raise AssertionError("the ports from 65532 to 65535 are all in use")


def test_listeners_after_the_last_port_have_free_ports():
    first, sockets = sockets_at_the_last_ports()
    ports = [listening.getsockname()[1] for listening in sockets.by_name.values()]
    for listening in sockets.by_name.values():
        listening.close()
    assert ports[0] == first
    assert len(set(ports)) == 5


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_that_does_not_exist_is_a_configuration_error(port):
    with pytest.raises(ConfigurationError, match=f"port {port} cannot be used") as caught, serve(port=port):
        pass
    assert caught.value.hint


def test_service_that_cannot_start_says_why(monkeypatch):
    async def fail(*_arguments, **_options):
        raise OSError("too many open files")

    monkeypatch.setattr(server, "run_service", fail)
    with pytest.raises(OSError, match="too many open files"), serve():
        pytest.fail("a service that does not run is given to nobody")


def test_an_app_can_call_an_instance_made_by_control_calls(running):
    website, key, code = installed(running)
    assert website["url"] == f"{running.storefront_url}/{website['website_id']}/"
    status, answer = ask_json(running.apps_url, "GET", f"/apps/website/{code}", None, **key)
    assert (status, answer["website"]["url"]) == (200, website["url"])


@pytest.mark.parametrize("number", ["0", "9" * 18, "9" * 19, "9" * 23, "9" * 5000, "٣" * 30], ids=len)
def test_a_huge_website_number_is_not_found(running, number):
    for rest in ("/", "/lv/", "/lv/cart"):
        url = f"{running.storefront_url}/{quote(number)}{rest}"
        with pytest.raises(HTTPError) as caught:
            urlopen(url, timeout=10)
        caught.value.close()
        assert caught.value.code == 404


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("apps_url", "/apps/installed/"),
        ("control_url", "/clock"),
        ("portal_url", "/"),
        ("reseller_url", "/v1/token/"),
    ],
)
def test_internal_error_gets_a_response_in_the_envelope_and_is_printed(
    running, name, path, monkeypatch, capsys
):
    secret = "app-secret"

    def broken(*_):
        raise RuntimeError(secret)

    monkeypatch.setattr(RequestLog, "add", broken)
    monkeypatch.setattr(Clock, "now", broken)
    monkeypatch.setattr(Service, "websites", broken)
    status, answer = ask_json(getattr(running, name), "GET", path)
    output = capsys.readouterr().err
    assert (status, bool(answer)) == (500, True)
    assert secret not in json.dumps(answer)
    assert "failed with RuntimeError" in output
    assert "in broken" in output
    assert secret not in output


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost.evil:80", "localhost.evil", "", "127.0.0.1:x"],
)
@pytest.mark.parametrize("name", ["apps_url", "control_url", "portal_url", "storefront_url"])
def test_foreign_host_is_421(running, name, host):
    status, answer = ask_json(getattr(running, name), "GET", "/", None, Host=host)
    assert (status, answer["error"]) == (421, True)


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:1", "t1.shop.localhost:1", "[::1]", "[::1]:80", "LOCALHOST:80", "127.0.0.1"],
)
def test_every_loopback_name_is_served(running, host):
    assert ask_json(running.control_url, "GET", "/clock", None, Host=host)[0] == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({}, 415),
        ({"Content-Type": "application/json", "Origin": "https://evil.example"}, 403),
        ({"Content-Type": "application/json", "Origin": "null"}, 403),
        ({"Content-Type": "application/json; charset=utf-8"}, 200),
    ],
)
def test_the_control_api_refuses_requests_that_a_web_page_could_send(running, headers, status):
    assert ask_json(running.control_url, "POST", "/websites", "{}", **headers)[0] == status


def test_a_body_that_is_too_large_is_413(running):
    _, key, code = installed(running)
    body = b" " * (9 * 1024 * 1024)
    status, answer = ask_json(running.apps_url, "POST", f"/apps/set_data/{code}", body, **key)
    assert (status, answer["error_code"]) == (413, 413)


@pytest.mark.parametrize("faults", [[], [{"fault": "delay", "ms": 1}]], ids=["no fault", "a fault"])
@pytest.mark.parametrize(
    ("name", "path", "operation"),
    [
        ("apps_url", "/apps/set_data/", "set_data"),
        ("reseller_url", "/api/settings/set/", "settings/set"),
    ],
)
def test_a_body_that_is_too_large_is_logged(running, name, path, operation, faults):
    running.service.log.clear()
    control(running, "PUT", "/faults", faults)
    status, _ = ask_json(getattr(running, name), "POST", path, b" " * (9 * 1024 * 1024))
    control(running, "PUT", "/faults", [])
    logged = [(call.operation, call.status, call.fault) for call in running.service.requests()]
    assert logged == [(operation, status, None)]


def test_a_path_with_bad_utf_8_is_404(running):
    assert ask_json(running.apps_url, "GET", "/apps/%FF%00/")[0] == 404


def test_upgrade_offer_is_ignored_and_the_body_is_read(running):
    """Java's HttpClient offers h2c with every request over plain http."""
    _, key, code = installed(running)
    offer = {"Connection": "Upgrade, HTTP2-Settings", "UPGRADE": "h2c", "HTTP2-Settings": "AAEAAEAA"}
    body = json.dumps({"snippet": "GET / HTTP/1.1\r\nUpgrade: x\r\n\r\n"})
    url = urlsplit(running.apps_url)
    connection = http.client.HTTPConnection(url.netloc, timeout=10)
    for _ in range(2):
        connection.request("POST", f"{url.path}/apps/set_snippet/{code}", body, {**key, **offer})
        answer = connection.getresponse()
        assert (answer.status, json.loads(answer.read())) == (200, {"error": False})
    connection.close()
    document = ask_json(running.apps_url, "GET", f"/apps/get_snippet/{code}", None, **key)[1]
    assert document["snippet"] == json.loads(body)["snippet"]


def test_concurrent_writes_are_all_stored(running):
    _, key, code = installed(running)

    def write(number):
        body = json.dumps(
            {"snippet": f"<{number}>", "language": f"x{chr(97 + number // 26)}{chr(97 + number % 26)}"}
        )
        return ask_json(running.apps_url, "POST", f"/apps/set_snippet/{code}", body, **key)[0]

    def read(number):
        path = f"/apps/get_snippet/x{chr(97 + number // 26)}{chr(97 + number % 26)}/{code}"
        return ask_json(running.apps_url, "GET", path, None, **key)[1]["snippet"]

    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(write, range(100))) == {200}
        assert list(pool.map(read, range(100))) == [f"<{number}>" for number in range(100)]


@pytest.fixture(scope="module")
def few_objects() -> Iterator[None]:
    """Leave what other tests have made out of garbage collections, which take a second each late in a run."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("few_objects")
@pytest.mark.parametrize("turns", range(8))
def test_stop_closes_a_connection_that_was_just_accepted(turns):
    """The stop begins after `turns` turns of the event loop. Accepting a connection takes several turns."""

    async def no_response(_scope, _receive, _send) -> None:
        """An application that is never called."""

    async def accept_and_stop(client: socket.socket) -> None:
        listening = listening_socket(0)
        listener = Listener(listening, no_response)
        await listener.open()
        client.connect(listening.getsockname())
        for _ in range(turns):
            await asyncio.sleep(0)
        await asyncio.create_task(listener.stop())

    left_open: list[str] = []
    gc.collect()  # what other tests have left
    with warnings.catch_warnings(), socket.socket() as client:
        warnings.showwarning = lambda message, *_, **__: left_open.append(str(message))
        warnings.simplefilter("always")
        asyncio.run(accept_and_stop(client))
        gc.collect()
    assert left_open == []


@pytest.mark.usefixtures("processes")
def test_storefront_and_bundler_are_loaded_with_the_first_page():
    """The storefront is another room. The service imports it only for the first page."""
    program = (
        "import sys\n"
        "import awning_harness.service.command\n"
        "from awning_harness.service import serve\n"
        "with serve(): pass\n"
        "print([m for m in sys.modules if m.startswith(('awning_harness.storefront', 'awning.bundle'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
