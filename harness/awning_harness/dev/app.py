"""The dev server's application: the storefront's routes, and its own routes at `/` and below `/_awning`."""

import asyncio
import json
import secrets
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment
from markupsafe import escape
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from awning.bundle.emulator import dialect_defines
from awning.contract import Dialect
from awning.errors import ConfigurationError
from awning.states.host_responses import HostResponse, read_host_response
from awning.workspace.model import Widget
from awning.workspace.validation import RESPONSES
from awning_harness.dev.dev_session import DevSession
from awning_harness.dev.gallery import GALLERY, about_state, read_step_count, state_address
from awning_harness.dev.inspector_calls import InspectorCalls
from awning_harness.dev.overview import (
    gallery_values,
    overview,
    payload_fields,
    site_of,
    widget_of,
    widgets_of,
)
from awning_harness.dev.page_data import json_object, page_data
from awning_harness.dev.page_errors import read_page_error
from awning_harness.dev.stream import Streams
from awning_harness.gallery.index import ASSETS, SCRIPTS, check_view, gallery_environment
from awning_harness.gallery.state_page import StatePages
from awning_harness.service.hosts import host_check, is_same_origin
from awning_harness.storefront.app import storefront_routes
from awning_harness.storefront.assets import Assets, shop_assets
from awning_harness.storefront.options import read_theme
from awning_harness.storefront.page import PageRenderer, PageVisit, policy_header
from awning_harness.storefront.snippet_source import ForeignDialect
from awning_harness.storefront.views import NoSuchPage, Views, refusals

LATE_S = 3.0
"""How long a late response takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedResponse:
    """A response as a widget describes it."""

    widget: str
    folder: Path
    written: Any

    def read(self) -> HostResponse:
        """Return the response. A file that cannot be read, or is outside of the widget's folder, is no response."""
        if isinstance(self.written, str):
            file = (self.folder / self.written).resolve()
            if not file.is_relative_to(self.folder.resolve()):
                return HostResponse(status=0)
        try:
            return read_host_response(self.written, self.folder)
        except ConfigurationError:
            return HostResponse(status=0)


@dataclass(slots=True)
class HostAnswers:
    """Reads the tables [fetch] below `root`. A file is parsed again when it has changed.

    A page's requests to these addresses go to the dev server (`jsrc/inspector/answers.ts`), which gives the response.
    """

    root: Path
    _known: dict[Path, tuple[tuple[int, int], Mapping[str, Any]]] = field(default_factory=dict)

    def by_address(self) -> dict[str, NamedResponse]:
        """Return the responses. Where two widgets name one address, the first widget by name counts."""
        named: dict[str, NamedResponse] = {}
        for file in sorted(self.root.glob("widgets/*/widget.toml")):
            for url, written in self._table(file).items():
                response = NamedResponse(widget=file.parent.name, folder=file.parent, written=written)
                named.setdefault(url, response)
        return named

    def find(self, url: str) -> NamedResponse | None:
        """Return the response for an address, with its query or without. A fragment does not count."""
        named, url = self.by_address(), url.partition("#")[0]
        return named.get(url) or named.get(url.partition("?")[0])

    def _table(self, file: Path) -> Mapping[str, Any]:
        try:
            status = file.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            known = self._known.get(file)
            if known is None or known[0] != stamp:
                table = tomllib.loads(file.read_text(encoding="utf-8-sig")).get("fetch", {})
                known = self._known[file] = (stamp, table if RESPONSES.accepts(table) else {})
        except (OSError, ValueError):  # the build reports it
            return {}
        return known[1]


_MOST_DATA_BYTES = 1_000_000


def dev_assets(dialect: Dialect) -> Assets:
    """Return the files of the shop and of the dev server."""
    return shop_assets(
        dialect_defines(dialect),
        scripts={"inspector": "inspector/index.ts", **SCRIPTS},
        files=ASSETS,
    )


def dev_app(
    session: DevSession,
    streams: Streams,
    *,
    base_url: str,
    say: Callable[[str], None],
    assets: Assets | None = None,
    allowed_hosts: Sequence[str] = (),
) -> Starlette:
    """Return the application: the storefront of the dev website and the dev server's own pages.

    Requests for the host of `base_url`, for loopback names and for `allowed_hosts` are answered. `say` gets a line for
    each new error of a widget, and when snippets use the names of another dialect.
    """
    assets = assets or dev_assets(session.dialect)
    inspector = assets.urls["inspector.js"]

    answers = HostAnswers(session.root)

    def extra_head(visit: PageVisit) -> str:
        named = [{"url": url, "widget": named.widget} for url, named in answers.by_address().items()]
        played = escape(json.dumps({"mode": visit.options.answers, "named": named}, ensure_ascii=False))
        return f'<script src="{inspector}" data-language="{visit.language}" data-answers="{played}"></script>'

    foreign = ForeignDialect(session.dialect, say)
    renderer = PageRenderer(
        templates=gallery_environment("awning_harness.dev"),
        assets=assets.urls,
        extra_head=extra_head,
        foreign=foreign,
    )
    views = Views(
        source=session.source,
        renderer=renderer,
        dialect=session.dialect,
        store=lambda: session.store,
        allowed_globals=session.allowed_globals,
        page_data=lambda request: page_data(request, widgets_of(session)),
    )
    own = DevViews(
        session=session,
        streams=streams,
        templates=renderer.templates,
        assets=assets,
        calls=InspectorCalls(session=session, say=say),
        answers=answers,
    )
    return Starlette(
        routes=[*own.routes(), *storefront_routes(views, assets)],
        middleware=[Middleware(host_check, {urlsplit(base_url).hostname or "", *allowed_hosts})],
        exception_handlers=refusals(renderer.templates),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DevViews:
    """The handlers of the dev server's own pages."""

    session: DevSession
    streams: Streams
    templates: Environment
    assets: Assets
    calls: InspectorCalls
    answers: HostAnswers

    def routes(self) -> list[Route]:
        return [
            Route("/", self.index),
            Route("/_awning/gallery", self.gallery),
            Route("/_awning/state/{widget}/{state}/{language}", self.state),
            Route("/_awning/stream", self.stream),
            Route("/_awning/info", self.info),
            Route("/_awning/answer", self.answer, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
            Route("/_awning/payloads", self.payloads),
            Route("/_awning/data", self.put_data, methods=["PUT"]),
            Route("/_awning/thrown", self.post_thrown, methods=["POST"]),
        ]

    async def index(self, _request: Request) -> Response:
        values = await run_in_threadpool(overview, self.session)
        return self._page("index", **values)

    async def gallery(self, request: Request) -> Response:
        """Return the page with the states of all widgets. The query may have a width, a theme and a language."""
        check_view(request.query_params, self.session.own_languages)
        values = await run_in_threadpool(gallery_values, self.session)
        return self._page("gallery", **values)

    async def state(self, request: Request) -> Response:
        """Return the page of one state of one widget in one language.

        The query may have another theme, and how many of the state's steps are taken.
        """
        theme, steps = (request.query_params.get(name) for name in ("theme", "steps"))
        return await run_in_threadpool(self._state, theme, steps, **request.path_params)

    def _state(
        self, theme: str | None, steps: str | None, widget: str, state: str, language: str
    ) -> Response:
        owner = widget_of(self.session, widget)
        widget_state = next((s for s in owner.states if s.name == state), None) if owner else None
        if owner is None or widget_state is None or language not in owner.languages:
            raise self._no_such_state(owner, widget, state, language)
        # The revision is read before the snippets. If a build ends in between, the page reloads once too often.
        revision = self.session.revision
        pages = StatePages(
            widget=owner,
            languages=self.session.languages,
            snippets=self.session.unit(owner.name),
            dialect=self.session.dialect,
            store=self.session.store,
        )
        taken = widget_state.steps[: read_step_count(steps, widget_state.steps)]
        themed = replace(widget_state, theme=read_theme(theme or widget_state.theme).name, steps=taken)
        nonce = secrets.token_urlsafe(12)
        return self._page(
            "state",
            headers=policy_header(nonce if themed.csp else None, themed.csp),
            page=pages.make(themed, language, nonce=nonce),
            widget=owner,
            revision=revision,
            about=about_state(pages, themed, language),
        )

    def _no_such_state(self, owner: Widget | None, widget: str, state: str, language: str) -> NoSuchPage:
        """Return the exception for an address of a state that does not exist. Its links lead to states that do."""
        if owner is None:
            others = ", ".join(w.name for w in widgets_of(self.session))
            reason = f'there is no widget "{widget}" without errors in its files'
            return NoSuchPage(f"{reason}; there are {others}" if others else reason, [("Gallery", GALLERY)])
        if state in (names := [s.name for s in owner.states]):
            reason = (
                f'the widget "{widget}" is not shown in "{language}"; it is in {", ".join(owner.languages)}'
            )
            links = [(code, state_address(widget, state, code)) for code in owner.languages]
        else:
            reason = f'the widget "{widget}" has no state "{state}"; it has {", ".join(names) or "none"}'
            code = language if language in owner.languages else owner.languages[0]
            links = [(s.title, state_address(widget, s.name, code)) for s in owner.states]
        return NoSuchPage(reason, [*links, ("Gallery", f"{GALLERY}#{widget}")])

    async def stream(self, request: Request) -> Response:
        language = request.query_params.get("language", "")
        lines = self.streams.listen(language, self.session.hello)
        return StreamingResponse(lines, media_type="text/event-stream", headers={"cache-control": "no-store"})

    async def info(self, request: Request) -> Response:
        language, currency = (request.query_params.get(name, "") for name in ("language", "currency"))
        data = await self._page_data(request)
        values = await run_in_threadpool(self.calls.info, language, currency, data)
        return JSONResponse(values, headers={"cache-control": "no-store"})

    async def answer(self, request: Request) -> Response:
        """Give the response of another host that a widget names. The query has its address, and perhaps `mode=late`.

        A failed connection is status 504 here, which the page turns into a failure.
        """
        named = await run_in_threadpool(self.answers.find, request.query_params.get("url", ""))
        if named is None:
            return PlainTextResponse("no widget.toml has a response for this address in [fetch]", 404)
        if request.query_params.get("mode") == "late":
            await asyncio.sleep(LATE_S)
        response = await run_in_threadpool(named.read)
        headers = {
            "cache-control": "no-store",
            "x-content-type-options": "nosniff",
            "content-security-policy": "sandbox",
        }
        if not response.status:
            return Response(status_code=504, headers=headers | {"awning-no-response": "1"})
        body = b"" if response.status in (204, 205, 304) else response.body
        return Response(body, response.status, headers, media_type=response.type_for("fetch"))

    async def payloads(self, _request: Request) -> Response:
        return JSONResponse(payload_fields(self.session.dialect), headers={"cache-control": "no-store"})

    async def _page_data(self, request: Request) -> dict[str, Any] | None:
        return await run_in_threadpool(lambda: page_data(request, widgets_of(self.session)))

    async def put_data(self, request: Request) -> Response:
        """Store the app data. The status is 200 in each case, because another is an error in the browser's console."""
        data = await _own_json(request, "app data")
        if isinstance(data, Response):
            return data
        own = await self._page_data(request)
        stored, message_for = await run_in_threadpool(self.calls.put_data, data, own)
        if message_for is not None:
            self.streams.send(message_for)
        return JSONResponse(stored)

    async def post_thrown(self, request: Request) -> Response:
        """Record an error of a widget that a page reports. Respond with its place if known."""
        fields = await _own_json(request, "the report of an error")
        if isinstance(fields, Response):
            return fields
        page_error = read_page_error(fields)
        if page_error is None:
            return PlainTextResponse("the body must have a revision, a widget and a message", 400)
        return JSONResponse(await run_in_threadpool(self.calls.record_error, page_error))

    def _page(self, name: str, *, headers: Mapping[str, str] | None = None, **values: Any) -> Response:
        html = self.templates.get_template(f"{name}.html.j2").render(
            asset=self.assets.urls, site=site_of(self.session), **values
        )
        return HTMLResponse(html, headers={"cache-control": "no-store", **(headers or {})})


async def _own_json(request: Request, what: str) -> dict[str, Any] | Response:
    """Return the JSON object that a page of the dev server sent, or the response that refuses it.

    Pages of other origins cannot send JSON, because JSON needs a preflight request, which this server refuses.
    """
    same_origin = is_same_origin(request.headers.get("origin"), request.headers.get("host"))
    is_json = request.headers.get("content-type", "").partition(";")[0] == "application/json"
    if not (same_origin and is_json):
        return PlainTextResponse("only the dev server's own pages may send this", 403)
    body = await _limited_body(request)
    if body is None:
        return PlainTextResponse(f"{what} must not be larger than {_MOST_DATA_BYTES} bytes", 413)
    fields = json_object(body)
    return PlainTextResponse(f"{what} is a JSON object", 400) if fields is None else fields


async def _limited_body(request: Request) -> bytes | None:
    """Return the body, or None when it is too large. Reading stops at the part that exceeds the limit."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > _MOST_DATA_BYTES:
            return None
    return bytes(body)
