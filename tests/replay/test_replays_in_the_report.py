"""What of a replay is in the report of a run: the size of the page has a limit. And which part of a page is drawn."""

import os
from dataclasses import replace

import pytest
from markupsafe import escape

from awning.workspace.steps import Step, read_step
from awning_harness.replay.pictures import clip_of
from awning_harness.replay.player import is_same_cause
from awning_harness.replay.records import Replay, ReplayStep, SentRequest, read_replay, write_replay
from awning_harness.run_report.replays import MOST_CHARACTERS, marked_lines, replays_in_report
from awning_harness.visit.pages.event_lines import EventRow
from awning_harness.visit.pages.problems import PageProblem, ProblemKind

NOT_AGAIN = "played again, the page did not have the problem, a sign of something that depends on time"


def row(kind, event="after-price", detail=""):
    return EventRow(ms=0, kind=kind, event=event, subscriber="#1", detail=detail)


def replay_of(folder, *, steps, failing, picture_bytes=60_000):
    """Write a replay with long texts, and a picture for each step."""
    own = [
        ReplayStep(
            words=f"step {number}",
            text="x" * 10_000,
            html="<p>" * 10_000,
            events=[row("deliver", detail="e" * 160)] * 60,
            problems=["p" * 10_000] * 3,
            picture=f"step-{number}.png",
        )
        for number in range(steps)
    ]
    write_replay(Replay(address="en/product/1", steps=own, failing=failing, is_same=True), folder)
    for step in own:
        (folder / step.picture).write_bytes(os.urandom(picture_bytes))
    return folder


def size_of(replay):
    steps = [step.step for step in replay.steps if step.step]
    texts = sum(
        len(escape(text))
        for step in steps
        for text in (
            step.text,
            step.html,
            *(row.detail for row in step.events),
            *step.console,
            *step.problems,
        )
    )
    return texts + sum(len(step.picture) for step in replay.steps)


def test_replays_of_many_failures_share_the_size_of_the_page(tmp_path):
    folders = {f"test_{n}": replay_of(tmp_path / str(n), steps=20, failing=7) for n in range(50)}
    replays = replays_in_report(folders)
    assert len(replays) == 50
    assert sum(map(size_of, replays.values())) <= MOST_CHARACTERS
    for replay in replays.values():
        assert replay.steps[7].step
        assert [bool(step.picture) for step in replay.steps].count(True) <= 1


def test_pictures_nearest_to_the_failing_step_are_in_the_page(tmp_path):
    folder = replay_of(tmp_path, steps=9, failing=4, picture_bytes=1_200_000)
    (replay,) = replays_in_report({"test": folder}).values()
    assert [step.number for step in replay.steps if step.picture] == [3, 4, 5]
    assert replay.steps[0].step.picture == "step-0.png"


def test_small_replay_is_in_the_page_as_a_whole(tmp_path):
    (replay,) = replays_in_report(
        {"test": replay_of(tmp_path, steps=3, failing=None, picture_bytes=900)}
    ).values()
    assert all(step.picture.startswith("data:image/png;base64,") for step in replay.steps)
    assert replay.first == 2


@pytest.mark.parametrize("content", [None, "", "{", '{"steps": 1}'])
def test_replay_that_cannot_be_read_is_left_out(tmp_path, content):
    if content is not None:
        (tmp_path / "replay.json").write_text(content)
    assert read_replay(tmp_path) is None
    assert replays_in_report({"test": tmp_path}) == {}


@pytest.mark.parametrize(
    ("steps", "changes", "verdict"),
    [
        (1, {"failing": 0}, "played again, the page shows the same as in the test when it opens"),
        (
            3,
            {"failing": 2},
            "played again, the page shows the same as in the test after step 2 of 2: step 2",
        ),
        (3, {}, "played again, and whether it fails cannot be said"),
        (3, {"notes": ["late", "typed"]}, "played again, and whether it fails cannot be said: late; typed"),
        (
            3,
            {"is_same": False, "notes": ["late"]},
            f"{NOT_AGAIN} (or of this: late)",
        ),
    ],
)
def test_verdict_says_where_the_replay_failed_or_that_it_did_not(steps, changes, verdict):
    own = [ReplayStep(words=f"step {number}") for number in range(steps)]
    assert Replay(address="en", steps=own, **changes).verdict == verdict


@pytest.mark.parametrize(
    ("failing", "verdict"),
    [
        (0, "the page has the problem when it opens"),
        (1, "step 1 of 1 has the problem: step 1"),
    ],
)
def test_verdict_names_the_step_with_the_problem(failing, verdict):
    own = [ReplayStep(words=f"step {number}", problems=["Error: x"]) for number in range(2)]
    assert Replay(address="en", steps=own, failing=failing, is_same=True).verdict == verdict


@pytest.mark.parametrize(
    ("changes", "failing", "badge"),
    [
        ({}, 2, "Judged here"),
        ({}, 0, "Judged here"),
        ({"problems": ["Error: x"]}, 1, "It fails here"),
        ({"failure": "no such element"}, 2, "It fails here"),
    ],
)
def test_step_is_said_to_fail_only_when_the_problem_is_its_own(tmp_path, changes, failing, badge):
    own = [ReplayStep(words=f"step {number}", **changes) for number in range(failing + 1)]
    write_replay(Replay(address="en", steps=own, failing=failing, is_same=True), tmp_path)
    (replay,) = replays_in_report({"test": tmp_path}).values()
    assert replay.steps[failing].badge == badge


BAD = SentRequest(method="GET", address="https://a.example/", answer="503", is_good=False)


@pytest.mark.parametrize(
    ("changes", "marks"),
    [
        ({}, []),
        ({"events": [row("subscribe"), row("init")]}, []),
        (
            {"events": [row("deliver"), row("deliver", event="after-price-updated"), row("deliver")]},
            ["● delivered: after-price, after-price-updated"],
        ),
        ({"requests": [replace(BAD, is_good=True)]}, []),
        ({"requests": [BAD]}, ["◆ 1 request without a good answer"]),
        ({"problems": ["init-once (svc-content-after-price)"]}, ["▲ broken: init-once"]),
        ({"problems": ["TypeError: x\n    at widgets/note/widget.ts:1:2"]}, ["▲ error"]),
        ({"problems": ["init-once (a)", "init-once (b)", "Error: x"]}, ["▲ broken: init-once, error"]),
        ({"failure": "no such element"}, ["▲ error"]),
    ],
)
def test_step_is_marked_with_what_happened_at_it(tmp_path, changes, marks):
    steps = [ReplayStep(words="first", **changes), ReplayStep(words="last")]
    write_replay(Replay(address="en", steps=steps, failing=1, is_same=True), tmp_path)
    (replay,) = replays_in_report({"test": tmp_path}).values()
    assert [f"{mark.sign} {mark.text}" for mark in replay.steps[0].marks] == marks
    assert [mark.kind for mark in replay.steps[1].marks] == ["judged"]


@pytest.mark.parametrize(
    ("is_same", "failure", "judged"),
    [(True, None, 1), (False, None, 1), (None, None, None), (True, "no", None)],
)
def test_step_after_which_the_test_judged_is_the_last_one_unless_it_did_more_or_less(
    is_same, failure, judged
):
    steps = [ReplayStep(words="first"), ReplayStep(words="last", failure=failure)]
    assert Replay(address="en", steps=steps, is_same=is_same).judged == judged


def test_lines_of_the_block_that_a_step_changes_are_marked():
    before, after = "Free\n\n3 left\nSave", "Free\n\n2 left\nSave\nSaved."
    assert [line for line, is_changed in marked_lines(before, after) if is_changed] == ["3 left"]
    assert [line for line, is_changed in marked_lines(after, before) if is_changed] == ["2 left", "Saved."]
    assert "\n".join(line for line, _ in marked_lines(after, before)) == after
    assert marked_lines("", after) == []


@pytest.mark.parametrize(
    ("cause", "kind", "text", "is_same"),
    [
        ("Error: no stock", ProblemKind.CONSOLE, "Error: no stock\n    at http://127.0.0.1:1/2:3:4", True),
        ("Error: no stock", ProblemKind.EXCEPTION, "Error: no price", False),
        ("SyntaxError at note/widget.ts:3:1", ProblemKind.CONSOLE, "note SyntaxError: no JSON", True),
        ("SyntaxError at note/widget.ts:3:1", ProblemKind.CONSOLE, "note TypeError: no JSON", False),
        ("Error at note/widget.ts:3:1", ProblemKind.CONSOLE, "note failed with Error: no JSON", False),
        ("the page was left", ProblemKind.CONSOLE, "the: page", False),
        ("global-leaked (svc-content-after-price)", ProblemKind.GLOBAL, "leaked (widget.ts:3)", True),
        ("init-once (svc-content-after-price)", ProblemKind.RULE, "init-once (svc-content-after-cart)", True),
        (
            "init-once (svc-content-after-price)",
            ProblemKind.RULE,
            "init-early (svc-content-after-price)",
            False,
        ),
    ],
)
def test_problem_of_a_replay_is_compared_with_the_cause_of_the_failure(cause, kind, text, is_same):
    assert is_same_cause(cause, PageProblem(kind, text)) is is_same


@pytest.mark.parametrize(
    ("area", "clip"),
    [
        ((300, 400, 700, 500), (220, 310, 560, 280)),
        ((0, 0, 100, 20), (0, 0, 560, 280)),
        ((700, 2900, 1280, 3000), (572, 2720, 708, 280)),
        ((0, 0, 1280, 3000), (0, 0, 1280, 900)),
    ],
)
def test_picture_has_the_block_with_its_surroundings_within_the_document(area, clip):
    left, top, right, bottom = area
    drawn = clip_of({"left": left, "top": top, "right": right, "bottom": bottom}, [1280, 3000])
    assert tuple(drawn[key] for key in ("x", "y", "width", "height")) == clip
    assert drawn["width"] * drawn["scale"] <= 720


@pytest.mark.parametrize(
    "words", ["select L/Blue", "discount", "wait 10 minutes", 'click ".more"', 'type "#note" "a ""b"" c"']
)
def test_step_is_written_as_it_was_read(words):
    step = read_step(words)
    assert read_step(step.words) == step
    assert step.words.replace("minutes", "minute") == words.replace("minutes", "minute")


def test_step_with_quotes_in_its_selector_is_written_so_that_it_can_be_read():
    step = Step("click", ('[name="a b"]',))
    assert read_step(step.words) == step
