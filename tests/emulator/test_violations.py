"""The rules of the client-side API: the id that a violation records, and what is not a violation."""

import pytest
from frames import SmallPages

SETUP = """
const PRICE = "svc-content-after-price", UPDATED = PRICE + "-updated";
const on = (event, callback) => svcPlugins.subscribeEvent(event, callback);
const begin = () => { awningEmulator.host("#box", PRICE, { item: {} }); awningEmulator.fire(UPDATED, {}); };
"""

BROKEN: dict[str, tuple[list[str], list[str]]] = {
    "init twice": (["on(PRICE, (e, init) => { init(); init(); });"], ["init-once"]),
    "init three times": (
        ["on(PRICE, (e, init) => { init(); init(); init(); });"],
        ["init-once", "init-once"],
    ),
    "init in the update": (["on(UPDATED, (e, init) => { init(); });"], ["updated-pair", "updated-pair"]),
    "init in a timer": (["on(PRICE, (e, init) => setTimeout(init));"], ["init-early"]),
    "init after await": (["on(PRICE, async (e, init) => { await 0; init(); });"], ["init-early"]),
    "init again in a timer": (["on(PRICE, (e, init) => { init(); setTimeout(init); });"], ["init-once"]),
    "an error": (["on(PRICE, () => { throw new Error('x'); });"], ["unhandled-error"]),
    "an implicit global": (["on(PRICE, () => { leaked = 1; });"], ["global-leaked"]),
    "a global of the script": (["var leaked = 1; on(PRICE, () => {});"], ["global-leaked"]),
    "a prototype": (["on(PRICE, () => { String.prototype.shout = () => 1; });"], ["host-prototype"]),
    "a prototype in the script": (
        ["Element.prototype.remove = () => {}; on(PRICE, () => {});"],
        ["host-prototype"],
    ),
    "writing into the container": (
        ["on(PRICE, () => { document.getElementById('box').append('x'); });"],
        ["content-without-init"],
    ),
    "another app's block changed": (
        [
            "on(PRICE, (e, init) => { init().setContent('a'); });",
            "on(PRICE, () => { document.querySelector('[data-order]').textContent = 'b'; });",
        ],
        ["foreign-dom"],
    ),
    "another app's block changed, and then removed": (
        [
            "on(PRICE, (e, init) => { init().setContent('<p>a</p>'); });",
            (
                "on(PRICE, () => { document.querySelector('[data-order] p').append('b');"
                " document.querySelector('[data-order]').textContent = ''; });"
            ),
        ],
        ["foreign-dom"],
    ),
    "another app's block removed": (
        [
            "on(PRICE, (e, init) => { init().setContent('a'); });",
            "on(PRICE, () => { document.querySelector('[data-order]').remove(); });",
        ],
        ["foreign-dom"],
    ),
    "the document before it is ready": (
        ["document.body.append(document.createElement('p')); on(PRICE, () => {});"],
        ["early-dom"],
    ),
}

ALLOWED: dict[str, list[str]] = {
    "init and content": ["on(PRICE, (e, init) => { init().setContent('a'); });"],
    "content in a timer": [
        "on(PRICE, (e, init) => { const c = init(); setTimeout(() => c.setContent('a')); });"
    ],
    "init in either branch": ["on(PRICE, (e, init) => { if (e) init(); else init(); });"],
    "two callbacks with an init each": [
        "on(PRICE, (e, init) => { init(); }); on(PRICE, (e, init) => { init(); });"
    ],
    "its own block changed": [
        (
            "on(PRICE, (e, init) => { init().setContent('a'); });"
            "on(UPDATED, () => { document.querySelector('[data-order]').textContent = 'b'; });"
        )
    ],
    "its own block changed, and then replaced in parts": [
        (
            "on(PRICE, (e, init) => { init().setContent('<div><p>a</p></div>'); });"
            "on(UPDATED, () => { const own = document.querySelector('[data-order]'), p = own.querySelector('p');"
            " if (p) { p.textContent = 'b'; p.parentNode.textContent = 'c'; own.textContent = 'd'; } });"
        )
    ],
    "an element of an earlier content of its own": [
        (
            "let c; on(PRICE, (e, init) => { c = init(); c.setContent('<p>a</p>'); });"
            "on(UPDATED, () => { const old = document.querySelector('[data-order] p');"
            " c.setContent('<p>b</p>'); old.append('stale'); });"
        )
    ],
    "content with a script": ["on(PRICE, (e, init) => { init().setContent('<script>1<\\/script>'); });"],
    "a style in the head": ["document.head.append(document.createElement('style')); on(PRICE, () => {});"],
    "the document after it is ready": [
        "on(PRICE, () => {}); addEventListener('load', () => document.body.append(document.createElement('p')));"
    ],
    "a caught error": ["on(PRICE, () => { try { throw 1; } catch {} });"],
}


@pytest.mark.parametrize("jquery", [True, False], ids=["jquery", "no-jquery"])
@pytest.mark.parametrize(("scripts", "rules"), BROKEN.values(), ids=BROKEN)
def test_broken_rule_is_reported(
    small_pages: SmallPages, scripts: list[str], rules: list[str], jquery: bool
) -> None:
    small = small_pages.load(SETUP, "begin();", *scripts, "<!-- more of the page -->", jquery=jquery)
    small.run("1")
    assert small.violations == rules


@pytest.mark.parametrize("jquery", [True, False], ids=["jquery", "no-jquery"])
@pytest.mark.parametrize("scripts", ALLOWED.values(), ids=ALLOWED)
def test_correct_script_breaks_no_rule(small_pages: SmallPages, scripts: list[str], jquery: bool) -> None:
    small = small_pages.load(SETUP, "begin();", *scripts, jquery=jquery)
    small.run("1")
    assert small.violations == []


def test_allowed_global_breaks_no_rule(small_pages: SmallPages) -> None:
    leaks = "wanted = 1; on(PRICE, () => { wanted_too = 1; }); on(UPDATED, () => { unwanted = 1; });"
    small = small_pages.load(
        SETUP, "awningEmulator.allowGlobals(['wanted', 'wanted_too']);", "begin();", leaks
    )
    small.run("1")
    (violation,) = [entry for entry in small.trace if entry["kind"] == "violation"]
    assert (violation["event"], violation["detail"]) == ("svc-content-after-price-updated", "global-leaked")


def test_a_violation_has_subscriber_and_event(small_pages: SmallPages) -> None:
    small = small_pages.load(
        SETUP, "begin();", "on(PRICE, () => {}); on(PRICE, (e, init) => { init(); init(); });"
    )
    (violation,) = [entry for entry in small.trace if entry["kind"] == "violation"]
    assert (violation["event"], violation["subscriber"]) == ("svc-content-after-price", 2)
    assert violation["t"] > 0
