"""The layer around each application, which turns an exception into a response in the envelope of the called API.

It is separate from the applications because it wraps all of them, and also handles their bugs. A bug is reported on
stderr with its place and type and with the request's method and path. The exception's message and the rest of the
request are left out, because they may hold a secret.
"""

import sys
import traceback
from collections.abc import Callable

from awning.errors import DatabaseUnusable
from awning_harness.service.asgi import App, Gone, Message, Receive, Scope, Send, send_response
from awning_harness.service.envelope import Failure, Response, failure_response
from awning_harness.service.log import loggable_path


def with_error_boundary(app: App, to_response: Callable[[Failure], Response] = failure_response) -> App:
    """Wrap `app`, so that an exception becomes a response (500 or 503), which `to_response` makes.

    Nothing is sent when the client left before its whole request arrived (Gone). An exception after the beginning of
    the response is reported and raised again.
    """

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def sending(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await app(scope, receive, sending)
        except Gone:
            return
        except Exception as error:
            failure = report_failure(error, f"{scope['method'][:16]} {loggable_path(scope['path'])}")
            if started:  # uvicorn then closes the connection, so that the client notices the error
                raise
            await send_response(send, to_response(failure))

    return guarded


def report_failure(error: Exception, what: str) -> Failure:
    """Report `error` on stderr; returns the failure for the client. An unusable state file is not reported as a bug."""
    if isinstance(error, DatabaseUnusable):
        sys.stderr.write(f"awning: {error}\n  hint: {error.hint}\n")
        return Failure(503, "The service cannot use its state at the moment")
    report_bug(error, what)
    return Failure(500, "Internal Server Error")


def report_bug(error: Exception, what: str) -> None:
    """Write the type of `error` and where it happened to stderr, but not its message."""
    where = "".join(traceback.format_tb(error.__traceback__))
    sys.stderr.write(f"awning: {what} failed with {type(error).__name__}; please report it\n{where}")
