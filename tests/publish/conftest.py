"""A workspace with a build, and a service in memory. A test can replace the response of any call."""

import json
import math
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest
from command_line import run_awning
from plain_dist import write_dist
from unsynced import unsynced

from awning.client import NoResponse, Operation, Response, Retry
from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import Journal
from awning.publish.release.build_files import read_build
from awning.publish.state.store import StateDir

KEY = "SVC-00000000000000000000000000000000"
UNPACED = (
    "PUBLISH_APPLY",
    "PUBLISH_PLAN",
    "PUBLISH_ROLLBACK",
    "PUBLISH_VERIFY",
    "PUBLISH_DRIFT",
    "PUBLISH_DISABLE",
    "PUBLISH_ENABLE",
    "PUBLISH_RESUME",
    "DATA_SET",
    "DATA_RESTORE",
    "INSTANCES_REFRESH",
)
"""The verbs whose pace is unlimited in these tests. With the default of 5 calls a second, the tests would wait."""
OTHER_STATE = {"AWNING_DATABASE_URL", "AWNING_STATE_DIR", "AWNING_STATE_KEY"}
__all__ = ["unsynced"]
DELAY = Retry.delay
SNIPPETS = {None: "<b>{{svc_app_data}}</b>\n", "lv": "<b>lv ā</b>", "en": "<b>en</b>"}


@dataclass
class Shelf:
    """The state of a service. `before` and `after` can replace a response: before the call is performed, or after."""

    languages: dict[str, list[str]] = field(default_factory=dict)
    contents: dict[tuple[str, str, str | None], str] = field(default_factory=dict)
    data: dict[str, object] = field(default_factory=dict)
    websites: dict[str, str] = field(default_factory=dict)
    calls: list[tuple[str, str]] = field(default_factory=list)
    writes: list[tuple[str, str | None, str]] = field(default_factory=list)
    """The body snippets that were set, in order: authCode, language, text."""
    sets: list[tuple[str, object]] = field(default_factory=list)
    """The app data that were set, in order: authCode, data."""
    before: Callable[[str, str, int], Response | NoResponse | None] = lambda call, code, turn: None
    after: Callable[[str, str, int], Response | NoResponse | None] = lambda call, code, turn: None

    async def send(self, operation: Operation[object]) -> Response | NoResponse:
        (_, code), *_ = operation.query
        return self.take(operation.path, code.reveal(), operation.body)

    def take(self, path: str, code: str, body: bytes) -> Response | NoResponse:
        _, _, call, *rest = [*path.split("/"), ""][:4] if path.startswith("/apps/") else path.split("/")
        self.calls.append((call, code))
        turn = len(self.calls)
        spoiled = self.before(call, code, turn)
        if spoiled is not None:
            return spoiled
        answer = self._act(call, code, (rest[0] if rest else "") or None, body)
        return self.after(call, code, turn) or answer

    def _act(self, call: str, code: str, language: str | None, body: bytes) -> Response:
        if code not in self.languages:
            return refusal(401, "Unauthorized")
        fields: dict[str, object] = {"error": False}
        place = "head" if "head" in call else "body"
        if call == "languages":
            fields["languages"] = self.languages[code]
        elif call == "website":
            fields["website"] = {"url": self.websites.get(code), "brandname": "Shop"}
        elif call == "user":
            fields["user"] = {"email": "owner@shop.example", "email_confirmed": True}
        elif call == "get_data":
            fields["data"] = self.data.get(code)
        elif call == "set_data":
            self.data[code] = json.loads(body)["data"]
            self.sets.append((code, self.data[code]))
        elif call.startswith("get_"):
            fields["snippet"] = self.contents.get((code, place, language))
        else:
            payload = json.loads(body)
            self.contents[code, place, payload.get("language")] = payload["snippet"]
            if place == "body":
                self.writes.append((code, payload.get("language"), payload["snippet"]))
        return Response(status=200, body=json.dumps(fields).encode())

    def body(self, code: str) -> dict[str | None, str]:
        return {
            language: text
            for (c, place, language), text in self.contents.items()
            if (c, place) == (code, "body")
        }


def refusal(status: int, message: str, **fields: object) -> Response:
    body = {"error": True, "error_code": status, "error_message": message}
    return Response(status=status, body=json.dumps(body).encode(), **fields)


@pytest.fixture
def refused() -> Callable[..., Response]:
    return refusal


@pytest.fixture
def shelf() -> Shelf:
    return Shelf(languages={"code-a": ["lv", "en", "ru"], "code-b": ["lv"]})


@pytest.fixture
def dist(tmp_path):
    write_dist(tmp_path / "dist", SNIPPETS)
    return tmp_path / "dist"


@pytest.fixture
def rebuild(dist) -> Callable[..., None]:
    return lambda snippets, heads=None: write_dist(dist, snippets, heads)


@pytest.fixture
def build(dist):
    return read_build(dist)


@pytest.fixture
def state(tmp_path) -> StateDir:
    return StateDir(tmp_path / "state")


@pytest.fixture
def inventory(state) -> Iterator[Inventory]:
    inventory = Inventory.open(state)
    inventory.put([inventory.instance("code-a", name="first"), inventory.instance("code-b")])
    yield inventory
    inventory.close()


@pytest.fixture
def journal(state) -> Iterator[Journal]:
    journal = Journal.open(state)
    yield journal
    journal.close()


@pytest.fixture
def served(shelf) -> Iterator[str]:
    """Serve the shelf over HTTP; yields its base URL."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        """Without this, a body that is sent after its headers waits 40 ms for an acknowledgement."""

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            url = urlsplit(self.path)
            body = self.rfile.read(int(self.headers["Content-Length"] or 0))
            answer = refusal(401, "Unauthorized")
            if self.headers["Authorization"] == f"ApiKey {KEY}":
                code = parse_qs(url.query)["authCode"][0]
                answer = shelf.take(url.path.removeprefix("/v1"), code, body)
            if isinstance(answer, NoResponse):
                self.close_connection = True
                return
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.content_type)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

        do_POST = do_GET  # noqa: N815 - http.server's name

    class Server(ThreadingHTTPServer):
        daemon_threads = False
        request_queue_size = 1024
        """With a short queue, the system drops connections of several publishers, and they try again a second later."""

        def handle_error(self, *_: object) -> None:
            """Ignore all errors: a killed client resets its connections."""

    with Server(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        finally:
            server.shutdown()
            thread.join()


def least_delay(retry: Retry, *, attempt: int, retry_after_s: float | None, jitter: float) -> float | None:
    """Return the delay without its random part, so that tests wait only as long as a service asks for."""
    return DELAY(retry, attempt=attempt, retry_after_s=retry_after_s, jitter=0.0)


@pytest.fixture
def workspace(tmp_path, dist, monkeypatch):
    (tmp_path / "pyproject.toml").write_text('[tool.awning]\nlanguages = ["lv", "en"]\n')
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("AWNING_")]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(Retry, "delay", least_delay)
    monkeypatch.setattr("awning.cli.publish.progress.LINE_S", math.inf)  # also on a busy machine
    for verb in UNPACED:
        monkeypatch.setenv(f"AWNING_{verb}_PACE", "0")
    monkeypatch.setenv("AWNING_API_KEY", KEY)
    monkeypatch.setenv("AWNING_AUTH_CODE", "code-a")
    return tmp_path


@pytest.fixture
def awning(workspace, capsys):
    """Run a command line; returns its exit code, stdout and stderr."""

    def run(*arguments):
        ended = run_awning(capsys, *arguments)
        assert KEY not in ended.out + ended.err
        return ended

    return run


@pytest.fixture(scope="session")
def state_with_shop(tmp_path_factory):
    """The state directory after `awning instances add --name shop`."""
    state = StateDir(tmp_path_factory.mktemp("added") / "state")
    with closing(Inventory.open(state)) as inventory:
        inventory.add(inventory.instance("code-a", name="shop"))
    return state.path


@pytest.fixture
def shop(awning, served, workspace, state_with_shop, monkeypatch):
    monkeypatch.setenv("AWNING_BASE_URL", served + "/")
    if OTHER_STATE.isdisjoint(os.environ):
        shutil.copytree(state_with_shop, workspace / ".awning/state")
    else:
        assert awning("instances", "add", "--name", "shop")[0] == 0
    return served


@pytest.fixture(scope="module")
def made_once(tmp_path_factory) -> Callable[..., None]:
    """`made_once(workspace, shelf, make)` calls `make` in the first test of a module, to publish what all tests need.

    The other tests get copies of the state directory and of the service's contents as `make` left them.
    """
    saved = tmp_path_factory.mktemp("made") / "state"
    contents: dict[tuple[str, str, str | None], str] = {}

    def prepare(workspace, shelf, make):
        state = workspace / ".awning/state"
        if saved.exists():
            shutil.rmtree(state, ignore_errors=True)
            shutil.copytree(saved, state)
            shelf.contents.update(contents)
        else:
            make()
            shutil.copytree(state, saved)
            contents.update(shelf.contents)
        shelf.calls.clear()
        shelf.writes.clear()

    return prepare


@pytest.fixture
def state_of(workspace) -> Callable[[], StateDir]:
    """`state_of()` returns the state directory of the workspace."""
    return lambda: StateDir(workspace / ".awning/state")


@pytest.fixture
def journal_of(state_of) -> Iterator[Callable[[], Journal]]:
    """`journal_of()` opens the journal of the workspace."""
    opened: list[Journal] = []

    def journal() -> Journal:
        opened.append(Journal.open(state_of()))
        return opened[-1]

    yield journal
    for journal_opened in opened:
        journal_opened.close()
