"""The number of open requests follows the service's responses, and a silent service ends the run."""

import asyncio

import pytest

from awning.client import NoResponse, Response
from awning.publish.cell_outcome import Cause
from awning.publish.pacing import Slots
from awning.publish.runner import SILENCE_S, Breaker


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_too_many_calls_halve_the_open_requests_once_a_second():
    clock = Clock()
    slots = Slots(64, clock=clock)
    for _ in range(10):
        slots.throttled()
    assert slots.limit == 32
    clock.now = 1.0
    slots.throttled()
    assert slots.limit == 16


def test_responses_raise_the_limit_again_up_to_the_most():
    slots = Slots(8, clock=Clock())
    slots.throttled()
    for _ in range(4):
        slots.answered()
    assert 4.8 < slots.limit < 5.1
    for _ in range(200):
        slots.answered()
    assert slots.limit == 8


def test_at_least_one_request_may_be_open():
    clock = Clock()
    slots = Slots(4, clock=clock)
    for second in range(10):
        clock.now = float(second)
        slots.throttled()
    assert slots.limit == 1


def test_no_more_requests_are_open_than_the_limit():
    async def main():
        slots, most = Slots(3), 0

        async def request():
            nonlocal most
            async with slots:
                most = max(most, slots._open)
                await asyncio.sleep(0)

        await asyncio.gather(*(request() for _ in range(50)))
        return most, slots._open

    assert asyncio.run(main()) == (3, 0)


def test_cancelled_waiter_passes_its_place_on():
    async def main():
        slots = Slots(1)
        await slots.__aenter__()
        waiting = [asyncio.create_task(slots.__aenter__()) for _ in range(2)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        await slots.__aexit__()
        await asyncio.wait_for(waiting[1], 10)

    asyncio.run(main())


LOST, ANSWER = NoResponse(why="lost"), Response(status=500)
SILENCES = {
    "one late call": ([(30.0, 30.0, LOST)], False),
    "two late calls": ([(30.0, 30.0, LOST), (31.0, 30.0, LOST)], True),
    "fast failures": ([(1.0, 0.1, LOST), (2.0, 0.1, LOST)], False),
    "fast failures after an obeyed pause": ([(60.0, 0.1, LOST), (61.0, 0.1, LOST)], False),
    "an error between is a response": ([(30.0, 30.0, LOST), (31.0, 1.0, ANSWER), (32.0, 2.0, LOST)], False),
}


@pytest.mark.parametrize("case", SILENCES)
def test_service_that_answers_nothing_for_long_ends_the_run(case):
    replies, is_silent = SILENCES[case]
    clock = Clock()
    breaker = Breaker(clock=clock)
    for at, reply_s, reply in replies:
        clock.now = at
        breaker.record_reply(reply, reply_s)
    assert breaker.is_silent is is_silent
    if is_silent:
        assert breaker.verdict.cause is Cause.UNREACHABLE
    assert SILENCE_S < 30
