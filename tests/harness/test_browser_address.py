"""`awning test --connect`: a browser that already runs, and pages on this machine's loopback."""

import os
import re
import signal
import socket
import subprocess
import sys

import pytest
from warm_python import AWNING, run_warm

from awning.errors import ConfigurationError
from awning.workspace.scaffolding import make_workspace
from awning_harness.browser import find_browser
from awning_harness.runs.browser_address import CLOSED_PROXY, VARIABLE, browser_address, context_proxy
from awning_harness.runs.command import choose_browser

CONFTEST = """
import pytest

@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {**browser_type_launch_args, "executable_path": PATH}
"""
TEST = """
def test_page_is_shown_and_other_hosts_are_not_asked(storefront, widget):
    assert widget.show("P4", language="en").text()
    visit = storefront.product("P4", language="en")
    assert visit.text()
    visit.evaluate("fetch('https://points.example.com/x').catch(() => 0)")
    assert any("tests ask no other host" in error for error in visit.errors)
    visit.errors.clear()
"""


@pytest.mark.parametrize(
    ("url", "is_server"),
    [
        ("ws://browsers.example:3000/", True),
        ("wss://browsers.example/playwright", True),
        ("http://127.0.0.1:9222", False),
        ("ws://127.0.0.1:9222/devtools/browser/1234", False),
    ],
)
def test_address_tells_a_playwright_server_from_a_chromium(url, is_server):
    address = browser_address({VARIABLE: url})
    assert (address.url, address.is_server) == (url, is_server)


def test_only_contexts_of_a_playwright_server_have_no_closed_proxy(monkeypatch):
    assert context_proxy() == CLOSED_PROXY
    monkeypatch.setenv(VARIABLE, "http://127.0.0.1:9222")
    assert context_proxy() == CLOSED_PROXY
    monkeypatch.setenv(VARIABLE, "ws://127.0.0.1:3000/")
    assert context_proxy() is None


def test_malformed_or_silent_address_is_refused_with_a_way_to_start_a_browser():
    with pytest.raises(ConfigurationError, match="nonsense is not the address of a browser"):
        choose_browser("nonsense", is_headed=False)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"ws://127.0.0.1:{closed.getsockname()[1]}/"
        with pytest.raises(ConfigurationError, match=f"no browser answers at {re.escape(url)}") as refused:
            choose_browser(url, is_headed=False)
    assert refused.value.hint == "start one: playwright run-server --port 3000"
    with pytest.raises(ConfigurationError, match="--headed opens a window here"):
        choose_browser(url, is_headed=True)


def test_address_with_an_open_bracket_is_refused():
    with pytest.raises(ConfigurationError, match="is not the address of a browser"):
        browser_address({VARIABLE: "ws://[::1"})


def test_refusal_of_a_silent_browser_leaves_out_its_key():
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{closed.getsockname()[1]}/play"
        with pytest.raises(ConfigurationError) as refused:
            choose_browser(f"ws://user:secret@{place}?token=secret", is_headed=False)
    assert f"no browser answers at ws://{place}: " in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.usefixtures("processes")
def test_tests_run_in_a_browser_of_a_playwright_server(tmp_path):
    root = tmp_path / "app"
    make_workspace(root)
    (root / "conftest.py").write_text(CONFTEST.replace("PATH", repr(str(find_browser().path))))
    (root / "widgets/stock-note/test_remote.py").write_text(TEST)
    command = [sys.executable, "-m", "playwright", "run-server", "--port", "0", "--unsafe"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as server:
        try:
            url = re.search(r"ws://\S+", server.stdout.readline())[0]
            words = ["test", "widgets/stock-note/test_remote.py", "-q", "--connect", url]
            done = run_warm([*AWNING, *words], root)
        finally:
            os.killpg(server.pid, signal.SIGTERM)  # the group: the server itself is a child of `server`
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stdout + done.stderr
