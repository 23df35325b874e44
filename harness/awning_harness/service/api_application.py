"""What the two APIs share as ASGI applications: a call is performed or meets a fault, and each call is logged."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from awning_harness.service.applications import read_body
from awning_harness.service.envelope import Failure, ServiceResponse, failure_response
from awning_harness.service.faults.exchange import Exchange
from awning_harness.service.log import loggable_path

if TYPE_CHECKING:
    from awning_harness.service.service import Service


class ApiRoute(Protocol):
    """The call of a path: its path as the log has it, and the name of its operation."""

    @property
    def path(self) -> str: ...

    @property
    def operation(self) -> str: ...


class ApiApplication(ABC):
    """The ASGI application of an API. `to_response` makes the response for a failure, in the form of the API."""

    def __init__(
        self, service: "Service", to_response: Callable[[Failure], ServiceResponse] = failure_response
    ) -> None:
        self._service = service
        self._to_response = to_response

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request, route = Request(scope, receive), self._at(scope["path"])
        rule = self._service.faults.draw(route.operation if route else None)
        try:
            if rule is None:
                await self._answer(request, await read_body(request))(scope, receive, send)
            else:
                await rule.fault.play(self._exchange(request, send, rule.name))
        except Failure as failure:  # the body was too large
            await self.refuse(scope, failure)(scope, receive, send)

    @abstractmethod
    def _at(self, path: str) -> ApiRoute | None:
        """Return the call of a path; None when there is none."""

    @abstractmethod
    def _answer(self, request: Request, body: bytes, *, fault: str | None = None) -> ServiceResponse:
        """Respond to one request and log it."""

    def refused(self, failure: Failure) -> ServiceResponse:
        """Return the response for a failure, under the assumptions in force."""
        return self._to_response(failure)

    def refuse(self, scope: Scope, failure: Failure) -> ServiceResponse:
        """Refuse a request whose body is not read, or not to its end. Log the request."""
        response = self.refused(failure)
        self._log(Request(scope), self._at(scope["path"]), response)
        return response

    def _exchange(self, request: Request, send: Send, fault: str) -> Exchange:
        route = self._at(request.scope["path"])
        return Exchange(
            request,
            send,
            perform=partial(self._answer, request, fault=fault),
            log=partial(self._log, request, route, fault=fault),
            to_response=self._to_response,
        )

    def _log(
        self,
        request: Request,
        route: ApiRoute | None,
        response: ServiceResponse,
        *,
        fault: str | None = None,
        **numbers: int | None,
    ) -> None:
        """Log a call. `numbers` are those of the app, the instance and the website, if they are known."""
        self._service.log.add(
            at=self._service.clock.now().isoformat(),
            method=request.method[:16],
            path=route.path if route else loggable_path(request.scope["path"]),
            operation=route.operation if route else None,
            status=response.status_code,
            error_code=response.error_code,
            fault=fault,
            **numbers,
        )
