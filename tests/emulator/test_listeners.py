"""Event names are jQuery's, and apps that use jQuery directly act on the same list of listeners."""

from collections.abc import Hashable, Mapping

import pytest
from frames import JQUERY, Noted, SmallPages

SETUP = """
const PRICE = "svc-content-after-price", UPDATED = PRICE + "-updated";
const params = { item: { id: "1", variants: [] }, page: { language: "en", page: "catalog" } };
const on = (event, callback) => svcPlugins.subscribeEvent(event, callback);
const host = () => awningEmulator.host("#box", PRICE, params);
const fire = () => awningEmulator.fire(UPDATED, { item: params.item });
const afterReady = (work) => addEventListener("load", work);
const attempt = (work) => { try { work(); log("no error"); } catch (error) { log(error.name); } };
awningEmulator.configure({ "repeat-first-update": false });
"""

NAMES = {
    "several in one string": (
        "on(`${UPDATED} ${PRICE}`, (e) => log(e.type)); host(); fire();",
        ["svc-content-after-price", "svc-content-after-price-updated"],
    ),
    "with a namespace": ("on(`${PRICE}.app`, (e) => log(e.type)); host();", ["svc-content-after-price"]),
    "white space around": ("on(`  ${PRICE}\\n`, (e) => log(e.type)); host();", ["svc-content-after-price"]),
    "the same twice": ("on(`${PRICE} ${PRICE}`, () => log(1)); host();", [1, 1]),
    "replayed for a single exact name alone": (
        (
            "host(); afterReady(() => [`${PRICE} x`, ` ${PRICE}`, `${PRICE}.app`, PRICE].forEach((name) => "
            "on(name, () => log(name))));"
        ),
        ["svc-content-after-price"],
    ),
    "a namespace that is fired reaches its own": (
        (
            "on(`${PRICE}.a.b`, () => log('a.b')); on(PRICE, () => log('all'));"
            "awningEmulator.host('#box', `${PRICE}.b`, params);"
        ),
        ["a.b"],
    ),
    "nothing at all": (
        "['', ' ', null, undefined, 0, false, '.app'].forEach((name) => attempt(() => on(name, () => {})));",
        ["no error"] * 7,
    ),
    "what is no name": (
        (
            "[1, true, {}.toString, 'toString', 'hasOwnProperty', `${PRICE} toString.app`].forEach((name) => "
            "attempt(() => on(name, () => {})));"
        ),
        ["TypeError"] * 6,
    ),
    "an object instead of a name": (
        (
            "[[PRICE], new String(PRICE), /x/, {}, new Date(0)].forEach((name) => attempt(() => on(name, () => {})));"
            "(function () { attempt(() => on(arguments, () => {})); })(PRICE);"
        ),
        ["no error"] * 6,
    ),
    "an object of names and functions is jQuery's": (
        (
            "on({ [PRICE]: (e, init, param) => log(e.type, typeof init, param === params), [UPDATED]: null },"
            " (e) => log(e.type)); host(); fire();"
        ),
        ["svc-content-after-price", "function", True, "svc-content-after-price-updated"],
    ),
    "a list is no name for live deliveries": (
        "on([PRICE], () => log('list')); on(new String(PRICE), () => log('text')); host();",
        [],
    ),
    "a list of one name is replayed": (
        "host(); afterReady(() => { on([PRICE], (e) => log(e.type)); on(new String(PRICE), (e) => log(e.type)); });",
        ["svc-content-after-price"] * 2,
    ),
    "an object whose member is no name, or a symbol": (
        "attempt(() => on({ toString: () => PRICE }, () => {})); attempt(() => on(Symbol(PRICE), () => {}));",
        ["TypeError"] * 2,
    ),
}


@pytest.fixture(scope="module")
def noted(small_pages: SmallPages) -> Mapping[Hashable, Noted]:
    """The pages of both tables, those of NAMES also without jQuery."""
    pages = {(case, True): code for case, (code, _) in {**NAMES, **DIRECT}.items()}
    pages |= {(case, False): code for case, (code, _) in NAMES.items()}
    return small_pages.noted({key: {"script": SETUP + code, "jquery": key[1]} for key, code in pages.items()})


@pytest.mark.parametrize("jquery", [True, False], ids=["jquery", "no-jquery"])
@pytest.mark.parametrize("case", NAMES)
def test_listener_gets_events_of_each_name(noted: Mapping[Hashable, Noted], case: str, jquery: bool) -> None:
    small = noted[case, jquery]
    assert (small.log, small.errors) == (NAMES[case][1], [])


DIRECT = {
    "on: in order, with the same arguments": (
        (
            "on(PRICE, () => log('first'));"
            "$(document).on(PRICE, function (event, init, param) {"
            "  log(arguments.length, typeof init, param === params, this === document); });"
            "on(PRICE, () => log('last')); host();"
        ),
        ["first", 3, "function", True, True, "last"],
    ),
    "on: an update has four arguments": (
        "$(document).on(UPDATED, function () { log(arguments.length); }); host(); fire();",
        [4],
    ),
    "on: no replay": (
        "host(); afterReady(() => { $(document).on(PRICE, () => log('x')); log('end'); });",
        ["end"],
    ),
    "on: its content gets a position and blames nobody": (
        (
            "$(document).on(PRICE, (event, init) => { const c = init(); c.setContent('a');"
            "log(document.getElementById('box').innerHTML); }); on(PRICE, (event, init) => void init()); host();"
            "afterReady(() => log(awningEmulator.trace().filter((one) => one.kind === 'violation').length));"
        ),
        ['<div data-order="1">a</div>', 0],
    ),
    "off: nobody is called, and later subscribers get a replay": (
        (
            "on(PRICE, () => log('gone')); $(document).off(PRICE); host();"
            "afterReady(() => on(PRICE, () => log('replay')));"
        ),
        ["replay"],
    ),
    "off: by namespace": (
        "on(`${PRICE}.app`, () => log('gone')); on(PRICE, () => log('stays')); $(document).off('.app'); host();",
        ["stays"],
    ),
    "trigger: subscribers are called with what is given": (
        (
            "on(PRICE, function (event, ...rest) { log(event.type, ...rest); });"
            "$(document).trigger(PRICE); $(document).trigger(PRICE, [1, 2]);"
        ),
        ["svc-content-after-price", "svc-content-after-price", 1, 2],
    ),
    "trigger: is not kept for later subscribers": (
        "$(document).trigger(PRICE); on(PRICE, () => log('replay')); log('end');",
        ["end"],
    ),
    "trigger: what a subscriber throws reaches the one who triggers": (
        (
            "on(PRICE, () => { throw new RangeError('x'); }); on(PRICE, () => log('second'));"
            "attempt(() => $(document).trigger(PRICE));"
        ),
        ["RangeError"],
    ),
    "a throwing listener ends the delivery as a subscriber does": (
        "$(document).on(PRICE, () => { throw new Error('x'); }); on(PRICE, () => log('second')); host(); log('end');",
        ["end"],
    ),
    "return values of subscribers do not stop what bubbles": (
        "on(PRICE, () => false); $(window).on(PRICE, () => log('window')); host();",
        ["window"],
    ),
}


@pytest.mark.parametrize("case", DIRECT)
def test_listener_added_by_jquery_directly_gets_events(noted: Mapping[Hashable, Noted], case: str) -> None:
    small = noted[case, True]
    assert (small.log, small.errors) == (DIRECT[case][1], [])


REPLACED = {
    "earlier subscribers are not called, later ones are": (
        "on(PRICE, () => log('earlier')); second(); on(PRICE, () => log('later')); host();",
        ["later"],
    ),
    "the first jQuery put back takes deliveries again": (
        "on(PRICE, () => log('earlier')); second(); jQuery.noConflict(true); host();",
        ["earlier"],
    ),
    "what setContent gives is the new one's": (
        "second(); on(PRICE, (event, init) => log(init().setContent('x') instanceof window.$)); host();",
        [True],
    ),
    "without any a host throws, and so does subscribing": (
        "jQuery.noConflict(true); attempt(host); attempt(() => on(PRICE, () => {}));",
        ["ReferenceError", "ReferenceError"],
    ),
}


@pytest.mark.parametrize(("code", "expected"), REPLACED.values(), ids=REPLACED)
def test_listeners_work_after_the_page_replaces_jquery(
    small_pages: SmallPages, code: str, expected: list[object]
) -> None:
    small = small_pages.load(
        f"const second = () => (0, eval)({JQUERY.read_text()!r});" + SETUP + code, jquery=True
    )
    small.run("1")
    assert small.log == expected
    assert small.errors == []


def test_jquery_loaded_after_the_emulator_changes_nothing(small_pages: SmallPages) -> None:
    code = "on(PRICE, (event) => log(event instanceof Event)); second(); host();"
    small = small_pages.load(f"const second = () => (0, eval)({JQUERY.read_text()!r});" + SETUP + code)
    small.run("1")
    assert small.log == [True]
