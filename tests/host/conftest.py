"""The server of the app and the simulated service, both without sockets, with a clock that tests set."""

import asyncio
import hashlib
import hmac
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from asgi_calls import ask as ask_app
from bs4 import BeautifulSoup
from kept_in import Kept
from unsynced import unsynced

from awning.client import NoResponse, Operation, Response, Retry, Secret, apps_access, decode_app_data
from awning.host import Hooks, Settings, application
from awning.host.turn import Timing
from awning.publish.inventory.inventory import Inventory
from awning.publish.pacing import Pace
from awning.publish.state.server import state_at
from awning.publish.state.store import StateStore
from awning_harness.service import Service
from awning_harness.service.apps_api import AppsApi

__all__ = ["unsynced"]  # a fixture that the tests of this folder use

SECRET = "planted-canary-app-secret"
PUBLIC_URL = "https://app.example"
PATIENT = Timing(hold_s=60, watch_s=61, patience_s=120)
"""A worker that stands still for some seconds, because the machine is busy, keeps its turns."""
SCHEMA = {
    "type": "object",
    "properties": {
        "bar": {
            "type": "object",
            "title": {"en": "Free shipping bar", "lv": "Bezmaksas piegādes josla"},
            "properties": {
                "enabled": {"type": "boolean", "default": True, "title": "Show the bar"},
                "threshold": {
                    "type": "number",
                    "exclusiveMinimum": 0,
                    "default": 75,
                    "title": {"en": "Free from", "lv": "Bez maksas no", "de": "Gratis ab"},
                },
            },
        }
    },
}


@dataclass
class Seen:
    """A response."""

    status: int
    headers: list[tuple[str, str]]
    text: str

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key == name), "")

    @property
    def location(self) -> str:
        return self.header("location")

    @property
    def soup(self) -> BeautifulSoup:
        return BeautifulSoup(self.text, "html.parser")

    @property
    def heading(self) -> str:
        return self.soup.h1.get_text()


@dataclass
class Browser:
    """Sends requests to an ASGI app and keeps cookies by path, as a browser does."""

    app: Any
    cookies: dict[str, tuple[str, str]] = field(default_factory=dict)
    run: Callable[[Any], Any] = asyncio.run
    errors: list[Exception] = field(default_factory=list)

    def get(self, url: str, **headers: str) -> Seen:
        return self.send("GET", url, b"", headers)

    def post(self, url: str, fields: Any, **headers: str) -> Seen:
        body = fields if isinstance(fields, bytes) else urlencode(fields, doseq=True).encode()
        return self.send("POST", url, body, {"content_type": "application/x-www-form-urlencoded", **headers})

    def send(self, method: str, url: str, body: bytes, headers: dict[str, str]) -> Seen:
        return self.run(self.visit(method, url, body, headers))

    async def visit(self, method: str, url: str, body: bytes, headers: dict[str, str]) -> Seen:
        parts = urlsplit(url)
        named = {"host": "app.example", **{k.replace("_", "-"): v for k, v in headers.items() if v}}
        sent = [(name.encode(), value.encode()) for name, value in named.items()]
        for path, (name, value) in self.cookies.items():
            if parts.path.startswith(path):
                sent.append((b"cookie", f"{name}={value}".encode()))
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": parts.path,
            "raw_path": parts.path.encode("utf-8", "replace"),
            "query_string": parts.query.encode(),
            "root_path": "",
            "headers": sent,
            "server": ("127.0.0.1", 80),
            "client": ("203.0.113.9", 1),
        }
        messages: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            messages.append(message)

        try:
            await self.app(scope, receive, send)
        except Exception as error:  # a server logs the exception and sends the response so far
            if not messages:
                raise
            self.errors.append(error)
        text = b"".join(message.get("body", b"") for message in messages[1:]).decode()
        seen = Seen(
            messages[0]["status"], [(k.decode(), v.decode()) for k, v in messages[0]["headers"]], text
        )
        self._keep(seen)
        return seen

    def _keep(self, seen: Seen) -> None:
        for name, value in seen.headers:
            if name == "set-cookie":
                pair, *attributes = value.split("; ")
                path = next(a.partition("=")[2] for a in attributes if a.startswith("Path="))
                key, _, text = pair.partition("=")
                self.cookies[path] = (key, text)

    def follow(self, seen: Seen) -> Seen:
        assert seen.status in {302, 303}, seen.text
        return self.get(seen.location)


@dataclass
class World:
    """The service, an app and its server.

    `spoil` and `after` can replace a response of the service: `spoil` before the call is performed, `after` afterwards.
    """

    service: Service
    app_id: int
    api_key: str
    website_id: int
    dist: Path
    state: Path
    database: Secret | None = None
    now: float = 1_800_000_000.0
    calls: list[str] = field(default_factory=list)
    spoil: Callable[[str, Operation[object]], Response | NoResponse | None] = lambda call, operation: None
    after: Callable[[str, Operation[object]], Response | NoResponse | None] = lambda call, operation: None
    apps: list[Any] = field(default_factory=list)
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))

    def settings(self, **changed: Any) -> Settings:
        arguments = {
            "public_url": PUBLIC_URL,
            "dist": self.dist,
            "state": self.state,
            "database": self.database,
            "app_secret": Secret(SECRET),
            "access": apps_access("http://127.0.0.1:9/v1", Secret(self.api_key)),
            "pace": Pace(per_instance=None),
            "retry": Retry(attempts=1),
            "turns": PATIENT,
        }
        return Settings(**{**arguments, **changed})

    def browser(self, hooks: Hooks | None = None, **changed: Any) -> Browser:
        app = application(self.settings(**changed), hooks=hooks, send=self.send, clock=lambda: self.now)
        self.apps.append(app)
        return Browser(app, run=self.run)

    def run(self, call: Any) -> Any:
        """Run a coroutine in a thread: in this one, Playwright may run an event loop of its own."""
        return self.thread.submit(self.loop.run_until_complete, call).result()

    def close(self) -> None:
        """Shut down every server, and close the service."""
        self.end_servers()
        self.thread.shutdown()
        self.loop.close()
        self.service.close()

    def end_servers(self) -> None:
        """Shut down every server. A server then writes what it holds in memory."""
        while self.apps:
            self.run(end(self.apps.pop()))

    def kept(self) -> StateStore:
        return state_at(self.state, self.database)

    async def send(self, operation: Operation[object]) -> Response | NoResponse:
        self.calls.append(operation.name)
        spoiled = self.spoil(operation.name, operation)
        if spoiled is not None:
            return spoiled
        query = urlencode([(name, value.reveal()) for name, value in operation.query])
        answer = ask_app(
            AppsApi(self.service),
            operation.method,
            "/v1" + operation.path,
            query=query,
            headers=((b"authorization", f"ApiKey {self.api_key}".encode()),),
            body=operation.body,
        )
        return self.after(operation.name, operation) or Response(status=answer.status, body=answer.body)

    def new_code(self, *, state: str = "installing", website_id: int | None = None) -> str:
        return self.service.install(self.app_id, website_id or self.website_id, state=state)

    def data(self, code: str) -> Any:
        answer = self._call("get_data", code)
        return decode_app_data(answer.get("data"))

    def _call(self, name: str, code: str) -> dict[str, Any]:
        answer = ask_app(
            AppsApi(self.service),
            "GET",
            f"/v1/apps/{name}/",
            query=urlencode({"authCode": code}),
            headers=((b"authorization", f"ApiKey {self.api_key}".encode()),),
        )
        return json.loads(answer.body)

    def installed(self, code: str) -> bool:
        return str(self.service.instance(code).state) == "installed"

    def inventory(self) -> list[tuple[str, str | None]]:
        inventory = Inventory.open(self.kept())
        try:
            return [(i.code.reveal(), i.name) for i in inventory.all()]
        finally:
            inventory.close()


async def end(app: Any) -> None:
    """Send the lifespan messages for startup and shutdown to an ASGI app."""
    messages = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])

    async def receive() -> dict[str, Any]:
        return next(messages)

    async def send(message: dict[str, Any]) -> None:
        assert not message["type"].endswith("failed"), message

    await app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, receive, send)


def signed(path: str, parameters: dict[str, str], secret: str = SECRET) -> str:
    query = urlencode(parameters)
    digest = hmac.new(secret.encode(), query.encode(), hashlib.sha256).hexdigest()
    return f"{path}?{query}&hash={digest}"


def request_of(path: str, code: str | None = None, **changed: str) -> str:
    parameters = {
        **({"authCode": code} if code else {}),
        "appId": "1",
        "language": "en",
        "callback": "https://service.example/back/1",
        "svcVersion": "1.0.0",
        **changed,
    }
    return signed(path, {name: value for name, value in parameters.items() if value})


def write_dist(dist: Path, *, schema: Any = SCHEMA, tab_mode: str = "self", body: str = "v1") -> None:
    dist.mkdir(parents=True, exist_ok=True)
    listed = []
    for language in (None, "lv", "en"):
        path = f"{language}/body.html" if language else "body.html"
        text = f"<p>{body} {language} {{{{svc_app_data}}}}</p>".encode()
        (dist / path).parent.mkdir(exist_ok=True)
        (dist / path).write_bytes(text)
        digest = hashlib.sha256(text).hexdigest()
        listed.append(
            {"path": path, "unit": "app", "place": "body", "language": language}
            | {"bytes": len(text), "gzip": 0, "sha256": digest}
        )
    record = {
        "schema_version": 1,
        "awning": "0.1.0",
        "fingerprint": hashlib.sha256(body.encode()).hexdigest(),
        "app": {"title": "Test app", "version": "0.1.0"},
        "languages": ["lv", "en"],
        "snippets": listed,
        "widgets": [],
        "esbuild": "0.28.2",
    }
    titles = {"en": "Test app", "lv": "Testa lietotne"}
    (dist / "manifest.json").write_text(json.dumps({"app_display_title": titles, "app_tab_mode": tab_mode}))
    (dist / "data.schema.json").write_text(json.dumps(schema))
    (dist / "build.json").write_text(json.dumps(record))


@pytest.fixture
def world(tmp_path: Path, kept_in: Kept) -> Iterator[World]:
    service = Service()
    website = service.create_website(languages=["lv", "en", "ru"], brandname="Linen & Co")
    app_id, api_key = service.register_app({"app_title": "Test app", "app_secret": SECRET})
    write_dist(tmp_path / "dist")
    world = World(service, app_id, api_key, website.id, tmp_path / "dist", tmp_path / "state", kept_in.url)
    yield world
    world.close()


@pytest.fixture
def ask() -> Callable[..., str]:
    """`ask(path, code)` returns a signed address."""
    return request_of


@pytest.fixture
def sign() -> Callable[..., str]:
    return signed


@pytest.fixture
def build() -> Callable[..., None]:
    return write_dist


@pytest.fixture
def opened(world: World) -> Callable[..., tuple[Browser, str, str]]:
    """Open the settings page of a new installation; returns browser, address and authCode."""

    def open_(hooks: Hooks | None = None, language: str = "en", **changed: Any) -> tuple[Browser, str, str]:
        browser, code = world.browser(hooks, **changed), world.new_code()
        browser.get(request_of("/install", code))
        seen = browser.get(request_of("/settings", code, language=language))
        assert seen.status == 303, seen.text
        return browser, seen.location, code

    return open_


@pytest.fixture
def fields() -> Callable[[Seen], dict[str, Any]]:
    """`fields(page)` returns the fields that a browser posts from the settings form."""

    def read(seen: Seen) -> dict[str, Any]:
        form = seen.soup.find("form")
        entries: dict[str, Any] = {}
        for control in form.find_all(["input", "textarea", "select"]):
            if control.get("type") == "checkbox":
                if control.has_attr("checked"):
                    entries.setdefault(control["name"], []).append(control["value"])
                continue
            if control.name == "select":
                chosen = control.find("option", selected=True)
                text = chosen["value"] if chosen else ""
            else:
                text = control.get("value", control.get_text().removeprefix("\n"))
            before = entries.get(
                control["name"]
            )  # rows, and the offset of a time, have the name of another control
            entries[control["name"]] = (
                text if before is None else [*([before] if isinstance(before, str) else before), text]
            )
        return entries

    return read
