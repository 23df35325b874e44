"""The checks fail for broken widgets: one widget for each rule, one pytest run over the chosen ones."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from nested_runs import run_pytest

from awning.workspace.scaffolding import add_widget, make_workspace

SCRIPT = """\
import {{ afterPrice }} from "awning";
{imports}
const slot = afterPrice(({{ item }}) => {{ {body} }});
export default {slots};
"""

STATES = """\
[[state]]
name = "any"
title = "Any"
payload = "P1"
"""


@dataclass(frozen=True, kw_only=True)
class Broken:
    """A widget that breaks a rule: the body of its render function, and `said`, a text in the report of the failure."""

    body: str
    rule: str = ""
    said: str = ""
    slots: str = "slot"
    template: str | None = None
    states: str = STATES
    widget_toml: str = ""
    """Added to the end of `widget.toml`."""


BROKEN = {
    "leaks-a-global": Broken(
        body="(globalThis as any).mine = 1; return '<p>text</p>';",
        rule="test_keeps_to_its_place",
        said="leaves globals on the page: mine (widgets/leaks-a-global/widget.ts:3)",
    ),
    "leaks-a-global-beside-an-allowed-one": Broken(
        body="\n// mine is not for others\nObject.assign(globalThis, { wanted: 1, mine: 1 }); return '<p>text</p>';",
        widget_toml='\n[globals]\nwanted = "the page needs it"\n',
        rule="test_shows_its_state",
        said="the widget breaks the rules of the service: global-leaked (svc-content-after-price): mine "
        "(widgets/leaks-a-global-beside-an-allowed-one/widget.ts:5)\n",
    ),
    "throws": Broken(
        body="throw new Error('no luck');",
        rule="test_survives_app_data",
        said="no luck",
    ),
    "too-wide": Broken(
        body='return \'<div class="row"><p class="offer big" style="width:1500px">Only today</p></div>\';',
        rule="test_is_as_wide_as_its_place",
        said='the block is 1172 px wider than its place on a phone: div.row > p.offer.big ("Only today") is '
        "1500 px wide, its place 328 px",
    ),
    "does-not-wrap": Broken(
        body="return `<p style=\"white-space:nowrap\">${'a word '.repeat(60)}</p>`;",
        rule="test_is_as_wide_as_its_place",
        said='on a phone: p ("a word a word',
    ),
    "floats-beyond-the-window": Broken(
        body="return '<p>text</p><div style=\"position:fixed;left:10px;top:0;width:400px\">a note</div>';",
        rule="test_is_as_wide_as_its_place",
        said='the block is 50 px wider than its place on a phone: div ("a note") begins 10 px into its place and is '
        "400 px wide, its place 360 px",
    ),
    "needs-what-the-page-lacks": Broken(
        body="return '<p>text</p>';",
        states=STATES.replace('"P1"', '"P7"'),
        rule="test_shows_its_state",
        said="the page has no place for after-price: a product whose price is on request has no price box",
    ),
    "changes-nothing": Broken(
        body="return '<p>text</p>';",
        states=STATES + "steps = [\n  'select L/Blue',\n  'select 106',\n]\n",
        rule="test_shows_its_state",
        said='widgets/changes-nothing/states.toml:7: the state "any" cannot occur: '
        'the step "select 106": 106 is already selected',
    ),
    "is-not-empty-after-a-choice": Broken(
        body="return '<p>text</p>';",
        states=STATES + 'steps = ["select L/Blue"]\nempty = true\n',
        rule="test_shows_its_state",
        said="the block must be empty after the steps; it shows: 'text'",
    ),
    "leaves-a-frame-after-a-choice": Broken(
        body="return `<p style=\"border: 1px solid\">${item.stock === 1 ? '' : 'text'}</p>`;",
        states=STATES + 'steps = ["select L/Blue"]\nempty = true\n',
        rule="test_shows_its_state",
        said="the block must be empty after the steps; it has no text, but takes space",
    ),
    "sets-an-interval-at-each-call": Broken(
        body="setInterval(() => {}, 60_000); return '<p>text</p>';",
        rule="test_growth",
        said="    at widgets/sets-an-interval-at-each-call/widget.ts:3:41\n",
    ),
    "listens-at-each-call": Broken(
        body="document.addEventListener('note', () => {}); return '<p>text</p>';",
        rule="test_growth",
        said="    at widgets/listens-at-each-call/widget.ts:3:50\n",
    ),
    "observes-at-each-call": Broken(
        body="new ResizeObserver(() => {}).observe(document.body); return '<p>text</p>';",
        rule="test_growth",
        said="    at widgets/observes-at-each-call/widget.ts:3:70\n",
    ),
    "shows-a-picture-that-no-state-answers": Broken(
        body='return \'<p>text</p><img alt="" src="https://points.example.com/a.png?b">\';',
        rule="test_shows_its_state",
        said="https://points.example.com/a.png?b was asked for, and tests ask no other host. Write what it answers "
        'into the state: [state.fetch] "https://points.example.com/a.png" = "answer.png"',
    ),
    "is-refused-by-the-policy": Broken(
        body="const mark = document.createElement('script'); mark.textContent = '0'; document.body.append(mark); "
        "return '<p>text</p>';",
        states=STATES + 'csp = "nonce"\n',
        rule="test_shows_its_state",
        said="violates the following Content Security Policy directive",
    ),
    "draws-what-the-browser-cannot-read": Broken(
        body='return \'<p>text</p><svg aria-hidden="true"><path d="M 0 oops"/></svg>\';',
        rule="test_shows_its_state",
        said='Expected number, "M 0 oops"',
    ),
    "asks-the-shop-for-what-it-lacks": Broken(
        body='return \'<p>text</p><img alt="" src="/assets/none.png">\';',
        rule="test_shows_its_state",
        said="Failed to load resource",
    ),
    "leaves-its-page": Broken(
        body='return \'<p>text</p><a class="away" href="/assets/none">away</a>\';',
        states=STATES + "steps = ['click \".away\"']\n",
        rule="test_shows_its_state",
        said='widgets/leaves-its-page/states.toml:5: the state "any" cannot occur: '
        'the page was left: the step "click ".away"" leads to another page; a state stays on its own',
    ),
    "says-nothing": Broken(
        body="return '<p></p>';",
        rule="test_shows_its_state",
        said="shows no text",
    ),
    "two-blocks": Broken(
        body="return '<p>text</p>';",
        slots="[slot, slot]",
        rule="test_shows_its_state",
        said="the page has 2 blocks of the widget",
    ),
    "names-what-is-not-there": Broken(
        body="return '<p>text</p>';",
        states=STATES + STATES.replace("any", "big") + 'steps = ["select XXL/Red"]\n',
        rule="test_shows_its_state",
        said="widgets/names-what-is-not-there/states.toml:9: "
        'the state "big" cannot occur: the step "select XXL/Red": '
        "P1 has no variant 'XXL/Red'; it has S/Red, S/Blue,",
    ),
    "is-wider-than-a-narrow-shop": Broken(
        body="return '<p style=\"width:310px\">text</p>';",
        states=STATES + 'theme = "narrow"\n',
        rule="test_is_as_wide_as_its_place_on_a_phone",
        said='p ("text") is 310 px wide, its place 300 px',
    ),
    "gives-another-type": Broken(
        body="const left = [1].length; return view({ low: left as any });",
        template="{#def low: boolean #}{% if low %}<p>text</p>{% endif %}",
        rule="test_keeps_its_declarations",
        said='widgets/gives-another-type/view.html.j2:1 declares "low" as boolean, and the script gives number',
    ),
}


OF_A_STATE = "shows_its_state or keeps_to or is_as_wide or keeps_its"
WITH_DECLARATIONS = "gives-another-type"
"""A widget that is in every run, because tests outside of the table look at it, too."""

SOUND = {
    "leaves-an-allowed-global": Broken(
        body="(globalThis as any).dataLayer = []; return '<p>text</p>';",
        widget_toml='\n[globals]\ndataLayer = "the analytics of the shop read it"\n',
    ),
    "scrolls-inside": Broken(
        body='return \'<div style="overflow-x:auto"><p style="width:900px">text</p></div>\';'
    ),
    "is-empty-after-a-choice": Broken(
        body="return item.stock === 1 ? '' : '<p>text</p>';",
        states=STATES + 'steps = ["select L/Blue"]\nempty = true\n',
    ),
    "shows-yen": Broken(
        body="return `<p>${item.price} ${item.currency}</p>`;",
        states=STATES + 'currency = "JPY"\nshows = { en = ["3184 JPY"] }\n',
    ),
    "shows-another-text-after-a-wait": Broken(
        body="const minutes = () => `${(Date.parse('2026-03-02T12:00:00Z') - Date.now()) / 60_000} minutes`; "
        "setInterval(() => document.querySelector('.left')?.replaceChildren(minutes()), 60_000); "
        'return `<p class="left">${minutes()}</p>`;',
        states=STATES + 'now = "2026-03-02T11:30:00"\nsteps = ["wait 9 minutes"]\n'
        'shows = { en = ["21 minutes"] }\nhides = { en = ["30 minutes"] }\n',
    ),
    "is-in-a-crowd": Broken(
        body="return `<p>text ${item.stock}</p>`;",
        states=STATES + 'steps = ["select L/Blue"]\nshows = { en = ["text 1"] }\ntheme = "crowded"\n',
    ),
    "is-in-a-crowd-with-trusted-types": Broken(
        body="return item.stock ? `<p>text ${item.stock}</p>` : '';",
        states=STATES
        + 'theme = "crowded"\ncsp = "trusted-types"\n'
        + STATES.replace("any", "empty").replace("P1", "P8")
        + 'empty = true\ntheme = "crowded"\n',
    ),
}
"""Widgets that look broken and are not."""


CORRECT = ("stock-note", "in-a-shadow", *SOUND)
TESTED = " or ".join(
    (
        *(f"({name} and {broken.rule})" for name, broken in BROKEN.items() if name != "throws"),
        *(f"({name} and ({OF_A_STATE}))" for name in (*CORRECT, "stateless", WITH_DECLARATIONS)),
        *(f"({name} and survives_app_data and markup)" for name in ("stock-note", "in-a-shadow", "throws")),
    )
)
"""Selects the tests whose outcome is asserted. Those with app data run in one combination: they open many pages."""


@pytest.fixture(scope="module")
def report(processes, tmp_path_factory) -> str:
    """pytest's output for a workspace with broken widgets and sound ones."""
    root = tmp_path_factory.mktemp("rules") / "app"
    make_workspace(root, slot="after-price")
    in_english_alone(root)
    for name, broken in BROKEN.items():
        add_widget(root, name, slot="after-price", languages=("en",))
        break_widget(root / "widgets" / name, broken)
    add_widget(root, "stateless", slot="after-price", languages=("en",))
    (root / "widgets" / "stateless" / "states.toml").unlink()
    for name, sound in SOUND.items():
        add_widget(root, name, slot="after-price", languages=("en",))
        break_widget(root / "widgets" / name, sound)
    add_widget(root, "in-a-shadow", slot="after-price", languages=("en",))
    with (root / "widgets" / "in-a-shadow" / "widget.toml").open("a") as file:
        file.write('isolation = "shadow"\n')
    return run_pytest(root, "-v", "-rA", "-k", TESTED)[1]


def in_english_alone(root: Path) -> None:
    project = root / "pyproject.toml"
    project.write_text(re.sub(r"languages = .*", 'languages = ["en"]', project.read_text()))
    (root / "widgets" / "stock-note" / "messages" / "lv.toml").unlink()
    states = root / "widgets" / "stock-note" / "states.toml"
    states.write_text(re.sub(r",? *lv = \[[^]]*\]", "", states.read_text()))


def break_widget(folder: Path, broken: Broken) -> None:
    shutil.rmtree(folder / "messages")
    for file in (*folder.glob("*.j2"), *folder.glob("test_*"), folder / "data.schema.json"):
        file.unlink(missing_ok=True)
    imports = 'import view from "./view.html.j2";' if broken.template else ""
    if broken.template:
        (folder / "view.html.j2").write_text(broken.template)
    script = SCRIPT.format(imports=imports, body=broken.body, slots=broken.slots)
    (folder / "widget.ts").write_text(script)
    (folder / "states.toml").write_text(broken.states)
    with (folder / "widget.toml").open("a") as file:
        file.write(broken.widget_toml)


@pytest.mark.parametrize("name", BROKEN)
def test_broken_widget_fails_the_test_of_its_rule(report, name):
    broken = BROKEN[name]
    failures = re.findall(rf"^FAILED widgets/{name}/widget\.toml::(\w+)", report, re.MULTILINE)
    assert any(failure.startswith(broken.rule) for failure in failures), report[-4000:]
    assert broken.said in report


def test_a_widget_without_states_is_tested_in_a_default_one(report):
    assert re.search(
        r"^PASSED widgets/stateless/widget\.toml::test_shows_its_state\[plain-after-price",
        report,
        re.MULTILINE,
    )
    assert "SKIPPED" not in report


@pytest.mark.parametrize("name", CORRECT)
def test_a_correct_widget_passes(report, name):
    passed = re.findall(rf"^PASSED widgets/{name}/", report, re.MULTILINE)
    assert passed, report[-4000:]
    assert not re.findall(rf"^(FAILED|ERROR) widgets/{name}/", report, re.MULTILINE)


def test_only_the_declarations_test_runs_a_dev_build(report):
    """In a production build, a widget with a broken declaration shows its text, so the other tests pass."""
    failed = re.findall(rf"^FAILED widgets/{WITH_DECLARATIONS}/widget\.toml::(\w+)", report, re.MULTILINE)
    assert failed == ["test_keeps_its_declarations"]


def test_declarations_test_runs_only_for_widgets_with_declarations(report):
    looked = set(re.findall(r"widgets/([\w-]+)/widget\.toml::test_keeps_its_declarations", report))
    assert looked == {"stock-note", "stateless", "in-a-shadow", WITH_DECLARATIONS}
