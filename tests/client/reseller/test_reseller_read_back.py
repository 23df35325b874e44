"""The report of a change is correct even when the response of the service is not."""

import asyncio
import json

import pytest

from awning.client import Calling, Response, Secret
from awning.client.reseller import ResellerSession, actions, reseller_access, reseller_client
from awning.client.reseller.async_client import async_reseller_client
from awning.client.sync_client import run_here
from awning.contract.reseller_calls import RESELLER_CALLS
from awning.contract.reseller_fields import ASSUMED_SETTABLE, SETTINGS_FIELDS
from awning.errors import ConfigurationError, Refused, ServiceError, Unauthorized
from awning_harness.service import serve
from awning_harness.service.reseller import accounts

EMAIL, PASSWORD = "reseller@example.com", "planted-canary-password"
ACCESS = reseller_access("https://reseller.test")
ALL = {call.operation for call in RESELLER_CALLS}


@pytest.fixture(scope="module")
def running():
    with serve() as running:
        yield running


@pytest.fixture
def service(running):
    running.service.reset()
    running.service.assumptions.take_set("observed")
    running.service.resellers.create(email=EMAIL, password=PASSWORD, websites=1, ai_pricing="priced")
    return running.service


def do(running, action):
    with reseller_client(running.reseller_url, EMAIL, Secret(PASSWORD)) as client:
        return client.run(action)


@pytest.mark.parametrize("name", ASSUMED_SETTABLE)
@pytest.mark.parametrize("value", ["yes", "no"])
def test_silently_ignored_setting_is_reported_as_refused(running, service, name, value):
    service.assumptions.set(ASSUMED_SETTABLE[name], value)
    action = actions.set_settings({name: "7", "brand": "B"})
    if value == "yes":
        do(running, action)
        assert str(do(running, actions.settings())[name]) == "7"
    else:
        with pytest.raises(Refused, match=f"did not take {name}; it took brand$") as raised:
            do(running, action)
        assert (raised.value.exit_code, raised.value.unclear) == (6, False)


def answered(action, settings, status=200):
    """Run an action of a service that answers each change with this status, and then has `settings`."""

    def send(operation):
        known = {field.name: 1 if field.kind == "integer" else "" for field in SETTINGS_FIELDS}
        fields = {**known, **settings} if operation.name == "settings" else {}
        if operation.name != "settings" and status != 200:
            return Response(status=status, body=b"")
        return Response(status=200, body=json.dumps({"error": False, **fields}).encode())

    session = ResellerSession(calling=Calling(access=ACCESS), token=Secret("t"))
    return run_here(action.flow(session), send, sleep=lambda _: None)


def test_unknown_setting_that_the_service_returns_with_its_value_is_accepted():
    answered(actions.set_settings({"motto": "Fresh"}), {"motto": "Fresh"})


@pytest.mark.parametrize(("settings", "unclear"), [({}, True), ({"motto": "Old"}, False)])
def test_unknown_setting_without_its_new_value_is_reported_as_refused(settings, unclear):
    with pytest.raises(Refused, match=r"did not take motto$") as raised:
        answered(actions.set_settings({"motto": "Fresh"}), settings)
    assert (raised.value.unclear, raised.value.hint is not None) == (unclear, unclear)


@pytest.mark.parametrize(("settings", "unclear"), [({}, True), ({"motto": "Old"}, False)])
def test_failed_change_that_the_settings_cannot_show_stays_unclear(settings, unclear):
    with pytest.raises(ServiceError) as raised:
        answered(actions.set_settings({"motto": "Fresh"}), settings, status=500)
    hint = "the settings that the service returns have no motto" if unclear else "the read-back shows that"
    assert raised.value.unclear is unclear
    assert str(raised.value.hint).startswith(hint)


@pytest.mark.parametrize("settings", [{}, {"motto": None}])
def test_setting_without_a_value_never_passes_as_the_text_none(settings):
    with pytest.raises(Refused, match=r"did not take motto$"):
        answered(actions.set_settings({"motto": "None"}), settings)


def test_partly_made_change_without_an_answer_is_not_reported_as_nothing_changed(running, service):
    service.assumptions.set("settings-ai-default-limit", "no")
    service.faults.put([{"fault": "lost_response", "route": "settings/set"}], ALL)
    with pytest.raises(ServiceError) as raised:
        do(running, actions.set_settings({"brand": "B", "aiDefaultLimit": "7"}))
    service.faults.put([], ALL)
    assert str(raised.value.hint).startswith(
        "not everything has changed so far, but the call may still arrive"
    )


def test_success_that_cannot_be_read_back_is_accepted(running, service):
    service.faults.put([{"fault": "status", "status": 400, "route": "settings"}], ALL)
    do(running, actions.set_settings({"brand": "B"}))
    service.faults.put([], ALL)
    assert do(running, actions.settings())["brand"] == "B"


@pytest.mark.parametrize("value", ["", "abc", "-1", "1.5", "1000001", "٣", " 7", "1" * 5000])
def test_invalid_default_limit_is_never_sent(value):
    with pytest.raises(ConfigurationError, match="aiDefaultLimit must be a whole number from 0 to 1000000"):
        actions.set_settings({"aiDefaultLimit": value})


@pytest.mark.parametrize("value", ["0", "007", "1000000"])
def test_default_limit_is_read_back_as_a_number(running, service, value):
    do(running, actions.set_settings({"aiDefaultLimit": value}))
    assert do(running, actions.settings())["aiDefaultLimit"] == int(value)


def test_failed_change_that_was_not_made_is_reported_as_not_done(running, service):
    service.faults.put([{"fault": "status", "status": 500, "route": "ai_credits/add"}], ALL)
    with pytest.raises(ServiceError) as raised:
        do(running, actions.add_credits(1, 5))
    assert not raised.value.unclear
    assert raised.value.hint == "the read-back shows that nothing was changed"
    service.faults.put([], ALL)


def test_async_client_ends_only_tokens_of_its_own(running, service):
    with service.database.writing() as db:
        token = Secret(accounts.add_token(db, 1, service.clock.now()))

    async def run(**options):
        async with async_reseller_client(running.reseller_url, "", None, **options) as client:
            await client.run(actions.balance())
            return client

    asyncio.run(run(token=token))
    asyncio.run(run(token=token))

    async def end():
        async with async_reseller_client(running.reseller_url, "", None, token=token) as client:
            await client.end()

    asyncio.run(end())
    with pytest.raises(Unauthorized):
        asyncio.run(run(token=token))
