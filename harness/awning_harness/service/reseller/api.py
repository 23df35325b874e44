"""The Reseller API over HTTP. It authenticates the caller, runs the operation in one transaction, and logs the call.

It also serves the login links that it issues. GET and POST have the same effect (Reseller API, Endpoints).
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from starlette.requests import Request

from awning.contract.reseller_calls import CALLBACK_PARAMETER, TOKEN_PARAMETER
from awning.contract.reseller_errors import UNAUTHORIZED
from awning_harness.service.api_application import ApiApplication
from awning_harness.service.envelope import Failure, ServiceResponse
from awning_harness.service.reseller import accounts, sites
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
from awning_harness.service.reseller.transaction import Transaction

if TYPE_CHECKING:
    from awning_harness.service.service import Service

LOGIN = "/login/"
METHODS = ("GET", "POST")
_GONE = b"<!doctype html><title>Link used up</title><p>This login link was used already, or has expired.</p>"


def refuse_reseller_call(_request: Request, failure: Failure) -> ServiceResponse:
    return failure_response(failure)


class ResellerApi(ApiApplication):
    """The ASGI application of the Reseller API."""

    def __init__(self, service: "Service") -> None:
        super().__init__(service, failure_response)

    def _answer(self, request: Request, body: bytes, *, fault: str | None = None) -> ServiceResponse:
        """Respond to one request and log it. Visits of login links are not logged."""
        if request.scope["path"].startswith(LOGIN):
            return self._log_in(request)
        route = self._at(request.scope["path"])
        reads_json = self._service.assumptions["reseller-json-body"] == "read"
        parameters = parameters_of(request, body, json=reads_json)
        with_jsonp = self._service.assumptions["reseller-jsonp"] == "yes"
        callback = parameters.get(CALLBACK_PARAMETER) if with_jsonp else None
        try:
            if callback is not None and not is_callback(callback):
                callback = None
                raise bad_request("callback must be an identifier")
            response = success(self._run(request, route, parameters))
        except Refusal as refusal:
            response = refusal_response(refusal, self._service.assumptions)
        website_id = whole_number(route.places.get("website")) if route else None
        self._log(request, route, response, fault=fault, website_id=website_id)
        return response if callback is None else as_call(response, callback)

    def _run(self, request: Request, route: Route | None, parameters: Mapping[str, str]) -> dict[str, Any]:
        service, now, caller = self._service, self._service.clock.now(), None
        if route is None:
            raise not_found("Call")
        if request.method not in METHODS:
            raise bad_request("Use GET or POST")
        with service.database.writing() as db:
            if route.call.token:
                token = parameters.get(TOKEN_PARAMETER, "")
                transaction = Transaction(db=db, now=now, assumptions=service.assumptions)
                caller = accounts.find_by_token(transaction, token)
                if caller is None:
                    raise Refusal(UNAUTHORIZED)
            call = Call(
                db=db,
                caller=caller,
                parameters={**parameters, **route.places},
                assumptions=service.assumptions,
                now=now,
                website_url=service.website_url,
                login_url=lambda token: f"{service.addresses.reseller_url}{LOGIN}{token}",
                portal_url=service.addresses.portal_url,
            )
            return OPERATIONS[route.operation](call)

    def _at(self, path: str) -> Route | None:
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
