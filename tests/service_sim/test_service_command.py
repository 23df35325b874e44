"""`awning service`: its first line, its exit codes, its error messages."""

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from http_calls import ask_json

from awning.contract import Dialect
from awning.errors import ConfigurationError
from awning_harness.service.command import find_profile, service


@contextmanager
def started(*options):
    command = [
        sys.executable,
        "-c",
        "from awning.cli import main; main()",
        "service",
        "--port",
        "0",
        "--json",
        *options,
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process, json.loads(process.stdout.readline())
        finally:
            process.kill()


@pytest.mark.usefixtures("processes")
def test_first_line_of_output_has_working_addresses():
    with started() as (_, addresses):
        assert list(addresses) == [
            "schema_version",
            "apps_url",
            "reseller_url",
            "portal_url",
            "control_url",
            "storefront_url",
        ]
        assert addresses["schema_version"] == 1
        assert ask_json(addresses["apps_url"], "GET", "/apps/languages/")[0] == 401
        assert ask_json(addresses["control_url"], "GET", "/assumptions")[1]["assumption_set"] == "observed"


@pytest.mark.usefixtures("processes")
def test_service_on_every_address_answers_for_the_allowed_names_alone():
    with started("--listen", "0.0.0.0", "--allow-host", "shop.test") as (_, addresses):
        urls = [urlsplit(url) for name, url in addresses.items() if name != "schema_version"]
        assert {url.hostname for url in urls} == {"shop.test"}
        for host, status in (("shop.test", 401), ("localhost", 401), ("other.test", 421)):
            connection = http.client.HTTPConnection("127.0.0.1", urls[0].port, timeout=10)
            connection.request("GET", "/v1/apps/languages/", headers={"Host": host})
            assert connection.getresponse().status == status
            connection.close()


@pytest.mark.parametrize(
    ("options", "error"),
    [(["--listen", "0.0.0.0"], "no host name is allowed"), (["--listen", "::1"], "not an IPv4 address")],
)
def test_address_that_lets_others_in_needs_a_name(options, error):
    result = CliRunner().invoke(service, ["--port", "0", *options])
    assert isinstance(result.exception, ConfigurationError)
    assert error in result.exception.message


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_signals_end_the_service_cleanly(sent, code):
    with started() as (process, addresses):
        ask_json(addresses["control_url"], "GET", "/clock")
        process.send_signal(sent)
        out, err = process.communicate(timeout=120)
        assert (process.returncode, out, err) == (code, "", "")


INTERRUPTED_WHILE_ASYNCIO_STARTS = """
import os, signal
from awning.cli.main import main

install = signal.signal

def install_and_interrupt(number, handler):
    before = install(number, handler)
    if number == signal.SIGINT and handler is not signal.default_int_handler:
        os.kill(os.getpid(), signal.SIGINT)
    return before

signal.signal = install_and_interrupt
main(["service", "--port", "0"])
"""


@pytest.mark.usefixtures("processes")
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send to a process")
def test_ctrl_c_while_asyncio_installs_its_handler_is_not_forgotten():
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_WHILE_ASYNCIO_STARTS],
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (130, "interrupted\n")


@pytest.mark.usefixtures("processes")
def test_a_state_file_outlives_the_process(tmp_path):
    state = str(tmp_path / "s.db")
    with started("--state", state, "--assumptions", "hostile") as (process, addresses):
        ask_json(
            addresses["control_url"],
            "POST",
            "/websites",
            '{"languages":["en"]}',
            **{"Content-Type": "application/json"},
        )
        app = ask_json(
            addresses["control_url"], "POST", "/apps", "{}", **{"Content-Type": "application/json"}
        )[1]
        body = json.dumps({"app_id": app["app_id"], "website_id": 1})
        code = ask_json(
            addresses["control_url"], "POST", "/instances", body, **{"Content-Type": "application/json"}
        )[1]["authCode"]
        process.kill()
    with started("--state", state) as (_, addresses):
        headers = {"Authorization": f"ApiKey {app['api_key']}"}
        assert ask_json(addresses["apps_url"], "GET", f"/apps/languages/?authCode={code}", **headers)[1][
            "languages"
        ] == ["en"]
        listed = ask_json(addresses["control_url"], "GET", "/assumptions")[1]["assumptions"]
        assert {"id": "unset-snippet", "value": "absent"}.items() <= listed[0].items()


def test_a_taken_port_is_a_configuration_error():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        result = CliRunner().invoke(service, ["--port", str(taken.getsockname()[1])])
    assert "cannot be used" in str(result.exception)
    assert result.exception.exit_code == 2


def test_an_unknown_assumption_set_and_a_bad_port_are_usage_errors():
    assert CliRunner().invoke(service, ["--assumptions", "none"]).exit_code == 2
    assert CliRunner().invoke(service, ["--port", "70000"]).exit_code == 2


PYPROJECT = """
[tool.awning]
languages = ["en"]
profile = "acme"
[tool.awning.profiles.acme.dialect]
global_object = "acmePlugins"
[tool.awning.profiles.other.dialect]
global_object = "otherPlugins"
"""


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    (tmp_path / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    (tmp_path / "manifest.toml").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AWNING_PROFILE", raising=False)


@pytest.mark.parametrize(
    ("flag", "variable", "expected"),
    [
        (None, None, "acmePlugins"),
        ("other", None, "otherPlugins"),
        (None, "other", "otherPlugins"),
        ("acme", "other", "acmePlugins"),
        ("default", None, "svcPlugins"),
    ],
)
def test_dialect_comes_from_the_flag_then_from_the_profile(workspace, monkeypatch, flag, variable, expected):
    if variable:
        monkeypatch.setenv("AWNING_PROFILE", variable)
    assert find_profile(flag).dialect.global_object == expected


def test_default_dialect_is_used_outside_a_workspace(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AWNING_PROFILE", raising=False)
    assert find_profile(None).dialect == Dialect()


@pytest.mark.parametrize(("flag", "variable"), [("acme", ""), (None, "acme")])
def test_a_missing_profile_is_a_configuration_error(tmp_path, monkeypatch, flag, variable):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AWNING_PROFILE", variable)
    with pytest.raises(ConfigurationError) as error:
        find_profile(flag)
    assert error.value.exit_code == 2


def test_an_unknown_profile_is_a_configuration_error_with_a_suggestion(workspace):
    result = CliRunner().invoke(service, ["--dialect", "acne"])
    assert result.exception.exit_code == 2
    assert result.exception.hint == 'did you mean "acme"?'


@pytest.mark.usefixtures("processes")
def test_the_service_uses_the_dialect_of_its_workspace(workspace, tmp_path):
    with started() as (_, addresses):
        headers = {"Content-Type": "application/json"}
        app = ask_json(addresses["control_url"], "POST", "/apps", "{}", **headers)[1]
        assert app["api_key"].startswith("SVC-")
        ask_json(addresses["control_url"], "POST", "/websites", '{"languages":["en"]}', **headers)
        connection = http.client.HTTPConnection(urlsplit(addresses["storefront_url"]).netloc, timeout=60)
        connection.request("GET", "/1/en/product/1")
        page = connection.getresponse().read().decode()
        script = re.search(r"/assets/emulator\.\w+\.js", page)[0]
        connection.request("GET", script)
        assert b"acmePlugins" in connection.getresponse().read()
        connection.close()
