"""An import that leads nowhere is reported at its place, with the name that was probably meant."""

import pytest
from project import Project

from awning.pipeline.incremental import inspect_workspace

HEAD = 'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
TAIL = "export default afterPrice(({ t }) => view({ t }) + String(more));\n"


def errors(project):
    findings = inspect_workspace(project.root).counted()
    return [
        (finding.rule, str(finding.place), finding.hint)
        for finding in findings
        if finding.severity == "error"
    ]


def importing(module, *, used=True):
    return {
        "widget_ts": f'{HEAD}import more from "{module}";\n{TAIL if used else TAIL.replace("more", "1")}',
        "more_ts": "export default () => 1;\n",
        "other_html_j2": "other",
        "parts/more_ts": "export default () => 1;\n",
    }


MODULES = {
    "./Other.html.j2": 'did you mean "other.html.j2"?',
    "./veiw.html.j2": 'did you mean "view.html.j2"?',
    "./mroe": 'did you mean "more"?',
    "./parts/mroe": 'did you mean "more"?',
    "./nothing-like-it": "check the spelling: the path is relative to the importing file",
    "https://cdn.example/a.js": "widget's folder",
    "//cdn.example/a.js": "widget's folder",
    "HTTP://cdn.example/a": "widget's folder",
    "not-installed": "(npm install not-installed)",
    "@acme/tools/dates": "(npm install @acme/tools)",
    "lodash/fp": "(npm install lodash)",
    "node:fs": "it is a part of Node.js",
    "fs": "it is a part of Node.js",
    "awning/nope": 'a widget imports from "awning" and "awning/types"',
}
UNUSED = [module for module in MODULES if "." not in module or module == "./nothing-like-it"]
"""The bundler drops an import that is not used, so TypeScript reports it."""


@pytest.mark.parametrize("module", MODULES)
def test_import_that_leads_nowhere_says_what_to_do(findings_of, module):
    findings = findings_of(MODULES, importing)[module]
    [error] = [finding for finding in findings if finding.severity == "error"]
    assert (error.rule, error.place.line, error.place.column) == ("unresolved-import", 3, 18)
    assert MODULES[module] in error.hint


@pytest.mark.parametrize("module", UNUSED)
def test_unused_import_that_leads_nowhere_says_what_to_do(findings_of, module):
    findings = findings_of(UNUSED, lambda module: importing(module, used=False))[module]
    [error] = [finding for finding in findings if finding.severity == "error"]
    assert (error.rule, error.place.line, error.place.column) == ("type-error", 3, 18)
    assert MODULES[module] in error.hint


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


def test_fault_of_a_rule_that_the_scope_moves_has_the_authors_place(tmp_path):
    css = '\n@font-face { font-family: x;\n  src: url("./no.woff") }\np { color: red }\ni { top: 0 }\n'
    project = Project(tmp_path).add_widget("note", style_css=css)
    [finding] = inspect_workspace(project.root).counted()
    assert (finding.rule, str(finding.place)) == ("unresolved-import", "widgets/note/style.css:3:12")
