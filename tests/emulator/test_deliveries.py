"""Deliveries on a real page, with its own document-ready and timers, with and without jQuery.

Who is called, in which order and with which objects, is in test_event_model.py.
"""

from collections.abc import Hashable, Mapping

import pytest
from frames import Noted, SmallPages

PRICE = "svc-content-after-price"
SETUP = """
const PRICE = "svc-content-after-price", UPDATED = PRICE + "-updated";
const params = { item: { id: "1", variants: [] }, page: { language: "en", page: "catalog" } };
const update = { item: params.item, selectedVariantId: "2", selectedVariant: { id: "2" } };
const on = (event, callback) => svcPlugins.subscribeEvent(event, callback);
const host = () => awningEmulator.host(document.getElementById("box"), PRICE, params);
const fire = () => awningEmulator.fire(UPDATED, update);
const afterReady = (work) => addEventListener("load", work);
"""

DELIVERIES = {
    "before ready a delivery waits": (
        "on(PRICE, () => log('delivered')); host(); log('parsed');",
        ["parsed", "delivered"],
    ),
    "after ready it runs inside the call": (
        "on(PRICE, () => log('delivered')); afterReady(() => { host(); log('fired'); });",
        ["delivered", "fired"],
    ),
    "a base event has three arguments": (
        "on(PRICE, function () { log(arguments.length, typeof arguments[1], arguments[2] === params); }); host();",
        [3, "function", True],
    ),
    "an update has four arguments": (
        (
            "on(UPDATED, function () { log(arguments.length, arguments[3] === update); });"
            "awningEmulator.configure({'repeat-first-update': false}); host(); fire();"
        ),
        [4, True],
    ),
    "the base event comes before its update, which a timer repeats": (
        (
            "on(UPDATED, () => log('update')); on(PRICE, () => { log('base'); setTimeout(() => log('timer')); });"
            "host(); fire();"
        ),
        ["base", "update", "update", "timer"],
    ),
    "the first update is repeated before any timer of its subscribers": (
        "on(UPDATED, () => { log('update'); setTimeout(() => log('timer')); }); host(); fire();",
        ["update", "update", "timer", "timer"],
    ),
    "and after ready too": (
        (
            "on(PRICE, () => { log('base'); setTimeout(() => log('timer')); }); on(UPDATED, () => log('update'));"
            "afterReady(() => { host(); fire(); });"
        ),
        ["base", "update", "update", "timer"],
    ),
    "a first update that comes long after the base event is repeated": (
        (
            "on(UPDATED, () => { log('update'); setTimeout(() => log('timer')); }); host();"
            "afterReady(() => setTimeout(() => { fire(); log('|'); }, 5));"
        ),
        ["update", "|", "update", "timer", "timer"],
    ),
    "a subscriber of the update takes the next position with the function of the base event": (
        (
            "let base; on(PRICE, (e, init) => { base = init; init().setContent('x'); });"
            "on(UPDATED, () => log(base().setContent('y')[0].getAttribute('data-order')));"
            "awningEmulator.configure({'repeat-first-update': false}); host(); fire();"
        ),
        ["2"],
    ),
    "an object without a prototype that is thrown arrives as it is": (
        (
            "const thrown = Object.create(null);"
            "afterReady(() => { host();"
            "try { on(PRICE, () => { throw thrown; }); } catch (e) { log(e === thrown); } });"
        ),
        [True],
    ),
    "a delivery can be stopped at a subscriber": (
        (
            "on(PRICE, (event) => { log('first'); event.stopImmediatePropagation(); }); on(PRICE, () => log('second'));"
            "host(); afterReady(() => log('end'));"
        ),
        ["first", "end"],
    ),
    "the window's listeners come after the document's": (
        (
            "const late = () => log('window'); window.jQuery ? jQuery(window).on(PRICE, late) :"
            "addEventListener(PRICE, late); on(PRICE, () => log('subscriber')); host();"
        ),
        ["subscriber", "window"],
    ),
    "only the first update is repeated": (
        (
            "on(UPDATED, () => log('update')); host(); fire();"
            "afterReady(() => setTimeout(() => { log('|'); fire(); }, 5));"
        ),
        ["update", "update", "|", "update"],
    ),
    "the last delivery is replayed inside subscribeEvent": (
        (
            "afterReady(() => { host(); log('fired'); on(PRICE, (event, init, param) => "
            "log('replayed', Object.keys(event).join(), event.type, param === params)); log('subscribed'); });"
        ),
        ["fired", "replayed", "type", PRICE, True, "subscribed"],
    ),
    "the same callback subscribed twice is called twice": (
        "const callback = () => log('called'); on(PRICE, callback); on(PRICE, callback); host();",
        ["called", "called"],
    ),
    "the event parameter is shared and mutations leak": (
        (
            "on(PRICE, (event, init, param) => { param.leak = 1; log(init().params === param); });"
            "on(PRICE, (event, init, param) => log(param.leak)); host();"
        ),
        [True, 1],
    ),
    "on an update the parameter is still that of the page load": (
        (
            "on(UPDATED, (event, init, param, updated) => log(param === params, updated.item === param.item));"
            "awningEmulator.configure({'repeat-first-update': false}); host(); fire();"
        ),
        [True, True],
    ),
    "return values are ignored": (
        "on(PRICE, () => false); on(PRICE, () => log('second')); host();",
        ["second"],
    ),
    "an update of another name does not reach": (
        "on('svc-content-after-checkout-updated', () => log('checkout')); host(); fire();",
        [],
    ),
}


@pytest.fixture(scope="module")
def noted(small_pages: SmallPages) -> Mapping[Hashable, Noted]:
    return small_pages.noted(
        {
            (case, jquery): {"script": SETUP + code, "jquery": jquery}
            for case, (code, _) in DELIVERIES.items()
            for jquery in (True, False)
        }
    )


@pytest.mark.parametrize("jquery", [True, False], ids=["jquery", "no-jquery"])
@pytest.mark.parametrize("case", DELIVERIES)
def test_event_deliveries_follow_the_service(
    noted: Mapping[Hashable, Noted], case: str, jquery: bool
) -> None:
    assert noted[case, jquery].log == DELIVERIES[case][1]


def test_live_event_is_a_jquery_event_on_the_document(small_pages: SmallPages) -> None:
    code = "on(PRICE, (event) => log(event instanceof jQuery.Event, event.type, event.target === document)); host();"
    assert small_pages.load(SETUP + code, jquery=True).log == [True, PRICE, True]


def test_live_event_without_jquery_is_a_dom_event(small_pages: SmallPages) -> None:
    code = "on(PRICE, (event) => log(event instanceof Event, event.type, event.target === document)); host();"
    assert small_pages.load(SETUP + code).log == [True, PRICE, True]


def test_jquery_listeners_on_the_document_get_the_event(small_pages: SmallPages) -> None:
    code = "jQuery(document).on(PRICE, (event) => log(event.type)); host();"
    assert small_pages.load(SETUP + code, jquery=True).log == [PRICE]


def test_throwing_subscriber_is_logged_and_does_not_reach_the_page(small_pages: SmallPages) -> None:
    small = small_pages.load(SETUP + "on(PRICE, () => { throw new Error('broken'); }); host();", jquery=True)
    assert small.kinds("exception") == [("exception", "Error: broken")]
    assert small.errors == []
    assert ["broken" in line for line in small.console] == [True]


def test_throwing_ready_handler_makes_all_deliveries_vanish(small_pages: SmallPages) -> None:
    code = """
      on(PRICE, () => log('base')); on(UPDATED, () => log('update'));
      jQuery(() => { throw new Error('foreign'); });
      host(); afterReady(() => { fire(); log('fired'); });
    """
    small = small_pages.load(SETUP + code, jquery=True)
    assert small.log == ["fired"]


FIVE = {
    "svc-content-after-price": None,
    "svc-content-after-price-updated": {"selectedVariantId": "2", "selectedVariant": None},
    "svc-content-after-cart": None,
    "svc-content-after-checkout": None,
    "svc-content-after-checkout-updated": {"total": 0, "total_no_discount": 3},
}


@pytest.mark.parametrize("event", FIVE)
def test_each_of_the_five_events_reaches_its_subscriber(small_pages: SmallPages, event: str) -> None:
    small = small_pages.load(
        f"svcPlugins.subscribeEvent({event!r},"
        "(event, init, param, updated) => log([event.type, param, updated ?? null]));"
    )
    small.run(
        "([event, update]) => { awningEmulator.configure({'repeat-first-update': false});"
        "awningEmulator.host('#box', event.replace('-updated', ''), {page: {language: 'en'}});"
        "if (update) awningEmulator.fire(event, update); }",
        [event, FIVE[event]],
    )
    assert small.log == [[event, {"page": {"language": "en"}}, FIVE[event]]]
