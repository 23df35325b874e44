"""The grid of states in the report: what each has stored, and where it failed."""

import json
from dataclasses import replace

import pytest

from awning.workspace.reader import read_workspace
from awning.workspace.scaffolding import make_workspace
from awning_harness.checks.outcomes import note_failing_page
from awning_harness.run_report.failures import MOST_LINES, compared_parts
from awning_harness.run_report.plan import RunPlan
from awning_harness.run_report.writing import RunResults
from awning_harness.visit.trial import Trial

STATE = '[[state]]\nname = "any"\ntitle = "Any"\npayload = "P1"\n'
HEAD = "# Snapshot 1: any in en, written by awning test --update-snapshots\n"
TREE = "\n# Accessibility tree\n- paragraph: In stock\n"


@pytest.fixture
def workspace(tmp_path):
    root = tmp_path / "app"
    make_workspace(root, slot="after-price", languages=("en", "lv"))
    (root / "widgets/stock-note/states.toml").write_text(STATE)
    return read_workspace(root)


def state_of(workspace, folder, *checks, **changes):
    """Return the only state as the report has it after a run with these outcomes."""
    usual = {"widget": "stock-note", "state": "any", "check": "weight", "language": "en", "outcome": "passed"}
    entries = [{**usual, "theme": None, "width": None, "reason": None, **check} for check in (*checks, {})]
    folder.mkdir(exist_ok=True)
    (folder / "checks.json").write_text(json.dumps({"checks": entries}))
    (widget,) = workspace.widgets
    results = RunResults.read(
        replace(workspace, widgets=(replace(widget, **changes),)), folder, (), RunPlan()
    )
    ((state,),) = map(results.states, results.widgets)
    return state


def test_state_says_in_which_languages_no_snapshot_is_stored(workspace, tmp_path):
    folder = workspace.widgets[0].folder / "snapshots"
    none = state_of(workspace, tmp_path / "none")
    folder.mkdir()
    (folder / "any.en.txt").write_text(HEAD)
    some = state_of(workspace, tmp_path / "some")
    (folder / "any.lv.txt").write_text(HEAD)
    every = state_of(workspace, tmp_path / "every")
    assert [(state.without_snapshot, state.has_snapshot) for state in (none, some, every)] == [
        (("en", "lv"), False),
        (("lv",), True),
        ((), True),
    ]


def test_state_that_is_not_compared_needs_no_snapshot(workspace, tmp_path):
    state = state_of(workspace, tmp_path / "off", checks_off={"looks-as-before": "it is random"})
    assert state.without_snapshot == ()


FAILED = {"outcome": "failed"}


@pytest.mark.parametrize(
    ("checks", "sentences"),
    [
        ([], []),
        ([FAILED, FAILED], ["2 failed in en"]),
        ([{**FAILED, "language": "lv"}], ["1 failed in lv"]),
        ([{**FAILED, "language": "lv"}, FAILED], ["1 failed in en", "1 failed in lv"]),
        ([{**FAILED, "language": None}], ["1 failed in en"]),
        ([{**FAILED, "language": "en-XA"}], ["1 failed in en-XA"]),
        ([{**FAILED, "theme": "dark"}, {**FAILED, "theme": "dark"}], ["2 failed in en: dark"]),
        (
            [{**FAILED, "theme": "dark"}, {**FAILED, "theme": "rtl", "width": 360}],
            ["2 failed in en: dark; rtl, 360 px wide"],
        ),
        ([{**FAILED, "theme": "dark"}, FAILED], ["2 failed in en"]),
    ],
)
def test_state_has_failed_in_the_language_theme_and_width_of_the_failing_page(
    workspace, tmp_path, checks, sentences
):
    state = state_of(workspace, tmp_path / "run", *checks)
    assert [each.sentence for each in state.failures] == sentences


class Test:
    """A test with properties, as pytest has it."""

    __test__ = False

    def __init__(self, **properties):
        self.user_properties = list(properties.items())


@pytest.mark.parametrize(
    ("known", "options", "noted"),
    [
        ({"check": "growth"}, {}, {"check": "growth", "language": "lv"}),
        ({"language": "en"}, {}, {"language": "lv"}),
        ({}, {"width": 360}, {"language": "lv", "width": 360}),
        ({"theme": "plain"}, {"options": {"theme": "dark"}}, {"language": "lv", "theme": "dark"}),
    ],
)
def test_properties_of_a_failed_test_are_those_of_its_failing_page(workspace, known, options, noted):
    test, (state,) = Test(**known), workspace.widgets[0].states
    note_failing_page(test, Trial(state=state, language="lv", **options))
    assert dict(test.user_properties) == noted


def parts_of(folder, before, after):
    (folder / "before.txt").write_text(before)
    (folder / "after.txt").write_text(after)
    return [
        (
            part.title,
            [[[line for line, differs in side if differs] for side in place] for place in part.places],
        )
        for part in compared_parts(folder)
    ]


def test_snapshot_is_compared_part_by_part_and_line_by_line(tmp_path):
    structure = "block  0,0 560x48\n  p.note  0,16 560x20\n"
    before, after = HEAD + structure + TREE, HEAD + structure.replace("560x20", "560x24") + TREE
    moved = ("Elements and boxes", [[["  p.note  0,16 560x20"], ["  p.note  0,16 560x24"]]])
    assert parts_of(tmp_path, before, after) == [moved]
    said = ("Accessibility tree", [[["- paragraph: In stock"], ["- paragraph: Gone"]]])
    assert parts_of(tmp_path, before, before.replace("In stock", "Gone")) == [said]
    assert parts_of(tmp_path, before, after.replace("In stock", "Gone")) == [moved, said]
    assert parts_of(tmp_path, before, before) == []


def test_snapshot_without_a_tree_is_compared_by_its_structure(tmp_path):
    assert parts_of(tmp_path, f"{HEAD}block  0,0 1x1\n", f"{HEAD}block  0,0 1x9\n{TREE}") == [
        ("Elements and boxes", [[["block  0,0 1x1"], ["block  0,0 1x9"]]])
    ]


def test_long_comparison_is_cut(tmp_path):
    lines = [f"p  0,{n} 1x1" for n in range(MOST_LINES + 9)]
    (tmp_path / "before.txt").write_text("\n".join(lines))
    (tmp_path / "after.txt").write_text("\n".join(f"{line}; color #123456" for line in lines))
    (part,) = compared_parts(tmp_path)
    assert (sum(len(olds) for olds, _ in part.places), part.is_cut) == (MOST_LINES, True)
    assert compared_parts(tmp_path / "nothing") == []
