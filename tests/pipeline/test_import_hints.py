"""An import that leads nowhere is reported at its place, with the name that was probably meant."""

import pytest
from project import Project

from awning.pipeline import inspect_workspace

HEAD = 'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
TAIL = "export default afterPrice(({ t }) => view({ t }) + String(more));\n"


def errors(project):
    findings = inspect_workspace(project.root).counted()
    return [
        (finding.rule, str(finding.place), finding.hint)
        for finding in findings
        if finding.severity == "error"
    ]


@pytest.mark.parametrize(
    ("module", "hint"),
    [
        ("./Other.html.j2", 'did you mean "other.html.j2"?'),
        ("./veiw.html.j2", 'did you mean "view.html.j2"?'),
        ("./mroe", 'did you mean "more"?'),
        ("./parts/mroe", 'did you mean "more"?'),
        ("./nothing-like-it", "check the spelling: the path is relative to the importing file"),
    ],
)
def test_similar_file_is_named(tmp_path, module, hint):
    project = Project(tmp_path).add_widget("note", widget_ts=f'{HEAD}import more from "{module}";\n{TAIL}')
    project.add_file("widgets/note/more.ts", "export default () => 1;\n")
    project.add_file("widgets/note/other.html.j2", "other")
    project.add_file("widgets/note/parts/more.ts", "export default () => 1;\n")
    assert errors(project) == [("unresolved-import", "widgets/note/widget.ts:3:18", hint)]


@pytest.mark.parametrize(
    "address", ["https://cdn.example/a.js", "//cdn.example/a.js", "HTTP://cdn.example/a"]
)
def test_import_from_another_host_is_an_error(tmp_path, address):
    script = f'{HEAD}import more from "{address}";\n{TAIL}'
    [(rule, place, _)] = errors(Project(tmp_path).add_widget("note", widget_ts=script))
    assert (rule, place) == ("unresolved-import", "widgets/note/widget.ts:3:18")


def test_style_sheet_is_reported_once_at_its_import(tmp_path):
    script = f'{HEAD}import "./a.css";\n{TAIL.replace("more", "1")}'
    project = Project(tmp_path).add_widget("note", widget_ts=script, a_css="p { color: red }\n")
    assert [found[:2] for found in errors(project)] == [("style-import", "widgets/note/widget.ts:3:8")]


def test_style_sheet_that_a_package_imports_is_reported_once(tmp_path):
    script = f'{HEAD}import "theme";\n{TAIL.replace("more", "1")}'
    project = Project(tmp_path).add_widget("note", widget_ts=script)
    project.add_file("node_modules/theme/index.js", 'import "./a.css";\n')
    project.add_file("node_modules/theme/package.json", '{"name": "theme", "main": "index.js"}')
    project.add_file("node_modules/theme/a.css", "p { color: red }\n")
    assert [found[:2] for found in errors(project)] == [("style-import", "None")]


def test_fault_of_a_scoped_style_shows_the_authors_line(tmp_path):
    project = Project(tmp_path).add_widget("note", style_css="p { color: red; } b\n")
    [finding] = inspect_workspace(project.root).counted()
    assert (finding.rule, finding.place.line, finding.excerpt) == ("style-warning", 1, "p { color: red; } b")


@pytest.mark.parametrize("used", [False, True])
@pytest.mark.parametrize(
    ("module", "advice"),
    [
        ("not-installed", "(npm install not-installed)"),
        ("@acme/tools/dates", "(npm install @acme/tools)"),
        ("lodash/fp", "(npm install lodash)"),
        ("node:fs", "it is a part of Node.js"),
        ("fs", "it is a part of Node.js"),
        ("awning/nope", 'a widget imports from "awning" and "awning/types"'),
        ("./nowhere", "check the spelling"),
    ],
)
def test_import_that_leads_nowhere_says_what_to_do(tmp_path, module, advice, used):
    tail = TAIL if used else TAIL.replace("more", "1")
    script = f'{HEAD}import more from "{module}";\n{tail}'
    [(rule, place, hint)] = errors(Project(tmp_path).add_widget("note", widget_ts=script))
    assert (rule, place) == ("unresolved-import" if used else "type-error", "widgets/note/widget.ts:3:18")
    assert advice in hint
