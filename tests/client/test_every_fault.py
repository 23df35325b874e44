"""Both clients under every fault of the simulated service: reports are correct, and nothing is written twice.

A fault acts on every call, or on the first one only. The latter is a fault with a share of one half, and a seed whose
first random number is below that share and whose next five are not.
"""

import asyncio
import random
from types import SimpleNamespace

import pytest

from awning.client import Calling, Client, Limits, Retry, Secret, Transport, apps, apps_access
from awning.client.async_client import AsyncClient, AsyncTransport
from awning.errors import BadAnswer, Refused, ServiceError, Unauthorized, Unreachable
from awning_harness.service import serve
from awning_harness.service.faults import FAULTS

FIRST_ONLY = next(
    seed
    for seed in range(100)
    if (lots := random.Random(seed)).random() < 0.5 and all(lots.random() >= 0.5 for _ in range(5))
)
QUICK = Limits(connect_s=5, total_s=0.5)
# The fault; the exception of a call whose attempts all meet the fault, or None; whether a write was performed, or None
# if it is performed at an unknown later time; whether the client reports that as unclear.
GRID = [
    ({"fault": "delay", "ms": 5}, None, True, False),
    ({"fault": "delay", "ms": 900}, Unreachable, None, True),
    ({"fault": "drip", "ms": 50}, None, True, False),
    ({"fault": "drip", "ms": 3000}, Unreachable, True, True),
    ({"fault": "refused"}, Unreachable, False, False),
    ({"fault": "reset_before"}, Unreachable, False, True),
    ({"fault": "reset_after"}, Unreachable, False, True),
    ({"fault": "timeout"}, Unreachable, False, True),
    ({"fault": "truncated"}, Unreachable, True, True),
    ({"fault": "invalid_json"}, BadAnswer, True, True),
    ({"fault": "html_page"}, BadAnswer, False, True),
    ({"fault": "html_page", "status": 200}, BadAnswer, False, True),
    ({"fault": "error_in_200"}, Refused, False, True),
    ({"fault": "status", "status": 401}, Unauthorized, False, False),
    ({"fault": "status", "status": 404}, Refused, False, False),
    ({"fault": "status", "status": 429, "retry_after": 0}, Refused, False, False),
    ({"fault": "status", "status": 500}, Refused, False, True),
    ({"fault": "status", "status": 503, "retry_after": 0}, Refused, False, False),
    ({"fault": "lost_response"}, Unreachable, True, True),
]


def name_of(rule):
    return "-".join(str(value) for value in rule.values()) if isinstance(rule, dict) else ""


@pytest.fixture(scope="module")
def running():
    with serve() as running:
        yield running


@pytest.fixture(params=["sync", "async"])
def world(request, running):
    """An app on a website, one of the two clients, and the faults."""
    service = running.service
    service.reset()
    number, key = service.register_app({"app_title": "A"})
    code = service.install(number, service.create_website().id)
    access = apps_access(running.apps_url, Secret(key))

    def run(operation, attempts=2):
        calling = Calling(access=access, retry=Retry(attempts=attempts, first_s=0.001))
        if request.param == "sync":
            with Client(calling, Transport(access, limits=QUICK)) as client:
                return client.run(operation)

        async def over_aiohttp():
            async with AsyncClient(calling, AsyncTransport(access, limits=QUICK)) as client:
                return await client.run(operation)

        return asyncio.run(over_aiohttp())

    def put(*rules):
        service.faults.put(rules, ("set_snippet", "get_snippet"))

    yield SimpleNamespace(service=service, code=code, run=run, put=put)
    put()


def write(world):
    return apps.set_snippet(Secret(world.code), "new")


def read(world):
    return apps.get_snippet(Secret(world.code))


def done(world):
    """The number of calls performed, from the log of the service."""
    return sum(request.status == 200 and request.error_code is None for request in world.service.requests())


def test_the_grid_has_every_fault():
    assert {rule["fault"] for rule, *_ in GRID} == set(FAULTS)


@pytest.mark.parametrize(
    ("rule", "error", "written", "unclear"), GRID, ids=lambda v: name_of(v) if isinstance(v, dict) else ""
)
def test_write_under_a_permanent_fault_is_reported_correctly(world, rule, error, written, unclear):
    world.put(rule)
    if error is None:
        world.run(write(world))
    else:
        with pytest.raises(ServiceError) as raised:
            world.run(write(world))
        assert type(raised.value) is error
        assert raised.value.unclear is unclear
    world.put()
    if written is not None:  # None: it is performed at an unknown later time
        assert world.service.snippet(world.code) == ("new" if written else None)
        assert done(world) <= 1


@pytest.mark.parametrize(
    ("rule", "error", "written", "unclear"), GRID, ids=lambda v: name_of(v) if isinstance(v, dict) else ""
)
def test_read_is_repeated_after_a_passing_fault(world, rule, error, written, unclear):
    world.service.set_snippet(world.code, "kept")
    world.put({**rule, "share": 0.5, "seed": FIRST_ONLY, "route": "get_snippet"})
    final = error is Unauthorized or rule["fault"] == "error_in_200" or rule.get("status") == 404
    if final:
        with pytest.raises(error):
            world.run(read(world))
    else:
        assert world.run(read(world)) == "kept"


@pytest.mark.parametrize(
    ("rule", "error", "written", "unclear"), GRID, ids=lambda v: name_of(v) if isinstance(v, dict) else ""
)
def test_write_is_repeated_only_when_it_was_not_accepted(world, rule, error, written, unclear):
    world.put({**rule, "share": 0.5, "seed": FIRST_ONLY, "route": "set_snippet"})
    # `refused` is not among them: for only some calls it is a reset, after which a call may have been sent.
    again = rule.get("status") in {
        429,
        503,
    }
    if error is None or again:
        world.run(write(world))
        assert world.service.snippet(world.code) == "new"
    else:
        with pytest.raises(error):
            world.run(write(world))
    assert done(world) <= 1


def test_fault_of_another_route_has_no_effect(world):
    world.put({"fault": "refused", "route": "get_snippet"})
    world.run(write(world))
    with pytest.raises(Unreachable):
        world.run(read(world))
