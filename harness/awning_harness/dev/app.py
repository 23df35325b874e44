"""The dev server's routes: the storefront's, and its own below `/_awning` and at `/`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from jinja2 import ChoiceLoader, Environment, PackageLoader
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from awning.contract import Dialect
from awning_harness.dev.fields import data_problems
from awning_harness.dev.gallery import stage_page
from awning_harness.dev.overview import info, overview, widgets_of
from awning_harness.dev.session import Session
from awning_harness.dev.stream import Streams
from awning_harness.dev.thrown import read_thrown
from awning_harness.service.envelope import Failure, read_json, write_json
from awning_harness.storefront.app import hosts, storefront_routes
from awning_harness.storefront.assets import Assets, shop_assets
from awning_harness.storefront.foreign_dialect import ForeignDialect
from awning_harness.storefront.options import BadOption
from awning_harness.storefront.page import Shop, environment
from awning_harness.storefront.scripts import dialect_defines
from awning_harness.storefront.views import NotOnThisWebsite, Views, bad_option, not_on_this_website
from awning_harness.storefront.visit import Visit

_MOST_DATA_BYTES = 1_000_000


def dev_assets(dialect: Dialect) -> Assets:
    """The shop's files and the dev server's own."""
    return shop_assets(
        dialect_defines(dialect),
        scripts={"inspector": "inspector/index.ts", "gallery": "inspector/gallery.ts"},
        files={"dev.css": "awning_harness.dev"},
    )


def dev_app(
    session: Session,
    streams: Streams,
    *,
    base_url: str,
    say: Callable[[str], None],
    assets: Assets | None = None,
) -> Starlette:
    """The storefront of the dev website, and the pages around it. `say` gets what widgets throw there, a line each."""
    assets = assets or dev_assets(session.dialect)
    inspector = assets.urls["inspector.js"]

    def extra_head(visit: Visit) -> str:
        return f'<script src="{inspector}" data-language="{visit.language}"></script>'

    foreign = ForeignDialect(session.dialect, say)
    shop = Shop(templates=dev_environment(), assets=assets.urls, extra_head=extra_head, foreign=foreign)
    views = Views(source=session.source, shop=shop, dialect=session.dialect)
    own = DevViews(session=session, streams=streams, templates=shop.templates, assets=assets, say=say)
    return Starlette(
        routes=[*own.routes(), *storefront_routes(views, assets)],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=hosts(base_url), www_redirect=False)],
        exception_handlers={NotOnThisWebsite: not_on_this_website, BadOption: bad_option},
    )


def dev_environment() -> Environment:
    """The shop's templates and filters, and the dev server's own templates before them."""
    made = environment()
    made.loader = ChoiceLoader(
        [PackageLoader("awning_harness.dev"), PackageLoader("awning_harness.storefront")]
    )
    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class DevViews:
    """Handlers of the dev server's own pages."""

    session: Session
    streams: Streams
    templates: Environment
    assets: Assets
    say: Callable[[str], None]

    def routes(self) -> list[Route]:
        return [
            Route("/", self.index),
            Route("/_awning/gallery", self.gallery),
            Route("/_awning/state/{widget}/{state}/{language}", self.state),
            Route("/_awning/stream", self.stream),
            Route("/_awning/info", self.info),
            Route("/_awning/data", self.put_data, methods=["PUT"]),
            Route("/_awning/thrown", self.post_thrown, methods=["POST"]),
        ]

    async def index(self, _request: Request) -> Response:
        values = await run_in_threadpool(overview, self.session)
        return self._page("index", **values)

    async def gallery(self, _request: Request) -> Response:
        values = await run_in_threadpool(overview, self.session)
        return self._page("gallery", **values)

    async def state(self, request: Request) -> Response:
        """One state of one widget in one language, alone on a page."""
        return await run_in_threadpool(self._state, **request.path_params)

    def _state(self, widget: str, state: str, language: str) -> Response:
        found = next((w for w in widgets_of(self.session) if w.name == widget), None)
        named = next((s for s in found.states if s.name == state), None) if found else None
        if found is None or named is None or language not in self.session.languages:
            return PlainTextResponse("there is no such state", 404)
        page = stage_page(
            found,
            named,
            language,
            languages=self.session.languages,
            dist=self.session.dist,
            dialect=self.session.dialect,
        )
        return self._page("state", page=page, head=Markup(page.head), body=Markup(page.body))  # noqa: S704 - raw on purpose

    async def stream(self, request: Request) -> Response:
        language = request.query_params.get("language", "")
        lines = self.streams.listen(language, self.session.hello())
        return StreamingResponse(lines, media_type="text/event-stream", headers={"cache-control": "no-store"})

    async def info(self, request: Request) -> Response:
        language = request.query_params.get("language", "")
        values = await run_in_threadpool(info, self.session, language)
        return JSONResponse(values, headers={"cache-control": "no-store"})

    async def put_data(self, request: Request) -> Response:
        """The app data, a JSON object keyed by widget. What does not fit is refused, unless it was stored before."""
        data = await _own_json(request, "app data")
        if isinstance(data, Response):
            return data
        problems, more = await run_in_threadpool(self._problems, data)
        if more:
            return JSONResponse({"problems": problems}, 422)
        tell = await run_in_threadpool(self.session.put_data, data)
        self.streams.tell(tell)
        return JSONResponse({"revision": self.session.revision, "problems": problems})

    def _problems(self, data: dict[str, Any]) -> tuple[list[dict[str, Any]], bool]:
        """Where `data` do not fit, and whether what is stored has not all of these problems."""
        widgets = widgets_of(self.session)
        before = data_problems(self.session.data, widgets)
        problems = data_problems(data, widgets)
        return problems, any(one not in before for one in problems)

    async def post_thrown(self, request: Request) -> Response:
        """What a widget threw on the page that asks."""
        said = await _own_json(request, "what a widget threw")
        if isinstance(said, Response):
            return said
        thrown = read_thrown(said)
        if thrown is None:
            return PlainTextResponse("it is a revision, a widget and a message", 400)
        place, line = await run_in_threadpool(self.session.threw, thrown)
        if line is not None:
            self.say(line)
        return JSONResponse({"place": place})

    def _page(self, name: str, **values: Any) -> Response:
        html = self.templates.get_template(f"{name}.html.j2").render(asset=self.assets.urls, **values)
        return HTMLResponse(html, headers={"cache-control": "no-store"})


async def _own_json(request: Request, what: str) -> dict[str, Any] | Response:
    """The JSON object sent by one of our own pages, or the answer that refuses it.

    Only from our own pages: JSON needs a preflight, which no other origin is granted.
    """
    if not _is_own(request):
        return PlainTextResponse("this is for the dev server's own pages", 403)
    body = await _limited_body(request)
    if body is None:
        return PlainTextResponse(f"{what} is at most {_MOST_DATA_BYTES} bytes", 413)
    read = _json_object(body)
    return PlainTextResponse(f"{what} is a JSON object", 400) if read is None else read


async def _limited_body(request: Request) -> bytes | None:
    """The body, or None where it is too large: what is over the limit is not read."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > _MOST_DATA_BYTES:
            return None
    return bytes(body)


def _json_object(body: bytes) -> dict[str, Any] | None:
    """The JSON object in `body`; None for anything else, half a surrogate pair or a number without end included."""
    try:
        data = read_json(body)
        write_json(data)
    except (Failure, ValueError, OverflowError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _is_own(request: Request) -> bool:
    origin = request.headers.get("origin")
    same = origin is None or urlsplit(origin).netloc == request.headers.get("host")
    return same and request.headers.get("content-type", "").partition(";")[0] == "application/json"
