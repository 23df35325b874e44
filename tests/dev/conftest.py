"""A workspace that is never built: tests make builds as values and pass them to the dev server."""

import asyncio
import queue
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from manifests import as_toml, mandatory_manifest
from playwright.sync_api import Browser, Page

from awning.build_record import BuildRecord, BuiltSnippet
from awning.contract import Dialect
from awning.diagnostics import Diagnostic, Place
from awning.errors import Faulty
from awning.pipeline.incremental import BuildResult
from awning.pipeline.live import Rebuilt, StylePatch, WidgetPatch
from awning_harness.dev.app import dev_app, dev_assets
from awning_harness.dev.command import DevServer
from awning_harness.dev.dev_session import DevSession, open_dev_session
from awning_harness.dev.stream import Streams
from awning_harness.service.listeners import listening_socket
from awning_harness.storefront.assets import Assets

LANGUAGES = ("lv", "en")

WIDGET = {
    "widget.toml": 'title = "Hello"\nslot = "after-price"\n',
    "widget.ts": 'import { afterPrice } from "awning";\nexport default afterPrice(() => "hello");\n',
    "data.schema.json": """{"type": "object", "properties": {
        "enabled": {"type": "boolean", "default": true, "title": {"en": "Show it", "lv": "Rādīt"}},
        "greeting": {"type": "string", "default": "Hi", "title": "Greeting"},
        "links": {"type": "array", "title": "Links", "items": {"type": "object", "required": ["weight"], "properties": {
            "text": {"type": "string", "title": {"en": "Text", "lv": "Teksts"}},
            "weight": {"title": "Weight", "oneOf": [{"const": 1, "title": "One"}, {"const": 2, "title": "Two"}]}
        }}}}}""",
    "states.toml": """
[[state]]
name = "red"
title = "A <red> one"
payload = "P1"
steps = ["select M/Blue"]
data = { greeting = "</script>" }

[[state]]
name = "off"
title = "Switched off"
payload = "P2"
empty = true
""",
}

MANIFEST = as_toml(mandatory_manifest("Test app"))


def snippet(text: str) -> str:
    """Return a body snippet that shows `text`, the app data and the chosen variant after the price, in a paragraph."""
    return f"""<style>.hello {{ color: teal }}</style>
<script type="application/json" lang="{{{{svc_language}}}}">{{{{svc_app_data}}}}</script>
<script>(function () {{
  // widgets/hello/widget.ts
  var data = document.currentScript.previousElementSibling.textContent, handler;
  function show(id) {{ handler.setContent('<p class="hello">{text} ' + data + ' ' + id + '</p>'); }}
  svcPlugins.subscribeEvent("svc-content-after-price", function (event, init) {{ handler = init(); show(""); }});
  svcPlugins.subscribeEvent("svc-content-after-price-updated", function (event, init, params, updated) {{
    show(updated.selectedVariantId);
  }});
}})();</script>"""


@dataclass
class Workshop:
    """A dev session, and makers of builds for it."""

    root: Path
    session: DevSession
    turns: "queue.Queue[Rebuilt | Exception | None]" = field(default_factory=queue.Queue)

    def built(self, files: dict[str, str], languages: tuple[str, ...] = LANGUAGES) -> Rebuilt:
        """Write `files` (`body.html`, `lv/head.html`) to dist/, and return the turn with this build."""
        snippets = []
        for path, html in files.items():
            file = self.root / "dist" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(html, encoding="utf-8")
            language, _, name = path.rpartition("/")
            place = name.removesuffix(".html")
            snippets.append(
                BuiltSnippet(
                    path=path,
                    unit="app",
                    place=place,
                    language=language or None,
                    bytes=len(html),
                    gzip=len(html),
                    sha256="0" * 64,
                )
            )
        record = BuildRecord(
            awning="0.1.0",
            fingerprint="0" * 64,
            title="Test app",
            version="0.1.0",
            languages=languages,
            snippets=tuple(snippets),
            widgets=(),
            esbuild="0.28.2",
        )
        built = BuildResult(record=record, out=self.root / "dist")
        return Rebuilt(built=built, error=None, changed=(), seconds=0.01)

    def shows(self, text: str) -> Rebuilt:
        return self.built({"body.html": snippet(text)})

    def patched(self, text: str | None, style: tuple[str, str] | None = None) -> Rebuilt:
        """Return a turn that patches the widget `hello`: its text, or its style sheet from `style[0]` to `style[1]`."""
        sheet = None if style is None else StylePatch(before=style[0], after=style[1])
        bodies = {} if text is None else {None: snippet(text).partition("</style>")[2]}
        patch = WidgetPatch(widget="hello", style=sheet, bodies=bodies)
        return Rebuilt(built=None, error=None, changed=(), seconds=0.01, patch=patch)

    def broken(self) -> Rebuilt:
        diagnostic = Diagnostic(
            rule="template-syntax",
            message="the block is not closed",
            place=Place(path="widgets/hello/view.html.j2", line=3, column=5),
            excerpt="    {% if <x>",
            hint="write {% endif %}",
        )
        return Rebuilt(
            built=None, error=Faulty([diagnostic]), changed=("widgets/hello/view.html.j2",), seconds=0.01
        )

    def iterate(self) -> Iterator[Rebuilt]:
        """Yield the turns in the queue up to None. An exception in the queue is raised."""
        while (turn := self.turns.get()) is not None:
            if isinstance(turn, Exception):
                raise turn
            yield turn


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    (tmp_path / "pyproject.toml").write_text('[tool.awning]\nlanguages = ["lv", "en"]\n')
    (tmp_path / "manifest.toml").write_text(MANIFEST)
    folder = tmp_path / "widgets" / "hello"
    folder.mkdir(parents=True)
    for name, text in WIDGET.items():
        (folder / name).write_text(text, encoding="utf-8")

    def unit(name: str) -> dict[str, str]:
        dist = tmp_path / "dist"
        files = (dist / "widgets" / name).rglob("*.html")
        return {file.relative_to(dist).as_posix(): file.read_text(encoding="utf-8") for file in files}

    session = open_dev_session(tmp_path, languages=LANGUAGES, title="Test app", unit=unit)
    return Workshop(tmp_path, session)


@pytest.fixture(scope="session")
def dev_files() -> Assets:
    return dev_assets(Dialect())


@dataclass(frozen=True)
class Served:
    """The dev server on a socket. `send` passes a turn to it."""

    url: str
    workshop: Workshop
    printed: list[str]
    """What the server has printed: exceptions of widgets."""

    def send(self, turn: Rebuilt | Exception) -> None:
        self.workshop.turns.put(turn)

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        return self.ask("GET", path, None, **headers)

    def ask(self, method: str, path: str, body: bytes | None, **headers: str) -> tuple[int, str]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.url + path, data=body, method=method, headers=named)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()


@pytest.fixture
def served(workshop: Workshop, dev_files: Assets) -> Iterator[Served]:
    listening = listening_socket(0)
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    streams = Streams()
    printed: list[str] = []
    app = dev_app(workshop.session, streams, base_url=url, say=printed.append, assets=dev_files)
    server = DevServer(
        session=workshop.session,
        streams=streams,
        app=app,
        listening=listening,
        turns=workshop.iterate(),
        report=lambda turn: None,
    )
    loop, stop = asyncio.new_event_loop(), asyncio.Event()

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(server.run(stop))

    thread = threading.Thread(target=run)
    thread.start()
    yield Served(url, workshop, printed)
    workshop.turns.put(None)
    loop.call_soon_threadsafe(stop.set)
    thread.join(10)
    workshop.session.service.close()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1000, "height": 500})
    yield context.new_page()
    context.close()
