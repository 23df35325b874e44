"""A call and its repetitions, as a generator, and the loop that runs the generator.

A flow yields steps (send an operation, wait), and its caller sends the result of each step back into it. A flow opens
no socket, never sleeps and needs no event loop, so its tests are tables of steps and results.

    operation -> Response -> result
              -> NoResponse or a bad response -> repeatable, and budget left? -> Wait -> operation ...
                                              -> raise
"""

import random
import time
from collections.abc import Awaitable, Callable, Container, Coroutine, Generator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from awning.client.access import Access
from awning.client.operation import Flow, NoResponse, Operation, Reply, Response, Wait
from awning.client.responses import read
from awning.client.retry import Retry, RetryBudget, may_repeat, retry_after_s
from awning.errors import Refused, ServiceError, Unauthorized

T = TypeVar("T")
StepT = TypeVar("StepT")

Sender = Callable[[Operation[object]], Awaitable[Response | NoResponse]]
"""Sends one operation. The publisher wraps a sender to pace its calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calling:
    """The access, the rules of repetition and the budgets of retries that all calls of one client share.

    `doubts` is the budget of retries after doubtful refusals (`doubted` of `call`). It is separate, so that the
    refusals of many removed instances cannot spend the retries that other failures need. Successes do not refill it.
    """

    access: Access
    retry: Retry = field(default_factory=Retry)
    budget: RetryBudget = field(default_factory=RetryBudget)
    doubts: RetryBudget = field(default_factory=RetryBudget)
    jitter: Callable[[], float] = random.random
    now: Callable[[], float] = time.time


def call(operation: Operation[T], calling: Calling, *, doubted: Container[int] = ()) -> Flow[T]:
    """Send `operation` and return its result. Retries when a retry is safe. Raises a ServiceError when it fails.

    A refusal with an HTTP status in `doubted` is retried too, because the caller doubts that a healthy service would
    send it. Unauthorized is never retried. Use `doubted` only for operations that read.
    """
    attempt = 1
    while True:
        reply = yield operation
        try:
            result = read(operation, reply, calling.access)
        except ServiceError as problem:
            budget = calling.budget if _may_help(operation, reply, problem) else None
            if (
                isinstance(problem, Refused)
                and not isinstance(problem, Unauthorized)
                and problem.status in doubted
            ):
                budget = calling.doubts
            delay_s = None if budget is None else _delay(reply, attempt, calling, budget)
            if delay_s is None:
                raise
            yield Wait(delay_s)
            attempt += 1
        else:
            calling.budget.succeeded()
            return result


def _may_help(operation: Operation[T], reply: Reply, problem: ServiceError) -> bool:
    """Return whether another attempt is safe and could help.

    A refusal with a 2XX is usually a decision of the service, so another attempt would not help.
    """
    decided = isinstance(problem, Refused) and isinstance(reply, Response) and reply.status in range(200, 300)
    return not decided and may_repeat(operation, reply)


def _delay(reply: Reply, attempt: int, calling: Calling, budget: RetryBudget) -> float | None:
    """Take one retry from the budget, and return the seconds to wait before it; None to give up."""
    asked_s = retry_after_s(reply, now=calling.now())
    delay_s = calling.retry.delay(attempt=attempt, retry_after_s=asked_s, jitter=calling.jitter())
    return delay_s if delay_s is not None and budget.spend() else None


async def run_flow(flow: Generator[StepT, Reply, T], perform: Callable[[StepT], Awaitable[Reply]]) -> T:
    """Run a flow to its end and return its result. `perform` does one step and returns the step's result."""
    reply: Reply = None
    try:
        while True:
            reply = await perform(flow.send(reply))
    except StopIteration as stop:
        result: T = stop.value
        return result


def without_waiting(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine without an event loop, and return its result. Raises RuntimeError if the coroutine suspends."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        result: T = stop.value
        return result
    coroutine.close()
    raise RuntimeError("a synchronous flow must not wait for an event loop")
