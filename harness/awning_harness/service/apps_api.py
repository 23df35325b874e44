"""The Apps API over HTTP. It authenticates the caller, runs the operation and logs the call.

A POST runs in one transaction. A GET only reads, without a transaction. The authCode in the query identifies the
instance, the API key in the header its app (Apps Integration API, Server-side calls).

Every response has the envelope, even for an unknown path, a wrong method or a body that is not JSON. Only some faults
send something else.
"""

import hmac
import sqlite3
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from awning.contract.endpoints import AUTH_CODE_PARAMETER, AUTH_SCHEME, ENDPOINTS, Endpoint
from awning_harness.service.applications import read_body
from awning_harness.service.assumptions import Assumptions
from awning_harness.service.envelope import (
    Failure,
    ServiceResponse,
    failure_response,
    single_header,
    success,
    unauthorized,
)
from awning_harness.service.faults import Exchange
from awning_harness.service.log import loggable_path
from awning_harness.service.operations import OPERATIONS, Call
from awning_harness.service.store import instances
from awning_harness.service.store.instances import Instance, InstanceState
from awning_harness.service.vault import digest

if TYPE_CHECKING:
    from awning_harness.service.service import Service

BASE_PATH = "/v1"
_EXTENSIONS = {
    "app_info": "app-info-call",
    "set_head_snippet": "head-calls",
    "get_head_snippet": "head-calls",
}
_NOBODY = digest("")
_LANGUAGE = "<language>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """The endpoint of a path. `language` is the language in the path, if the endpoint has one."""

    endpoint: Endpoint
    language: str | None = None


class AppsApi:
    """The ASGI application of the Apps API."""

    def __init__(self, service: "Service") -> None:
        self._service = service
        self._fixed = {BASE_PATH + e.path: e for e in ENDPOINTS if _LANGUAGE not in e.path}
        self._by_language = {
            BASE_PATH + e.path.removesuffix(_LANGUAGE + "/"): e for e in ENDPOINTS if _LANGUAGE in e.path
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request, route = Request(scope, receive), self._at(scope["path"])
        rule = self._service.faults.draw(route.endpoint.operation if route else None)
        try:
            if rule is None:
                await self._answer(request, await read_body(request))(scope, receive, send)
            else:
                await rule.fault.play(self._exchange(request, send, rule.name))
        except Failure as failure:  # the body was too large
            await self.refuse(scope, failure)(scope, receive, send)

    def _answer(self, request: Request, body: bytes, *, fault: str | None = None) -> ServiceResponse:
        """Respond to one request and log it."""
        route: Route | None = None
        caller: Instance | None = None
        try:
            route = self.route(request)
            database = self._service.database
            transaction = database.reading if request.method == "GET" else database.writing
            with transaction() as db:
                caller = authenticate(db, request, self._service.assumptions)
                response = success(self._run(db, route, caller, body))
        except Failure as failure:
            response = self.refused(failure)
        self._log(request, route, caller, response, fault)
        return response

    def refuse(self, scope: Scope, failure: Failure) -> ServiceResponse:
        """Refuse a request whose body is not read, or not to its end. Log the request."""
        response = self.refused(failure)
        self._log(Request(scope), self._at(scope["path"]), None, response, None)
        return response

    def refused(self, failure: Failure) -> ServiceResponse:
        return failure_response(failure, codes=self._service.assumptions["error-code"])

    def route(self, request: Request) -> Route:
        """Return the endpoint of a request.

        Raises Failure: 404 for a path that is unknown or that the assumptions leave out, 405 for another method.
        """
        route = self._at(request.scope["path"])
        if route is None or not self._offered(route.endpoint.operation):
            raise Failure(404, "Not Found")
        if request.method != route.endpoint.method:
            raise Failure(405, "Method Not Allowed", headers={"allow": route.endpoint.method})
        return route

    def _at(self, path: str) -> Route | None:
        if not path.endswith("/") and self._service.assumptions["final-slash"] == "optional":
            path += "/"
        fixed = self._fixed.get(path)
        if fixed is not None:
            return Route(endpoint=fixed)
        head, _, language = path.removesuffix("/").rpartition("/")
        endpoint = self._by_language.get(head + "/")
        if endpoint is None or not language or not path.endswith("/"):
            return None
        return Route(endpoint=endpoint, language=language)

    def _offered(self, operation: str) -> bool:
        extension = _EXTENSIONS.get(operation)
        return extension is None or self._service.assumptions[extension] == "present"

    def _run(self, db: sqlite3.Connection, route: Route, caller: Instance, body: bytes) -> dict[str, Any]:
        service, operation = self._service, route.endpoint.operation
        unfinished = caller.state is InstanceState.INSTALLING and operation not in {"installed", "delete"}
        if unfinished and service.assumptions["before-installed"] == "refused":
            raise Failure(403, "The installation is not finished")
        if service.assumptions["rate-limit"] == "store-api":
            service.rate_limit.count(caller.app_id, service.clock.now())
        call = Call(
            db=db,
            instance=caller,
            assumptions=service.assumptions,
            now=service.clock.now(),
            language=route.language,
            body=body,
            website_url=service.website_url,
        )
        return OPERATIONS[operation](call)

    def _exchange(self, request: Request, send: Send, fault: str) -> Exchange:
        def note(response: ServiceResponse) -> None:
            self._log(request, self._at(request.scope["path"]), None, response, fault)

        return Exchange(request, send, perform=partial(self._answer, request, fault=fault), log=note)

    def _log(
        self,
        request: Request,
        route: Route | None,
        caller: Instance | None,
        response: ServiceResponse,
        fault: str | None,
    ) -> None:
        self._service.log.add(
            at=self._service.clock.now().isoformat(),
            method=request.method[:16],
            path=(BASE_PATH + route.endpoint.path) if route else loggable_path(request.scope["path"]),
            operation=route.endpoint.operation if route else None,
            status=response.status_code,
            error_code=response.error_code,
            app_id=caller.app_id if caller else None,
            instance_id=caller.id if caller else None,
            website_id=caller.website_id if caller else None,
            fault=fault,
        )


def authenticate(db: sqlite3.Connection, request: Request, assumptions: Assumptions) -> Instance:
    """Return the calling instance.

    Raises Failure when the key or the code is missing or wrong, or the app was uninstalled.
    """
    key = api_key(request, any_case=assumptions["auth-scheme-case"] == "any")
    code = auth_code(
        request,
        any_case=assumptions["auth-code-case"] == "any",
        last_counts=assumptions["auth-code-twice"] == "last",
    )
    installation = instances.find_by_code(db, digest(code or ""))
    key_digest = installation[1] if installation else _NOBODY
    matches = hmac.compare_digest(digest(key or ""), key_digest)
    if not (installation and matches and key and code):
        raise unauthorized()
    instance = installation[0]
    if instance.state is InstanceState.UNINSTALLED:
        raise (
            Failure(410, "The app was uninstalled")
            if assumptions["after-delete"] == "gone"
            else unauthorized()
        )
    return instance


def api_key(request: Request, *, any_case: bool) -> str | None:
    """Return the key of `Authorization: ApiKey <key>`; None when there is none.

    With `any_case`, the scheme may be in upper or lower case (RFC 9110, 11.1).
    """
    scheme, _, key = (single_header(request, "authorization") or "").partition(" ")
    is_ours = scheme.lower() == AUTH_SCHEME.lower() if any_case else scheme == AUTH_SCHEME
    return key.strip() or None if is_ours else None


def auth_code(request: Request, *, any_case: bool, last_counts: bool) -> str | None:
    """Return the parameter authCode; None when it is missing.

    Of several different values, the last one counts, or without `last_counts` none.
    """
    wanted = AUTH_CODE_PARAMETER.lower()
    codes = [
        value
        for name, value in request.query_params.multi_items()
        if (name.lower() == wanted if any_case else name == AUTH_CODE_PARAMETER)
    ]
    return codes[-1] if codes and (last_counts or len(set(codes)) == 1) else None
