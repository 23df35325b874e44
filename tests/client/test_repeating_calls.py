"""`call` as a table: replies and the waits that follow. No sockets, no clock, no event loop."""

import time

import pytest

from awning.client import (
    Calling,
    NoResponse,
    Response,
    Retry,
    RetryBudget,
    Secret,
    Wait,
    apps,
    apps_access,
    call,
)
from awning.client.retry import retry_after_s
from awning.errors import BadAnswer, Refused, Unauthorized, Unreachable

ACCESS = apps_access("https://service.test/v1", Secret("SVC-key"))
CODE = Secret("code")
READ, WRITE = apps.languages(CODE), apps.set_snippet(CODE, "<p>")
GOOD_READ = Response(status=200, body=b'{"error":false,"languages":["lv"]}')
GOOD_WRITE = Response(status=200, body=b'{"error":false}')
LOST, UNSENT = NoResponse(why="lost"), NoResponse(why="unsent", sent=False)
PAGE = Response(status=502, content_type="text/html", body=b"<title>Bad Gateway</title>")
CUT = Response(status=200, body=b'{"error":fal')
FAULT = Response(status=500, body=b'{"error":true,"error_code":7,"error_message":"Oops"}')
NOT_NOW = Response(status=503, retry_after="3", body=b"{}")
BUSY = Response(status=503, body=b'{"error":true}')
SLOW_DOWN = Response(status=429, retry_after="Fri, 20 Nov 2026 12:00:30 GMT", body=b"")
HOURS = Response(status=429, retry_after="7200", body=b"")
TOO_MANY = Response(status=403, body=b'{"error":true,"error_code":403,"error_message":"Too many requests"}')
NO = Response(status=404, body=b'{"error":true,"error_code":404,"error_message":"No such thing"}')
NO_BUT_OK = Response(status=200, body=b'{"error":true,"error_code":12,"error_message":"Too long"}')
WHO = Response(status=401, body=b'{"error":true,"error_code":401,"error_message":"Unauthorized"}')
WHO_PAGE = Response(status=401, content_type="text/html", body=b"<h1>401</h1>")
NOON = 1795176000.0  # 2026-11-20T12:00:00Z


def run(operation, *replies, attempts=4, capacity=100.0, doubted=()):
    """Run a call with `replies`; returns the waits that it asked for, and its result or exception."""
    budget = RetryBudget(capacity=capacity)
    retry = Retry(attempts=attempts)
    calling = Calling(access=ACCESS, retry=retry, budget=budget, jitter=lambda: 0.5, now=lambda: NOON)
    flow, waits, rest = call(operation, calling, doubted=doubted), [], list(replies)
    step = next(flow)
    try:
        while True:
            if isinstance(step, Wait):
                waits.append(step.seconds)
                step = flow.send(None)
            else:
                assert step is operation
                step = flow.send(rest.pop(0))
    except StopIteration as stop:
        end = stop.value
    except Exception as error:  # noqa: BLE001 - the table names the types
        end = error
    assert not rest, "the flow stopped before the table's last reply"
    return waits, end


@pytest.mark.parametrize(
    ("operation", "replies", "waits"),
    [
        pytest.param(READ, [GOOD_READ], [], id="a read"),
        pytest.param(READ, [LOST, GOOD_READ], [0.125], id="a lost read is asked again"),
        pytest.param(READ, [LOST, PAGE, CUT, GOOD_READ], [0.125, 0.25, 0.5], id="each wait doubles"),
        pytest.param(READ, [FAULT, GOOD_READ], [0.125], id="a read after 500"),
        pytest.param(READ, [NOT_NOW, GOOD_READ], [3.125], id="Retry-After in seconds, and a spread"),
        pytest.param(READ, [SLOW_DOWN, GOOD_READ], [30.125], id="Retry-After as a date"),
        pytest.param(WRITE, [GOOD_WRITE], [], id="a write"),
        pytest.param(WRITE, [UNSENT, GOOD_WRITE], [0.125], id="a write that was not sent"),
        pytest.param(WRITE, [SLOW_DOWN, GOOD_WRITE], [30.125], id="a write the service did not take"),
        pytest.param(WRITE, [TOO_MANY, GOOD_WRITE], [1.125], id="403 that says too many calls"),
        pytest.param(READ, [Response(status=429), GOOD_READ], [1.125], id="429 without a time"),
        pytest.param(WRITE, [NOT_NOW, GOOD_WRITE], [3.125], id="a write that is to come back later"),
    ],
)
def test_call_is_repeated_when_that_is_safe(operation, replies, waits):
    asked, end = run(operation, *replies)
    assert asked == waits
    assert end == (("lv",) if operation is READ else None)


@pytest.mark.parametrize(
    ("operation", "reply", "error", "unclear"),
    [
        pytest.param(WRITE, LOST, Unreachable, True, id="a write whose answer was lost"),
        pytest.param(WRITE, FAULT, Refused, True, id="a write answered 500"),
        pytest.param(WRITE, BUSY, Refused, True, id="a write answered 503 without a time"),
        pytest.param(WRITE, PAGE, BadAnswer, True, id="a write answered by a gateway's page"),
        pytest.param(WRITE, CUT, BadAnswer, True, id="a write whose answer was cut short"),
        pytest.param(WRITE, NO, Refused, False, id="a write refused with 404"),
        pytest.param(WRITE, NO_BUT_OK, Refused, True, id="HTTP 200 with error true may be half done"),
        pytest.param(WRITE, WHO, Unauthorized, False, id="a write with a wrong key"),
        pytest.param(READ, NO, Refused, False, id="a read refused with 404"),
        pytest.param(READ, NO_BUT_OK, Refused, False, id="a read with error true in 200"),
        pytest.param(READ, WHO, Unauthorized, False, id="a read with a wrong key"),
        pytest.param(READ, WHO_PAGE, Unauthorized, False, id="401 is Unauthorized whatever the body"),
        pytest.param(READ, HOURS, BadAnswer, False, id="a Retry-After that nobody waits for"),
    ],
)
def test_call_is_not_repeated_when_that_is_unsafe_or_useless(operation, reply, error, unclear):
    asked, end = run(operation, reply)
    assert asked == []
    assert type(end) is error
    assert end.unclear is unclear
    assert end.call == operation.name


@pytest.mark.parametrize(
    ("operation", "replies", "waits"),
    [
        pytest.param(READ, [NO, NO, GOOD_READ], [0.125, 0.25], id="a read refused with 404"),
        pytest.param(READ, [NO_BUT_OK, GOOD_READ], [0.125], id="an error in a 200"),
    ],
)
def test_doubted_refusal_is_retried(operation, replies, waits):
    asked, end = run(operation, *replies, doubted={200, 404})
    assert asked == waits
    assert not isinstance(end, Exception)


WRONG_KEY = Response(status=200, body=b'{"error":true,"error_code":401,"error_message":"Unauthorized"}')


@pytest.mark.parametrize("reply", [NO, NO_BUT_OK, WHO, WRONG_KEY])
def test_refused_key_and_other_refusals_are_not_doubted(reply):
    asked, end = run(READ, reply, doubted={200, 404} - ({reply.status} if reply is not WRONG_KEY else set()))
    assert (asked, end.status) == ([], reply.status)


def test_doubted_refusals_leave_the_retries_of_other_calls_alone():
    """Two calls for removed instances get 404. Then the answer to a call for another instance is lost."""
    calling = Calling(
        access=ACCESS, retry=Retry(attempts=2), jitter=lambda: 0.5, doubts=RetryBudget(capacity=1)
    )
    waits = []
    for reply, doubted in [(NO, {404}), (NO, {404}), (LOST, {404})]:
        flow = call(READ, calling, doubted=doubted)
        next(flow)
        try:
            waits.append(flow.send(reply))
        except Refused as refused:
            waits.append(refused.status)
    assert waits == [Wait(0.125), 404, Wait(0.125)]


def test_call_fails_after_the_last_attempt():
    asked, end = run(READ, LOST, LOST, LOST, attempts=3)
    assert len(asked) == 2
    assert isinstance(end, Unreachable)


def test_spent_retry_budget_ends_repeating():
    asked, end = run(READ, LOST, LOST, capacity=1.5)
    assert len(asked) == 1
    assert isinstance(end, Unreachable)


def test_successes_earn_retries():
    budget = RetryBudget(capacity=2, per_success=0.5)
    assert [budget.spend() for _ in range(3)] == [True, True, False]
    budget.succeeded()
    assert not budget.spend()
    budget.succeeded()
    assert budget.spend()


def test_error_has_code_message_status_and_call():
    _, end = run(WRITE, NO_BUT_OK)
    assert isinstance(end, Refused)
    assert (end.error_code, end.status, end.call) == (12, 200, "set_snippet")
    assert end.message == "set_snippet: Too long (error 12, HTTP 200)"


@pytest.mark.parametrize("text", ["", "soon", "-5", "1.5", "٣", "Fri, 99 Nov 2026 12:00:30 GMT", "9" * 9])
def test_invalid_retry_after_is_ignored(text):
    asked, _ = (
        run(READ, Response(status=503, retry_after=text, body=b"{}"), GOOD_READ)
        if text != "9" * 9
        else ([], 0)
    )
    assert asked in ([0.125], [])


DATES = [
    "Sun, 06 Nov 1994 08:49:37 GMT",
    "Sunday, 06-Nov-94 08:49:37 GMT",
    "Sun Nov  6 08:49:37 1994",
    "Sun, 06 Nov 1994 08:49:37 -0000",
    "Sun, 06 Nov 1994 08:49:37",
    "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 06 Nov 1994 08:49:37 +0000",
    "Sun, 06 Nov 1994 10:49:37 +0200",
]


@pytest.mark.parametrize(
    ("date", "wait"),
    [
        ("Sunday, 06-Nov-94 08:49:37 GMT", 60.0),
        ("Sunday, 06-Nov-45 08:49:37 GMT", 0.0),
        ("Sunday, 06-Nov-43 08:49:37 GMT", 1546300860.0),
        ("Sunday, 06-Nov-69 08:49:37 GMT", 0.0),
        ("Sun, 06 Nov 1994 08:49:60 GMT", 82.0),
        ("Sun, 31 Feb 1994 08:49:37 GMT", None),
        ("Mon, 01 Jan 0001 00:00:00 GMT", 0.0),
        ("Mon Jan  1 00:00:00 0001", 0.0),
        ("Saturday, 01-Jan-0001 00:00:00 GMT", 0.0),
        ("Saturday, 01 Jan 0050 00:00:00 +0200", 0.0),
        ("Mon, 01 Jan 0000 00:00:00 GMT", None),
        ("Sun Nov 16 08:49:37 1994", 864060.0),
        ("5, 10", None),
        ("-5", None),
        ("1.5", None),
        ("٣", None),
        (" 5 ", 5.0),
    ],
)
def test_retry_after_is_read_as_the_standard_says(date, wait):
    assert retry_after_s(Response(status=503, retry_after=date), now=784111777.0 - 60) == wait


@pytest.mark.parametrize("zone", ["UTC", "Europe/Riga", "America/New_York", "Asia/Kolkata"])
def test_date_of_retry_after_is_the_same_in_every_zone(zone, monkeypatch):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        waits = [
            retry_after_s(Response(status=503, retry_after=date), now=784111777.0 - 60) for date in DATES
        ]
    finally:
        monkeypatch.undo()
        time.tzset()
    assert waits == [60.0] * len(DATES)
