"""The Reseller API over HTTP: finds the call, authenticates it, runs it in one transaction, answers, logs.

Beside the calls it serves the login links that it hands out. GET and POST are the same to it (Reseller API,
Endpoints: both are accepted).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from awning.contract.reseller_calls import CALLBACK_PARAMETER, TOKEN_PARAMETER
from awning.contract.reseller_errors import UNAUTHORIZED
from awning_harness.service.asgi import (
    Receive,
    Request,
    Scope,
    Send,
    head_of,
    read_request,
    send_answer,
)
from awning_harness.service.envelope import Answer, Failure
from awning_harness.service.faults import Exchange
from awning_harness.service.log import loggable_path
from awning_harness.service.reseller import accounts, links, sites
from awning_harness.service.reseller.accounts import Reseller
from awning_harness.service.reseller.credits import whole_number
from awning_harness.service.reseller.envelope import (
    Refusal,
    as_call,
    bad,
    failed,
    is_callback,
    missing,
    refused,
    success,
)
from awning_harness.service.reseller.operations import OPERATIONS, Call
from awning_harness.service.reseller.parameters import parameters_of
from awning_harness.service.reseller.routes import Route, find_route

if TYPE_CHECKING:
    import sqlite3

    from awning_harness.service.service import Service

LOGIN = "/login/"
METHODS = ("GET", "POST")
_GONE = b"<!doctype html><title>Link used up</title><p>This login link was used already, or has expired.</p>"


@dataclass(slots=True)
class _Told:
    """What the log learns of a call on its way."""

    route: Route | None = None
    caller: Reseller | None = None


class ResellerApi:
    """The ASGI application."""

    def __init__(self, service: "Service") -> None:
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        route = self._route(scope["path"])
        rule = self._service.faults.draw(route.call.operation if route else None)
        try:
            if rule is None:
                await send_answer(send, self.answer(await read_request(scope, receive)))
            else:
                await rule.fault.play(self._exchange(scope, receive, send, rule.name))
        except Failure as failure:  # the body was too large
            await send_answer(send, failed(failure))

    def refuse(self, scope: Scope, failure: Failure) -> Answer:
        """Refuse a request that is not even read, and log it."""
        request, answer = head_of(scope), failed(failure)
        self._log(request, _Told(route=self._route(request.path)), answer, None)
        return answer

    def answer(self, request: Request, *, fault: str | None = None) -> Answer:
        """Answer one request and log it."""
        if request.path.startswith(LOGIN):
            return self._log_in(request)
        told = _Told()
        given = parameters_of(request, json=self._service.assumptions["reseller-json-body"] == "read")
        callback = self._callback(given)
        try:
            if callback is not None and not is_callback(callback):
                callback = None
                raise bad("callback must be an identifier")
            answer = success(self._run(request, given, told))
        except Refusal as refusal:
            answer = refused(refusal, self._service.assumptions)
        self._log(request, told, answer, fault)
        return answer if callback is None else as_call(answer, callback)

    def _run(self, request: Request, given: Mapping[str, str], told: _Told) -> dict[str, Any]:
        service = self._service
        told.route = self._route(request.path)
        if told.route is None:
            raise missing("Call")
        if request.method not in METHODS:
            raise bad("Use GET or POST")
        with service.database.writing() as db:
            call = self._call(db, told, given)
            return OPERATIONS[told.route.call.operation](call)

    def _call(self, db: "sqlite3.Connection", told: _Told, given: Mapping[str, str]) -> Call:
        """Raises a Refusal (401)."""
        service, route = self._service, told.route
        now = service.clock.now()
        if route is not None and route.call.token:
            token = given.get(TOKEN_PARAMETER, "")
            told.caller = accounts.by_token(db, token, now, service.assumptions)
            if told.caller is None:
                raise Refusal(UNAUTHORIZED)
        return Call(
            db=db,
            caller=told.caller,
            given={**given, **(route.places if route else {})},
            assumptions=service.assumptions,
            now=now,
            website_url=service.website_url,
            login_url=lambda token: f"{service.addresses.reseller_url}{LOGIN}{token}",
            portal_url=service.addresses.portal_url,
        )

    def _callback(self, given: Mapping[str, str]) -> str | None:
        return given.get(CALLBACK_PARAMETER) if self._service.assumptions["reseller-jsonp"] == "yes" else None

    def _route(self, path: str) -> Route | None:
        return find_route(path, final_slash=self._service.assumptions["final-slash"])

    def _log_in(self, request: Request) -> Answer:
        """Follow a login link: to the website once, to a page that says so afterwards."""
        if request.method != "GET":  # a preview that only asks for the head does not use the link up
            return Answer(status=405, headers=((b"allow", b"GET"),))
        service, now = self._service, self._service.clock.now()
        lifetime = timedelta(seconds=service.assumptions.seconds("login-link-lifetime"))
        token = request.path.removeprefix(LOGIN).rstrip("/")
        with service.database.writing() as db:
            website_id = links.take(db, token, now, lifetime)
            if website_id is not None:
                sites.set_accessed(db, website_id, now)
        if website_id is None:
            return Answer(status=410, body=_GONE, content_type=b"text/html; charset=utf-8")
        location = (b"location", service.website_url(website_id).encode())
        return Answer(status=303, content_type=b"text/plain", headers=(location,))

    def _exchange(self, scope: Scope, receive: Receive, send: Send, fault: str) -> Exchange:
        def note(request: Request, answer: Answer) -> None:
            self._log(request, _Told(route=self._route(request.path)), answer, fault)

        return Exchange(
            scope, receive, send, answering=partial(self.answer, fault=fault), noting=note, failing=failed
        )

    def _log(self, request: Request, told: _Told, answer: Answer, fault: str | None) -> None:
        route = told.route
        self._service.log.add(
            at=self._service.clock.now().isoformat(),
            method=request.method[:16],
            path=route.call.path if route else loggable_path(request.path),
            operation=route.call.operation if route else None,
            status=answer.status,
            error_code=answer.error_code,
            website_id=whole_number(route.places.get("website")) if route else None,
            fault=fault,
        )
