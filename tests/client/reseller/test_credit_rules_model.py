"""Random histories of plans, limits, additions, spending, months and the fee, compared with a model."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from asgi_calls import ask
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_credits import CREDITS_OF, PlainReseller
from volumes import volume

from awning_harness.service import Service
from awning_harness.service.reseller import accounts
from awning_harness.service.reseller.api import ResellerApi

START = datetime(2026, 1, 30, 23, tzinfo=UTC)
SITES = 2
site = st.integers(0, SITES - 1)
amount = st.just(0) | st.sampled_from(
    [0, 1, 50, 99, 100, 101, 300, 999, 1000, 1001, 2500, 5000, 5001, 1000000, 1000001]
)
PRICES = {"0.01": 100, "0.0125": 125, "0.10": 1000}
ZONES = {"+00:00": 0, "+02:00": 2, "-05:00": -5}
few = st.sampled_from([1, 50, 300])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("limit"), site, amount),
        st.tuples(st.just("add"), site, amount),
        st.tuples(st.just("add"), site, few),
        st.tuples(st.just("add"), site, few),
        st.tuples(st.just("spend"), site, st.integers(0, 400)),
        st.tuples(st.just("spend"), site, st.integers(0, 400)),
        st.tuples(st.just("plan"), site, st.sampled_from(list(CREDITS_OF))),
        st.tuples(st.just("plan"), site, st.sampled_from(list(CREDITS_OF))),
        st.tuples(st.just("pass"), st.sampled_from([1, 2, 23, 24 * 3, 24 * 28, 24 * 31])),
        st.tuples(st.just("pass"), st.sampled_from([24 * 299, 24 * 300, 24 * 301])),
        st.tuples(st.just("fee"), st.booleans()),
        st.tuples(st.just("pricing"), st.booleans()),
        st.tuples(st.just("default"), amount.filter(lambda n: n <= 1000000)),
        st.tuples(st.just("new")),
        st.tuples(st.just("price"), st.sampled_from(list(PRICES))),
    ),
    min_size=5,
    max_size=18,
)


class Simulated:
    """The simulated API with the methods of the model."""

    def __init__(self, service, *, free_of_charge, fee_paid, price, hours_east):
        self.service = service
        service.clock.set(START, frozen=True)
        service.assumptions.set("credit-price", price)
        service.assumptions.set("reseller-time-zone", hours_east)
        pricing = "free" if free_of_charge else "priced"
        self.id = service.resellers.create(
            email="r", password="p", websites=SITES, ai_pricing=pricing, fee_paid=fee_paid
        )
        with service.database.writing() as db:
            self.token = accounts.add_token(db, self.id, service.clock.now())
        self.api = ResellerApi(service)

    def call(self, path, fields=""):
        body = f"apiToken={self.token}&{fields}".encode()
        return json.loads(ask(self.api, "POST", f"/api/{path}", body=body).body)

    def websites(self):
        return self.call("websites/")["websites"]

    def on(self, number, tail, fields=""):
        answer = self.call(f"website/{self.first + number}/{tail}", fields)
        return answer.get("errorCode"), answer.get("maxCredits")

    @property
    def first(self):
        return self.service.resellers.sites(self.id)[0].id


def change_terms(model, real, action, value):
    match action:
        case "fee":
            real.service.resellers.change(real.id, fee_paid=value)
            model.fee_paid = value
        case "pricing":
            real.service.resellers.change(real.id, ai_pricing="free" if value else "priced")
            model.free_of_charge = value
        case "price":
            real.service.assumptions.set("credit-price", value)
            model.price = PRICES[value]
        case "default":
            assert real.call("settings/set/", f"aiDefaultLimit={value}") == {"error": False}
            model.default_limit = value
        case _:
            raise AssertionError(action)


def step(model, real, action, arguments):
    """Apply a step to the model and to the simulated API, and compare the results."""
    match action, arguments:
        case "limit", (number, value):
            assert real.on(number, "ai_limit/set/", f"credits={value}") == model.set_limit(number, value)
        case "add", (number, value):
            assert real.on(number, "ai_credits/add/", f"credits={value}") == model.add(number, value)
        case "spend", (number, value):
            real.service.resellers.spend(real.id, real.first + number, value)
            model.spend(number, value)
        case "plan", (number, "free"):
            assert real.on(number, "disable_premium/") == (None, None)
            model.subscribe(number, "free")
        case "plan", (number, plan):
            assert real.on(number, f"enable_premium/{plan}/") == (None, None)
            model.subscribe(number, plan)
        case "pass", (hours,):
            real.service.clock.advance(timedelta(hours=hours))
            model.now += timedelta(hours=hours)
        case "new", ():
            model.new_site()
            real.service.resellers.change(real.id, websites=len(model.sites))
        case _:
            change_terms(model, real, action, *arguments)


def compare_websites(model, real):
    for expected, seen in zip(model.sites, real.websites(), strict=True):
        flags = seen["websiteIsPremium"], seen["websiteIsPremiumPlus"], seen["websiteIsPremiumPro"]
        assert flags == tuple(expected.plan == plan for plan in ("premium", "premiumplus", "premiumpro"))
        assert seen["aiMonthlyLimit"] == expected.limit
        assert seen["aiSpentThisMonth"] == model.used_this_month(expected)
        assert seen["aiExtraCredits"] == expected.extra_left(model.now)
        until = expected.valid_until
        assert seen["aiExtraCreditsValidUntil"] == (until and f"{model.there(until):%Y-%m-%d %H:%M:%S}")


def compare_balance(model, real):
    balance = real.call("balance/")
    assert balance["currentBalance"] == f"EUR {model.balance_cents() / 100:.2f}"
    assert balance["aiCostThisMonth"] == f"EUR {model.cost_this_month_cents() / 100:.2f}"
    assert balance["aiCreditsThisMonth"] == sum(model.used_this_month(s) for s in model.sites)
    assert balance["premiumWebsites"] == sum(s.plan != "free" for s in model.sites)


@pytest.fixture(scope="module")
def world():
    service = Service()
    service.assumptions.set("token-lifetime", "0")
    yield service
    service.close()


@settings(max_examples=volume("credit-histories"), deadline=None)
@given(
    steps=STEPS,
    terms=st.fixed_dictionaries({"free_of_charge": st.booleans(), "fee_paid": st.booleans()}),
    price=st.sampled_from(list(PRICES)),
    zone=st.sampled_from(list(ZONES)),
    looked_at=st.sampled_from(["always", "rarely", "last"]),
)
def test_random_histories_agree_with_the_model(world, steps, terms, price, zone, looked_at):
    """Each month is billed once, however rarely the balance is read."""
    world.database.clear()
    real = Simulated(world, **terms, price=price, hours_east=zone)
    model = PlainReseller(START, sites=SITES, **terms, price=PRICES[price], hours_east=ZONES[zone])
    interval = {"always": 1, "rarely": 5, "last": len(steps)}[looked_at]
    for n, (action, *arguments) in enumerate(steps, start=1):
        step(model, real, action, tuple(arguments))
        compare_websites(model, real)
        if n % interval == 0 or n == len(steps):
            compare_balance(model, real)
