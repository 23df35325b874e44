"""ASGI middleware that accepts only the service's own requests.

How a request is verified: Apps Integration API, Verifying request authenticity.

    app = VerifiedRequests(app, Secret(os.environ["AWNING_APP_SECRET"]), paths={"/install", "/settings"})

If the framework allows it (a mounted application, a route's middleware), wrap only the install and settings pages.
Otherwise name these pages in `paths`. A request that is not authentic gets 403 (a WebSocket is closed with 1008) and
does not reach the app. The reason is logged, but not sent.
"""

import logging
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any

from awning.client.secret import Secret
from awning.errors import ConfigurationError
from awning.signed_requests.signature import verify_request

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

REFUSAL = b"This request does not come from the service, or was changed on its way.\n"
POLICY_VIOLATION = 1008
_LOG = logging.getLogger("awning.verification")


class VerifiedRequests:
    """Refuses requests that are not authentic. Without `paths` it verifies the requests to all paths.

    Slashes at the end of a path are ignored.

    Raises ConfigurationError when the secret is empty.
    """

    def __init__(self, app: App, secret: Secret, *, paths: Collection[str] | None = None) -> None:
        if not secret:
            raise ConfigurationError("there is no app secret to verify requests with")
        self._app = app
        self._secret = secret
        self._paths = None if paths is None else {_plain(path) for path in paths}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_request = scope["type"] in {"http", "websocket"}
        if not is_request or (self._paths is not None and _plain(scope["path"]) not in self._paths):
            await self._app(scope, receive, send)
            return
        verdict = verify_request(scope.get("query_string", b""), self._secret)
        if verdict:
            await self._app(scope, receive, send)
        else:
            _LOG.warning("request refused: %s", verdict.reason)
            await (_refuse if scope["type"] == "http" else _close)(send)


def _plain(path: str) -> str:
    return path.rstrip("/") or "/"


async def _refuse(send: Send) -> None:
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(REFUSAL)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": REFUSAL})


async def _close(send: Send) -> None:
    await send({"type": "websocket.close", "code": POLICY_VIOLATION})
