"""Each mistake has one finding, also where several of awning's rules, TypeScript and the bundler see it."""

import pytest
from bad_inputs import HEAD, P, script
from project import Project

from awning.pipeline import inspect_workspace

pytestmark = pytest.mark.usefixtures("processes")

RENDER = "export default afterPrice(({{ item, data, t }}) => view({{ t, a: {} }}));\n"


def rendered(value: str, view: str = "{{ a }}") -> dict[str, str]:
    return {"widget.ts": HEAD + RENDER.format(value), "view.html.j2": P + view + "\n"}


SYNTAX = ("script-error", "error", 3)
MISTAKES = {
    # A syntax error hides what follows from it
    "unexpected token": (script('const x = 1 +;\nconst y: number = "a";\nwherever();'), SYNTAX),
    "open text": (script('const s = "abc;\nitem.x;'), SYNTAX),
    "open condition": (script("if (x { y() }"), SYNTAX),
    "open function": (script("function f( { "), ("script-error", "error", 4)),
    "markup": (script("const x = <p/>;"), SYNTAX),
    "comment of HTML": (script("<!-- x"), SYNTAX),
    # Fields
    "field of a payload": (rendered("item.stok"), ("type-error", "error", 3)),
    "field in brackets": (rendered('item["stok"]'), ("type-error", "error", 3)),
    "field that a template reads": (rendered("item", "{{ a.stok }}"), ("payload-field", "error", 2)),
    "field of a row": (
        rendered("item.variants", "{% for v in a %}{{ v.optoins }}{% endfor %}"),
        ("payload-field", "error", 2),
    ),
    # Names
    "declared twice": (script("const c = 1;\nconst c = 2;"), ("script-error", "error", 4)),
    "require": (script('const x = require("fs");'), ("unresolved-import", "error", 3)),
    "missing export of a namespace": (
        script('import * as n from "awning"; n.nope();'),
        ("type-error", "error", 3),
    ),
    "event": (
        script('svcPlugins.subscribeEvent("svc-content-after-prce", () => {});'),
        ("unknown-event", "error", 3),
    ),
    # What the bundler warns of, too
    "eval": (script('eval("1");'), ("no-eval", "error", 3)),
    "typeof": (script('if (typeof view === "strng") {}'), ("type-error", "error", 3)),
    "new object": (script("if (({}) === {}) {}"), ("type-error", "error", 3)),
    "negation before in": (script('if (!"a" in {}) {}'), ("script-warning", "error", 3)),
    "called namespace": (script('import * as n from "awning"; n();'), ("script-warning", "error", 3)),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistake_is_reported_once(tmp_path, case):
    files, expected = MISTAKES[case]
    project = Project(tmp_path / "shop").add_widget("note")
    for path, text in files.items():
        project.add_file(f"widgets/note/{path}", text)
    diagnostics = inspect_workspace(project.root).counted()
    assert [(d.rule, d.severity, d.place.line) for d in diagnostics] == [expected]
    assert "awning-types" not in diagnostics[0].message
    assert "@types/node" not in diagnostics[0].message


def test_two_mistakes_on_a_line_are_two_findings(tmp_path):
    project = Project(tmp_path / "shop").add_widget(
        "note", widget_ts=HEAD + RENDER.format('item.stok + eval("1") + moeny()')
    )
    project.add_file("widgets/note/view.html.j2", P + "{{ a }}")
    rules = [d.rule for d in inspect_workspace(project.root).counted()]
    assert sorted(rules) == ["no-eval", "type-error", "type-error"]


def test_syntax_error_hides_nothing_in_other_files(tmp_path):
    project = Project(tmp_path / "shop").add_widget("note", widget_ts=HEAD + "const = 1;\n")
    project.add_widget("other", widget_ts=HEAD + RENDER.format("item.stok"), view_html_j2=P + "{{ a }}")
    found = [(d.rule, d.place.path) for d in inspect_workspace(project.root).counted()]
    assert found == [("script-error", "widgets/note/widget.ts"), ("type-error", "widgets/other/widget.ts")]
