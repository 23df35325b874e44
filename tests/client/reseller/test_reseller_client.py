"""Both reseller clients against the simulated service on real sockets: every call, every fault."""

import asyncio
import json
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from types import SimpleNamespace

import pytest
from fault_effects import effect_on, every_fault, is_slow, may_still_arrive, name_of, outcome_of, rule_of
from msgspec.structs import replace

from awning.client import Secret
from awning.client.flow import Calling
from awning.client.operation import NoResponse, Response
from awning.client.reseller import (
    Money,
    ResellerSession,
    actions,
    operations,
    reseller_access,
    reseller_client,
)
from awning.client.reseller.actions import SetPassword
from awning.client.reseller.async_client import async_reseller_client
from awning.client.responses import read
from awning.client.sync_client import run_here
from awning.contract.reseller_calls import RESELLER_CALLS
from awning.contract.reseller_fields import WEBSITE_FIELDS
from awning.errors import (
    AbovePlan,
    BadAnswer,
    BadCredits,
    ConfigurationError,
    CreditsAreFree,
    FeeUnpaid,
    Refused,
    ServiceError,
    Unauthorized,
    Unreachable,
)
from awning_harness.service import serve
from awning_harness.service.reseller import accounts, domains

EMAIL, PASSWORD = "reseller@example.com", "planted-canary horse"
ALL = {call.operation for call in RESELLER_CALLS}


@pytest.fixture(scope="module")
def running():
    with serve() as running:
        yield running


@pytest.fixture
def shop(running):
    """A reseller with two websites and priced credits."""
    service = running.service
    service.reset()
    service.assumptions.take_set("observed")
    number = service.resellers.create(email=EMAIL, password=PASSWORD, websites=2, ai_pricing="priced")
    first, second = (site.id for site in service.resellers.sites(number))

    def put_faults(*rules):
        service.faults.put(rules, ALL)

    return SimpleNamespace(
        url=running.reseller_url, service=service, id=number, first=first, second=second, faults=put_faults
    )


def in_sync(shop, *doing):
    with reseller_client(shop.url, EMAIL, Secret(PASSWORD)) as client:
        return [client.run(action) for action in doing]


def in_async(shop, *doing):
    async def run():
        async with async_reseller_client(shop.url, EMAIL, Secret(PASSWORD)) as client:
            return [await client.run(action) for action in doing]

    return asyncio.run(run())


@pytest.fixture(params=[in_sync, in_async], ids=["sync", "async"])
def run(request, shop):
    return lambda *doing: request.param(shop, *doing)


def site(shop, position=0):
    return shop.service.resellers.sites(shop.id)[position]


def test_every_call_works_over_both_clients(shop, run):
    number = shop.first
    changes = [
        actions.disable(number),
        actions.enable_premium(number, "premiumplus"),
        actions.set_limit(number, 500),
        actions.add_credits(number, 50),
        actions.add_domain(number, "Bücher.example"),
        actions.set_settings({"brand": "Ä & b", "aiDefaultLimit": "7"}),
    ]
    *_, websites, website, domains, settings, balance, link = run(
        *changes,
        actions.websites(),
        actions.website(number),
        actions.domains(number),
        actions.settings(),
        actions.balance(),
        actions.login(number),
    )
    assert websites == (website, websites[1])
    assert (website.plan, website.premium, website.enabled, website.ai_limit) == (
        "premiumplus",
        True,
        False,
        500,
    )
    assert website.ai_extra == 50
    assert website.ai_extra_until - website.modified == timedelta(days=300)
    assert website.created.tzinfo is UTC
    assert [domain.name for domain in domains] == ["bücher.example"]
    assert (settings["brand"], settings["aiDefaultLimit"]) == ("Ä & b", 7)
    assert (balance.premium_websites, balance.current) == (1, Money("EUR", Decimal("0.00")))
    assert link.startswith(shop.url)
    run(actions.enable(number), actions.disable_premium(number), actions.remove_domain(number, domains[0].id))
    assert (site(shop).status, site(shop).ai.plan) == (1, "free")
    used = {request.operation for request in shop.service.requests()}
    assert used == ALL - {"password/set"}


def test_session_continues_after_a_password_change(shop):
    shop.service.assumptions.set("password-tokens", "revoked")
    with reseller_client(shop.url, EMAIL, Secret(PASSWORD)) as client:
        client.run(SetPassword(Secret("new one")))
        assert client.run(actions.websites())
    with reseller_client(shop.url, EMAIL, Secret(PASSWORD)) as client, pytest.raises(Unauthorized):
        client.run(actions.websites())


def tokens(shop):
    with shop.service.database.reading() as db:
        return sorted(row["digest"] for row in db.execute("SELECT digest FROM reseller_token"))


@pytest.mark.parametrize("own", [True, False], ids=["token of the user", "token of the session"])
def test_only_the_token_of_the_user_is_left_after_a_test_login(shop, own):
    shop.service.assumptions.set("second-authorize", "kept")
    with shop.service.database.writing() as db:
        token = Secret(accounts.add_token(db, shop.id, shop.service.clock.now()))
    before = tokens(shop)
    shop.faults({"fault": "lost_response", "route": "password/set"})
    with reseller_client(shop.url, EMAIL, Secret(PASSWORD), token=token if own else None) as client:
        client.run(SetPassword(Secret("new one")))
        assert client.run(actions.websites())
    assert password_is(shop, "new one")
    assert tokens(shop) == before


@pytest.mark.parametrize("fault", ["lost_response", "truncated"])
def test_password_change_without_an_email_stays_unclear_when_its_answer_is_lost(shop, fault):
    """Only a test login could show which password is valid, and it needs the e-mail."""
    with shop.service.database.writing() as db:
        token = Secret(accounts.add_token(db, shop.id, shop.service.clock.now()))
    shop.faults({"fault": fault, "route": "password/set"})
    with (
        reseller_client(shop.url, "", None, token=token) as client,
        pytest.raises(ServiceError) as raised,
    ):
        client.run(SetPassword(Secret("new one")))
    assert password_is(shop, "new one")
    assert raised.value.unclear
    assert "still valid" not in (raised.value.hint or "")


def test_expired_token_is_renewed_and_the_call_repeated(shop):
    shop.service.assumptions.set("token-lifetime", "60")
    with reseller_client(shop.url, EMAIL, Secret(PASSWORD)) as client:
        client.run(actions.websites())
        shop.service.clock.advance(timedelta(seconds=61))
        client.run(actions.add_credits(shop.first, 5))
    assert site(shop).ai.extra == 5


def test_token_without_password_is_not_renewed(shop):
    token = Secret("0" * 32)
    with reseller_client(shop.url, "", None, token=token) as client, pytest.raises(Unauthorized) as raised:
        client.run(actions.websites())
    assert "0" * 32 not in str(raised.value)


def test_client_logs_out_when_it_closes(shop):
    in_sync(shop, actions.balance())
    assert [request.operation for request in shop.service.requests()] == [
        "authorize",
        "balance",
        "authorize/logout",
    ]


@pytest.mark.parametrize(
    ("change", "action", "kind"),
    [
        ({"fee_paid": False}, actions.set_limit, FeeUnpaid),
        ({"fee_paid": False}, actions.add_credits, FeeUnpaid),
        ({"ai_pricing": "free"}, actions.add_credits, CreditsAreFree),
        ({"ai_pricing": "free"}, actions.set_limit, AbovePlan),
    ],
)
@pytest.mark.parametrize("status", ["200", "4xx"])
def test_each_error_code_has_an_exception(shop, run, change, action, kind, status):
    shop.service.assumptions.set("reseller-error-status", status)
    shop.service.resellers.change(shop.id, **change)
    with pytest.raises(kind) as raised:
        run(action(shop.first, 5000))
    assert raised.value.exit_code == 6
    assert not raised.value.unclear
    if kind is AbovePlan:
        assert raised.value.max_credits == 100


def test_error_507_has_an_exception():
    access = reseller_access("https://reseller.example")
    body = b'{"error": true, "errorCode": 507, "errorMsg": "Bad AI credits amount"}'
    with pytest.raises(BadCredits, match="Bad AI credits amount"):
        read(
            operations.set_limit(1, 5)(Secret("planted-canary-s3cret")),
            Response(status=200, body=body),
            access,
        )


@pytest.mark.parametrize("status", ["200", "4xx"])
def test_an_unknown_website_is_refused(shop, run, status):
    shop.service.assumptions.set("reseller-error-status", status)
    with pytest.raises(Refused, match="Website not found"):
        run(actions.set_limit(999, 5))


@pytest.mark.parametrize("amount", [1.5, -1, 1000001, "abc", "5", True, None])
@pytest.mark.parametrize("action", [actions.set_limit, actions.add_credits])
def test_bad_credits_are_never_sent(action, amount):
    with pytest.raises(ConfigurationError, match="whole number"):
        action(1, amount)


@pytest.mark.parametrize(
    "make",
    [
        lambda: actions.add_credits(1, 0),
        lambda: actions.enable(0),
        lambda: actions.enable(True),
        lambda: actions.website("1"),
        lambda: actions.enable_premium(1, "premiumpr"),
        lambda: actions.add_domain(1, "www.shop.example"),
        lambda: actions.add_domain(1, "no dots"),
        lambda: actions.add_domain(1, "a..b"),
        lambda: actions.set_settings({"company": "x"}),
        lambda: actions.set_settings({"apiToken": "x"}),
        lambda: actions.set_settings({"": "x"}),
        lambda: actions.set_settings({}),
    ],
)
def test_invalid_argument_is_never_sent(make):
    with pytest.raises(ConfigurationError):
        make()


def test_password_and_token_are_never_shown(shop):
    operation = operations.authorize(EMAIL, Secret(PASSWORD))
    assert PASSWORD not in repr(operation)
    assert "planted-canary-s3cret" not in repr(operations.balance()(Secret("planted-canary-s3cret")))
    access = reseller_access("https://reseller.example")
    echo = b'{"error": true, "errorCode": 1, "errorMsg": "bad token planted-canary-s3cret"}'
    with pytest.raises(Refused) as raised:
        read(operations.balance()(Secret("planted-canary-s3cret")), Response(status=200, body=echo), access)
    assert "planted-canary-s3cret" not in str(raised.value)
    in_sync(shop, actions.balance())
    assert all(PASSWORD not in repr(request) for request in shop.service.requests())


@pytest.mark.parametrize(
    "answer",
    [
        b'{"error": false}',
        b'{"error": false, "websites": {}}',
        b'{"error": false, "websites": [1]}',
        b'{"error": false, "websites": [{}]}',
        b"[]",
        b"",
    ],
)
def test_malformed_response_raises_bad_answer(answer):
    access = reseller_access("https://reseller.example/api/")
    assert access.base_url == "https://reseller.example"
    with pytest.raises(BadAnswer):
        read(
            operations.websites(UTC)(Secret("planted-canary-s3cret")),
            Response(status=200, body=answer),
            access,
        )


def test_dates_are_aware_in_the_configured_time_zone(shop):
    zone = timezone(timedelta(hours=2))
    shop.service.assumptions.set("reseller-time-zone", "+02:00")
    now = shop.service.clock.now()
    created = in_sync(shop, actions.website(shop.first, zone))[0].created
    assert created.utcoffset() == timedelta(hours=2)
    assert abs(created - now) < timedelta(minutes=5)


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("EUR 12.34", "12.34"),
        ("EUR12.34", "12.34"),
        ("EUR 1,234.50", "1234.50"),
        ("EUR -3.10", "-3.10"),
        ("EUR 5", "5"),
    ],
)
def test_amounts_are_read_in_every_unambiguous_form(text, amount):
    assert Money.read(text) == Money("EUR", Decimal(amount))


@pytest.mark.parametrize(
    "text", ["", "12.34", "EUR", "EUR 1,23", "EUR 1.234,50", "euro 5", "EUR NaN", "EUR 1e5", f"EUR {10**18}"]
)
def test_ambiguous_amount_is_refused(text):
    with pytest.raises(ValueError, match="currency"):
        Money.read(text)


@pytest.mark.parametrize(
    ("currency", "amount", "text"),
    [
        ("EUR", "0.125", "EUR 0.13"),
        ("EUR", "2.5", "EUR 2.50"),
        ("EUR", "-0.004", "EUR 0.00"),
        ("HUF", "99.5", "HUF 99.50"),
        ("JPY", "1234.5", "JPY 1235"),
        ("UGX", "1234567", "UGX 1234567"),
        ("KWD", "12.3455", "KWD 12.346"),
        ("BHD", "-0.5", "BHD -0.500"),
        ("CLF", "1.00005", "CLF 1.0001"),
    ],
)
def test_amounts_print_with_the_decimals_of_their_currency_half_up(currency, amount, text):
    assert str(Money(currency, Decimal(amount))) == text


def account_setting(shop, name):
    with shop.service.database.reading() as db:
        return accounts.settings(db, shop.id).get(name)


def domain_names(shop):
    with shop.service.database.reading() as db:
        return [domain.name for domain in domains.of_website(db, shop.first)]


def password_is(shop, password):
    with shop.service.database.reading() as db:
        return accounts.find_by_password(db, EMAIL, password, shop.service.assumptions) is not None


# by operation: an action before the change or None, the change, whether it took place
CHANGES = {
    "enable": (actions.disable, actions.enable, lambda shop: site(shop).status == 1),
    "disable": (None, actions.disable, lambda shop: site(shop).status != 1),
    "enable_premium": (
        None,
        lambda n: actions.enable_premium(n, "premium"),
        lambda shop: site(shop).ai.plan == "premium",
    ),
    "disable_premium": (
        lambda n: actions.enable_premium(n, "premium"),
        actions.disable_premium,
        lambda shop: site(shop).ai.plan == "free",
    ),
    "ai_limit/set": (None, lambda n: actions.set_limit(n, 321), lambda shop: site(shop).ai.limit == 321),
    "ai_credits/add": (
        lambda n: actions.add_credits(n, 7),
        lambda n: actions.add_credits(n, 40),
        lambda shop: {7: False, 47: True}[site(shop).ai.extra],
    ),
    "domain/add": (
        None,
        lambda n: actions.add_domain(n, "shop.example"),
        lambda shop: domain_names(shop) == ["shop.example"],
    ),
    "domain/remove": (
        lambda n: actions.add_domain(n, "shop.example"),
        lambda n: actions.remove_domain(n, 1),
        lambda shop: domain_names(shop) == [],
    ),
    "settings/set": (
        None,
        lambda _: actions.set_settings({"brand": "B"}),
        lambda shop: account_setting(shop, "brand") == "B",
    ),
    "password/set": (None, lambda _: SetPassword(Secret("new")), lambda shop: password_is(shop, "new")),
}
PATIENCE_S = 30


def quick_faults():
    """Every fault without the slow ones, which `test_reseller_slow_answers.py` has.

    The client gives up at once after a long Retry-After.
    """
    for fault in every_fault(PATIENCE_S):
        if not is_slow(fault.effect, PATIENCE_S):
            yield replace(fault, retry_after=999) if fault.effect.retry_after is not None else fault


KINDS = list(
    {
        (outcome_of(fault.effect, PATIENCE_S), fault.effect.performed): fault for fault in quick_faults()
    }.values()
)
"""A fault for each outcome that a client has to report, for a call that is performed and for one that is not."""
MET = [(name, fault) for name in CHANGES for fault in KINDS]
MET += [("ai_credits/add", fault) for fault in quick_faults() if fault not in KINDS]


@pytest.mark.parametrize(("name", "fault"), MET, ids=[f"{name}-{name_of(fault)}" for name, fault in MET])
def test_changes_are_made_once_and_reported_correctly_under_every_fault(shop, name, fault):
    """A change is done if and only if it is reported as done. The error of a call without a clear answer is unclear."""
    prepare, make, done = CHANGES[name]
    shop.service.clock.set(datetime(2026, 3, 1, tzinfo=UTC), frozen=True)
    if prepare:
        in_sync(shop, prepare(shop.first))
    shop.service.clock.advance(timedelta(hours=1))
    shop.faults(rule_of(fault, route=name))
    effect = effect_on(fault, route=name)
    problem = None
    try:
        in_sync(shop, make(shop.first))
    except ServiceError as error:
        problem = error
    reported_done = problem is None
    assert reported_done or problem.unclear is may_still_arrive(effect)
    shop.faults()
    assert done(shop) is reported_done
    sent = [
        request for request in shop.service.requests() if request.operation == name and request.status == 200
    ]
    assert sum(request.error_code is None for request in sent) <= 2
    assert reported_done or not effect.performed


@pytest.mark.parametrize("fault", ["lost_response", "reset_before"])
def test_domains_and_settings_are_read_back_after_a_fault(shop, run, fault):
    number = shop.first
    shop.faults(*({"fault": fault, "route": route} for route in ("domain/add", "settings/set")))
    for action in (actions.add_domain(number, "shop.example"), actions.set_settings({"brand": "B"})):
        if fault == "lost_response":
            run(action)
        else:
            with pytest.raises(ServiceError) as raised:
                run(action)
            assert raised.value.unclear
            assert "may still arrive" in raised.value.hint
    shop.faults()
    domains, settings = run(actions.domains(number), actions.settings())
    assert ([d.name for d in domains], settings["brand"]) == (
        (["shop.example"], "B") if fault == "lost_response" else ([], "")
    )


def test_change_that_cannot_be_read_back_is_unclear(shop):
    with reseller_client(shop.url, EMAIL, Secret(PASSWORD)) as client:
        client.run(actions.balance())
        shop.faults(
            {"fault": "lost_response", "route": "ai_limit/set"},
            {"fault": "status", "status": 400, "route": "website"},
        )
        with pytest.raises(ServiceError) as raised:
            client.run(actions.set_limit(shop.first, 3))
    assert raised.value.unclear
    assert "before you repeat" in raised.value.hint


@pytest.mark.parametrize("seed", range(3))
def test_reported_additions_equal_charged_additions_under_faults(shop, seed):
    shop.service.clock.set(datetime(2026, 3, 1, tzinfo=UTC), frozen=True)
    share = {"share": 0.25, "route": "ai_credits/add"}
    kinds = ("lost_response", "reset_after", "truncated", "error_in_200")
    shop.faults(*({**share, "fault": kind, "seed": seed * 10 + n} for n, kind in enumerate(kinds)))
    reported = 0
    with reseller_client(shop.url, EMAIL, Secret(PASSWORD)) as client:
        for n in range(25):
            shop.service.clock.advance(timedelta(seconds=n % 2))
            with suppress(ServiceError):
                client.run(actions.add_credits(shop.first, 10))
                reported += 10
    assert 0 < reported < 250
    assert site(shop).ai.extra == reported


def test_password_is_not_sent_over_plain_http_to_another_machine():
    with pytest.raises(
        ConfigurationError, match=r"the password would be sent to reseller\.example unencrypted"
    ):
        reseller_access("http://reseller.example")
    assert (
        reseller_access("http://reseller.example/api", allow_plain_http=True).base_url
        == "http://reseller.example"
    )


def website_json(extra, until):
    fields = {
        f.name: {"integer": 0, "boolean": False}.get(f.kind, "2026-03-10 12:00:00") for f in WEBSITE_FIELDS
    }
    return {**fields, "websiteAccessed": None, "aiExtraCredits": extra, "aiExtraCreditsValidUntil": until}


@pytest.mark.parametrize(
    ("after", "done"),
    [((0, None), False), ((50, "2027-01-04 12:00:00"), True), ((0, "2027-01-04 12:00:00"), True)],
)
def test_timed_out_addition_is_sent_once_and_reported_done_or_unclear(after, done):
    """The expiry date shows the addition, even if the credits are used up before they are read back."""
    seen = []

    def send(operation):
        seen.append(operation.name)
        if operation.name == "ai_credits/add":
            return NoResponse(why="no answer within 30 s", timed_out=True)
        website = website_json(*(after if "ai_credits/add" in seen else (0, None)))
        return Response(status=200, body=json.dumps({"error": False, "website": website}).encode())

    calling = Calling(access=reseller_access("https://reseller.example"))
    flow = actions.add_credits(7, 50).flow(ResellerSession(calling=calling, token=Secret("0" * 32)))
    if done:
        run_here(flow, send)
    else:
        with pytest.raises(Unreachable, match="no answer") as raised:
            run_here(flow, send)
        assert raised.value.unclear
    assert seen == ["website", "ai_credits/add", "website"]
