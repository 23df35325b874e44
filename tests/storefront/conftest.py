"""The storefront without a socket, for the content of pages, and on a socket, for tests in a browser."""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
import uvicorn
from bs4 import BeautifulSoup
from described_events import check
from playwright.sync_api import Browser, Page
from starlette.applications import Starlette

from awning.bundle.emulator import dialect_defines
from awning.contract import Dialect
from awning_harness.storefront import FixedSnippets, FixedSource, FixedWebsite, storefront_app
from awning_harness.storefront.assets import Assets, shop_assets
from awning_harness.storefront.snippet_source import SnippetSource

RECORDER = """
<script>
window.seen = [];
["svc-content-after-price", "svc-content-after-cart", "svc-content-after-checkout"].forEach(function (name) {
  [name, name + "-updated"].forEach(function (event) {
    var count = 0;
    svcPlugins.subscribeEvent(event, function (jqEvent, init, params, updated) {
      window.seen.push({ event: event, args: arguments.length, type: jqEvent.type, params: params, updated: updated });
      if (event === name) init().setContent('<p data-block>' + event + '</p>');
    });
  });
});
</script>
"""


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def soup(self) -> BeautifulSoup:
        return BeautifulSoup(self.text, "html.parser")


Get = Callable[..., Answer]


def ask_app(app: Starlette, url: str, host: str = "127.0.0.1", accept: str = "*/*") -> Answer:
    """Request `url` from an ASGI app with GET, without a socket."""
    parts = urlsplit(url)
    sent: list[dict] = []
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": parts.path,
        "raw_path": parts.path.encode(),
        "query_string": parts.query.encode(),
        "root_path": "",
        "headers": [(b"host", host.encode()), (b"accept", accept.encode())],
        "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 1),
    }

    async def receive() -> dict:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict) -> None:
        sent.append(message)

    # Playwright's event loop is already running in this thread, so no other one can.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, app(scope, receive, send)).result()
    body = b"".join(message.get("body", b"") for message in sent)
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], headers, body.decode())


@pytest.fixture(scope="session")
def assets() -> Assets:
    return shop_assets(dialect_defines(Dialect()))


@pytest.fixture
def app_with(assets: Assets) -> Callable[..., Starlette]:
    """Makes a storefront of one website with these apps installed."""

    def make(
        *snippets: FixedSnippets, languages: tuple[str, ...] = ("lv", "en", "de"), **options: object
    ) -> Starlette:
        source = FixedSource(site=FixedWebsite(languages=languages), snippets=snippets)
        return storefront_app(source, assets=assets, **options)

    return make


@pytest.fixture
def ask() -> Callable[..., Answer]:
    return ask_app


@pytest.fixture
def get(app_with: Callable[..., Starlette]) -> Get:
    app = app_with(FixedSnippets(head="<meta name=app>", body="<!-- the app's body -->"))
    return lambda url, **options: ask_app(app, url, **options)


@pytest.fixture(scope="session")
def shop_url(assets: Assets) -> Iterator[str]:
    """A storefront on a socket, with an app that records its deliveries in `window.seen`."""
    with serving(FixedSource(snippets=(FixedSnippets(body=RECORDER),)), assets=assets) as url:
        yield url


@pytest.fixture
def recorder() -> str:
    """The snippet of an app that records its deliveries in `window.seen`."""
    return RECORDER


@pytest.fixture
def shop_with(assets: Assets) -> Iterator[Callable[[FixedSnippets], str]]:
    """Makes a storefront on a socket with one app. Returns the website's address."""
    with ExitStack() as stack:
        yield lambda snippets: stack.enter_context(serving(FixedSource(snippets=(snippets,)), assets=assets))


@pytest.fixture(scope="session")
def served(assets: Assets) -> Callable[[SnippetSource], AbstractContextManager[str]]:
    """Serves a storefront with the snippets of a source while a `with` block runs. Gives the website's address."""
    return lambda source: serving(source, assets=assets)


@contextmanager
def serving(source: SnippetSource, *, assets: Assets) -> Iterator[str]:
    app = storefront_app(source, assets=assets)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/1"
        server.should_exit = True
        thread.join(10)


@dataclass
class Tab:
    """One page of the shop. `seen` has the app's deliveries so far."""

    page: Page
    url: str

    def open(self, path: str) -> "Tab":
        self.page.goto(f"{self.url}/{path}", wait_until="load")
        self.page.evaluate("() => new Promise((done) => setTimeout(done, 0))")
        return self

    @property
    def seen(self) -> list[dict]:
        return self.page.evaluate("window.seen")

    @property
    def events(self) -> list[str]:
        return [entry["event"].removeprefix("svc-content-") for entry in self.seen]

    def wait_for_events(self, count: int) -> list[dict]:
        self.page.wait_for_function("count => window.seen.length >= count", arg=count)
        return self.seen

    def text(self, selector: str) -> str:
        return self.page.locator(selector).inner_text()


def check_described(entry: dict) -> None:
    updated = {"updatedItem": entry["updated"]} if entry["event"].endswith("-updated") else {}
    check(entry["event"], {"eventParam": entry["params"], **updated})


@pytest.fixture
def tab(browser: Browser, shop_url: str) -> Iterator[Tab]:
    """A tab. After the test, the events on its last page are checked against their description."""
    context = browser.new_context()
    tab = Tab(context.new_page(), shop_url)
    yield tab
    for entry in tab.page.evaluate("window.seen ?? []"):
        check_described(entry)
    context.close()
