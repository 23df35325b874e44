"""The command `awning host`: required settings, messages and exit codes."""

import json
import signal
import socket
import subprocess
import sys
import traceback
import urllib.request

import pytest
from command_line import run_awning

from awning.errors import ConfigurationError
from awning.host import from_environ

SECRETS = {"AWNING_APP_SECRET": "planted-canary-app-secret", "AWNING_API_KEY": "SVC-planted-canary-key"}
NEEDED = {**SECRETS, "AWNING_BASE_URL": "http://127.0.0.1:9/v1"}


@pytest.fixture
def call(world, monkeypatch, capsys):
    def run(*arguments, **environ):
        for name in NEEDED:
            monkeypatch.delenv(name, raising=False)
        for name, value in {"AWNING_STATE_DIR": str(world.state), **environ}.items():
            monkeypatch.setenv(name, value)
        ended = run_awning(capsys, "host", "--port", "0", "--dist", world.dist, *arguments)
        return ended.code, ended.err

    return run


def test_base_url_without_its_version_is_a_warning_at_the_start(call, monkeypatch):
    monkeypatch.setattr("awning.host.serving.serve", lambda app, listening: 0)
    for ending, warnings in (("/v1", 0), ("", 1)):
        code, output = call(**{**NEEDED, "AWNING_BASE_URL": f"http://127.0.0.1:9{ending}"})
        assert (code, output.count("warning: the base URL does not end in /v1")) == (0, warnings)


def test_settings_from_the_environment_alone_name_all_that_is_needed():
    with pytest.raises(ConfigurationError, match="AWNING_STATE_DIR is not set") as caught:
        from_environ({})
    needed = {"AWNING_PUBLIC_URL", "AWNING_STATE_DIR", *NEEDED}
    traceback_end = "".join(traceback.format_exception_only(caught.value))
    assert {name for name in needed if name in traceback_end} == needed


@pytest.mark.parametrize("missing", sorted(NEEDED))
def test_missing_variable_is_named(call, missing):
    code, output = call(**{name: value for name, value in NEEDED.items() if name != missing})
    assert code == 2
    assert missing in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--public-url", "http://app.example"), "https://"),
        (("--public-url", "https://app.example/?"), "path only"),
        (("--dist", "/nowhere"), "nothing is built"),
    ],
)
def test_invalid_setting_is_reported_without_secrets(call, arguments, message):
    code, output = call(*arguments, **NEEDED)
    assert code == 2
    assert message in output
    assert not any(secret in output for secret in SECRETS.values())


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: path.write_bytes(b"no database at all" * 300), "it is damaged, or no database"),
        (lambda path: path.mkdir(), "Is a directory"),
    ],
)
def test_unusable_database_file_is_reported_without_a_traceback(call, world, make, message):
    world.state.mkdir(mode=0o700)
    make(world.state / "state.sqlite")
    code, output = call(**NEEDED)
    assert code == 2
    assert f"state.sqlite cannot be used: {message}" in output
    assert "hint:" in output
    assert "Traceback" not in output


@pytest.mark.parametrize("url", ["postgresql://app:planted-password@127.0.0.1:9/app", "planted-password"])
def test_unusable_database_server_is_reported_without_its_password(call, url):
    code, output = call(**NEEDED, AWNING_DATABASE_URL=url)
    assert code == 2
    assert "hint:" in output
    assert "planted-password" not in output


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("AWNING_PUBLIC_URL", "http://app.example", "https://"),
        ("AWNING_BEHIND_PROXY", "perhaps", "perhaps"),
    ],
)
def test_options_can_come_from_the_environment(call, name, value, message):
    code, output = call(**NEEDED, **{name: value})
    assert code == 2
    assert message in output


def test_taken_port_is_reported(call):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, output = call("--port", str(taken.getsockname()[1]), **NEEDED)
    assert code == 2
    assert "cannot listen" in output


def test_missing_extra_is_reported_with_the_package_to_install(call, monkeypatch):
    monkeypatch.setattr("awning.cli.host.find_spec", lambda name: None)
    code, output = call(**NEEDED)
    assert code == 2
    assert "pip install 'awning[host]'" in output


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(
    ("sent", "code", "options", "kept_in"),
    [
        (signal.SIGINT, 130, [], "sqlite"),
        (signal.SIGTERM, 0, [], "sqlite"),
        (signal.SIGTERM, 0, ["--workers", "3"], "postgresql"),
    ],
    indirect=["kept_in"],
)
def test_server_prints_its_address_answers_and_ends_cleanly(world, kept_in, sent, code, options):
    command = [sys.executable, "-c", "from awning.cli import main; main()", "host", "--port", "0", "--json"]
    environ = {**NEEDED, "AWNING_STATE_DIR": str(world.state), "PATH": ""}
    if kept_in.url:
        environ = {**NEEDED, "AWNING_DATABASE_URL": kept_in.url.reveal(), "PATH": ""}
    with subprocess.Popen(
        [*command, "--dist", str(world.dist), *options],
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            started = json.loads(process.stdout.readline())
            assert started["install_url"] == started["url"] + "/install"
            assert started["settings_url"] == started["url"] + "/settings"
            with urllib.request.urlopen(started["url"] + "/healthz") as answer:
                assert json.load(answer) == {"status": "ok"}
            process.send_signal(sent)
            out, err = process.communicate(timeout=120)
        finally:
            process.kill()
    assert (process.returncode, out) == (code, "")
    assert not any(secret in err for secret in SECRETS.values())
    assert "Traceback" not in err
    assert kept_in.server is None or kept_in.server.password not in err
