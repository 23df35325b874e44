"""`awning dev` shows a save first, and checks its types afterwards."""

import threading
from contextlib import contextmanager

import pytest
from project import Project

from awning.errors import ProgramUnusable
from awning.pipeline import Follower, LiveWorkspace
from awning.pipeline.build_session import build_session

pytestmark = pytest.mark.usefixtures("processes")

RIGHT = 'import { afterPrice } from "awning";\nexport default afterPrice(({ item }) => `${item.price}`);\n'
WRONG = RIGHT.replace("item.price", "item.prise")


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "shop")


@contextmanager
def following(project, **options):
    """The turns of `awning dev`, of which a test takes one after the other."""
    stop = threading.Event()
    with build_session(project.root.resolve()) as session:
        live = LiveWorkspace(session, **options)
        turns = Follower(project.root.resolve(), live, stop, languages=lambda: ("en",)).turns()
        try:
            yield live, turns
        finally:
            stop.set()
            for _ in turns:
                pass


def until(turns, wanted):
    """The turns up to the first that is `wanted`."""
    seen = []
    for turn in turns:
        seen.append(turn)
        if wanted(turn):
            return seen
    raise AssertionError("the turns have ended")


def rules(turn) -> list[str]:
    return [d.rule for d in turn.error.diagnostics] if turn.error else []


def test_types_are_checked_after_the_page_shows_the_save(project):
    project.add_widget(widget_ts=RIGHT)
    with following(project) as (_, turns):
        until(turns, lambda turn: turn.built is not None and not turn.is_provisional)
        project.add_file("widgets/note/widget.ts", WRONG)
        *before, check = until(turns, lambda turn: turn.is_check)
        assert before[0].patch is not None
        assert "prise" in before[0].patch.bodies["en"]
        assert "type-error" not in [rule for turn in before for rule in rules(turn)]
        assert "type-error" in rules(check)
        assert check.is_shown
        assert check.built.record.allowed_errors > 0
        project.add_file("widgets/note/widget.ts", RIGHT)
        *before, check = until(turns, lambda turn: turn.is_check)
        assert check.error is None
        assert "type-error" not in [diagnostic.rule for diagnostic in check.built.diagnostics]


def test_type_error_of_another_widget_stays_reported(project):
    project.add_widget("wrong", widget_ts=WRONG)
    project.add_widget("other", widget_ts=RIGHT)
    with following(project) as (_, turns):
        until(turns, lambda turn: turn.is_check)
        project.add_file("widgets/other/widget.ts", RIGHT + "export const more = 1;\n")
        *_, built = until(turns, lambda turn: turn.built is not None and not turn.is_provisional)
        assert not built.is_check
        assert "type-error" in rules(built)


def test_types_are_left_out_on_demand(project):
    project.add_widget(widget_ts=WRONG)
    with following(project, types=False) as (live, turns):
        until(turns, lambda turn: turn.built is not None and not turn.is_provisional)
        assert live.check_types() is None


def test_typescript_that_does_not_run_is_reported_and_the_page_stays(project, monkeypatch):
    def find(*_):
        raise ProgramUnusable("TypeScript does not run", hint="unset AWNING_TYPESCRIPT")

    monkeypatch.setattr("awning.pipeline.phases.find_program", find)
    monkeypatch.setenv("AWNING_TYPESCRIPT", "/nowhere")
    project.add_widget(widget_ts=RIGHT)
    with following(project) as (_, turns):
        *_, check = until(turns, lambda turn: turn.is_check)
        assert check.built is not None
        assert "does not run" in check.error.message
