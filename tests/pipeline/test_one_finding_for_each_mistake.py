"""Each mistake has one finding, also where several of awning's rules, TypeScript and the bundler see it."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from bad_inputs import HEAD, P, script
from project import Project

from awning.diagnostics import Diagnostic
from awning.errors import Faulty
from awning.pipeline.incremental import inspect_workspace

pytestmark = pytest.mark.usefixtures("processes")

RENDER = "export default afterPrice(({{ item, data, t }}) => view({{ t, a: {} }}));\n"


def all_findings(root: Path) -> Sequence[Diagnostic]:
    try:
        return inspect_workspace(root).counted()
    except Faulty as faulty:
        return faulty.diagnostics


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
    "member of a field that no payload has": (
        {
            "head.js": 'svcPlugins.subscribeEvent("svc-content-after-price", (event, init, params) => {\n'
            "  init().setContent(String(params.item.stok.length));\n});\n",
        },
        ("payload-field", "warning", 2),
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


PLURAL = '[hello]\nzero = "c"\none = "a"\nother = "b"\n'
OPEN = ("template-unfinished-markup", "error", 2)
STATE = '[[state]]\nname = "a"\ntitle = "A"\npayload = "P1"\n'
STATES = {"states.toml": STATE}
TOML = 'title = "Note"\nslot = "after-price"\n'
MISTAKES |= {
    # A slot of widget.toml that differs from the export
    "slot of widget.toml": (
        {**STATES, "widget.toml": TOML.replace("price", "cart")},
        ("slot-mismatch", "error", 3),
    ),
    "slot of the export": (
        {**STATES, "widget.toml": TOML.replace("price", "cart"), **rendered("cart.total + item")}
        | {"widget.ts": (HEAD + "export default afterPrice(({ cart, t }) => view({ t, a: cart.total }));\n")},
        ("slot-mismatch", "error", 3),
    ),
    # Misspelt keys
    "key of a widget": ({"widget.toml": TOML.replace("slot", "slto")}, ("unknown-key", "error", 2)),
    "key slots": ({"widget.toml": 'title = "N"\nslotss = ["after-price"]\n'}, ("unknown-key", "error", 2)),
    "key of a state": ({"states.toml": STATE.replace("payload", "paylaod")}, ("unknown-key", "error", 4)),
    "key of the workspace": (
        {"../../pyproject.toml": '[tool.awning]\nlangauges = ["en", "lv"]\n'},
        ("unknown-key", "error", 2),
    ),
    "table of the workspace": (
        {"../../pyproject.toml": '[tool.awnin]\nlanguages = ["en", "lv"]\n'},
        ("unknown-key", "error", 1),
    ),
    "key of the manifest": (
        {"../../manifest.toml": 'app_titel = "A"\napp_version = "1.0.0"\n'},
        ("unknown-key", "error", 1),
    ),
    "key of a message": ({"messages/lv.toml": 'helo = "Sveiki"\n'}, ("message-missing", "error", 1)),
    "plural form of a message": (
        {"messages/en.toml": '[hello]\none = "a"\nothr = "b"\n', "messages/lv.toml": PLURAL}
        | {"view.html.j2": '<p>{{ t("hello", count=2) }}</p>\n'},
        ("message-plural", "error", 3),
    ),
    "name of t": ({"view.html.j2": '<p>{{ tt("hello") }}</p>\n'}, ("template-variables", "error", 3)),
    # A template that is not found
    "path of a template": (
        {"widget.ts": (HEAD + RENDER.format("1")).replace("./view", "./veiw")},
        ("unresolved-import", "error", 2),
    ),
    "ending of a template": (
        {"widget.ts": (HEAD + RENDER.format("1")).replace("view.html.j2", "view.j2")},
        ("unresolved-import", "error", 2),
    ),
    "path of a template without ./": (
        {"widget.ts": (HEAD + "export default afterPrice(({ t }) => view({ t }));\n").replace("./", "")},
        ("unresolved-import", "error", 2),
    ),
    "import of a template": (
        {
            "widget.ts": 'import { afterPrice } from "awning";\nexport default afterPrice(({ t }) => view({ t }));\n'
        },
        ("type-error", "error", 2),
    ),
    "name of an included template": (
        {"view.html.j2": P + '{% include "prat.html.j2" %}\n', "part.html.j2": "<b></b>\n"},
        ("template-not-found", "error", 2),
    ),
    "name of a shared template": (
        {"view.html.j2": P + '{% include "prat.html.j2" %}\n', "../_shared/part.html.j2": "<b></b>\n"},
        ("template-not-found", "error", 2),
    ),
    "script without an export": (
        {"widget.ts": HEAD + "afterPrice(({ t }) => view({ t }));\n"},
        ("missing-export", "error", 1),
    ),
    "empty script": ({"widget.ts": "\n"}, ("missing-export", "error", 1)),
    "exported function": (
        {"widget.ts": HEAD + "export default ({ t }) => view({ t });\n"},
        ("missing-export", "error", 3),
    ),
    # Markup and syntax of a template
    "open quotation mark": ({"view.html.j2": P + '<p class="a>Buy {{ t("hello") }}</p>\n'}, OPEN),
    "open quotation mark before another": (
        {"view.html.j2": P + '<p class="a>Buy {{ t("hello") }}</p><p class="b">x</p>\n'},
        ("template-malformed-markup", "error", 2),
    ),
    "open tag": (
        {"view.html.j2": P + '<p class="a" Buy it</p>\n'},
        ("template-malformed-markup", "error", 2),
    ),
    "syntax of a template": (
        {"view.html.j2": P + '<b>Buy it {{ t("hello" }}</b>\n'},
        ("template-syntax", "error", 2),
    ),
    "open expression": (
        {"view.html.j2": P + '<b>Buy it {{ t("hello") </b>\n'},
        ("template-syntax", "error", 2),
    ),
    "open statement": (
        {"view.html.j2": P + '<b>Buy it {% if t %}</b><i onclick="x">\n'},
        ("template-syntax", "error", 2),
    ),
    # A file with a wrong name
    "name of the schema": (
        {"data.schem.json": '{"properties": {"a": {"type": "string"}}}\n'}
        | {
            "widget.ts": 'import { afterPrice } from "awning";\nimport type { Data } from "./data.schema";\n'
            'export default afterPrice<Data>(({ data, t }) => t("hello") + data.a);\n',
            "view.html.j2": None,
        },
        ("file-unused", "error", 0),
    ),
    "missing schema": (
        {
            "widget.ts": 'import { afterPrice } from "awning";\nimport type { Data } from "./data.schema";\n'
            'export default afterPrice<Data>(({ data, t }) => t("hello") + data.a);\n',
            "view.html.j2": None,
        },
        ("unresolved-import", "error", 2),
    ),
    "name of the folder of messages": (
        {f"messages/{language}.toml": None for language in ("en", "lv")}
        | {f"mesages/{language}.toml": 'hello = "Hello"\n' for language in ("en", "lv")},
        ("file-unused", "error", 0),
    ),
}


ALONE = [
    *(case for case, (files, _) in MISTAKES.items() if any(path.endswith(".toml") for path in files)),
    *("script without an export", "empty script"),
]
"""Cases whose file may end the check of the whole workspace, and those that only a bundle of all widgets shows."""


def add_mistake(project, name, case):
    project.add_widget(name)
    for path, text in MISTAKES[case][0].items():
        if text is None:
            (project.root / f"widgets/{name}" / path).unlink()
        else:
            project.add_file(f"widgets/{name}/{path}", text)


@pytest.fixture(scope="module")
def findings_beside_others(tmp_path_factory):
    """The findings of each of the other cases: widgets of one workspace."""
    project = Project(tmp_path_factory.mktemp("mistakes"))
    names = {case: f"w{n}" for n, case in enumerate(MISTAKES) if case not in ALONE}
    for case, name in names.items():
        add_mistake(project, name, case)
    findings = all_findings(project.root)
    return {case: [d for d in findings if f"widgets/{name}/" in d.place.path] for case, name in names.items()}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistake_is_reported_once(tmp_path, findings_beside_others, case):
    if case in ALONE:
        project = Project(tmp_path / "shop")
        add_mistake(project, "note", case)
        diagnostics = all_findings(project.root)
    else:
        diagnostics = findings_beside_others[case]
    assert [(d.rule, d.severity, d.place.line) for d in diagnostics] == [MISTAKES[case][1]]
    assert "awning-types" not in diagnostics[0].message
    assert "@types/node" not in diagnostics[0].message


def test_two_mistakes_on_a_line_are_two_findings(tmp_path):
    project = Project(tmp_path / "shop").add_widget(
        "note", widget_ts=HEAD + RENDER.format('item.stok + eval("1") + moeny()')
    )
    project.add_file("widgets/note/view.html.j2", P + "{{ a }}")
    rules = [d.rule for d in inspect_workspace(project.root).counted()]
    assert sorted(rules) == ["no-eval", "type-error", "type-error"]


def test_unused_template_beside_another_mistake_is_a_finding_of_its_own(tmp_path):
    project = Project(tmp_path / "shop").add_widget(
        "note", widget_ts=HEAD + "import './helper';\n" + RENDER.format("wherever")
    )
    project.add_file("widgets/note/view.html.j2", P + "{{ a }}")
    project.add_file("widgets/note/other.html.j2", "<p></p>")
    rules = [d.rule for d in inspect_workspace(project.root).counted()]
    assert sorted(rules) == ["template-unused", "type-error", "unresolved-import"]


def test_misspelt_message_of_one_language_is_one_finding_there(tmp_path):
    project = Project(tmp_path / "shop", languages=("en", "lv", "de")).add_widget("note")
    project.add_file("widgets/note/messages/en.toml", 'helo = "Hello"\n')
    [finding] = all_findings(project.root)
    assert (finding.rule, finding.place.path) == ("message-missing", "widgets/note/messages/en.toml")


def test_syntax_error_hides_nothing_in_other_files(tmp_path):
    project = Project(tmp_path / "shop").add_widget("note", widget_ts=HEAD + "const = 1;\n")
    project.add_widget("other", widget_ts=HEAD + RENDER.format("item.stok"), view_html_j2=P + "{{ a }}")
    found = [(d.rule, d.place.path) for d in inspect_workspace(project.root).counted()]
    assert found == [("script-error", "widgets/note/widget.ts"), ("type-error", "widgets/other/widget.ts")]


COUNTS = (1, 2, 4, 5, 6, 9)
"""TypeScript names all missing fields up to five, and of more only four."""


@pytest.mark.parametrize("count", COUNTS)
def test_fields_that_a_template_reads_are_errors_whatever_their_number(findings_of, count):
    def files(count):
        fields = "".join(f"{{{{ a.unknown{number} }}}}\n" for number in range(count))
        return {"widget_ts": HEAD + RENDER.format("item"), "view_html_j2": f"{P}{fields}"}

    diagnostics = findings_of(COUNTS, files)[count]
    expected = [("payload-field", "error", 2 + number) for number in range(count)]
    assert [(d.rule, d.severity, d.place.line) for d in diagnostics] == expected


def test_field_that_two_calls_of_a_template_lack_is_one_finding(tmp_path):
    calls = "export default afterPrice(({ item, t }) => view({ t, a: item }) +\n  view({ t, a: item }));\n"
    project = Project(tmp_path / "shop").add_widget("note", widget_ts=HEAD + calls)
    project.add_file("widgets/note/view.html.j2", P + "{{ a.stok }}")
    diagnostics = inspect_workspace(project.root).counted()
    assert [(d.rule, d.severity) for d in diagnostics] == [("payload-field", "error")]


def test_name_that_a_template_misspells_is_one_error(tmp_path):
    calls = "export default afterPrice(({ item }) => view({ title: item.name }));\n"
    project = Project(tmp_path / "shop").add_widget("note", widget_ts=HEAD + calls)
    project.add_file("widgets/note/view.html.j2", "{#def title: string #}{{ titel.upper() }}\n")
    errors = [d.rule for d in inspect_workspace(project.root).counted() if d.severity == "error"]
    assert errors == ["template-variables"]


OTHER_ERRORS = {
    "value of another type": (
        'interface Box { stok: string }\nconst box: Box = {};\nexport default afterPrice(() => "");'
    ),
    "argument of a function": (
        "const sold = (box: { stok: string }) => box.stok;\n"
        "export default afterPrice(({ item }) => sold({ ...item }));"
    ),
    "call of the template that no rule reads": (
        'import view from "../note/view.html.j2";\n'
        "export default afterPrice((all) => view({ ...all, a: { ...all.item } }));"
    ),
}


@pytest.mark.parametrize("place", ["widgets/note/more.ts", "widgets/other/widget.ts"])
@pytest.mark.parametrize("case", OTHER_ERRORS)
def test_field_that_a_template_reads_hides_no_error_of_another_place(tmp_path, case, place):
    project = Project(tmp_path / "shop").add_widget("note").add_widget("other")
    for path, text in rendered("item", "{{ a.stok }}").items():
        project.add_file(f"widgets/note/{path}", text)
    code = 'import { afterPrice } from "awning";\n' + OTHER_ERRORS[case] + "\n"
    project.add_file(place, code)
    reported = [
        (d.rule, d.place.path) for d in inspect_workspace(project.root).counted() if d.severity == "error"
    ]
    assert sorted(reported) == [("payload-field", "widgets/note/view.html.j2"), ("type-error", place)]
