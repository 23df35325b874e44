"""Checks many small cases in one workspace: a widget for each, so that TypeScript starts once."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from project import Project

from awning.diagnostics import Diagnostic
from awning.errors import Faulty
from awning.pipeline import inspect_workspace

WIDGET = 'import { afterPrice } from "awning";\nexport default afterPrice(() => "");\n'


def findings_of_cases(
    root: Path, cases: Sequence[Mapping[str, str]], rules: Sequence[str], pyproject: str = ""
) -> list[list[Diagnostic]]:
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
    try:
        found = inspect_workspace(root).counted()
    except Faulty as faulty:
        found = faulty.diagnostics
    found_in: list[list[Diagnostic]] = [[] for _ in cases]
    for diagnostic in found:
        if diagnostic.rule in rules and diagnostic.place:
            found_in[int(diagnostic.place.path.split("/")[1].partition("-")[2])].append(diagnostic)
    return [sorted(of_case, key=lambda each: (each.place is None, each.place)) for of_case in found_in]
