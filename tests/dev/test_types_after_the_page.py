"""`awning dev` shows a save first, and checks its types afterwards."""

import json
import threading
from contextlib import contextmanager

import pytest
from project import Project

from awning.errors import ProgramUnusable
from awning.pipeline.build_session import build_session
from awning.pipeline.follow import Follower
from awning.pipeline.live import LiveWorkspace
from awning_harness.dev.turn_report import TurnReport

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


def widget_imports(name):
    """A script that reads the message of a shared file, so that the shared file can be wrong."""
    return f'import {{ text }} from "../_shared/{name}";\n' + RIGHT.replace("${item.price}", "${text.length}")


TYPED = 'import type { Data } from "./data.schema";\n' + RIGHT.replace(
    "afterPrice(({ item })", "afterPrice<Data>(({ data })"
).replace("item.price", "data.days * 2")


def schema(kind, default):
    days = {"type": kind, "default": default}
    return json.dumps({"type": "object", "properties": {"days": days}})


MENDED = {
    "its script": ({"widgets/note/widget.ts": WRONG}, {"widgets/note/widget.ts": RIGHT}),
    "its data schema": (
        {
            "widgets/note/widget.ts": TYPED,
            "widgets/note/data.schema.json": schema("string", "x"),
        },
        {"widgets/note/data.schema.json": schema("integer", 1)},
    ),
    "a shared file": (
        {
            "widgets/note/widget.ts": widget_imports("a.ts"),
            "widgets/_shared/a.ts": "export const text = 1;\n",
        },
        {"widgets/_shared/a.ts": 'export const text = "a";\n'},
    ),
}


@pytest.mark.parametrize("where", MENDED)
def test_build_after_a_mend_reports_no_type_error(project, where):
    project.add_widget(widget_ts=RIGHT)
    wrong, mended = MENDED[where]
    for path, text in wrong.items():
        project.add_file(path, text)
    with following(project) as (_, turns):
        *_, check = until(turns, lambda turn: turn.is_check)
        assert "type-error" in rules(check)
        for path, text in mended.items():
            project.add_file(path, text)
        *seen, check = until(turns, lambda turn: turn.is_check)
        assert [rules(turn) for turn in seen if turn.built is not None] == [[]]
        assert check.error is None


def test_terminal_says_with_errors_only_while_there_are_some(project):
    project.add_widget(widget_ts=RIGHT, view_html_j2="")
    printed = []
    report = TurnReport(printed.append)

    def save(text):
        printed.clear()
        project.add_file("widgets/note/widget.ts", text)
        for turn in until(turns, lambda turn: turn.is_check):
            report.print(turn)
        return [line for line in printed if "with errors" in line or "error[" in line]

    with following(project) as (_, turns):
        for turn in until(turns, lambda turn: turn.built is not None and not turn.is_provisional):
            report.print(turn)
        assert [line.split(" in ")[0] for line in save(WRONG)[1:]] == ["types checked"]
        assert not [line for line in save(WRONG + "\nexport const more = 1;\n") if "error[" in line]
        assert save(RIGHT) == []


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

    monkeypatch.setattr("awning.pipeline.types.find_program", find)
    monkeypatch.setenv("AWNING_TYPESCRIPT", "/nowhere")
    project.add_widget(widget_ts=RIGHT)
    with following(project) as (_, turns):
        *_, check = until(turns, lambda turn: turn.is_check)
        assert check.built is not None
        assert "does not run" in check.error.message
