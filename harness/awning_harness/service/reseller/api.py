"""The Reseller API over HTTP. It authenticates the caller, runs the operation in one transaction, and logs the call.

It also serves the login links that it issues. GET and POST have the same effect (Reseller API, Endpoints).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from awning.contract.reseller_calls import CALLBACK_PARAMETER, TOKEN_PARAMETER
from awning.contract.reseller_errors import UNAUTHORIZED
from awning_harness.service.applications import read_body
from awning_harness.service.envelope import Failure, ServiceResponse
from awning_harness.service.faults import Exchange
from awning_harness.service.log import loggable_path
from awning_harness.service.reseller import accounts, sites
from awning_harness.service.reseller.accounts import Reseller
from awning_harness.service.reseller.credits import whole_number
from awning_harness.service.reseller.envelope import (
    Refusal,
    as_call,
    bad_request,
    failure_response,
    is_callback,
    not_found,
    refusal_response,
    success,
)
from awning_harness.service.reseller.operations import OPERATIONS, Call
from awning_harness.service.reseller.requests import Route, find_route, parameters_of

if TYPE_CHECKING:
    import sqlite3

    from awning_harness.service.service import Service

LOGIN = "/login/"
METHODS = ("GET", "POST")
_GONE = b"<!doctype html><title>Link used up</title><p>This login link was used already, or has expired.</p>"


def refuse_reseller_call(_request: Request, failure: Failure) -> ServiceResponse:
    return failure_response(failure)


@dataclass(slots=True)
class _LogFields:
    """The route and the caller of a call, which become known while the call runs. The log entry needs the route."""

    route: Route | None = None
    caller: Reseller | None = None


class ResellerApi:
    """The ASGI application of the Reseller API."""

    def __init__(self, service: "Service") -> None:
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request, route = Request(scope, receive), self._route(scope["path"])
        rule = self._service.faults.draw(route.call.operation if route else None)
        try:
            if rule is None:
                await self._answer(request, await read_body(request))(scope, receive, send)
            else:
                await rule.fault.play(self._exchange(request, send, rule.name))
        except Failure as failure:  # the body was too large
            await self.refuse(scope, failure)(scope, receive, send)

    def refuse(self, scope: Scope, failure: Failure) -> ServiceResponse:
        """Refuse a request before the end of its body is read. Log the request."""
        response = failure_response(failure)
        self._log(Request(scope), _LogFields(route=self._route(scope["path"])), response, None)
        return response

    def _answer(self, request: Request, body: bytes, *, fault: str | None = None) -> ServiceResponse:
        """Respond to one request and log it. Visits of login links are not logged."""
        if request.scope["path"].startswith(LOGIN):
            return self._log_in(request)
        logged = _LogFields()
        reads_json = self._service.assumptions["reseller-json-body"] == "read"
        parameters = parameters_of(request, body, json=reads_json)
        with_jsonp = self._service.assumptions["reseller-jsonp"] == "yes"
        callback = parameters.get(CALLBACK_PARAMETER) if with_jsonp else None
        try:
            if callback is not None and not is_callback(callback):
                callback = None
                raise bad_request("callback must be an identifier")
            response = success(self._run(request, parameters, logged))
        except Refusal as refusal:
            response = refusal_response(refusal, self._service.assumptions)
        self._log(request, logged, response, fault)
        return response if callback is None else as_call(response, callback)

    def _run(self, request: Request, parameters: Mapping[str, str], logged: _LogFields) -> dict[str, Any]:
        service = self._service
        logged.route = self._route(request.scope["path"])
        if logged.route is None:
            raise not_found("Call")
        if request.method not in METHODS:
            raise bad_request("Use GET or POST")
        with service.database.writing() as db:
            call = self._call(db, logged, parameters)
            return OPERATIONS[logged.route.call.operation](call)

    def _call(self, db: "sqlite3.Connection", logged: _LogFields, parameters: Mapping[str, str]) -> Call:
        """Return the call, with its caller. Raises Refusal (401) when the token is not valid."""
        service, route = self._service, logged.route
        now = service.clock.now()
        if route is not None and route.call.token:
            token = parameters.get(TOKEN_PARAMETER, "")
            logged.caller = accounts.find_by_token(db, token, now, service.assumptions)
            if logged.caller is None:
                raise Refusal(UNAUTHORIZED)
        return Call(
            db=db,
            caller=logged.caller,
            parameters={**parameters, **(route.places if route else {})},
            assumptions=service.assumptions,
            now=now,
            website_url=service.website_url,
            login_url=lambda token: f"{service.addresses.reseller_url}{LOGIN}{token}",
            portal_url=service.addresses.portal_url,
        )

    def _route(self, path: str) -> Route | None:
        return find_route(path, final_slash=self._service.assumptions["final-slash"])

    def _log_in(self, request: Request) -> ServiceResponse:
        """Follow a login link: redirect to the website (303).

        The link works once. A used, expired or unknown link gets a page that says so (410).
        """
        if request.method != "GET":  # a visit uses up the link, so HEAD gets 405
            return ServiceResponse(status_code=405, headers={"allow": "GET"})
        service, now = self._service, self._service.clock.now()
        lifetime = timedelta(seconds=service.assumptions.seconds("login-link-lifetime"))
        token = request.scope["path"].removeprefix(LOGIN).rstrip("/")
        with service.database.writing() as db:
            website_id = sites.take_login_link(db, token, now, lifetime)
            if website_id is not None:
                sites.set_accessed(db, website_id, now)
        if website_id is None:
            return ServiceResponse(_GONE, 410, media_type="text/html")
        headers = {"location": service.website_url(website_id)}
        return ServiceResponse(status_code=303, headers=headers, media_type="text/plain")

    def _exchange(self, request: Request, send: Send, fault: str) -> Exchange:
        def note(response: ServiceResponse) -> None:
            self._log(request, _LogFields(route=self._route(request.scope["path"])), response, fault)

        return Exchange(
            request,
            send,
            perform=partial(self._answer, request, fault=fault),
            log=note,
            to_response=failure_response,
        )

    def _log(
        self, request: Request, logged: _LogFields, response: ServiceResponse, fault: str | None
    ) -> None:
        route = logged.route
        self._service.log.add(
            at=self._service.clock.now().isoformat(),
            method=request.method[:16],
            path=route.call.path if route else loggable_path(request.scope["path"]),
            operation=route.call.operation if route else None,
            status=response.status_code,
            error_code=response.error_code,
            website_id=whole_number(route.places.get("website")) if route else None,
            fault=fault,
        )
