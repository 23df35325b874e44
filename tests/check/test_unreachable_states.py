"""States that no page can reach, each for one reason, and the examples of the rule's page."""

from pathlib import Path

import pytest

from awning.check.states import unreachable_states
from awning.contract import SLOTS
from awning.data_schema import read_schema
from awning.diagnostics import Severity
from awning.rules import find_rule
from awning.workspace.document import Findings
from awning.workspace.model import Widget
from awning.workspace.steps import PAGE_STEPS, steps_of
from awning.workspace.store.store import CHOICES
from awning.workspace.store.store_files import shipped_store
from awning.workspace.widgets import read_states

ROOT = Path(__file__).parents[2]

ANY_DATA, _ = read_schema({})


@pytest.fixture
def unreachable(tmp_path):
    def find(text, slots=tuple(SLOTS)):
        (tmp_path / "states.toml").write_text(text, encoding="utf-8")
        problems = Findings()
        states = read_states(tmp_path / "states.toml", "states.toml", slots, ANY_DATA, problems)
        assert not problems.diagnostics
        widget = Widget(
            name="w", folder=tmp_path, title="W", slots=slots, languages=("en", "lv"), script=tmp_path / "w.ts",
            templates=(), states=states,
        )  # fmt: skip
        return list(unreachable_states(widget, "states.toml", text, shipped_store()))

    return find


def state(name, **keys):
    lines = [f"{key} = {value}" for key, value in keys.items()]
    return "\n".join(["[[state]]", f'name = "{name}"', 'title = "T"', *lines, ""])


CASES = {
    "steps in a slot without updates": (
        {"slot": '"after-cart"', "payload": '"C1"', "steps": '["select S"]'},
        "no action of a shopper",
    ),
    "steps after a payload of its own": (
        {"payload": "{ item = {} }", "steps": '["select S"]'},
        "only waits and steps in its block",
    ),
    "a step of another page": (
        {"payload": '"P1"', "steps": '["select S/Red", "discount SAVE10"]'},
        '"discount SAVE10"',
    ),
    "a product that is not sold": ({"payload": '"P99"'}, 'no product "P99"'),
    "a cart of what is not sold": ({"slot": '"after-cart"', "payload": '"P1x2,P99x1"'}, "no cart"),
    "a cart of what has no price": ({"slot": '"after-cart"', "payload": '"P7x1"'}, "no cart"),
    "a cart of another variant": ({"slot": '"after-cart"', "payload": '"1.801x1"'}, "no cart"),
    "another product's variant": ({"payload": '"P1"', "steps": '["select 100 g"]'}, 'no variant "100 g"'),
    "a variant of what has none": ({"payload": '"P2"', "steps": '["select 101"]'}, 'no variant "101"'),
    "an unknown code": (
        {"slot": '"after-checkout"', "payload": '"C1"', "steps": '["discount SAVE99"]'},
        'no code "SAVE99"',
    ),
    "an unknown delivery": (
        {"slot": '"after-checkout"', "payload": '"C1"', "steps": '["shipping drone"]'},
        'no delivery "drone"',
    ),
    "a field of another slot": ({"payload": "{ cartData = {} }"}, '"cartData"'),
    "a language that there is not": ({"payload": '"P1"', "shows": '{ de = ["x"] }'}, '"de"'),
    "empty, and with texts": (
        {"payload": '"P1"', "empty": "true", "shows": '{ en = ["x"] }'},
        "must be empty",
    ),
    "shown and hidden": (
        {"payload": '"P1"', "shows": '{ en = ["Only 3 left"] }', "hides": '{ en = ["left"] }'},
        '"left" must',
    ),
}


@pytest.mark.parametrize(("keys", "message"), CASES.values(), ids=CASES)
def test_an_unreachable_state_is_an_error(unreachable, keys, message):
    [diagnostic] = unreachable(state("first", payload='"P3"') + state("odd", **keys))
    assert (diagnostic.rule, diagnostic.severity) == ("unreachable-state", Severity.ERROR)
    lines = (state("first", payload='"P3"') + state("odd", **keys)).splitlines()
    assert lines[diagnostic.place.line - 1] == diagnostic.excerpt
    assert diagnostic.excerpt.split(" = ")[0] in keys
    assert '"odd"' in diagnostic.message
    assert message in diagnostic.message
    assert diagnostic.hint


GOOD = {
    "steps of its page": {"payload": '"P1"', "steps": '["select S/Red"]'},
    "at the checkout": {
        "slot": '"after-checkout"',
        "payload": '"C1"',
        "steps": '["discount SAVE10", "shipping pickup"]',
    },
    "steps in the block of a slot without updates": {
        "slot": '"after-cart"',
        "payload": '"C1"',
        "steps": "['open \"details\"']",
    },
    "steps in the block after a payload of its own": {
        "payload": "{ item = {} }",
        "steps": '[\'type "#note" "Hi"\']',
    },
    "a wait after a payload of its own": {
        "payload": "{ item = {} }",
        "now": '"2026-03-02T10:30:00"',
        "steps": '["wait 10 minutes"]',
    },
    "a wait in a slot without updates": {
        "slot": '"after-cart"',
        "payload": '"C1"',
        "now": '"2026-03-02T10:30:00"',
        "steps": '["wait 10 minutes"]',
    },
    "a payload of its own": {"payload": '{ item = { name = "x" }, page = {}, more = 1 }'},
    "the same text in another language": {
        "payload": '"P1"',
        "shows": '{ en = ["left"] }',
        "hides": '{ lv = ["left"] }',
    },
    "empty, and hiding": {"payload": '"P1"', "empty": "true", "hides": '{ en = ["x"] }'},
}


@pytest.mark.parametrize("keys", GOOD.values(), ids=GOOD)
def test_a_reachable_state_is_not_reported(unreachable, keys):
    assert unreachable(state("good", **keys)) == []


def test_duplicate_state_is_a_warning(unreachable):
    twice = state("one", payload='"P1"', data="{ a = 1, b = [2] }") + state(
        "two", payload='"P1"', data="{ b = [2], a = 1 }"
    )
    [diagnostic] = unreachable(twice)
    assert (diagnostic.severity, diagnostic.place.line) == (Severity.WARNING, 7)
    assert 'same situation as "one"' in diagnostic.message


@pytest.mark.parametrize("key", ["theme", "csp", "currency"])
def test_states_with_different_themes_policies_or_currencies_are_not_duplicates(unreachable, key):
    name = {"theme": '"dark"', "csp": '"nonce"', "currency": '"JPY"'}[key]
    assert unreachable(state("one", payload='"P1"') + state("two", payload='"P1"', **{key: name})) == []


def test_a_state_without_a_theme_is_plain(unreachable):
    plain = state("one", payload='"P1"') + state("two", payload='"P1"', theme='"plain"')
    assert len(unreachable(plain)) == 1


def test_state_without_a_currency_has_that_of_the_store(unreachable):
    euro = state("one", payload='"P1"') + state("two", payload='"P1"', currency='"EUR"')
    assert len(unreachable(euro)) == 1


def test_state_with_a_currency_that_the_store_does_not_have_is_reported(unreachable):
    [diagnostic] = unreachable(state("one", payload='"P1"', currency='"JPX"'))
    assert diagnostic.message == 'the state "one" cannot occur: the simulated shop has no currency "JPX"'
    assert (diagnostic.place.line, diagnostic.hint) == (5, 'did you mean "JPY"?')


def test_states_with_different_clocks_are_not_duplicates(unreachable):
    assert (
        unreachable(state("one", payload='"P1"') + state("two", payload='"P1"', now='"2026-03-02T10:00:00"'))
        == []
    )


def test_each_slot_with_updates_has_steps_that_cause_them():
    assert all(steps_of(slot.page.name) for slot in SLOTS.values() if slot.updates)
    assert not any(
        steps_of(slot.page.name) for slot in SLOTS.values() if not (slot.updates or slot.page.replaced)
    )


def test_each_step_is_possible_in_a_slot_and_chooses_something_known():
    pages = {slot.page.name for slot in SLOTS.values()}
    for step in PAGE_STEPS.values():
        assert step.pages
        assert set(step.pages) <= pages
        assert step.choice is None or step.choice in CHOICES


def test_examples_of_the_rule_are_true(unreachable):
    rule = find_rule("unreachable-state")
    assert [len(unreachable(example.code)) for example in (*rule.wrong, *rule.right)] == [1, 0]
