"""The grammar of a state's steps, and where a mistake in one is reported."""

import re

import pytest

from awning.jsrc import jsrc_root
from awning.workspace.document import Findings
from awning.workspace.steps import (
    BLOCK_STEPS,
    PAGE_STEPS,
    VERBS,
    Step,
    StepSyntaxError,
    example_of,
    read_step,
)
from awning.workspace.widgets import read_states

STEPS = {
    "select L/Blue": Step("select", ("L/Blue",)),
    "  select 5 kg ": Step("select", ("5 kg",)),
    "discount": Step("discount"),
    "discount SAVE10": Step("discount", ("SAVE10",)),
    'click "button.more"': Step("click", ("button.more",)),
    """click "input[name='a b']" """: Step("click", ("input[name='a b']",)),
    """click 'a[href="/x"]'""": Step("click", ('a[href="/x"]',)),
    'type "#note" ""': Step("type", ("#note", "")),
    'type "#note" "say ""hello"", Söhne"': Step("type", ("#note", 'say "hello", Söhne')),
    "type '#note' 'it''s \\ here\nand there'": Step("type", ("#note", "it's \\ here\nand there")),
    'choose\t"#day"  "Monday"': Step("choose", ("#day", "Monday")),
    "wait 10 minutes": Step("wait", ("10", "minute")),
    " wait  1  hour ": Step("wait", ("1", "hour")),
}


@pytest.mark.parametrize(("text", "step"), STEPS.items())
def test_step_is_read(text, step):
    assert read_step(text) == step


@pytest.mark.parametrize(
    ("text", "seconds"), [("wait 1 second", 1), ("wait 10 minutes", 600), ("wait 1 hour", 3600)]
)
def test_wait_has_its_duration_in_seconds(text, seconds):
    assert read_step(text).seconds == seconds


@pytest.mark.parametrize("verb", VERBS)
def test_example_of_each_verb_is_a_step(verb):
    step = read_step(example_of(verb))
    assert (step.verb, step.is_in_block) == (verb, verb in BLOCK_STEPS)


@pytest.mark.parametrize(("file", "steps"), [("page_steps", PAGE_STEPS), ("block_steps", BLOCK_STEPS)])
def test_each_step_has_its_function(file, steps):
    script = (jsrc_root() / "visit" / f"{file}.ts").read_text(encoding="utf-8")
    table = re.search(r"^const \w+Steps: .* = \{\n(.*?)^\};", script, re.DOTALL | re.MULTILINE)
    assert set(re.findall(r'^  "?([\w-]+)"?[,:]', table[1], re.MULTILINE)) == set(steps)


FAULTS = {
    "selekt L/Blue": (0, "not an action", 'did you mean "select"?'),
    "select": (6, "needs a name", "write: select L/Blue"),
    "click": (5, "needs a selector", 'write: click "button.more"'),
    "click button": (6, "the selector needs quotes", 'write: click "button.more"'),
    'click "button': (6, "the quote is not closed", 'write: click "button.more"'),
    'click " "': (5, "the selector is empty", 'write: click "button.more"'),
    'click "a" "b"': (10, "nothing after it", 'write: click "button.more"'),
    'type "#note"': (12, "needs a text", 'write: type "#note" "Happy birthday"'),
    'type "#note" Happy birthday': (13, "the text needs quotes", 'write: type "#note" "Happy birthday"'),
    "wait": (4, "needs a duration", "write: wait 10 minutes"),
    "wait ten minutes": (
        5,
        '"ten minutes" is not a whole number of seconds, minutes or hours',
        "write: wait 10 minutes",
    ),
    "wait 10 min": (5, '"10 min" is not a whole number', "write: wait 10 minutes"),
    "wait 1.5 hours": (5, '"1.5 hours" is not a whole number', "write: wait 10 minutes"),
    "wait 0 minutes": (5, 'in "0 minutes" nothing happens', "write: wait 10 minutes"),
    "wait 61 minutes": (
        5,
        '"61 minutes" is more than an hour, the longest wait',
        "for a later time of the day, change `now`; for a longer wait, write several steps",
    ),
    "wait 99999999999 seconds": (
        5,
        "is more than an hour",
        "for a later time of the day, change `now`; for a longer wait, write several steps",
    ),
    'choose "#day"': (13, "needs an option", 'write: choose "#day" "Monday"'),
}


@pytest.mark.parametrize("text", FAULTS)
def test_fault_in_a_step_has_its_place_and_a_hint(text):
    at, message, hint = FAULTS[text]
    with pytest.raises(StepSyntaxError, match=message) as fault:
        read_step(text)
    assert (fault.value.at, fault.value.hint) == (at, hint)


STATES = """\
[[state]]
name = "a"
title = "A"
payload = "P1"
steps = [
  "select S/Red",
  {step},
]
"""


@pytest.mark.parametrize(
    ("step", "column"),
    [
        ("'type \"#note\" Happy'", 17),
        ('"""type \'#note\' Happy"""', 19),
        ('"type \\"#note\\" Happy"', 3),  # with escapes, the place is that of the whole text
    ],
)
def test_fault_in_a_step_of_a_file_is_reported_with_line_and_column(tmp_path, step, column):
    (tmp_path / "states.toml").write_text(STATES.replace("{step}", step))
    findings = Findings()
    read_states(tmp_path / "states.toml", "widgets/a/states.toml", ("after-price",), None, findings)
    [diagnostic] = findings.diagnostics
    place = diagnostic.place
    assert (diagnostic.rule, place.path, place.line, place.column) == (
        "state-step", "widgets/a/states.toml", 7, column,
    )  # fmt: skip
    assert diagnostic.excerpt == f"  {step},"


@pytest.mark.parametrize(
    ("now", "count"), [("", 1), ('now = "2026-03-02T10:30:00"', 0), ("now = 2026-03-02T10:30:00", 0)]
)
def test_wait_of_a_state_without_now_is_reported_at_its_step(tmp_path, now, count):
    (tmp_path / "states.toml").write_text(STATES.replace("{step}", '"wait 10 minutes"') + now)
    findings = Findings()
    read_states(tmp_path / "states.toml", "widgets/a/states.toml", ("after-price",), None, findings)
    faults = [(each.rule, each.message, each.place.line, each.hint) for each in findings.diagnostics]
    message = '"wait 10 minutes" needs `now`, the time at which it begins'
    hint = 'add it to the state, such as: now = "2026-03-02T10:30:00"'
    assert faults == [("state-step", message, 7, hint)][:count]
