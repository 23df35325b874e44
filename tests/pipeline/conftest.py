"""A workspace of its own for each test, or one for a whole table, and the stage of a build."""

import pytest
from project import Project

from awning.pipeline import inspect_workspace


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


@pytest.fixture(scope="module")
def findings_of(tmp_path_factory):
    """`findings_of(table, files)[case]`: the findings in the widget of a case.

    The first call checks a workspace with a widget for each case. `files(case)` returns what `Project.add_widget` gets.
    """
    tables = {}

    def findings(table, files):
        if id(table) not in tables:
            project = Project(tmp_path_factory.mktemp("shop"))
            folders = {f"w{number}": case for number, case in enumerate(table)}
            for folder, case in folders.items():
                project.add_widget(folder, **files(case))
            found = tables[id(table)] = {case: [] for case in table}
            for finding in inspect_workspace(project.root).counted():
                found[folders[finding.place.path.split("/")[1]]].append(finding)
        return tables[id(table)]

    return findings
