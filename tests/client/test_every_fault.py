"""Both clients under every fault of the simulated service: reports are correct, and nothing is written twice.

A fault acts on every call, or on the first one only. The latter is a fault with a share of one half, and a seed whose
first random number is below that share and whose next five are not.
"""

import asyncio
import random
from types import SimpleNamespace

import pytest
from fault_effects import effect_on, every_fault, is_slow, name_of, outcome_of, rule_of

from awning.client import Calling, Client, Limits, Retry, Secret, Transport, apps, apps_access
from awning.client.async_client import AsyncClient, AsyncTransport
from awning.errors import ServiceError, Unreachable
from awning_harness.service import serve
from awning_harness.service.faults.faults import Got

FIRST_ONLY = next(
    seed
    for seed in range(100)
    if (lots := random.Random(seed)).random() < 0.5 and all(lots.random() >= 0.5 for _ in range(5))
)
QUICK, PATIENT = Limits(connect_s=5, total_s=0.5), Limits(connect_s=30, total_s=30)
"""The client's limits under a slow fault, and under any other, where a busy machine must not cause a timeout."""
ROUTES = ("set_snippet", "get_snippet")
every = pytest.mark.parametrize("fault", every_fault(QUICK.total_s), ids=name_of)
repeating = pytest.mark.parametrize("world", ["sync"], indirect=True)
"""Both clients have the same rules for repeating a call (`run_flow`). What they make of a fault is their own."""


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

    def run(operation, limits=PATIENT, attempts=2):
        calling = Calling(access=access, retry=Retry(attempts=attempts, first_s=0.001))
        if request.param == "sync":
            with Client(calling, Transport(access, limits=limits)) as client:
                return client.run(operation)

        async def over_aiohttp():
            async with AsyncClient(calling, AsyncTransport(access, limits=limits)) as client:
                return await client.run(operation)

        return asyncio.run(over_aiohttp())

    def put(*rules):
        service.faults.put(rules, ROUTES)

    yield SimpleNamespace(service=service, code=code, run=run, put=put)
    put()


def write(world):
    return apps.set_snippet(Secret(world.code), "new")


def read(world):
    return apps.get_snippet(Secret(world.code))


def limits_under(fault):
    return QUICK if is_slow(fault.effect, QUICK.total_s) else PATIENT


def done(world):
    """The number of calls performed, from the log of the service."""
    return sum(request.status == 200 and request.error_code is None for request in world.service.requests())


@every
def test_write_under_a_permanent_fault_is_reported_correctly(world, fault):
    world.put(rule_of(fault))
    expected = outcome_of(fault.effect, QUICK.total_s)
    if expected.error is None:
        world.run(write(world), limits_under(fault))
    else:
        with pytest.raises(ServiceError) as raised:
            world.run(write(world), limits_under(fault))
        assert type(raised.value) is expected.error
        assert raised.value.unclear is expected.unclear
    world.put()
    if not (
        fault.effect.late and is_slow(fault.effect, QUICK.total_s)
    ):  # else it is performed at an unknown time
        assert world.service.snippet(world.code) == ("new" if fault.effect.performed else None)
        assert done(world) <= 1


@every
@repeating
def test_read_is_repeated_after_a_passing_fault(world, fault):
    world.service.set_snippet(world.code, "kept")
    world.put(rule_of(fault, share=0.5, seed=FIRST_ONLY, route="get_snippet"))
    effect = fault.effect
    if effect.got is Got.ERROR and effect.status < 500 and effect.retry_after is None:
        with pytest.raises(outcome_of(effect, QUICK.total_s).error):
            world.run(read(world), limits_under(fault))
    else:
        assert world.run(read(world), limits_under(fault)) == "kept"


@every
@repeating
def test_write_is_repeated_only_when_it_was_not_accepted(world, fault):
    scope = {"share": 0.5, "seed": FIRST_ONLY, "route": "set_snippet"}
    world.put(rule_of(fault, **scope))
    expected = outcome_of(effect_on(fault, **scope), QUICK.total_s)
    if expected.error is None or expected.repeatable:
        world.run(write(world), limits_under(fault))
        assert world.service.snippet(world.code) == "new"
    else:
        with pytest.raises(expected.error):
            world.run(write(world), limits_under(fault))
    assert done(world) <= 1


def test_fault_of_another_route_has_no_effect(world):
    world.put({"fault": "refused", "route": "get_snippet"})
    world.run(write(world))
    with pytest.raises(Unreachable):
        world.run(read(world))
