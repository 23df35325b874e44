"""The outermost layer of every listener: whatever happens below, the client gets an answer in its envelope.

Separate from the applications, because it must hold for all of them, and for faults of our own that none of them
foresaw. Such a fault is told on stderr: where it happened and of which type. Its message and the request are left
out, since either may hold a secret.
"""

import sys
import traceback
from collections.abc import Callable

from awning.errors import DatabaseUnusable
from awning_harness.service.asgi import App, Gone, Message, Receive, Scope, Send, send_answer
from awning_harness.service.envelope import Answer, Failure, refusal
from awning_harness.service.log import loggable_path


def always_answered(app: App, failing: Callable[[Failure], Answer] = refusal) -> App:
    """`app`, whose exceptions become an answer (500) made by `failing`. A client that went away gets none."""

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
            failure = told(error, f"{scope['method'][:16]} {loggable_path(scope['path'])}")
            if (
                started
            ):  # half an answer: uvicorn ends the connection, so that it is not taken for a whole one
                raise
            await send_answer(send, failing(failure))

    return guarded


def told(error: Exception, what: str) -> Failure:
    """The answer for `error`, which is told on stderr. A state file that cannot be used now is no fault of ours."""
    if isinstance(error, DatabaseUnusable):
        sys.stderr.write(f"awning: {error}\n  hint: {error.hint}\n")
        return Failure(503, "The service cannot use its state now")
    tell(error, what)
    return Failure(500, "Internal Server Error")


def tell(error: Exception, what: str) -> None:
    """Where `error` happened, on stderr, without anything it was made of."""
    where = "".join(traceback.format_tb(error.__traceback__))
    sys.stderr.write(f"awning: {what} failed with {type(error).__name__}; please report it\n{where}")
