"""A workspace of its own for each test, or one for a whole table, and the stage of a build."""

import pytest
from cases_in_widgets import findings_of  # noqa: F401 - a fixture
from project import Project


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "shop")


@pytest.fixture
def staged(project, tmp_path):
    """`staged(entry)`: the generated TypeScript of an entry point, such as `note/en/body`."""

    def stage(entry):
        folder = project.stage(tmp_path / "staged")
        return (folder / "entries" / f"{entry}.ts").read_text(encoding="utf-8")

    return stage
