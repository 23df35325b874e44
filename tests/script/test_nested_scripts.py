"""A script that is nested too deeply is refused at its place; sums and chains of any length are not."""

import pytest
from project import Project

from awning.check.files import check_text
from awning.contract import Dialect
from awning.errors import Faulty
from awning.pipeline.incremental import build, inspect_workspace
from awning.script.file import ScriptFile
from awning.script.tree import MOST_LEVELS

HEAD = 'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
DEEP = {
    "functions": "() => " * 800 + "1",
    "brackets": "(" * 800 + "1" + ")" * 800,
    "arrays": "[" * 5000 + "]" * 5000,
    "operators": "!" * 5000 + "1",
    "calls": "f(" * 800 + ")" * 800,
    "texts": "`${" * 800 + "1" + "}`" * 800,
    "objects": "{ a: " * 800 + "1" + "}" * 800,
    "blocks": "() => {" + "{" * 5000 + "}" * 5000 + "}",
    "declared functions": "() => {" + "function f() {" * 800 + "}" * 800 + "}",
    "patterns": "1; let " + "[" * 5000 + "]" * 5000 + " = 1",
    "conditions": "() => {" + "if (a) " * 800 + "b; }",
}
LONG = {
    "sum": "a + " * 3000 + "1",
    "chain": "a" + ".b()" * 3000,
    "choice": "a ? b : " * 1000 + "c",
    "assignments": "() => {" + "a = " * 3000 + "1; }",
    "else if": "() => { if (a) b();" + "else if (a) b();" * 1000 + "}",
    "levels": "(" * (MOST_LEVELS - 10) + "1" + ")" * (MOST_LEVELS - 10),
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_script_is_refused_at_its_place(name):
    text = f"export const z = {DEEP[name]};\n"
    with pytest.raises(Faulty) as raised:
        _ = ScriptFile(path="a.ts", text=text).facts
    [finding] = raised.value.diagnostics
    assert (finding.rule, finding.severity, finding.place.line) == ("source-limit", "error", 1)
    assert finding.place.column > 100


@pytest.mark.parametrize("name", DEEP)
def test_deep_script_outside_of_a_widget_is_checked_as_far_as_it_can_be_read(name):
    diagnostics = check_text("a.ts", f"const z = {DEEP[name]};\n", Dialect()).diagnostics
    assert {diagnostic.severity for diagnostic in diagnostics} <= {"note"}


@pytest.mark.parametrize("name", LONG)
def test_long_script_is_read(name):
    assert not ScriptFile(path="a.ts", text=f"export const z = {LONG[name]};\n").facts.broken


def test_deep_script_is_an_error_of_check_and_build(tmp_path):
    script = (
        f"{HEAD}const z = {DEEP['functions']};\nexport default afterPrice(({{ t }}) => view({{ t, z }}));\n"
    )
    project = Project(tmp_path).add_widget("note", widget_ts=script)
    [finding] = inspect_workspace(project.root).counted()
    assert (finding.rule, finding.place.path, finding.place.line) == (
        "source-limit",
        "widgets/note/widget.ts",
        3,
    )
    with pytest.raises(Faulty):
        build(project.root)
