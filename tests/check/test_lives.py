"""Which scripts are run, and how often: what no script can show is not asked."""

import os

import pytest

from awning.check.files import check_file, check_text
from awning.check.running.behaviour import job_of
from awning.check.running.engine import CALL_SECONDS, Engine, engine, page_script
from awning.check.running.forks import Lives
from awning.check.running.page import Page
from awning.check.running.payloads import FIELDS, SOURCES, USUAL
from awning.check.running.search import Search
from awning.check.running.variation import lives_of_fields
from awning.contract import Dialect
from awning.script.file import ScriptFile

STOCK = """svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item }) => {
  init().setContent(item.stock === null ? "" : item.stock < 5 ? "few" : "many");
});"""
TWICE = "svcPlugins.subscribeEvent('svc-content-after-cart', (event, init, { cartData }) => { init(); %s });"


def file(code, *, head=False):
    return ScriptFile(path="x.js", text=code, dialect=Dialect(), head=head)


@pytest.fixture(scope="module")
def page():
    return Page(page_script(), CALL_SECONDS)


@pytest.fixture
def lives_of(page, monkeypatch):
    """Returns the changes of each life of a script's page."""

    def changes(code, *, head=False):
        seen = []
        run = Lives.run

        def counted(self, lives, kind):
            for life, answer in run(self, lives, kind):
                seen.append(dict(life.changes))
                yield life, answer

        monkeypatch.setattr(Lives, "run", counted)
        lives = Lives(page, job_of(file(code, head=head)), fork=hasattr(os, "fork"))
        Search(lives).verdict_of_all()
        lives.close()
        return seen

    return changes


HARMLESS = [
    "document.title;",
    "window.dataLayer = window.dataLayer || []; dataLayer.push({ page: 'x' });",
    "document.documentElement.classList.add('js');",
    "const settings = { a: [1, 2], b: 'c' }; export default settings;",
    "export const money = (amount) => new Intl.NumberFormat('en').format(amount);",
]
ACTING = [
    "document.body.id",
    "document['bo' + 'dy'].id",
    "const name = 'body'; document[name].id",
    "document['\\x62ody'].id",
    "document.b\\u006fdy.id",
    "const { body } = document",
    "$('.a')",
    "document.all.a",
    "self['ev' + 'al']('1')",
    "document.documentElement.lastElementChild.id",
    "while (document.title) {}",
    "svcPlugins.a",
    "frames.document.querySelector('a').id",
]


@pytest.mark.parametrize("code", HARMLESS)
def test_script_is_not_run_when_it_has_nothing_that_a_rule_is_about(code, monkeypatch):
    monkeypatch.setattr(Engine, "verdict", lambda *_: pytest.fail("it was run"))
    assert check_file(file(code, head=True)).diagnostics == ()


@pytest.mark.parametrize("code", ACTING)
def test_script_of_the_head_is_run_when_it_may_break_a_rule(code, monkeypatch):
    asked = []
    monkeypatch.setattr(Engine, "verdict", lambda _, job: asked.append(job) or {"findings": [], "left": {}})
    check_file(file(code, head=True))
    assert len(asked) == 1


def test_same_script_of_another_file_is_not_run_again(monkeypatch):
    code = TWICE % "if (cartData.total) init();"
    first = check_text("a.js", code, Dialect()).diagnostics
    monkeypatch.setattr(Engine, "_ask", lambda *_: pytest.fail("it was run"))
    second = check_text("b.js", code, Dialect()).diagnostics
    assert [(item.rule, item.place.line) for item in first] == [("init-once", 1)]
    assert [(item.rule, item.place.line) for item in second] == [("init-once", 1)]


def test_head_script_that_finds_all_it_asks_for_has_one_life(lives_of):
    assert lives_of("document.head.appendChild(document.createElement('style'));", head=True) == [{}]


def test_only_fields_that_were_read_are_changed(lives_of):
    changed = {field for life in lives_of(STOCK) for field in life}
    assert changed == {"item.stock"}


def test_field_that_is_read_after_a_change_is_changed_with_it(lives_of):
    code = TWICE % "if (cartData.discount_amount === 7 && cartData.taxes === 3) init();"
    assert {"cartData.discount_amount": 7.0, "cartData.taxes": 3.0} in lives_of(code)
    assert [item.rule for item in check_text("x.js", code, Dialect()).diagnostics] == ["init-once"]


def test_script_of_which_all_was_reached_has_few_lives(lives_of):
    assert len(lives_of(STOCK)) < 10


def test_field_that_no_payload_has_is_text_in_later_lives(lives_of):
    code = TWICE % "init().setContent(cartData.items[0].remark)"
    (further, *_) = [life["further"] for life in lives_of(code) if "further" in life]
    assert [(record, name) for record, name, _ in further] == [("cartData.items.0", "remark")]


KINDS = {"string": str, "number": (int, float), "array": list, "object": dict}


@pytest.mark.parametrize("path", FIELDS)
def test_usual_payload_has_each_field_of_the_contract(path):
    value = USUAL
    for step in path.split("."):
        value = value[int(step) if isinstance(value, list) else step]
    assert isinstance(value, KINDS[FIELDS[path].types[0]])


@pytest.mark.parametrize("path", FIELDS)
def test_script_that_reads_a_field_gets_it_null_when_the_contract_says_so(path):
    values = [value for life in lives_of_fields("", [path]) for _, value in life.changes]
    assert (None in values) == ("null" in FIELDS[path].types)


def test_texts_of_the_shop_carry_marks():
    assert {"item.name", "item.variants[0].options[0].title", "cartData.discount_code"} <= set(SOURCES)
    assert not {"item.id", "item.currency", "currency.symbol", "currency.position", "page.page"} & set(
        SOURCES
    )


WITHOUT_FORK = {
    "init-once": TWICE % "init();",
    "early-dom": "document.body.id = 'a';",
    "raw-html": TWICE % "init = init; svcPlugins.x; document.head.innerHTML = cartData.items[0].name;",
    "script-budget": TWICE % "(async () => { for (;;) await null; })();",
}


@pytest.mark.parametrize("rule", WITHOUT_FORK)
def test_verdict_is_the_same_where_a_process_cannot_fork(rule):
    job = job_of(file(WITHOUT_FORK[rule], head=rule == "early-dom"))
    alone = Engine(fork=False)
    try:
        verdict = alone.verdict(job)
    finally:
        alone.close()
    assert verdict == engine().verdict(job)
    assert verdict["left"] if rule == "script-budget" else verdict["findings"][0]["rule"] == rule
