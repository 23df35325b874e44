"""The ASGI application. An app can add its own hooks and routes.

from awning.host import Hooks, application, from_environ
app = application(from_environ(os.environ), hooks=Hooks(on_installed=welcome))
"""

import logging
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from awning.client.flow import Sender
from awning.errors import AwningError, DatabaseUnusable
from awning.host.guard import CLIENT_LEFT, Guard
from awning.host.hooks import Hooks
from awning.host.host import Host, Readiness
from awning.host.log import LOG, hide_queries
from awning.host.pages import RETRY_AFTER_S, Pages, language_of
from awning.host.previewing import PreviewPage, RecentData
from awning.host.reports import ReportReceiver
from awning.host.settings import Settings, from_environ
from awning.host.settings_page import SettingsPage
from awning.host.visits import Visits

LOG_LINE = "%(asctime)s %(levelname)s %(message)s"


def application(
    settings: Settings,
    *,
    hooks: Hooks | None = None,
    routes: Sequence[BaseRoute] = (),
    send: Sender | None = None,
    clock: Callable[[], float] = time.time,
) -> ASGIApp:
    """Return the app's server as an ASGI application.

    `routes` are the app's own Starlette routes, tried after awning's.

    In tests, `send` replaces the transport of the Apps API, and `clock` replaces the system's clock. Raises Faulty or
    ConfigurationError when the build cannot be used, ConfigurationError when the state directory or the database cannot
    be used.
    """
    hide_queries()
    host = Host(settings, hooks=hooks, send=send, clock=clock)
    host.current.build()
    return Guard(_starlette_app(host, routes), settings)


def from_environment() -> ASGIApp:
    """Return the server for a process manager: `uvicorn --factory awning.host:from_environment`.

    Its settings come from the variables AWNING_*. Raises ConfigurationError when one is missing or wrong, and what
    `application` raises.
    """
    logging.basicConfig(level=logging.INFO, format=LOG_LINE)  # no effect when logging is configured already
    return application(from_environ(os.environ))


def _starlette_app(host: Host, own_routes: Sequence[BaseRoute]) -> Starlette:
    prefix = host.settings.prefix
    pages = Pages(prefix)
    readiness = Readiness(host)
    reports = ReportReceiver(host)
    recent = RecentData()
    visits, page = Visits(host, pages), SettingsPage(host, pages, recent)
    preview = PreviewPage(host, pages, recent)

    async def style(_request: Request) -> Response:
        return pages.stylesheet()

    async def report_readiness(_request: Request) -> Response:
        return _readiness_response(await readiness.is_good())

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await reports.close()
            await host.close()

    app = Starlette(
        routes=[
            *(_get_only(f"{prefix}/install{end}", visits.install) for end in ("", "/")),
            *(_get_only(f"{prefix}/settings{end}", visits.settings) for end in ("", "/")),
            Route(prefix + "/settings/{session}/", page.show, methods=["GET"]),
            Route(prefix + "/settings/{session}/", page.save, methods=["POST"]),
            Route(prefix + "/settings/{session}/preview", preview.show, methods=["GET"]),
            Route(prefix + "/settings/{session}/preview", preview.change, methods=["POST"]),
            Route(prefix + "/settings/{session}/uninstall", page.uninstall, methods=["POST"]),
            Route(f"{prefix}/health/report", reports.receive, methods=["POST"]),
            Route(f"{prefix}/preview.js", preview.script, methods=["GET"]),
            Route(f"{prefix}/style.css", style, methods=["GET"]),
            *(Route(path, report_readiness, methods=["GET"]) for path in {"/healthz", f"{prefix}/healthz"}),
            *own_routes,
        ],
        exception_handlers=_error_handlers(pages),
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return app


def _error_handlers(
    pages: Pages,
) -> dict[int | type[Exception], Callable[[Request, Exception], Awaitable[Response]]]:
    """Return the functions that make the error pages, by HTTP status or type of exception."""

    async def not_found(request: Request, _error: Exception) -> Response:
        return pages.message("not-found", language=language_of(request), status=HTTPStatus.NOT_FOUND)

    async def not_allowed(request: Request, error: Exception) -> Response:
        status = HTTPStatus.METHOD_NOT_ALLOWED
        response = pages.message("not-allowed", language=language_of(request), status=status)
        response.headers.update(getattr(error, "headers", None) or {})  # Allow, which RFC 9110 requires
        return response

    async def database_away(request: Request, error: Exception) -> Response:
        """Return the error page for a failed database.

        The page does not show the posted values again, because the session cannot be checked.
        """
        LOG.error("%s", error)
        posted = request.method == "POST"
        code = "not-kept" if posted else "no-database"
        status = HTTPStatus.SERVICE_UNAVAILABLE
        return pages.message(code, language=language_of(request), status=status, again=not posted)

    async def client_left(_request: Request, _error: Exception) -> Response:
        """Return a response for a client that has disconnected. It is not sent; its status is for the log."""
        return Response(status_code=CLIENT_LEFT)

    async def server_error(request: Request, _error: Exception) -> Response:
        status = HTTPStatus.INTERNAL_SERVER_ERROR
        return pages.message("broken", language=language_of(request), status=status, again=True)

    async def known_error(request: Request, error: Exception) -> Response:
        """Return the error page for an AwningError, such as an incomplete build.

        The error is logged without a traceback.
        """
        LOG.error("%s", error)
        return await server_error(request, error)

    return {
        404: not_found,
        405: not_allowed,
        ClientDisconnect: client_left,
        DatabaseUnusable: database_away,
        AwningError: known_error,
        500: server_error,
    }


def _get_only(path: str, endpoint: Callable[[Request], Awaitable[Response]]) -> Route:
    """Return a route for GET alone.

    Starlette would add HEAD. These visits have side effects, so HEAD is answered with 405.
    """
    route = Route(path, endpoint, methods=["GET"])
    route.methods = {"GET"}
    return route


def _readiness_response(is_good: bool) -> Response:
    if is_good:
        return JSONResponse({"status": "ok"})
    retry = {"Retry-After": str(RETRY_AFTER_S)}
    return JSONResponse({"status": "failing"}, HTTPStatus.SERVICE_UNAVAILABLE, retry)
