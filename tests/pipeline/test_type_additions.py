"""What the check of types adds to a script changes no other finding."""

import pytest

from awning.pipeline.incremental import build, inspect_workspace
from awning.script.file import ScriptFile
from awning.template.compile import compile_template
from awning.typescript.additions import text_with_additions
from awning.typescript.project import TypeProject, script_with_additions

pytestmark = pytest.mark.usefixtures("processes")

HEAD = 'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
RENDER = "export default afterPrice(({ item }) => view({ item }));\n"
VIEW = "<p>{{ item.name }}</p>\n"


OF_TYPES = ("data-key", "payload-field", "script-error", "type-error")


def rules(root):
    return [d.rule for d in inspect_workspace(root).counted() if d.rule in OF_TYPES]


HARMLESS = {
    "global declaration": "declare global { const ofThePage: number; }\nofThePage.toFixed();\n",
    "statement without a semicolon": "const first = 1\nview({ item: first as any })\n",
    "call in a call": "view({ item: view({ item: null as any }) as any });\n",
    "call in a condition": "if (view({ item: null })) view({ item: null });\n",
    "call in a loop": "for (const one of [1]) view({ item: { name: one } });\n",
    "awaited argument": "export const later = async () => view({ item: await Promise.resolve(null) });\n",
    "yielded argument": "export function* each() { view({ item: (yield 1) as null }); }\n",
    "narrowed argument": 'export const of = (a: { name: "x" } | null) => a && view({ item: { name: a.name } });\n',
}


@pytest.mark.parametrize("case", HARMLESS)
def test_additions_make_no_finding(findings_of, case):
    findings = findings_of(
        HARMLESS, lambda case: {"widget_ts": HEAD + HARMLESS[case] + RENDER, "view_html_j2": VIEW}
    )
    assert [d for d in findings[case] if d.rule in OF_TYPES] == []


def test_class_of_a_circle_of_imports_stays_one_class(project):
    script = (
        HEAD
        + 'import { show } from "./part";\nexport class Own { private a = 1; }\nshow(new Own());\n'
        + RENDER
    )
    project.add_widget(widget_ts=script, view_html_j2=VIEW)
    project.add_file(
        "widgets/note/part.ts", 'import { Own } from "./widget";\nexport const show = (own: Own) => own;\n'
    )
    assert rules(project.root) == []


def test_change_of_a_template_is_checked_against_an_unchanged_script(project):
    project.add_widget(widget_ts=HEAD + RENDER, view_html_j2=VIEW)
    assert not [d for d in build(project.root).diagnostics if d.severity == "error"]
    project.add_file("widgets/note/view.html.j2", "<p>{{ item.nmae }}</p>\n")
    assert rules(project.root) == ["payload-field"]


def test_text_with_additions_goes_with_its_script(tmp_path):
    folder = tmp_path / "types"
    folder.mkdir()
    types = TypeProject(folder=folder, root=tmp_path, types=tmp_path, base=tmp_path / "tsconfig.json")
    gone, stays = script_with_additions("widgets/a/part.ts"), script_with_additions("widgets/a/widget.ts")
    types.write([], {gone: b"1", stays: b"2"})
    types.write([], {stays: b"2"})
    assert [file.relative_to(folder).as_posix() for file in (folder / "added").rglob("*.ts")] == [stays]


def test_comment_in_a_template_silences_its_finding(project):
    script = HEAD.replace("view.html", "part.html") + RENDER
    project.add_widget(view_html_j2="", widget_ts='export { default } from "./part.js";\n')
    project.add_file("widgets/note/part.js", script)
    project.add_file(
        "widgets/note/part.html.j2", "{# awning-ignore payload-field: our shop sends it #}\n{{ item.nmae }}\n"
    )
    assert rules(project.root) == []


def test_places_in_a_text_with_additions_lead_back():
    script = ScriptFile(path="widgets/a/widget.js", text=f"{HEAD}/* ā */ view({{ item }}); item.prise;\n")
    variables = compile_template("{{ item.name }}", path="view.html.j2").reads
    text = text_with_additions(script, lambda _: variables, "any")
    assert text is not None
    at = text.content.index(b".prise")
    piece, distance = text.at(at + 1)
    assert script.content[piece.start + distance :].startswith(b"prise")
    piece, _ = text.at(text.content.index(b"?.name;") + 2)
    assert piece.added is not None
    assert piece.added.attribute == variables[0].type.fields[0]
    assert script.content[piece.added.passed_at :].startswith(b"item }")
