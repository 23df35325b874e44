"""Late, dripping and missing responses to every changing call: reports are correct, nothing is done twice.

The oracle is the same change on the same account without a fault. After a change under a fault, the account must be
either as before it or as the oracle's.
"""

import asyncio
import time
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest
from fault_effects import every_fault, is_slow, name_of, rule_of

from awning.client import Secret
from awning.client.reseller import actions, reseller_client
from awning.client.reseller.actions import SetPassword
from awning.client.reseller.async_client import async_reseller_client
from awning.client.transport import Limits
from awning.contract.reseller_calls import RESELLER_CALLS
from awning.errors import ServiceError
from awning_harness.service import serve
from awning_harness.service.reseller import accounts, domains

EMAIL, PASSWORD, NEW = "reseller@example.com", "planted-canary-old", "planted-canary-new"
ALL = {call.operation for call in RESELLER_CALLS}
PATIENCE = Limits(total_s=0.3)
CHANGES = {
    "enable": actions.enable(2),
    "disable": actions.disable(1),
    "enable_premium": actions.enable_premium(1, "premiumplus"),
    "disable_premium": actions.disable_premium(2),
    "ai_limit/set": actions.set_limit(1, 321),
    "ai_credits/add": actions.add_credits(2, 40),
    "domain/add": actions.add_domain(1, "new.example"),
    "domain/remove": actions.remove_domain(2, 1),
    "settings/set": actions.set_settings({"brand": "B", "aiDefaultLimit": "7"}),
    "password/set": SetPassword(Secret(NEW)),
}
SLOW = [fault for fault in every_fault(PATIENCE.total_s) if is_slow(fault.effect, PATIENCE.total_s)]


@pytest.fixture(scope="module")
def running():
    with serve() as running:
        yield running


@contextmanager
def access(running, limits):
    """Yield the arguments of a client that need not log in: only the call under the fault is to be too slow."""
    with reseller_client(running.reseller_url, EMAIL, Secret(PASSWORD)) as patient:
        patient.authorize()
        yield {
            "base_url": running.reseller_url,
            "email": EMAIL,
            "password": Secret(PASSWORD),
            "token": patient._session.token,
            "limits": limits,
        }


def in_sync(running, action, limits):
    with access(running, limits) as arguments, reseller_client(**arguments) as client:
        client.run(action)


def in_async(running, action, limits):
    async def run(arguments):
        async with async_reseller_client(**arguments) as client:
            await client.run(action)

    with access(running, limits) as arguments:
        asyncio.run(run(arguments))


def prepared(running):
    """Two websites; the second is disabled, on a plan, and has extra credits and a domain."""
    service = running.service
    service.reset()
    service.clock.set(datetime(2026, 3, 1, 12, tzinfo=UTC), frozen=True)
    number = service.resellers.create(email=EMAIL, password=PASSWORD, websites=2, ai_pricing="priced")
    with reseller_client(running.reseller_url, EMAIL, Secret(PASSWORD)) as client:
        for action in (
            actions.disable(2),
            actions.enable_premium(2, "premium"),
            actions.add_credits(2, 7),
            actions.add_domain(2, "old.example"),
        ):
            client.run(action)
    service.clock.set(datetime(2026, 3, 2, 12, tzinfo=UTC), frozen=True)
    return number


def state(service, number):
    """Everything that the calls can change."""
    with service.database.reading() as db:
        return (
            service.resellers.find(number),
            service.resellers.sites(number),
            accounts.settings(db, number),
            [domain.name for site in (1, 2) for domain in domains.of_website(db, site)],
            accounts.find_by_password(db, EMAIL, NEW, service.assumptions) is not None,
        )


def wait_for(service, operation, times):
    """Wait until the call was performed `times` times: a late one must not be performed in the next test."""
    end = time.monotonic() + 60
    while sum(request.operation == operation for request in service.requests()) < times:
        assert time.monotonic() < end
        time.sleep(0.01)


LATE = next(fault for fault in SLOW if fault.effect.late)
MET = [(name, in_sync, LATE) for name in CHANGES]
MET += [("ai_credits/add", in_sync, fault) for fault in SLOW if fault is not LATE]
MET += [("ai_credits/add", in_async, fault) for fault in SLOW]
MET += [(name, in_async, LATE) for name in ("domain/add", "password/set")]


@pytest.mark.parametrize(
    ("name", "run", "fault"), MET, ids=[f"{name}-{run.__name__}-{name_of(fault)}" for name, run, fault in MET]
)
def test_changes_are_made_once_and_reported_correctly_when_answers_are_slow(running, name, run, fault):
    service, action = running.service, CHANGES[name]
    number = prepared(running)
    before = state(service, number)
    run(running, action, Limits())
    after = state(service, number)
    assert before != after

    number = prepared(running)
    already = sum(request.operation == name for request in service.requests())
    service.faults.put([rule_of(fault, route=name)], ALL)
    problem = None
    try:
        run(running, action, PATIENCE)
    except ServiceError as error:
        problem = error
    if fault.effect.performed:
        wait_for(service, name, already + 1)
    service.faults.put([], ALL)
    result = state(service, number)
    if problem is None:
        assert result == after
    else:
        assert problem.unclear
        assert result in ([before, after] if fault.effect.performed else [before])
    assert sum(request.operation == name for request in service.requests()) <= already + 1
    if fault.effect.performed and not fault.effect.late:
        assert problem is None
