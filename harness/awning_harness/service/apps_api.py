"""The Apps API over HTTP. It authenticates the caller, runs the operation and logs the call.

A POST runs in one transaction. A GET only reads, without a transaction. The authCode in the query identifies the
instance, the API key in the header its app (Apps Integration API, Server-side calls).

Every response has the envelope, even for an unknown path, a wrong method or a body that is not JSON. Only some faults
send something else.
"""

import hmac
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.requests import Request

from awning.contract.endpoints import AUTH_CODE_PARAMETER, AUTH_SCHEME, ENDPOINTS, Endpoint
from awning_harness.service.api_application import ApiApplication
from awning_harness.service.assumptions import Assumptions
from awning_harness.service.envelope import (
    Failure,
    ServiceResponse,
    failure_response,
    single_header,
    success,
    unauthorized,
)
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

    @property
    def path(self) -> str:
        return BASE_PATH + self.endpoint.path

    @property
    def operation(self) -> str:
        return self.endpoint.operation


class AppsApi(ApiApplication):
    """The ASGI application of the Apps API."""

    def __init__(self, service: "Service") -> None:
        super().__init__(service)
        self._fixed = {BASE_PATH + e.path: e for e in ENDPOINTS if _LANGUAGE not in e.path}
        self._by_language = {
            BASE_PATH + e.path.removesuffix(_LANGUAGE + "/"): e for e in ENDPOINTS if _LANGUAGE in e.path
        }

    def _answer(self, request: Request, body: bytes, *, fault: str | None = None) -> ServiceResponse:
        """Respond to one request and log it."""
        route: Route | None = None
        numbers: dict[str, int] = {}
        try:
            route = self.route(request)
            database = self._service.database
            transaction = database.reading if request.method == "GET" else database.writing
            with transaction() as db:
                caller = authenticate(db, request, self._service.assumptions)
                numbers = {
                    "app_id": caller.app_id,
                    "instance_id": caller.id,
                    "website_id": caller.website_id,
                }
                response = success(self._run(db, route, caller, body))
        except Failure as failure:
            response = self.refused(failure)
        self._log(request, route, response, fault=fault, **numbers)
        return response

    def refused(self, failure: Failure) -> ServiceResponse:
        return failure_response(failure, codes=self._service.assumptions["error-code"])

    def route(self, request: Request) -> Route:
        """Return the endpoint of a request.

        Raises Failure: 404 for a path that is unknown or that the assumptions leave out, 405 for another method.
        """
        route = self._at(request.scope["path"])
        if route is None or not self._offered(route.operation):
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
        service, operation = self._service, route.operation
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
