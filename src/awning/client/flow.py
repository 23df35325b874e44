"""A call with its repetitions, as a generator.

It yields what to do (send this operation, wait) and is sent what came of it; it never touches a socket, a
clock or an event loop. `awning.client.async_driver` and `awning.client.sync_driver` are the two drivers.

    operation -> Answer -> result
              -> Broken or a bad answer -> may it be repeated? budget left? -> Wait -> operation ...
                                        -> raise
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from awning.client.access import Access
from awning.client.answers import read
from awning.client.operation import Answer, Flow, Operation, Reply, Wait
from awning.client.retry import Retry, RetryBudget, may_repeat, retry_after_s
from awning.errors import Refused, ServiceError

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Calling:
    """What every call of one client shares."""

    access: Access
    retry: Retry = field(default_factory=Retry)
    budget: RetryBudget = field(default_factory=RetryBudget)
    jitter: Callable[[], float] = random.random
    now: Callable[[], float] = time.time


def call(operation: Operation[T], calling: Calling) -> Flow[T]:
    """Send `operation`, and again where that is safe. Returns its result or raises a ServiceError."""
    attempt = 1
    while True:
        reply = yield operation
        try:
            result = read(operation, reply, calling.access)
        except ServiceError as problem:
            delay_s = _delay(operation, reply, problem, attempt, calling)
            if delay_s is None:
                raise
            yield Wait(delay_s)
            attempt += 1
        else:
            calling.budget.succeeded()
            return result


def _delay(
    operation: Operation[T], reply: Reply, problem: ServiceError, attempt: int, calling: Calling
) -> float | None:
    """Seconds to wait before the next attempt, or None to give up."""
    decided = isinstance(problem, Refused) and isinstance(reply, Answer) and reply.status in range(200, 300)
    if decided or not may_repeat(operation, reply):
        return None
    asked_s = retry_after_s(reply, now=calling.now())
    delay_s = calling.retry.delay(attempt=attempt, retry_after_s=asked_s, jitter=calling.jitter())
    return delay_s if delay_s is not None and calling.budget.spend() else None
