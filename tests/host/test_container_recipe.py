"""Properties of the container recipe. `packaging/container/rehearse.sh` runs the recipe's steps without a container."""

import json
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from awning.cli.host import host

PACKAGING = Path(__file__).parents[2] / "packaging/container"
RECIPE = (PACKAGING / "Containerfile").read_text(encoding="utf-8")
DOCS = (Path(__file__).parents[2] / "docs/host.md").read_text(encoding="utf-8")


def commands(instruction):
    lines = re.findall(rf"^{instruction}[^\[]*(\[[^\]]*\])", RECIPE, re.MULTILINE)
    return [json.loads(words) for words in lines]


def test_container_runs_as_a_user_on_a_tagged_base_image():
    last = RECIPE.rpartition("\nFROM ")[2]
    assert re.search(r"^USER [1-9]\d+$", last, re.MULTILINE)
    assert re.search(r"^ARG PYTHON=python:3\.\d+-slim-\w+$", RECIPE, re.MULTILINE)


def test_container_recipe_holds_no_secret():
    assert not re.search(r"(API_KEY|APP_SECRET|DATABASE_URL|PASSWORD)=", RECIPE)
    assert "COPY . " not in RECIPE, "a workspace may hold a state directory and files with secrets"


def test_awning_is_installed_from_the_wheel_only():
    """A package index can have another project named awning, with a higher version."""
    installs = re.findall(r"pip install (.*)", RECIPE)
    assert len(installs) == 2
    assert all("/wheels/awning-*.whl" in install and "--find-links" not in install for install in installs)


def test_container_command_uses_existing_options():
    last = commands("CMD")[-1]
    assert last[:2] == ["awning", "host"]
    known = {name for option in host.params for name in option.opts}
    assert {word for word in last if word.startswith("--")} <= known


def test_container_variables_are_documented():
    for name in re.findall(r"AWNING_[A-Z]+(?:_[A-Z]+)*", RECIPE):
        assert name in DOCS, name


class Answering(BaseHTTPRequestHandler):
    status = 200

    def do_GET(self):
        self.send_response(self.status if self.path == "/healthz" else 404)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(("status", "healthy"), [(200, True), (503, False), (None, False)])
def test_health_check_exits_by_the_status_of_the_server(monkeypatch, status, healthy):
    monkeypatch.setattr(Answering, "status", status)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = str(server.server_port)
    if status is None:
        server.shutdown()
        server.server_close()
    [[program, *rest]] = commands("HEALTHCHECK")
    assert program == "python"
    command = [sys.executable, *(word.replace("8440", port) for word in rest)]
    done = subprocess.run(command, capture_output=True, check=False)
    if status is not None:
        server.shutdown()
        server.server_close()
    assert (done.returncode == 0) is healthy
