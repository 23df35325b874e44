"""Each answer of each assumption about events has its effect, and each assumption set has all answers."""

import json
import re
from collections.abc import Hashable, Mapping

import pytest
from frames import ROOT, Noted, SmallPages

from awning.contract.assumptions import assumptions_of

EVENT_ASSUMPTIONS = assumptions_of("browser")

SETUP = """
const PRICE = "svc-content-after-price", UPDATED = PRICE + "-updated";
const params = { item: { id: "1", variants: [] }, page: { language: "en", page: "catalog" } };
const update = { item: { id: "1" , fresh: true }, selectedVariantId: "2", selectedVariant: { id: "2" } };
const on = (event, callback) => svcPlugins.subscribeEvent(event, callback);
const host = () => awningEmulator.host("#box", PRICE, params);
const fire = () => awningEmulator.fire(UPDATED, update);
const afterReady = (work) => addEventListener("load", work);
const attempt = (work) => { try { work(); } catch (error) { log("threw"); } };
"""

TWO_HOSTS_THEN_SUBSCRIBE = (
    "afterReady(() => { host(); awningEmulator.host('#box', PRICE, { item: { id: '9' } });"
    "on(PRICE, (event, init, param) => log(param.item.id)); log('|'); });"
)
THROWS = (
    "on(PRICE, () => { throw new Error('x'); }); on(PRICE, () => log('second'));"
    "afterReady(() => { attempt(host); });"
)
UPDATES = "on(UPDATED, () => log('u')); host(); fire(); afterReady(() => setTimeout(() => { log('|'); fire(); }, 5));"
LEAK = "on(PRICE, (e, init, p) => { p.leak = 1; }); on(PRICE, (e, init, p) => log(p.leak ?? 0)); host();"
READY_THROWS = "jQuery(() => { throw new Error('foreign'); }); on(PRICE, () => log('base')); host();"
ORDER = (
    "on(PRICE, (e, init) => { const c = init(); setTimeout(() => { c.setContent('a'); log(box.textContent); }); });"
    "on(PRICE, (e, init) => init().setContent('b')); host();"
)
BLOCKS = "afterReady(() => setTimeout(() => log(document.querySelectorAll('[data-order]').length), 9));"
TWICE = (
    "on(PRICE, (e, init) => attempt(() => { init().setContent('a'); init().setContent('b'); })); host();"
    + BLOCKS
)
IN_UPDATED = "on(UPDATED, (e, init) => attempt(() => init().setContent('a'))); host(); fire();" + BLOCKS
LATE = "on(PRICE, (e, init) => setTimeout(() => attempt(() => init().setContent('a')))); host();" + BLOCKS
ELEMENT = (
    "on(PRICE, (e, init) => { init().setContent(document.createElement('b')); log(box.innerHTML.includes('<b>')); });"
    "host();"
)

SWITCHES: list[tuple[str, str, str, list[object]]] = [
    ("before-ready", "wait", "on(PRICE, () => log('d')); host(); log('parsed');", ["parsed", "d"]),
    ("before-ready", "now", "on(PRICE, () => log('d')); host(); log('parsed');", ["d", "parsed"]),
    (
        "after-ready",
        "now",
        "on(PRICE, () => log('d')); afterReady(() => { host(); log('fired'); });",
        ["d", "fired"],
    ),
    (
        "after-ready",
        "timer",
        "on(PRICE, () => log('d')); afterReady(() => { host(); log('fired'); });",
        ["fired", "d"],
    ),
    ("live-event", "jquery", "on(PRICE, (e) => log(e instanceof jQuery.Event)); host();", [True]),
    ("live-event", "native", "on(PRICE, (e) => log(e instanceof Event)); host();", [True]),
    ("live-event", "bare", "on(PRICE, (e) => log(Object.keys(e).join())); host();", ["type"]),
    ("replay", "none", TWO_HOSTS_THEN_SUBSCRIBE, ["|"]),
    ("replay", "last", TWO_HOSTS_THEN_SUBSCRIBE, ["9", "|"]),
    ("replay", "all", TWO_HOSTS_THEN_SUBSCRIBE, ["1", "9", "|"]),
    ("replay-timing", "now", TWO_HOSTS_THEN_SUBSCRIBE, ["9", "|"]),
    ("replay-timing", "timer", TWO_HOSTS_THEN_SUBSCRIBE, ["|", "9"]),
    ("event-param", "shared", LEAK, [1]),
    ("event-param", "copy", LEAK, [0]),
    (
        "updated-param",
        "page-load",
        "on(UPDATED, (e, i, p) => log(!!p.item.fresh)); host(); fire();",
        [False, False],
    ),
    (
        "updated-param",
        "fresh",
        "on(UPDATED, (e, i, p) => log(!!p.item.fresh)); host(); fire();",
        [True, True],
    ),
    ("repeat-first-update", "off", UPDATES, ["u", "|", "u"]),
    ("repeat-first-update", "on", UPDATES, ["u", "u", "|", "u"]),
    ("repeat-later-updates", "off", UPDATES, ["u", "u", "|", "u"]),
    ("repeat-later-updates", "on", UPDATES, ["u", "u", "|", "u", "u"]),
    ("isolation", "subscriber", THROWS, ["second"]),
    ("isolation", "delivery", THROWS, []),
    ("isolation", "none", THROWS, ["threw"]),
    (
        "replay-exception",
        "caught",
        "afterReady(() => { host(); attempt(() => on(PRICE, () => { throw 1; })); });",
        [],
    ),
    (
        "replay-exception",
        "leaves",
        "afterReady(() => { host(); attempt(() => on(PRICE, () => { throw 1; })); });",
        ["threw"],
    ),
    ("foreign-ready-throw", "survive", READY_THROWS, ["base"]),
    ("foreign-ready-throw", "vanish", READY_THROWS, []),
    ("position", "init", ORDER, ["ab"]),
    ("position", "content", ORDER, ["ba"]),
    (
        "wrapper-enters",
        "content",
        "on(PRICE, (e, init) => { init(); log(box.children.length); }); host();",
        [0],
    ),
    ("wrapper-enters", "init", "on(PRICE, (e, init) => { init(); log(box.children.length); }); host();", [1]),
    ("second-init", "second-block", TWICE, [2]),
    ("second-init", "same-block", TWICE, [1]),
    ("second-init", "throws", TWICE, ["threw", 1]),
    ("init-in-updated", "adds-block", IN_UPDATED, [2]),
    ("init-in-updated", "throws", IN_UPDATED, ["threw", "threw", 0]),
    ("late-init", "works", LATE, [1]),
    ("late-init", "throws", LATE, ["threw", 0]),
    ("set-content-argument", "html", ELEMENT, [True]),
    ("set-content-argument", "string", ELEMENT, [False]),
    (
        "set-content-returns",
        "wrapper",
        "on(PRICE, (e, init) => log(!!init().setContent('x'))); host();",
        [True],
    ),
    (
        "set-content-returns",
        "nothing",
        "on(PRICE, (e, init) => log(!!init().setContent('x'))); host();",
        [False],
    ),
    (
        "scripts-run",
        "off",
        "on(PRICE, (e, init) => init().setContent('<script>log(1)<\\/script>')); host();",
        [],
    ),
    (
        "scripts-run",
        "on",
        "on(PRICE, (e, init) => init().setContent('<script>log(1)<\\/script>')); host();",
        [1],
    ),
    (
        "reveal",
        "never",
        "box.hidden = true; on(PRICE, (e, init) => { init(); log(box.hidden); }); host();",
        [True],
    ),
    (
        "reveal",
        "init",
        "box.hidden = true; on(PRICE, (e, init) => { init(); log(box.hidden); }); host();",
        [False],
    ),
    (
        "reveal",
        "content",
        "box.hidden = true; on(PRICE, (e, init) => { init().setContent('x'); log(box.hidden); }); host();",
        [False],
    ),
]


@pytest.fixture(scope="module")
def noted(small_pages: SmallPages) -> Mapping[Hashable, Noted]:
    return small_pages.noted(
        {
            at: {"script": SETUP + code, "jquery": True, "configure": json.dumps({switch: answer})}
            for at, (switch, answer, code, _) in enumerate(SWITCHES)
        }
    )


@pytest.mark.parametrize("at", range(len(SWITCHES)), ids=[f"{row[0]}={row[1]}" for row in SWITCHES])
def test_each_answer_of_an_assumption_has_its_effect(noted: Mapping[Hashable, Noted], at: int) -> None:
    assert noted[at].log == SWITCHES[at][3]


def test_every_answer_of_every_assumption_is_tested() -> None:
    assert {(a.id, answer) for a in EVENT_ASSUMPTIONS.values() for answer in a.alternatives} == {
        (switch, answer) for switch, answer, *_ in SWITCHES
    }


ASKED = re.compile(r'assumptions\.is\(([^;{]*?), "([\w-]+)"\)')
"""A question of the emulator's code: the id, or an expression that chooses among ids, and the answer."""


def test_the_emulator_asks_for_every_assumption_and_only_for_existing_answers() -> None:
    code = "".join(file.read_text("utf-8") for file in sorted((ROOT / "jsrc/emulator").glob("*.ts")))
    asked = [(id_, answer) for ids, answer in ASKED.findall(code) for id_ in re.findall(r'"([\w-]+)"', ids)]
    assert code.count("assumptions.is(") == len(ASKED.findall(code))
    assert {id_ for id_, _ in asked} == set(EVENT_ASSUMPTIONS)
    assert [pair for pair in asked if not EVENT_ASSUMPTIONS[pair[0]].allows(pair[1])] == []


@pytest.mark.parametrize("name", ["documented", "observed", "hostile"])
@pytest.mark.parametrize("form", ["'{}'", "{{assumptionSet: '{}'}}"])
def test_assumption_set_answers_every_assumption(small_pages: SmallPages, name: str, form: str) -> None:
    expected = {a.id: a.sets[name] for a in EVENT_ASSUMPTIONS.values()}
    small = small_pages.load(configure=form.format(name), jquery=True)
    assert small.run("() => awningEmulator.assumptions()") == expected


@pytest.mark.parametrize("name", ["documented", "observed", "hostile"])
def test_answers_in_force_without_jquery_need_no_jquery(small_pages: SmallPages, name: str) -> None:
    expected = {a.id: a.sets[name] for a in EVENT_ASSUMPTIONS.values()}
    expected["foreign-ready-throw"] = "survive"
    expected["live-event"] = "native" if expected["live-event"] == "jquery" else expected["live-event"]
    small = small_pages.load(configure=f"'{name}'")
    assert small.run("() => awningEmulator.assumptions()") == expected


def test_block_gets_its_position_when_its_content_arrives(
    small_pages: SmallPages,
) -> None:
    small = small_pages.load(SETUP + ORDER, configure='{position: "content", "wrapper-enters": "init"}')
    assert small.html == '<div data-order="1">b</div><div data-order="2">a</div>'


def test_the_repetition_of_an_update_is_deferred_once(small_pages: SmallPages) -> None:
    later = "on(UPDATED, () => { log('update'); setTimeout(() => setTimeout(() => log('timers'))); });"
    small = small_pages.load(
        SETUP + later + "afterReady(() => { host(); fire(); });", configure='{"after-ready": "timer"}'
    )
    small.run("() => new Promise((done) => setTimeout(done, 20))")
    assert small.log == ["update", "update", "timers", "timers"]


def test_answers_of_assumption_sets_are_declared_alternatives() -> None:
    for assumption in EVENT_ASSUMPTIONS.values():
        assert set(assumption.sets.values()) <= set(assumption.alternatives)
        assert assumption.source in {"observed", "assumed"}


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ("{replays: 'last'}", 'no assumption "replays"'),
        ("{replay: 'sometimes'}", '"sometimes" is no answer to replay; there are none, last, all'),
        ("'friendly'", 'no assumption set "friendly"; there are documented, observed, hostile'),
        ("{isolation: true}", '"on" is no answer to isolation'),
    ],
)
def test_unknown_answer_is_refused_and_changes_nothing(
    small_pages: SmallPages, answers: str, reason: str
) -> None:
    small = small_pages.load(
        "const before = JSON.stringify(awningEmulator.assumptions());"
        f"try {{ awningEmulator.configure({answers}); }} catch (error) {{ log(error.message); }}"
        "log(before === JSON.stringify(awningEmulator.assumptions()));"
    )
    message, unchanged = small.log
    assert reason in message
    assert unchanged is True
