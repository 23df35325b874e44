"""The progress of a long run: a line every few seconds, a bar on a terminal, or JSON lines."""

import io
import json

import pytest

from awning.cli.publish.progress import Progress, progress_of
from awning.publish.cell_outcome import CellOutcome, CellResult, Ending
from awning.publish.runner import INTERRUPTED


def result(outcome):
    return CellResult(instance="shop", key="@1", language=None, ending=Ending(outcome=outcome))


ENDS = [CellOutcome.APPLIED, CellOutcome.FAILED, CellOutcome.APPLIED, CellOutcome.UNCHANGED]


def test_progress_is_drawn_at_intervals_only():
    drawn, seconds = [], iter([0.0, 1.0, 31.0, 32.0, 62.0])
    progress = Progress(lambda p: drawn.append((p.cells, p.wrong)), every_s=30, clock=lambda: next(seconds))
    for outcome in ENDS:
        progress.cell(result(outcome))
    assert drawn == [(2, 1), (4, 1)]


def test_time_left_follows_from_the_instances_that_are_done():
    now = [0.0]
    progress = Progress(lambda _: None, every_s=1, instances=40, clock=lambda: now[0])
    assert progress.left_s is None
    now[0] = 30.0
    for _ in range(10):
        progress.instance()
    assert progress.left_s == 90.0


def test_time_left_and_bar_follow_from_cells_while_no_instance_is_done(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    now, out = [0.0], io.StringIO()
    progress = progress_of("bar", out, instances=40)
    progress._clock = lambda: now[0]
    progress._began = progress._drawn_at = 0.0
    for _ in range(20):
        progress.begin(3)
    now[0] = 10.0
    for cells in range(30):
        assert (progress.left_s is None) == (cells < 6)
        progress.cell(result(CellOutcome.APPLIED))
    assert (progress.done, progress.of_cells, progress.left_s) == (0, 120, 30.0)
    for _ in range(20):
        progress.begin(1)
    now[0] = 20.0
    progress.cell(result(CellOutcome.APPLIED))
    text = "[#########...............] 0 of 40 instances, 31 of 80 cells, 2/s, 0:32 left"
    assert out.getvalue().endswith(text)


def test_publish_says_how_many_cells_an_instance_has_before_they_end(awning, shop, shelf, monkeypatch):
    shelf.languages["code-a"] = ["lv", "en"]
    told = []
    monkeypatch.setattr(Progress, "begin", lambda _, cells: told.append(cells))
    monkeypatch.setattr(Progress, "cell", lambda *_: told.append("cell"))
    assert awning("publish", "apply")[0] == 0
    assert told == [len(told) - 1, *["cell"] * (len(told) - 1)]
    assert len(told) > 2


def test_cells_that_a_stop_skips_are_not_done():
    now, drawn = [10.0], io.StringIO()
    progress = progress_of("lines", drawn, instances=2)
    progress._clock = lambda: now[0]
    progress._began = progress._drawn_at = 0.0
    progress.begin(2)
    progress.begin(1)
    progress.cell(result(CellOutcome.APPLIED))
    progress.cell(CellResult(instance="shop", key="@1", language=None, ending=INTERRUPTED))
    progress.instance()
    now[0] = 20.0
    progress.cell(result(CellOutcome.APPLIED))
    progress.instance()
    assert (progress.done, progress.cells, progress.left_s) == (1, 2, None)
    assert drawn.getvalue().splitlines()[-1] == "0 of 2 instances, 2 of 3 cells, 0/s, stopping"


def test_wait_at_a_gate_changes_neither_the_rate_nor_the_time_left():
    now, drawn = [0.0], []
    progress = Progress(
        lambda p: drawn.append((now[0], p.gate and p.gate.left_s)),
        every_s=5,
        instances=40,
        clock=lambda: now[0],
    )
    for _ in range(10):
        now[0] += 1.0
        progress.instance()
        progress.cell(result(CellOutcome.APPLIED))
    before = (progress.rate, progress.left_s)
    drawn.clear()
    for second in range(600):
        progress.wait("wave 1 of 2 (25%)", 600.0 - second)
        now[0] += 1.0
        assert (progress.rate, progress.left_s) == before
    assert drawn[:2] == [(10.0, 600.0), (70.0, 540.0)]
    assert len(drawn) == 10
    progress.go_on()
    assert (progress.rate, progress.left_s, progress.gate) == (*before, None)
    progress.wait("wave 2 of 3", None)
    progress.restart()
    now[0] += 10.0
    progress.cell(result(CellOutcome.APPLIED))
    assert (progress.rate, progress.gate) == (0.1, None)


@pytest.mark.parametrize(
    ("left_s", "text"), [(570.0, "; waits at the gate after wave 1 of 2, 9:30 more"), (None, "wave 1 of 2")]
)
def test_wait_at_a_gate_is_shown(left_s, text):
    for kind in ("lines", "bar", "json"):
        out = io.StringIO()
        progress_of(kind, out, instances=40).wait("wave 1 of 2", left_s)
        if kind == "lines":
            assert out.getvalue().endswith(f"{text}\n")
        if kind == "json":
            document = json.loads(out.getvalue())
            assert (document["gate"], document["gate_left_s"]) == ("wave 1 of 2", left_s)
        assert out.getvalue()


KINDS = {
    "lines": "10 of 40 instances, 1 cells, ",
    "json": '"of_instances": 40',
    "bar": "[######..................] 10 of 40 instances",
    "none": "",
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_progress_has_its_form(kind):
    out, now = io.StringIO(), [0.0]
    progress = progress_of(kind, out, instances=40)
    progress._clock = lambda: now[0]
    progress._began = progress._drawn_at = 0.0
    now[0] = 10.0
    for _ in range(10):
        progress.instance()
    progress.cell(result(CellOutcome.APPLIED))
    text = out.getvalue()
    assert KINDS[kind] in text
    assert bool(text) == (kind != "none")
    if kind == "json":
        assert json.loads(text)["left_s"] == 30


@pytest.mark.parametrize(
    ("per_s", "text"),
    [
        (94.2, '; the service answers "too many calls" (3): at most 94 calls/s\n'),
        (None, '; the service answers "too many calls" (3)\n'),
    ],
)
def test_too_many_calls_are_shown_for_a_minute(per_s, text):
    for kind in ("lines", "json"):
        out, now = io.StringIO(), [100.0]
        progress = progress_of(kind, out, instances=40)
        progress._clock = lambda now=now: now[0]
        progress._began = progress._drawn_at = 90.0
        progress.throttled(3, per_s)
        now[0] = 170.0
        progress.cell(result(CellOutcome.APPLIED))
        first, later = out.getvalue().splitlines(keepends=True)
        if kind == "json":
            assert (json.loads(first)["too_many_calls"], json.loads(first)["calls_per_s"]) == (3, per_s)
            assert (json.loads(later)["too_many_calls"], json.loads(later)["calls_per_s"]) == (3, None)
        else:
            assert first.endswith(text)
            assert "too many" not in later


@pytest.mark.parametrize("columns", [40, 80])
def test_bar_is_never_wider_than_the_terminal(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    out = io.StringIO()
    progress = progress_of("bar", out, instances=40)
    progress._drawn_at -= 60
    progress.throttled(3, 94.2)
    assert out.getvalue().startswith("\r\x1b[K[")
    assert len(out.getvalue().removeprefix("\r\x1b[K")) == columns - 1


def test_progress_outside_a_terminal_is_lines():
    out = io.StringIO()
    progress = progress_of("auto", out, instances=None)
    progress._drawn_at -= 60
    progress.cell(result(CellOutcome.FAILED))
    assert out.getvalue().endswith("\n")
    assert "1 not right" in out.getvalue()
