"""Checks many small cases in one workspace: a widget for each, so that the workspace is checked once."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from pathlib import Path

import pytest
from project import Project

from awning.diagnostics import Diagnostic
from awning.errors import Faulty
from awning.pipeline.incremental import inspect_workspace

WIDGET = 'import { afterPrice } from "awning";\nexport default afterPrice(() => "");\n'
Findings = list[Diagnostic]


def findings_of_cases(
    root: Path, cases: Sequence[Mapping[str, str]], rules: Sequence[str], pyproject: str = ""
) -> list[Findings]:
    """Return the findings of these rules for each case, in the order of their places.

    A case has the texts of the files of its widget by name. It has a script with a slot beside them.
    """
    project = Project(root, languages=("en",))
    if pyproject:
        project.add_file("pyproject.toml", (root / "pyproject.toml").read_text(encoding="utf-8") + pyproject)
    for number, files in enumerate(cases):
        project.add_widget(f"case-{number}")
        for name, text in {"widget.ts": WIDGET, "view.html.j2": "{{ x }}", **files}.items():
            project.add_file(f"widgets/case-{number}/{name}", text)
    return [
        sorted(
            (finding for finding in findings if finding.rule in rules),
            key=lambda each: (each.place is None, each.place),
        )
        for findings in _findings_of_widgets(project)
    ]


def _findings_of_widgets(project: Project) -> list[Findings]:
    """Return the findings in the widgets case-0, case-1 and so on."""
    try:
        found = inspect_workspace(project.root).counted()
    except Faulty as faulty:
        found = faulty.diagnostics
    by_widget: list[Findings] = [[] for _ in project.widgets]
    for finding in found:
        if finding.place:
            by_widget[int(finding.place.path.split("/")[1].partition("-")[2])].append(finding)
    return by_widget


@pytest.fixture(scope="module")
def findings_of(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[Iterable[Hashable], Callable[[Hashable], Mapping[str, str]]], Mapping[Hashable, Findings]]:
    """`findings_of(table, files)[case]`: the findings in the widget of a case.

    The first call checks a workspace with a widget for each case. `files(case)` returns what `Project.add_widget` gets.
    """
    tables: dict[int, dict[Hashable, Findings]] = {}

    def findings(
        table: Iterable[Hashable], files: Callable[[Hashable], Mapping[str, str]]
    ) -> Mapping[Hashable, Findings]:
        if id(table) not in tables:
            project = Project(tmp_path_factory.mktemp("cases"))
            for number, case in enumerate(table):
                project.add_widget(f"case-{number}", **files(case))
            tables[id(table)] = dict(zip(table, _findings_of_widgets(project), strict=True))
        return tables[id(table)]

    return findings
