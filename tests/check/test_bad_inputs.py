"""`check` and `dev` find the same in inputs that cannot work: file, line, cause and what to do.

That a build has the verdict of the check is in `tests/cli/test_one_verdict.py`.
"""

from pathlib import Path

import pytest
from bad_inputs import BAD_INPUTS
from project import Project

from awning.errors import Faulty
from awning.pipeline.build_session import build_session
from awning.pipeline.incremental import inspect_workspace
from awning.pipeline.live import LiveWorkspace


def checked(root: Path, *, types: bool = True):
    return inspect_workspace(root, types=types).counted()


def developed(root: Path, *, types: bool = True):
    """Return the findings of a build of `awning dev` and, with `types`, of the check of types that follows it."""
    with build_session(root) as session:
        live = LiveWorkspace(session)
        try:
            return ((types and live.build() and live.check_types()) or live.build()).built.diagnostics
        except Faulty as error:
            return error.diagnostics


@pytest.fixture
def bad_project(tmp_path):
    """Return a function that makes a workspace with one widget, and writes a bad input into it."""

    def make(case):
        project = Project(tmp_path / "shop").add_widget("note")
        for name in case.gone:
            (project.root / "widgets/note" / name).unlink()
        for name, content in case.files.items():
            file = project.root / _path(name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return project.root

    return make


def _path(name: str) -> str:
    return name if name.startswith("tests/") else f"widgets/note/{name}"


@pytest.mark.parametrize("name", BAD_INPUTS)
def test_bad_input_is_found_with_place_cause_and_advice(bad_project, name):
    case = BAD_INPUTS[name]
    root = bad_project(case)
    for verb in (checked, developed):
        if verb is developed and case.rule == "size-budget":
            continue  # a build for development is not minified, and has no budget
        diagnostics = verb(root, types=case.rule == "type-error")  # TypeScript takes most of the time
        findings = [finding for finding in diagnostics if finding.rule == case.rule]
        assert findings, (verb.__name__, [finding.render() for finding in diagnostics])
        first = findings[0]
        has_line = ":" in case.place and (verb is not developed or case.rule != "data-migration")
        place = f"{first.place.path}:{first.place.line}" if has_line else first.place.path
        # In `dev`, without a source map, an error in a migration is at its function.
        assert place == _path(case.place if has_line else case.place.partition(":")[0])
        assert first.severity == case.severity
        assert case.says in first.message
        assert first.place.line or ":" not in case.place
        assert first.hint or case.rule == "type-error"  # TypeScript's message says which type is expected
        assert case.advises in (first.hint or "")


def test_table_has_at_least_forty_inputs():
    assert len(BAD_INPUTS) >= 40


def test_widget_without_a_bad_input_has_no_findings(tmp_path):
    project = Project(tmp_path).add_widget("note")
    assert [*checked(project.root), *developed(project.root)] == []
