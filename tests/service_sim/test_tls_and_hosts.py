"""Fixed host names and https: the certificate of a run, allowed names, tunnels, refusals."""

import errno
import http.client
import json
import socket
import ssl
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from fault_effects import every_fault, name_of, rule_of

from awning.errors import ConfigurationError
from awning_harness.service import Service, serve
from awning_harness.service.command import service as service_command
from awning_harness.service.faults.faults import Got
from awning_harness.service.hosts import checked_host
from awning_harness.service.tls_listener import tls_for_the_run

NAME = "api.service.example"
CALL, RESELLER_CALL = "/v1/apps/languages/", "/api/websites/"


@pytest.fixture(scope="module")
def running():
    """A service over https with an allowed host name."""
    service = Service()
    service.allowed_hosts = (NAME,)
    with tls_for_the_run(service.allowed_hosts) as tls, serve(service, tls=tls) as running:
        yield running
    service.close()


@pytest.fixture(scope="module")
def plain():
    with serve() as running:
        yield running


def place(url):
    return urlsplit(url).hostname, urlsplit(url).port


def trusting(running):
    return ssl.create_default_context(cafile=running.ca_file)


def ask(connection, path, host=None, method="GET", body=None):
    """Status and JSON of one response."""
    headers = {"Content-Type": "application/json", **({"Host": host} if host else {})}
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def over_https(running, url):
    return http.client.HTTPSConnection(*place(url), timeout=10, context=trusting(running))


def test_addresses_are_https_and_trusted_with_the_certificate_file(running):
    urls = [running.apps_url, running.reseller_url, running.portal_url, running.control_url]
    assert {urlsplit(url).scheme for url in (*urls, running.storefront_url)} == {"https"}
    assert ask(over_https(running, running.apps_url), CALL)[0] == 401
    assert ask(over_https(running, running.reseller_url), RESELLER_CALL)[1]["errorCode"] == 401
    status, answer = ask(over_https(running, running.control_url), "/websites", method="POST", body="{}")
    assert (status, answer["url"]) == (200, f"{running.storefront_url}/{answer['website_id']}/")


def test_certificate_is_not_trusted_without_its_file(running):
    connection = http.client.HTTPSConnection(*place(running.apps_url), timeout=10)
    with pytest.raises(ssl.SSLCertVerificationError):
        ask(connection, CALL)


def test_certificate_covers_the_allowed_host_name(running):
    """As with curl --resolve or a hosts entry: handshake and Host header have the name, the address is loopback."""
    connection = http.client.HTTPConnection(NAME)
    raw = socket.create_connection(place(running.apps_url), timeout=10)
    connection.sock = trusting(running).wrap_socket(raw, server_hostname=NAME)
    assert ask(connection, CALL, host=f"{NAME}:443")[0] == 401


def test_reseller_api_and_storefront_also_respond_over_http(running):
    assert (running.reseller_http_url, running.storefront_http_url) == (
        running.reseller_url.replace("https", "http"),
        running.storefront_url.replace("https", "http"),
    )
    connection = http.client.HTTPConnection(*place(running.reseller_http_url), timeout=10)
    assert ask(connection, RESELLER_CALL)[1]["errorCode"] == 401
    connection = http.client.HTTPConnection(*place(running.storefront_http_url), timeout=60)
    connection.request("GET", "/999999999999999999999/")
    assert connection.getresponse().status == 404
    connection.close()


def test_other_addresses_refuse_http_and_mention_https(running):
    connection = http.client.HTTPConnection(*place(running.apps_url), timeout=10)
    assert ask(connection, CALL)[1]["error_message"] == "This address accepts only https"
    assert running.service.requests()[-1].status == 400


@pytest.mark.parametrize("name", [NAME, "127.0.0.1", "localhost"])
def test_address_works_as_a_proxy(running, name):
    """As with HTTPS_PROXY: CONNECT, then a handshake with the name inside the tunnel."""
    connection = over_https(running, running.apps_url.replace("https", "http"))
    connection.set_tunnel(name, 443)
    assert ask(connection, CALL)[0] == 401


def test_a_tunnel_to_another_host_is_refused_and_logged(running):
    connection = over_https(running, running.apps_url)
    connection.set_tunnel("elsewhere.example", 443)
    with pytest.raises(OSError, match="421"):
        ask(connection, CALL)
    logged = running.service.requests()[-1]
    assert (logged.method, logged.status) == ("CONNECT", 421)


REFUSED_HOSTS = ["evil.example", f"{NAME}.evil.example", f"x{NAME}", NAME + ":x", "", "127.0.0.1, 127.0.0.1"]


@pytest.mark.parametrize("host", REFUSED_HOSTS)
def test_call_for_another_host_is_refused_in_the_envelope_and_logged(running, host):
    before = len(running.service.requests())
    apps = ask(over_https(running, running.apps_url), CALL, host=host or " ")
    reseller = ask(over_https(running, running.reseller_url), RESELLER_CALL, host=host or " ")
    assert (apps[0], apps[1]["error_code"]) == (421, 421)
    assert (reseller[0], reseller[1]["errorCode"]) == (421, 421)
    logged = [(r.operation, r.path, r.status, r.error_code) for r in running.service.requests()[before:]]
    assert logged == [("languages", CALL, 421, 421), ("websites", RESELLER_CALL, 421, 421)]


def test_a_refusal_names_the_flag_that_allows_the_host(plain):
    connection = http.client.HTTPConnection(*place(plain.apps_url), timeout=10)
    message = ask(connection, CALL, host=NAME)[1]["error_message"]
    assert message == f"Misdirected Request: {NAME} is not allowed; --allow-host {NAME} allows it"
    connection = http.client.HTTPConnection(*place(plain.apps_url), timeout=10)
    assert ask(connection, CALL, host="<script>")[1]["error_message"] == "Misdirected Request"


BREAKING = [fault for fault in every_fault(1) if fault.effect.got in {Got.NO_CONNECTION, Got.RESET, Got.HALF}]


@pytest.mark.parametrize("fault", BREAKING, ids=name_of)
def test_faults_break_connections_over_https(running, fault):
    service = running.service
    service.faults.put([rule_of(fault)], {"languages"})
    with pytest.raises((OSError, http.client.HTTPException)):
        ask(over_https(running, running.apps_url), CALL)
    service.faults.put([], {"languages"})
    assert ask(over_https(running, running.apps_url), CALL)[0] == 401


def test_certificate_is_deleted_at_the_end():
    with tls_for_the_run() as tls:
        assert b"BEGIN CERTIFICATE" in tls.ca_file.read_bytes()
        assert b"PRIVATE KEY" not in b"".join(path.read_bytes() for path in tls.ca_file.parent.iterdir())
    assert not tls.ca_file.parent.exists()


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("api.service.example", "api.service.example"),
        ("API.Service.Example.", "api.service.example"),
        ("localhost", "localhost"),
        ("my_app.test", "my_app.test"),
        ("bücher.example", "xn--bcher-kva.example"),
    ],
)
def test_a_host_name_is_normalized_like_the_host_header(name, allowed):
    assert checked_host(name) == allowed


@pytest.mark.parametrize(
    "name",
    [
        "",
        "https://a.example",
        "a.example:443",
        "a.example/v1",
        "*.example",
        "a..b",
        "-a.example",
        "a b",
        "x" * 300,
    ],
)
def test_an_invalid_host_name_is_a_configuration_error(name):
    with pytest.raises(ConfigurationError):
        checked_host(name)
    result = CliRunner().invoke(service_command, ["--allow-host", name])
    assert result.exception.exit_code == 2


@pytest.mark.parametrize("name", ["my_app.test", "xn--a"])
def test_host_name_unfit_for_a_certificate_is_a_configuration_error(name):
    result = CliRunner().invoke(service_command, ["--tls", "--allow-host", name])
    assert isinstance(result.exception, ConfigurationError)
    assert name in result.exception.message


def test_connections_are_accepted_after_a_failed_accept(running, monkeypatch):
    """For example when this process has too many open files."""
    failures, accept = [OSError(errno.EMFILE, "Too many open files")], socket.socket.accept

    def failing(listening):
        if failures:
            raise failures.pop()
        return accept(listening)

    monkeypatch.setattr(socket.socket, "accept", failing)
    for _ in range(3):
        assert ask(over_https(running, running.apps_url), CALL)[0] == 401
    assert not failures


def test_addresses_have_no_tls_fields_without_tls(plain):
    assert set(plain.service.addresses.as_json()) == {
        f"{name}_url" for name in ("apps", "reseller", "portal", "control", "storefront")
    }
    assert plain.ca_file is None


def test_addresses_include_the_certificate_file(running):
    addresses = running.service.addresses.as_json()
    assert Path(addresses["ca_file"]).is_file()
    assert list(addresses)[-3:] == ["reseller_http_url", "storefront_http_url", "ca_file"]


def test_stopped_service_cuts_a_tls_connection_whose_client_keeps_it_open():
    """The response announces the end of the connection, but the client does not end TLS."""
    request = b"GET /v1/apps/languages/ HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
    service = Service()
    with tls_for_the_run(()) as tls, serve(service, tls=tls) as running:
        raw = socket.create_connection(place(running.apps_url), timeout=10)
        client = trusting(running).wrap_socket(raw, server_hostname="localhost")
        client.sendall(request)
        while client.recv(65536):
            pass
    service.close()
    with socket.socket(fileno=client.detach()) as left, suppress(ConnectionResetError):
        left.settimeout(10)
        assert left.recv(1) == b""
