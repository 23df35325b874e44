"""The visit of a failed test, played again: its data, what the failure says of it, and its part of the report.

One run over a workspace with a widget whose third press fails, and with tests of an author.
"""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from nested_runs import section_of, with_short_limits
from warm_python import run_warm

from awning.pipeline.phases import build_workspace
from awning.workspace.reader import read_workspace
from awning.workspace.scaffolding import make_workspace

PASSWORD = "hunter2-of-the-reseller"
SCRIPT = """\
import { afterPrice, live } from "awning";

let count = 0;

export default afterPrice(
  live(() => `<p class="n">0 pressed</p><button class="more" type="button">More</button>
    <button class="loop" type="button">Loop</button><button class="ask" type="button">Ask</button>`, {
    on: {
      "click .more": (_event, button) => {
        count += 1;
        console.info("pressed", count, "<script>document.title = 1</script>", "PASSWORD");
        if (count === 3) throw new Error("no third <img src=x onerror='document.title = 1'> press");
        (button.parentElement!.querySelector(".n") as Element).textContent = `${count} pressed <b>now</b>`;
      },
      "click .ask": () => {
        const host = "https://points.example.com";
        const paths = ["/near.json?shop=12&postcode=LV-1010", "/broken.json", "/gone.json", "/unknown/PASSWORD"];
        for (const path of paths) void fetch(host + path).catch(() => undefined);
      },
      "click .loop": () => {
        for (;;) count += 1;
      },
    },
  }),
);
"""
CHECKED = {
    "answer-order": """\
declare const svcPlugins: any;

const base = "svc-content-after-price";
let handler: any;
const show = (price: number): void => {
  void fetch("https://points.example.com/near.json")
    .then((answer) => answer.json())
    .then(() => handler.setContent(`<p>${Number(price)}</p>`));
};
svcPlugins.subscribeEvent(base, (_: any, init: any, param: any) => {
  handler = init();
  show(param.item.price);
});
svcPlugins.subscribeEvent(`${base}-updated`, (_: any, _init: any, param: any, updated: any) => {
  show((updated.selectedVariant ?? param.item).price);
});
""",
    "answer-order/steps": """\
import { afterPrice, live } from "awning";

const BUTTONS = '<button type="button" class="near">1</button> <button type="button" class="far">2</button>';
const ask = (name: string) => async (_: Event, button: Element): Promise<void> => {
  await fetch(`https://points.example.com/${name}.json`);
  button.parentElement!.lastElementChild!.textContent = name;
};

export default afterPrice(
  live(() => `${BUTTONS} <output></output>`, { on: { "click .near": ask("near"), "click .far": ask("far") } }),
);
""",
    "blocked-storage": """\
import { afterPrice } from "awning";

export default afterPrice(({ item }) => `<p>${localStorage.length + document.cookie.length + Number(item.price)}</p>`);
""",
    "early-updates": """\
declare const svcPlugins: any;

let handler: any;
svcPlugins.subscribeEvent("svc-content-after-price", (_: any, init: any) => {
  handler = init();
  handler.setContent("<p>text</p>");
});
svcPlugins.subscribeEvent("svc-content-after-price-updated", () => handler.setContent("<p>text</p>"));
""",
    "missing-events": """\
import { afterPrice } from "awning";

export default afterPrice(({ variant }) => (variant ? "<p>text</p>" : ""));
""",
    "restored-page": """\
import { afterPrice } from "awning";

addEventListener("pagehide", () => document.querySelector(".note")?.remove());
export default afterPrice(() => '<p class="note">text</p>');
""",
}
"""The scripts of widgets that break a check with a situation of its own: answers, storage, or the page's events."""
CHOOSING = ('click ".near"', 'click ".far"')
ASKING_STATE = """\
[[state]]
name = "any"
title = "Any"
payload = "P1"
steps = {steps}

[state.fetch]
"https://points.example.com/near.json" = {{}}
"https://points.example.com/far.json" = {{}}
"""
STATES = """\
[[state]]
name = "pressed"
title = "Pressed three times"
payload = "P1"
steps = ['click ".more"', 'click ".more"', 'click ".more"', 'select L/Blue']

[[state]]
name = "impossible"
title = "A step that is not possible"
payload = "P1"
steps = ['click ".more"', 'check ".more"', 'select L/Blue']
"""
OWN_TESTS = '''\
import pytest


def test_in_a_frame(widget):
    visit = widget.show("P1", language="en", width=500)
    visit.step('click ".more"')
    visit.update({"item": {"id": 1}})
    visit.select("L/Blue")
    assert visit.text() == "another"


def test_on_a_page(storefront):
    visit = storefront.product("P1", language="en")
    visit.step('click ".more"')
    visit.evaluate("() => document.querySelector('.more').click()")
    assert visit.text() == "another"


def test_by_playwright(storefront):
    visit = storefront.product("P1", language="en")
    visit.block.evaluate("(block) => { block.textContent = 'changed' }")
    assert visit.text() == "another"


def test_with_an_event_of_its_own(storefront):
    visit = storefront.product("P1", language="en")
    visit.tab.evaluate("() => awningEmulator.fire('svc-content-after-price-updated', {})")
    visit.block.evaluate("(block) => block.remove()")
    assert visit.text() == "another"


def test_that_asks_another_host(storefront):
    storefront.answer("https://points.example.com/near.json", {"points": []})
    storefront.answer("https://points.example.com/broken.json", 503)
    storefront.answer("https://points.example.com/gone.json", 0)
    visit = storefront.product("P1", language="en")
    visit.step('click ".ask"')
    assert visit.text() == "another"


def test_in_the_dark(storefront):
    storefront.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    visit = storefront.product("P1", language="en")
    visit.evaluate(
        "() => console.info(['prefers-color-scheme: dark', 'prefers-reduced-motion: reduce', 'forced-colors: active']"
        ".map((query) => matchMedia(`(${query})`).matches).join())"
    )
    assert visit.text() == "another"


def test_of_a_page_that_hangs(storefront):
    visit = storefront.product("P1", language="en")
    visit.step('click ".more"')
    visit.step('click ".loop"')


def test_that_asserts_nothing_of_the_page(storefront):
    storefront.product("P1", language="en")
    assert 3 == 4


def open_product(request, kind):
    opened = request.getfixturevalue(kind)
    return opened, opened.show("P1") if kind == "widget" else opened.product("P1", language="en")


@pytest.mark.parametrize("kind", ["widget", "storefront"])
def test_with_another_answer(request, kind):
    request.getfixturevalue(kind).answer("https://points.example.com/near.json", {"n": 1})
    opened, visit = open_product(request, kind)
    visit.step('click ".ask"')
    opened.answer("https://points.example.com/near.json", {"n": 2})
    visit.step('click ".ask"')
    assert visit.text() == "another"


@pytest.mark.parametrize("kind", ["widget", "storefront"])
def test_of_a_second_page(request, kind):
    _, visit = open_product(request, kind)
    visit.evaluate("() => { localStorage.seen = 1 }")
    _, visit = open_product(request, kind)
    visit.evaluate("() => { document.querySelector('.n').textContent = `${localStorage.seen} seen` }")
    assert visit.text() == "another"


FIELDS = """<label>Number <input id=number value=1></label><label><input type=checkbox id=agree> Agree</label>
  <select id=size aria-label=Size><option>S</option><option>M</option></select>
  <input type=password id=secret><div id=host></div>"""
SHADOW = "<input id=inner aria-label=Inner>"


def test_of_an_impossible_step(widget):
    visit = widget.show("P1", language="en")
    visit.step('click ".more"')
    visit.step('check ".more"')


def test_with_fields(storefront):
    visit = storefront.product("P1", language="en")
    visit.evaluate(
        f"() => {{ document.querySelector('.n').insertAdjacentHTML('afterend', `{FIELDS}`);"
        f"document.querySelector('#host').attachShadow({{ mode: 'open' }}).innerHTML = `{SHADOW}` }}"
    )
    visit.step('type "#number" "5"')
    visit.step('check "#agree"')
    visit.step('choose "#size" "M"')
    visit.step('type "#secret" "typed secret"')
    visit.step('type "#inner" "in"')
    assert visit.text() == "another"


def test_that_passes(storefront):
    storefront.product("P1", language="en").step('click ".more"')
'''
AGAIN_AT_ONCE = """

@pytest.fixture(autouse=True)
def again_at_once(request, monkeypatch):
    if re.search("by_playwright|event_of_its_own|second_page", request.node.nodeid):
        monkeypatch.setattr("awning_harness.replay.player.AGAIN_MS", 300)
"""
"""A shorter wait for the problems of the tests whose replays have none."""
OPENING = "the page opens"
SAME = "replay   played again, the page shows the same as in the test {}"
ASK = 'click ".ask"'
NEAR = "https://points.example.com/near.json"
MORE = 'click ".more"'


@dataclass(frozen=True, kw_only=True)
class FailedRun:
    """The workspace after the run, and the output."""

    root: Path
    output: str

    def replay(self, name: str) -> dict[str, Any]:
        (file,) = self.root.glob(f"test-results/*{name}*/replay.json")
        return json.loads(file.read_text("utf-8"))

    @property
    def report(self) -> Path:
        return self.root / "test-results/report.html"


@pytest.fixture(scope="module")
def failed(processes, tmp_path_factory) -> FailedRun:
    root = tmp_path_factory.mktemp("replay") / "app"
    make_workspace(root, slot="after-price", languages=("en",))
    folder = root / "widgets/stock-note"
    for test in folder.glob("test_*.py"):
        test.unlink()
    (folder / "widget.ts").write_text(SCRIPT.replace("PASSWORD", PASSWORD))
    (folder / "states.toml").write_text(STATES)
    for key, script in CHECKED.items():
        name = key.replace("/", "-")
        checked = root / "widgets" / name
        checked.mkdir()
        (checked / "widget.toml").write_text(f'title = "{name}"\nslot = "after-price"\n')
        (checked / "widget.ts").write_text(script)
        (checked / "states.toml").write_text(
            ASKING_STATE.format(steps=[*CHOOSING] if "/steps" in key else [])
        )
    (root / "conftest.py").write_text(with_short_limits("hangs") + AGAIN_AT_ONCE)
    (folder / "test_own.py").write_text(OWN_TESTS)
    built = root / "build-of-the-run"
    build_workspace(read_workspace(root), out=built, environ=os.environ, for_tests=True)
    options = [
        "--screenshot=only-on-failure",
        "--awning-report",
        f"--awning-built={built}",
        "-p",
        "no:cacheprovider",
    ]
    own = "test_own or (stock and shows_its_state) or (looks_as_before and pressed)"
    checks = [f"({key.replace('/', '-')} and {key.partition('/')[0].replace('-', '_')})" for key in CHECKED]
    chosen = ["-k", " or ".join([own, *checks])]
    environ = {**os.environ, "AWNING_RESELLER_PASSWORD": PASSWORD}
    done = run_warm(["-m", "pytest", *options, *chosen, "widgets"], root, environ)
    return FailedRun(root=root, output=done.stdout + done.stderr)


def test_replay_shows_the_failing_step_with_the_block_before_and_after_it_and_its_error(failed):
    replay = failed.replay("shows-its-state-pressed")
    steps = replay["steps"]
    assert [step["words"] for step in steps] == [OPENING, MORE, MORE, MORE, "select L/Blue"]
    assert (replay["failing"], replay["is_same"], replay["address"]) == (3, True, "en/product/1")
    assert [step["text"].split("\n")[0] for step in steps] == [
        "0 pressed",
        "1 pressed <b>now</b>",
        *3 * ["2 pressed <b>now</b>"],
    ]
    assert "2 pressed &lt;b&gt;now&lt;/b&gt;" in steps[3]["html"]
    (problem,) = steps[3]["problems"]
    assert problem.startswith("Error: no third <img src=x")
    assert "widgets/stock-note/widget.ts:12:32" in problem
    assert steps[3]["console"] == ["info: pressed 3 <script>document.title = 1</script> ***"]
    assert [len(step["problems"]) for step in steps] == [0, 0, 0, 1, 0]


def test_replay_has_the_events_since_the_step_before(failed):
    opening, *_, chosen = failed.replay("shows-its-state-pressed")["steps"]
    assert ("init", "after-price") in [(row["kind"], row["event"]) for row in opening["events"]]
    rows = [(row["kind"], row["event"]) for row in chosen["events"]]
    assert rows == 2 * [("deliver", "after-price-updated")]
    assert chosen["events"][-1]["detail"].endswith("L/Blue")


def test_buttons_and_headings_of_the_steps_say_what_happened_at_them(failed):
    report = BeautifulSoup(failed.report.read_text("utf-8"), "html.parser")
    strip = next(part for part in report.select(".failure") if "no third" in part.pre.text).select_one(
        ".replay"
    )
    buttons = strip.select("[data-step]")
    assert [button.select_one(".signs") and button.select_one(".signs").text for button in buttons] == [
        "●",
        None,
        None,
        "▲",
        "●■",
    ]
    assert buttons[3]["aria-label"] == '3: click ".more", error, it fails here'
    assert buttons[4]["aria-label"] == (
        "4: select L/Blue, delivered: after-price-updated, judged by the test"
    )
    headings = [
        [mark.get_text(" ", strip=True) for mark in step.select(".marked")]
        for step in strip.select(".replay-step")
    ]
    assert headings[3:] == [["▲ error"], ["● delivered: after-price-updated", "■ judged by the test"]]
    assert strip.select_one(".legend").get_text(" ", strip=True) == (
        "● event delivered ▲ error or broken rule ■ judged by the test"
    )


def test_replay_has_a_small_picture_of_each_step_that_looks_different(failed):
    replay = failed.replay("shows-its-state-pressed")
    (folder,) = failed.root.glob("test-results/*shows-its-state-pressed*")
    pictures = [step["picture"] for step in replay["steps"]]
    assert len(set(pictures[:3])) == 3
    for name in pictures:
        content = (folder / name).read_bytes()
        assert content.startswith(b"\x89PNG")
        assert len(content) < 30_000


def test_failure_names_its_replay_in_one_line_and_opens_the_state_after_the_failing_step(failed):
    assert 'replay   step 3 of 4 has the problem: click ".more" (replay.json, report.html)\n' in failed.output
    address = "http://127.0.0.1:8420/_awning/state/stock-note/pressed/en"
    assert f"again    awning dev, then {address}?steps=3\n" in failed.output
    steps = failed.replay("shows-its-state-pressed")["steps"]
    assert [step["dev"] for step in steps] == [*(f"{address}?steps={count}" for count in range(4)), address]


def test_failure_for_the_same_reason_is_not_played_again(failed):
    assert not list(failed.root.glob("test-results/*looks-as-before-pressed*/replay.json"))
    report = BeautifulSoup(failed.report.read_text("utf-8"), "html.parser")
    group = next(part for part in report.select(".failure") if "no third" in part.pre.text)
    assert len(group.select(".replay")) == 1


def test_replay_ends_at_a_step_that_is_not_possible(failed):
    replay = failed.replay("shows-its-state-impossible")
    assert [step["failure"] for step in replay["steps"]] == [
        None,
        None,
        "<button> is no checkbox or radio button",
    ]
    assert (replay["failing"], replay["is_same"]) == (2, True)


def test_replay_of_a_frame_ends_at_the_step_of_its_test_that_is_not_possible(failed):
    replay = failed.replay("test-of-an-impossible-step")
    assert [step["words"] for step in replay["steps"]] == [OPENING, MORE, 'check ".more"']
    assert (replay["failing"], replay["is_same"]) == (2, True)


@pytest.mark.parametrize(
    ("widget", "words", "text", "problem"),
    [
        ("answer-order", ['update selectedVariantId "101" → "104", selected'], "18.9", None),
        ("answer-order-steps", [", and at once ".join(CHOOSING)], "1 2 near", None),
        ("blocked-storage", [], "", "SecurityError: Access is denied"),
        ("early-updates", [], "", "unhandled-error (svc-content-after-price-updated)"),
        ("missing-events", [], "", None),
        ("restored-page", 2 * ["the shopper leaves the page and returns"], "", None),
    ],
)
def test_replay_has_the_situation_of_its_check(failed, widget, words, text, problem):
    replay = failed.replay(f"widgets-{widget}-widget")
    opening, *steps = replay["steps"]
    assert [step["words"][: len(word)] for step, word in zip(steps, words, strict=True)] == words
    assert (replay["is_same"], replay["notes"]) == (True, [])
    assert replay["steps"][replay["failing"]]["text"] == text
    assert problem is None or problem in opening["problems"][0]


def test_replay_of_a_frame_takes_its_actions_on_a_page_of_its_width(failed):
    replay = failed.replay("test-in-a-frame")
    opening, more, update, chosen = (step["words"] for step in replay["steps"])
    assert (opening, more, chosen) == (OPENING, MORE, "select L/Blue")
    assert re.fullmatch(
        r'update selectedVariantId "?\d+"? → none, selectedVariant \{…\} → none, .+ and \d+ more', update
    )
    assert (replay["failing"], replay["is_same"]) == (3, True)
    assert replay["steps"][3]["text"].startswith("1 pressed")
    assert SAME.format("after step 3 of 3: select L/Blue") in failed.output


def test_replay_of_a_test_with_an_assertion_of_its_own_says_only_what_the_page_shows(failed):
    assert SAME.format("when it opens (") in section_of("that_asserts_nothing_of_the_page", failed.output)


@pytest.mark.parametrize("kind", ["widget", "storefront"])
def test_replay_has_the_answers_of_other_hosts_in_the_order_of_the_test(failed, kind):
    steps = failed.replay(f"another-answer-{kind}")["steps"]
    assert [step["words"] for step in steps] == [OPENING, ASK, f'answer {NEAR} with {{"n": 2}}', ASK]
    answers = [[sent["answer"] for sent in step["requests"][:1]] for step in steps]
    assert answers == [[], ['200 with {"n": 1}'], [], ['200 with {"n": 2}']]


@pytest.mark.parametrize("kind", ["widget", "storefront"])
def test_replay_that_lacks_earlier_pages_and_does_not_fail_says_that_it_lacks_them(failed, kind):
    replay = failed.replay(f"second-page-{kind}")
    lacks = "without the pages that the test opened before, and what they stored"
    assert (replay["failing"], replay["is_same"], replay["notes"]) == (None, None, [lacks])
    assert f"replay   played again, and whether it fails cannot be said: {lacks}" in failed.output


def test_replay_names_the_objects_of_playwright_only_if_the_test_took_one(failed):
    own = "what the test did with Playwright's own objects is not done again"
    assert failed.replay("test-on-a-page")["notes"] == failed.replay("test-in-a-frame")["notes"] == []
    assert failed.replay("test-by-playwright")["notes"] == [own]


def test_replay_has_the_values_of_fields_in_the_text_and_the_html(failed):
    before, *_, after = failed.replay("test-with-fields")["steps"][1:]
    assert before["text"].split("\n")[-4:] == [
        "[Number: 1]",
        "[Agree: not checked]",
        "[Size: S]",
        "[Inner: ]",
    ]
    assert after["text"].split("\n")[-4:] == ["[Number: 5]", "[Agree: checked]", "[Size: M]", "[Inner: in]"]
    block = BeautifulSoup(after["html"], "html.parser")
    assert block.select_one("#number")["value"] == "5"
    assert block.select_one("#agree").has_attr("checked")
    assert [option.text for option in block.select("option[selected]")] == ["M"]
    assert '<input id="inner" aria-label="Inner" value="in">' in after["html"]
    assert not block.select_one("#secret").has_attr("value")


def test_replay_of_a_page_takes_its_steps_and_its_scripts(failed):
    replay = failed.replay("test-on-a-page")
    script = "evaluate () => document.querySelector('.more').click()"
    assert [step["words"] for step in replay["steps"]] == [OPENING, MORE, script]
    assert [step["dev"] for step in replay["steps"]] == ["http://127.0.0.1:8420/1/en/product/1", None, None]
    assert replay["steps"][2]["text"].startswith("2 pressed")


def test_replay_has_the_requests_at_the_step_where_they_went_out_and_what_answered(failed):
    opening, asking = failed.replay("test-that-asks-another-host")["steps"]
    assert opening["requests"] == []
    assert [
        (sent["method"], sent["address"].removeprefix("https://points.example.com"), sent["answer"])
        for sent in asking["requests"]
    ] == [
        ("GET", "/near.json?shop=12&postcode=…", '200 with {"points": []}'),
        ("GET", "/broken.json", "503"),
        ("GET", "/gone.json", "failed: net::ERR_NAME_NOT_RESOLVED"),
        ("GET", "/unknown/***", "failed: no answer is described"),
    ]
    assert [sent["is_good"] for sent in asking["requests"]] == [True, False, False, False]
    report = BeautifulSoup(failed.report.read_text("utf-8"), "html.parser")
    strip = next(part for part in report.select(".replay") if "/broken.json" in part.text)
    assert [bad.text for bad in strip.select(".requests .failed")][:1] == ["503"]
    assert "3 requests without a good answer" in strip.select("[data-step]")[1]["aria-label"]


def test_replay_has_the_preferences_of_the_shopper(failed):
    assert failed.replay("test-in-the-dark")["steps"][1]["console"] == ["info: true,true,false"]


def test_replay_that_does_not_fail_says_so(failed):
    replay = failed.replay("test-by-playwright")
    assert (replay["failing"], replay["is_same"]) == (None, False)
    sentence = "played again, the page did not have the problem, a sign of something that depends on time"
    assert sentence in section_of("by_playwright", failed.output)
    report = BeautifulSoup(failed.report.read_text("utf-8"), "html.parser")
    assert any(sentence[1:] in line.text for line in report.select(".verdict-line"))


def test_replay_without_an_update_of_the_test_says_that_it_is_not_played_again(failed):
    replay = failed.replay("test-with-an-event-of-its-own")
    assert (replay["failing"], replay["is_same"]) == (None, None)
    section = section_of("with_an_event_of_its_own", failed.output)
    assert (
        "replay   played again, and whether it fails cannot be said: what the test did with Playwright's"
        in section
    )


def test_replay_that_hangs_ends_and_says_so(failed):
    replay = failed.replay("test-of-a-page-that-hangs")
    assert replay["steps"][-1]["failure"].startswith("the page does not respond: a script on it never ends")
    assert (replay["failing"], replay["is_same"]) == (2, True)
    assert replay["steps"][1]["text"].startswith("1 pressed")


def test_passing_test_has_no_replay(failed):
    assert not list(failed.root.glob("test-results/*that-passes*"))


def test_no_secret_of_the_environment_is_in_what_a_failure_leaves(failed):
    names = ("replay.json", "events.txt", "page.html")
    files = [file for name in names for file in failed.root.glob(f"test-results/*/{name}")]
    files.append(failed.report)
    assert len(files) > 15
    assert [file for file in files if PASSWORD in file.read_text("utf-8")] == []


def test_hostile_texts_stay_texts_in_the_report(failed):
    report = BeautifulSoup(failed.report.read_text("utf-8"), "html.parser")
    strips = report.select(".replay")
    assert strips
    assert [element for strip in strips for element in strip.select("b, script, [onerror], img[src=x]")] == []
    assert any("<script>document.title = 1</script>" in strip.text for strip in strips)


def test_report_steps_through_a_replay_with_buttons_and_arrow_keys_on_a_phone(failed, browser):
    page = browser.new_page(viewport={"width": 390, "height": 900})
    page.goto(failed.report.as_uri())
    strip = page.locator(".failure", has_text="no third").locator(".replay").first
    step = strip.locator(".replay-step:visible")
    assert step.count() == 1
    assert [
        part in step.inner_text() for part in ("Step 3 of 4", "It fails here", "no third <img src=x")
    ] == 3 * [True]
    strip.get_by_role("button", name="The step before").click()
    assert "Step 2 of 4" in step.inner_text()
    assert "1 pressed <b>now</b>" in step.inner_text()
    strip.get_by_role("button", name="Open: The page opens").click()
    assert strip.get_by_role("button", name="The step before").is_disabled()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    assert "Step 4 of 4" in step.inner_text()
    assert strip.locator("[aria-current]").inner_text().startswith("4")
    widths = page.evaluate("[document.documentElement.scrollWidth, document.title]")
    events = step.locator(".events").evaluate("(element) => [element.scrollWidth, element.clientWidth]")
    step.get_by_role("img").click()
    page.keyboard.press("ArrowLeft")
    assert "Step 3 of 4" in step.inner_text()
    page.close()
    assert widths[0] == 390
    assert widths[1] != "1"
    assert events[0] == events[1]


def test_report_shows_all_steps_without_javascript(failed, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(failed.report.as_uri())
    strip = page.locator(".failure", has_text="no third").locator(".replay").first
    assert strip.locator(".replay-step:visible").count() == 5
    context.close()
