"""The Reseller API over HTTP. It authenticates the caller, runs the operation in one transaction, and logs the call.

It also serves the login links that it issues. GET and POST have the same effect (Reseller API, Endpoints).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from email import policy
from email.parser import BytesParser
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import Request

from awning.contract.reseller_calls import (
    CALLBACK_PARAMETER,
    DOMAIN,
    RESELLER_CALLS,
    SUBSCRIPTION,
    TOKEN_PARAMETER,
    WEBSITE,
    ResellerCall,
)
from awning.contract.reseller_errors import UNAUTHORIZED
from awning_harness.service.api_application import ApiApplication
from awning_harness.service.envelope import JSON, Failure, ServiceResponse, single_header
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
from awning_harness.service.reseller.transaction import Transaction

if TYPE_CHECKING:
    from awning_harness.service.service import Service


_WORDS = "enable|disable|enable_premium|disable_premium|ai_limit|ai_credits|login|domains|domain"
_ON_WEBSITE = f"/api/website/{WEBSITE}/"
_PLACES = {
    f"/{WEBSITE}/": rf"(?:/(?P<website>(?!(?:{_WORDS})/)[^/]+))?/",
    f"/{SUBSCRIPTION}/": r"(?:/(?P<subscription>[^/]+))?/",
    f"/{DOMAIN}/": r"/(?P<domain>[^/]+)/",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """The call of a path. `places` holds the values of the path's named parts."""

    call: ResellerCall
    places: Mapping[str, str] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return self.call.path

    @property
    def operation(self) -> str:
        return self.call.operation


def _pattern(path: str) -> re.Pattern[str]:
    on_website = path.removeprefix(_ON_WEBSITE)
    pattern = f"(?:{_ON_WEBSITE}|/api/){on_website}" if on_website not in {path, ""} else path
    for place, expression in _PLACES.items():
        pattern = pattern.replace(place, expression)
    return re.compile(pattern)


_PATTERNS = tuple((_pattern(call.path), call) for call in RESELLER_CALLS)


def find_route(path: str, *, final_slash: str) -> Route | None:
    """Return the call of `path`; None if there is none. `final_slash` is the value of the assumption `final-slash`.

    Two forms of paths were observed that the specification does not have: enable_premium without its subscription, and
    the website as a parameter instead of a path segment, with or without the word `website` before the call.
    """
    if not path.endswith("/") and final_slash == "optional":
        path += "/"
    for pattern, call in _PATTERNS:
        match = pattern.fullmatch(path)
        if match:
            return Route(call=call, places={k: v for k, v in match.groupdict().items() if v is not None})
    return None


FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
MOST = 2000
CACHE_BUSTER = "_"


def parameters_of(request: Request, body: bytes, *, json: bool) -> dict[str, str]:
    """Return the parameters by name. A parameter that cannot be read is left out. With `json`, a JSON body is read.

    They are read as a PHP service reads them. Clients send them, including the token, in the query or in a form body
    (observed). A body counts as a form unless it has another content type. Values in the body override those in the
    query, and the last of several values overrides the others.
    """
    parameters = dict(request.query_params.multi_items()[:MOST])
    parameters.update(_of_body(request, body, json=json))
    parameters.pop(CACHE_BUSTER, None)
    return parameters


def _of_body(request: Request, body: bytes, *, json: bool) -> Iterator[tuple[str, str]]:
    content_type = single_header(request, "content-type") or FORM
    kind = content_type.partition(";")[0].strip().lower()
    if kind == FORM:
        text = body.decode("utf-8", "replace")
        yield from parse_qsl(text, keep_blank_values=True)[:MOST]
    elif kind == MULTIPART:
        yield from _multipart(content_type, body)
    elif kind == JSON and json:
        yield from _members(body)


def _multipart(content_type: str, body: bytes) -> Iterator[tuple[str, str]]:
    """Yield the fields of a multipart body. PHP's curl sends such a body for an array. Files are left out."""
    head = f"Content-Type: {content_type}\r\n\r\n".encode("latin-1", "replace")
    message = BytesParser(policy=policy.HTTP).parsebytes(head + body)
    for part in message.iter_parts() if message.is_multipart() else ():
        name = part.get_param("name", header="content-disposition")
        value = part.get_payload(decode=True)
        if isinstance(name, str) and part.get_filename() is None and isinstance(value, bytes):
            yield name, value.decode("utf-8", "replace")


def _members(body: bytes) -> Iterator[tuple[str, str]]:
    """Yield the strings, numbers and booleans of a JSON object. Numbers and booleans become their JSON text.

    Yields nothing for any other body.
    """
    try:
        value = msgspec.json.decode(body)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return
    for name, member in list(value.items())[:MOST] if isinstance(value, dict) else ():
        if isinstance(member, str):
            yield name, member
        elif isinstance(member, bool | int | float):
            yield name, msgspec.json.encode(member).decode()


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
