"""The pace of calls on a simulated clock, and the exit codes and outcomes of runs as tables."""

import asyncio

import pytest

from awning.client import Response
from awning.contract import Exit
from awning.errors import BadAnswer, Refused, Unauthorized, Unreachable
from awning.publish.cell_flow import judged
from awning.publish.cell_outcome import (
    Cause,
    CellOutcome,
    CellResult,
    Ending,
    Summary,
    SummaryCounts,
    ending_of,
)
from awning.publish.fleet.shared_rate import FleetPace, Grant
from awning.publish.pacing import HostPace, Pace, Rate, Window


class Clock:
    def __init__(self):
        self.now, self.slept = 100.0, []

    def __call__(self):
        return self.now

    async def sleep(self, seconds):
        self.slept.append(round(seconds, 6))
        self.now += seconds


def starts(rate, count, *, step=0.0):
    clock, start_times = Clock(), []
    window = Window([] if rate is None else [Rate(calls=rate)], clock=clock)
    for _ in range(count):
        clock.now += window.wait_s()
        start_times.append(round(clock.now - 100, 6))
        clock.now += step
    return start_times


@pytest.mark.parametrize(
    ("rate", "count", "expected"),
    [
        (5.0, 7, [0, 0, 0, 0, 0, 1, 1]),
        (1.0, 3, [0, 1, 2]),
        (0.5, 3, [0, 2, 4]),
        (None, 4, [0, 0, 0, 0]),
    ],
)
def test_window_spreads_starts(rate, count, expected):
    assert starts(rate, count) == expected


def test_calls_that_a_worker_takes_expire_after_a_tenth_of_a_second():
    clock, taken = Clock(), []

    class Rate:
        def take(self):
            taken.append(clock.now)
            return Grant(calls=8, wait_s=0.0, quiet_s=0.0)

    async def main():
        pace = FleetPace(Pace(), Rate())
        pace._clock = clock
        for clock.now in (100.0, 100.09, 100.11, 100.12, 100.3):
            await pace.ready()

    asyncio.run(main())
    assert taken == [100.0, 100.11, 100.3]


def test_no_second_has_more_starts_than_the_rate():
    start_times = starts(5.0, 60, step=0.13)
    assert all(
        later - earlier > 0.99999 for earlier, later in zip(start_times, start_times[5:], strict=False)
    )


def test_retry_after_delays_every_call_to_the_host():
    clock = Clock()

    async def main():
        host = HostPace(Pace(per_instance=None), clock=clock, sleep=clock.sleep)
        host.record(Response(status=429, retry_after="7"), 7.0, patience_s=60)
        host.record(Response(status=429, retry_after="900"), 900.0, patience_s=60)
        await host.ready()
        await host.ready()

    asyncio.run(main())
    assert clock.slept == [7.0]


OK, TOO_MANY = Response(status=200), Response(status=403, body=b'"Rate limit exceeded"')


def calls_a_second(clock, host, reply, *, seconds):
    """Return how many calls start in each second. The service answers each at once with `reply(second)`."""
    began, counts = clock.now, [0] * seconds

    async def main():
        while True:
            await host.ready()
            clock.now += 0.004  # the call itself
            second = int(clock.now - began)
            if second >= seconds:
                return
            counts[second] += 1
            answer = reply(second)
            host.record(answer, 1.0 if answer is TOO_MANY else None, patience_s=60)

    asyncio.run(main())
    return counts


def test_rate_drops_to_the_known_limit_when_the_service_processes_nothing():
    clock = Clock()
    host = HostPace(Pace(per_instance=None), clock=clock, sleep=clock.sleep)
    host.record(TOO_MANY, 1.0, patience_s=60)

    async def main():
        for _ in range(20):
            await host.ready()

    asyncio.run(main())
    assert clock.now == pytest.approx(100 + 1 + 19 / 4)


def test_rate_falls_from_what_the_service_processed_and_recovers_within_seconds():
    clock = Clock()
    host = HostPace(Pace(per_instance=None), clock=clock, sleep=clock.sleep)
    refusals = iter([TOO_MANY])
    counts = calls_a_second(clock, host, lambda s: next(refusals, OK) if s == 2 else OK, seconds=12)
    assert counts[1] >= 245
    assert counts[2] <= 2  # a refused call, then the pause of a second
    assert 180 <= counts[3] <= 200
    assert counts[11] >= 240


def test_rate_stays_near_a_limit_of_calls_per_second():
    clock = Clock()
    host = HostPace(Pace(per_instance=None), clock=clock, sleep=clock.sleep)
    processed, refused = [], 0

    def reply(_second):
        nonlocal refused
        if sum(at > clock.now - 1 for at in processed[-50:]) < 50:
            processed.append(clock.now)
            return OK
        refused += 1
        return TOO_MANY

    calls_a_second(clock, host, reply, seconds=60)
    assert len(processed) > 0.6 * 60 * 50
    assert refused < 0.01 * len(processed)


def test_rate_is_unlimited_again_after_a_minute_without_a_refusal():
    clock = Clock()
    host = HostPace(Pace(per_instance=None), clock=clock, sleep=clock.sleep)
    host.record(TOO_MANY, 1.0, patience_s=60)
    counts = calls_a_second(clock, host, lambda _: OK, seconds=65)
    assert counts[5] < 8
    assert counts[64] >= 245


def test_window_keeps_within_all_of_its_rates():
    clock = Clock()
    window = Window([Rate(calls=2), Rate(calls=3, span_s=10)], clock=clock)
    start_times = []
    for _ in range(7):
        clock.now += window.wait_s()
        start_times.append(clock.now - 100)
    assert start_times == [0, 0, 1, 10, 10, 11, 20]


def test_pace_per_host_holds_across_instances():
    clock = Clock()

    async def main():
        host = HostPace(Pace(per_instance=None, per_host=2), clock=clock, sleep=clock.sleep)
        for _ in range(5):
            await host.ready()

    asyncio.run(main())
    assert clock.now == 102


RUNS = {
    "nothing to do": ([], Exit.DONE),
    "all right": (["applied", "unchanged", "skipped"], Exit.DONE),
    "unreachable": (["skipped", ("failed", Cause.UNREACHABLE)], Exit.FINDINGS),
    "unreachable later": (["unchanged", ("failed", Cause.UNREACHABLE)], Exit.PARTLY),
    "unreachable after a write": ([("unknown", Cause.UNREACHABLE)], Exit.PARTLY),
    "key refused": ([("refused", Cause.UNAUTHORIZED)] * 2, Exit.REFUSED),
    "one key refused": (["applied", ("refused", Cause.UNAUTHORIZED)], Exit.PARTLY),
    "some of both": ([("failed", Cause.UNREACHABLE), ("refused", Cause.UNAUTHORIZED)], Exit.PARTLY),
    "only own faults": (["skipped", ("failed", Cause.FAULT)], Exit.FINDINGS),
    "own faults, then silence": ([("failed", Cause.FAULT), ("failed", Cause.UNREACHABLE)], Exit.FINDINGS),
    "own faults later": (["unchanged", ("failed", Cause.FAULT)], Exit.PARTLY),
    "own fault after a write": (["skipped", ("unknown", Cause.FAULT)], Exit.PARTLY),
    "other text reads back": ([("failed", Cause.OTHER)], Exit.PARTLY),
}


@pytest.mark.parametrize("case", RUNS)
def test_exit_code_follows_from_the_outcomes(case):
    ends, code = RUNS[case]
    pairs = [(end, None) if isinstance(end, str) else end for end in ends]
    results = [
        CellResult(instance="i", key="@i", language=None, ending=Ending(outcome=CellOutcome(o), cause=cause))
        for o, cause in pairs
    ]
    counts = SummaryCounts()
    for result in results:
        counts.add(result)
    assert Summary(run=1, counts=counts).exit_code is code
    assert Summary(run=1, counts=counts, interrupted=True).exit_code is Exit.INTERRUPTED
    assert sum(Summary(run=1, counts=counts).totals.values()) == len(results)


LOST = Unreachable("lost", call="c", unclear=True)
UNSENT = Unreachable("unsent", call="c")
LATE = Unreachable("late", call="c", unclear=True)
LATE.under_way = True
FAULT = Refused("oops", call="c", error_code=7, status=500, unclear=True)
NO = Refused("no", call="c", error_code=7, status=200, unclear=True)
PAGE = BadAnswer("page", call="c", status=502, unclear=True)


@pytest.mark.parametrize(
    ("before", "now", "problem", "outcome", "again"),
    [
        ("old", "new", None, "applied", False),
        (None, "new", LOST, "applied", False),
        ("old", "old", None, "failed", False),
        ("old", "else", None, "failed", False),
        ("old", "else", LOST, "failed", False),
        ("old", "old", LOST, "unknown", True),
        ("old", "old", LATE, "unknown", True),
        ("old", "new", LATE, "applied", False),
        ("old", "old", UNSENT, "failed", True),
        (None, None, PAGE, "failed", True),
        (None, None, FAULT, "failed", True),
        ("old", "old", NO, "refused", True),
    ],
)
def test_outcome_of_an_unclear_write_follows_from_reading_back(before, now, problem, outcome, again):
    ending, repeat = judged(wanted="new", before=before, now=now, problem=problem)
    assert (ending.outcome.value, repeat) == (outcome, again)


def test_each_problem_ends_a_cell_with_its_outcome_and_cause():
    unauthorized = Unauthorized("who", call="c", error_code=401, status=401)
    fault_in_200 = Refused("oops", call="c", error_code=500, status=200)
    damaged = BadAnswer("not JSON", call="c", status=200)
    ends = [ending_of(p) for p in (LOST, FAULT, fault_in_200, NO, PAGE, damaged, unauthorized)]
    assert [(e.outcome.value, e.cause.value) for e in ends] == [
        ("failed", "unreachable"),
        ("failed", "fault"),
        ("failed", "fault"),
        ("refused", "other"),
        ("failed", "fault"),
        ("failed", "other"),
        ("refused", "unauthorized"),
    ]
