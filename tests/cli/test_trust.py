"""A secret of the user's goes to an address of the workspace's only after the user has confirmed the host for it."""

import json
import os
import pty
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from awning.client.trusted_hosts import listed_origins, origin_of, shown_origin
from awning.errors import ConfigurationError

KEY = "planted-canary-trust"
KEPT = "a-key-that-lies-in-a-file"
MAIN = "from awning.cli.main import main; main()"


@pytest.fixture
def server():
    """A server at a port of this machine, with the list of the requests that it got."""
    requests = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            requests.append({name.lower(): value for name, value in self.headers.items()})
            self.send_response(403)  # which the client does not repeat
            self.end_headers()

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.do_GET()

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        server.requests = requests
        server.address = f"http://127.0.0.1:{server.server_port}"
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def shop(project, awning, monkeypatch, tmp_path):
    """The workspace with one instance. The user's configuration folder is empty."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("AWNING_BASE_URL", "AWNING_DATABASE_URL", "AWNING_TRUSTED_HOSTS"):
        monkeypatch.delenv(name, raising=False)
    project.add_widget()
    assert awning("instances", "add", "--name", "shop", AWNING_AUTH_CODE="code").code == 0
    monkeypatch.delenv("AWNING_AUTH_CODE")
    return project


def name_in(shop, place, address):
    """Let the workspace name the service in this place."""
    if place == ".env":
        (shop.root / ".env").write_text(f"AWNING_BASE_URL={address}\n")
    elif place == ".env.live":
        (shop.root / ".env").write_text("AWNING_PROFILE=live\n")
        (shop.root / ".env.live").write_text(f"AWNING_BASE_URL={address}\n")
        add(shop, "[tool.awning.profiles.live]\nhead_snippets = false\n")
    else:
        add(shop, f'[tool.awning.profiles.default]\nbase_url = "{address}"\n')


def add(shop, lines):
    pyproject = shop.root / "pyproject.toml"
    pyproject.write_text(f"{pyproject.read_text()}\n{lines}")


@pytest.mark.parametrize("place", ["profile", ".env", ".env.live"])
def test_key_of_the_environment_is_not_sent_to_an_address_of_the_workspace(shop, awning, server, place):
    name_in(shop, place, f"{server.address}/v1")
    result = awning("data", "get", "shop", AWNING_API_KEY=KEY)
    assert result.code == 2
    assert f"awning trust {server.address} --secret AWNING_API_KEY" in result.err
    assert "AWNING_TRUSTED_HOSTS" in result.err
    assert server.requests == []
    document = awning("data", "get", "shop", "--json", AWNING_API_KEY=KEY).json
    assert server.address in document["error"]
    assert KEY not in result.err + json.dumps(document)


def test_confirmed_host_gets_the_key_until_the_confirmation_is_taken_back(shop, awning, server, tmp_path):
    name_in(shop, "profile", f"{server.address}/v1")
    assert awning("trust", server.address, "--secret", "AWNING_API_KEY", AWNING_API_KEY=KEY).code == 0
    (confirmed,) = awning("trust", "--json").json["trusted"]
    assert confirmed == {"address": server.address, "secret": "AWNING_API_KEY", "source": "environment"}
    assert awning("data", "get", "shop", AWNING_API_KEY=KEY).code != 2
    assert server.requests[0]["authorization"].endswith(KEY)
    file = tmp_path / "config/awning/trusted-hosts.json"
    assert KEY not in file.read_text()
    assert file.stat().st_mode & 0o077 == 0
    assert awning("trust", server.address, "--remove").code == 0
    assert awning("data", "get", "shop", AWNING_API_KEY=KEY).code == 2


def test_confirmation_is_for_one_secret_one_source_and_one_port(shop, awning, server, tmp_path):
    name_in(shop, "profile", f"{server.address}/v1")
    (tmp_path / "key").write_text(KEPT)
    assert awning("trust", server.address, "--secret", "AWNING_API_KEY", AWNING_API_KEY=KEY).code == 0
    assert awning("data", "get", "shop", AWNING_API_KEY_FILE=str(tmp_path / "key")).code == 2
    add(shop, f'[tool.awning.profiles.other]\nbase_url = "http://127.0.0.1:{server.server_port + 1}/v1"\n')
    assert awning("data", "get", "shop", "--profile", "other", AWNING_API_KEY=KEY).code == 2
    assert server.requests == []


@pytest.mark.parametrize("listed", ["{address}", "https://a.example, {address}/v1"])
def test_variable_confirms_hosts_where_nobody_can_be_asked(shop, awning, server, listed):
    name_in(shop, "profile", f"{server.address}/v1")
    hosts = listed.format(address=server.address)
    assert awning("data", "get", "shop", AWNING_API_KEY=KEY, AWNING_TRUSTED_HOSTS=hosts).code != 2
    assert server.requests


def test_env_file_cannot_confirm_a_host(shop, awning, server):
    name_in(shop, ".env", f"{server.address}/v1\nAWNING_TRUSTED_HOSTS={server.address}")
    assert awning("data", "get", "shop", AWNING_API_KEY=KEY).code == 2
    assert server.requests == []


@pytest.mark.parametrize("given", ["variable", "flag"])
def test_address_that_the_user_gives_needs_no_confirmation(shop, awning, server, given):
    name_in(shop, "profile", "https://theirs.example/v1")
    url = f"{server.address}/v1"
    flag, environ = (("--base-url", url), {}) if given == "flag" else ((), {"AWNING_BASE_URL": url})
    awning("data", "get", "shop", *flag, AWNING_API_KEY=KEY, **environ)
    assert server.requests


@pytest.mark.parametrize("kept", [".env", "file in the workspace"])
def test_key_of_the_workspace_needs_no_confirmation(shop, awning, server, kept):
    name_in(shop, "profile", f"{server.address}/v1")
    (shop.root / "key").write_text(KEPT)
    environ = {}
    if kept == ".env":
        (shop.root / ".env").write_text(f"AWNING_API_KEY={KEY}\n")
    else:
        environ["AWNING_API_KEY_FILE"] = str(shop.root / "key")
    awning("data", "get", "shop", **environ)
    assert server.requests


@pytest.mark.parametrize("kept", ["path", "link"])
def test_file_of_the_user_that_an_env_file_names_is_the_users(shop, awning, server, tmp_path, kept):
    (tmp_path / "key").write_text(KEPT)
    path = tmp_path / "key"
    if kept == "link":
        path = shop.root / "key"
        path.symlink_to(tmp_path / "key")
    name_in(shop, ".env", f"{server.address}/v1\nAWNING_API_KEY_FILE={path}")
    assert awning("data", "get", "shop").code == 2
    assert server.requests == []


def test_inventory_of_the_user_needs_a_confirmation_too(shop, awning, server, tmp_path, monkeypatch):
    name_in(shop, ".env", f"{server.address}/v1\nAWNING_API_KEY=theirs")
    monkeypatch.setenv("AWNING_STATE_DIR", str(tmp_path / "mine"))
    state = str(tmp_path / "mine")
    assert (
        awning("instances", "add", "--name", "shop", AWNING_AUTH_CODE="c", AWNING_STATE_DIR=state).code == 0
    )
    result = awning("data", "get", "shop", AWNING_STATE_DIR=state)
    assert result.code == 2
    assert "--secret AWNING_STATE_DIR" in result.err
    assert server.requests == []


@pytest.mark.parametrize(
    ("arguments", "key", "secret"),
    [
        (("reseller", "balance", "--email", "a@b.example"), "reseller_url", "AWNING_RESELLER_PASSWORD"),
        (("reseller", "balance"), "reseller_url", "AWNING_RESELLER_TOKEN"),
        (("manifest", "submit"), "portal_url", "AWNING_APP_SECRET"),
        (("publish", "apply"), "base_url", "AWNING_API_KEY"),
        (("publish", "verify"), "base_url", "AWNING_API_KEY"),
        (("publish", "drift"), "base_url", "AWNING_API_KEY"),
        (("publish", "plan", "--refresh"), "base_url", "AWNING_API_KEY"),
        (("instances", "refresh"), "base_url", "AWNING_API_KEY"),
    ],
)
def test_each_secret_needs_a_confirmed_host(shop, awning, server, arguments, key, secret):
    assert awning("build").code == 0
    address = server.address if key != "base_url" else f"{server.address}/v1"
    add(shop, f'[tool.awning.profiles.default]\n{key} = "{address}"\n')
    result = awning(*arguments, **{secret: KEY})
    assert result.code == 2
    assert f"awning trust {server.address} --secret {secret}" in result.err
    assert server.requests == []


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(("answer", "sent"), [("y", True), ("n", False)])
def test_terminal_asks_once(shop, server, answer, sent):
    name_in(shop, "profile", f"{server.address}/v1")

    def run(answer):
        ours, theirs = pty.openpty()
        os.write(ours, f"{answer}\n".encode())
        command = [sys.executable, "-c", MAIN, "data", "get", "shop"]
        done = subprocess.run(
            command,
            stdin=theirs,
            stderr=theirs,
            stdout=subprocess.PIPE,
            cwd=shop.root,
            env={**os.environ, "AWNING_API_KEY": KEY},
            check=False,
        )
        printed = os.read(ours, 65536).decode()
        os.close(ours)
        os.close(theirs)
        return done.returncode, printed

    code, printed = run(answer)
    assert f"the profile in pyproject.toml names {server.address}" in printed
    assert bool(server.requests) is sent
    assert (code == 2) is not sent
    _, printed = run(answer)
    assert ("You have not confirmed" in printed) is not sent


@pytest.mark.parametrize(
    ("address", "origin", "shown"),
    [
        ("https://API.example.com/v1/", "https://api.example.com:443", "https://api.example.com"),
        ("https://a.example:8443", "https://a.example:8443", "https://a.example:8443"),
        ("http://127.0.0.1:80/v1", "http://127.0.0.1:80", "http://127.0.0.1"),
        ("http://[::1]:8430/v1", "http://[::1]:8430", "http://[::1]:8430"),
        ("https://bücher.example", "https://xn--bcher-kva.example:443", "https://xn--bcher-kva.example"),
    ],
)
def test_origin_has_scheme_host_and_port(address, origin, shown):
    assert (origin_of(address), shown_origin(origin)) == (origin, shown)


def test_hosts_of_the_variable_are_https_unless_they_say_otherwise():
    hosts = "a.example, b.example:8443 http://127.0.0.1:8430"
    assert listed_origins({"AWNING_TRUSTED_HOSTS": hosts}) == {
        "https://a.example:443",
        "https://b.example:8443",
        "http://127.0.0.1:8430",
    }


@pytest.mark.parametrize("text", ["ftp://a.example", "https://", "a.example:x", "https://a..example"])
def test_invalid_address_is_refused(text):
    with pytest.raises(ConfigurationError):
        listed_origins({"AWNING_TRUSTED_HOSTS": text})


def test_damaged_file_is_reported_and_nothing_is_sent(shop, awning, server, tmp_path):
    name_in(shop, "profile", f"{server.address}/v1")
    file = tmp_path / "config/awning/trusted-hosts.json"
    file.parent.mkdir(parents=True)
    file.write_text("[")
    result = awning("data", "get", "shop", AWNING_API_KEY=KEY)
    assert result.code == 2
    assert str(file) in result.err
    assert server.requests == []
