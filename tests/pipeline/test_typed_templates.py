"""`.awning/types/widgets`: the argument of view({ ... }) for the editor's TypeScript."""

import shutil
from pathlib import Path

import pytest
from project import Project
from typescript import type_errors

from awning.contract import SLOTS
from awning.diagnostics import has_errors
from awning.errors import Faulty
from awning.pipeline.incremental import build
from awning.pipeline.phases import build_workspace
from awning.workspace.scaffolding import add_widget

ROOT = Path(__file__).parents[2]
SCAFFOLD = ROOT / "src/awning/workspace/scaffold/workspace/tsconfig.json"
DECLARATION = ".awning/types/widgets/note/view.html.d.j2.ts"

TEMPLATE = """\
{% from "parts.html.j2" import row %}
<p>{{ t("hello") }}{{ title }}{{ note|default("") }}</p>
{% if soldOut %}{{ back }}{% else %}{{ left }}{% endif %}
{% for line in lines %}{{ row(line) }}{% if line.options %}{{ line.options|join(", ") }}{% endif %}{% endfor %}
{% if variant %}{{ variant.sku }}{% endif %}{{ format(count * 2) }}
"""
PARTS = '{% macro row(line) %}{{ line.title }}{{ line["unit-price"] }}{% endmacro %}\n'

DECLARED = """\
// Made by awning from widgets/note/view.html.j2: what its view({ ... }) takes.
import type { Translate } from "../../runtime/messages.ts";
import type { Falsy, Listed, Printable, Value, View } from "../../types/view.ts";

interface Always {
  /** Read in widgets/note/view.html.j2:5. */
  count: Value;
  /** Read in widgets/note/view.html.j2:5. */
  format: ((...given: never[]) => unknown);
  /** Read in widgets/note/view.html.j2:4. */
  lines: Listed<{
    /** Read in widgets/note/view.html.j2:4. */
    options: Value;
    /** Read in widgets/note/parts.html.j2:1. */
    title: Printable;
    /** Read in widgets/note/parts.html.j2:1. */
    "unit-price": Printable;
  } | null | undefined>;
  /** Read in widgets/note/view.html.j2:2. */
  note?: Printable;
  /** Read in widgets/note/view.html.j2:2. */
  t: Translate;
  /** Read in widgets/note/view.html.j2:2. */
  title: Printable;
  /** Read in widgets/note/view.html.j2:5. */
  variant: {
    /** Read in widgets/note/view.html.j2:5. */
    sku: Printable;
  } | Falsy;
}

export type Context = Always & ({
  soldOut: true;
  /** Read in widgets/note/view.html.j2:3. */
  back: Printable;
  /** Read in widgets/note/view.html.j2:3. */
  left?: Printable;
} | {
  soldOut: Falsy;
  /** Read in widgets/note/view.html.j2:3. */
  back?: Printable;
  /** Read in widgets/note/view.html.j2:3. */
  left: Printable;
} | {
  soldOut: Value;
  /** Read in widgets/note/view.html.j2:3. */
  back: Printable;
  /** Read in widgets/note/view.html.j2:3. */
  left: Printable;
});

/** Render the template. Every value is escaped for the place it is put in. */
export default function render<const Given>(context: View<Given, Context>): string;
"""

SCRIPT = """\
import { afterPrice, type Item, type Translate, type Variant } from "awning";
import view from "./view.html.j2";
interface Line { title: string; "unit-price": number; options?: string[]; sku: string }
interface Other { titel: string; "unit-price": number; options: string[] }
declare const lines: Line[];
declare const others: readonly Other[];
declare const item: Item;
declare const variant: Variant | null;
declare const soldOut: boolean;
declare const t: Translate;
const title = item.name, count = 1, format = (n: number) => n.toFixed(), back = "", left = item.stock;
const rest = { t, title, count, format, variant };
const sold = { ...rest, soldOut: true as const, back };
const priced = { "unit-price": 1, options: [1] };
export const right = [
  view({ ...rest, lines, soldOut, back, left }),
  view({ ...rest, lines, soldOut: true, back }),
  view({ ...rest, lines, soldOut: false, left, note: undefined }),
  view({ ...rest, lines, soldOut: null, left, note: soldOut ? "a" : undefined }),
  view({ ...sold, lines: [], variant: soldOut && item }),
  view({ ...sold, lines: [{ title: 1, "unit-price": null, options: "" }], variant: null }),
  view({ ...sold, lines: lines.map((one) => ({ ...one, title: one.sku })) }),
  view({ ...sold, lines: item.variants.map((one) => ({ ...priced, title: one.id })) }),
];
export default afterPrice(() => "");
view({ ...rest, lines, soldOut, left }); // wrong: back
view({ ...rest, lines, soldOut, back }); // wrong: left
view({ ...rest, lines, soldOut: false, back }); // wrong: left
view({ t, titel: "", count, format, variant, lines, soldOut: true, back }); // wrong: titel
view({ ...sold, lines, title: {} }); // wrong: Printable
view({ t, title, nota: 1, count, format, variant, lines, soldOut: true, back }); // wrong: nota
view({ ...sold, lines: others }); // wrong: title
view({ ...sold, lines: [{ title, options: 1 }] }); // wrong: unit-price
view({ ...sold, lines: lines.map((one) => ({ ...priced, titel: one.title })) }); // wrong: title
view({ ...sold, lines: title }); // wrong: string
view({ ...sold, lines, variant: { sko: 1 } }); // wrong: sko
view({ ...sold, lines, format: 1 }); // wrong: number
view({ title, count, format, variant, lines, soldOut: true, back }); // wrong: t
view({}); // wrong: Argument
view(rest); // wrong: Argument
"""


def typed(project, **files):
    project.add_file("tsconfig.json", SCAFFOLD.read_text(encoding="utf-8"))
    return project.add_widget(**{"view_html_j2": TEMPLATE, "parts_html_j2": PARTS, **files})


def declared(project):
    return (project.root / DECLARATION).read_text(encoding="utf-8")


def test_template_has_a_type_declaration(project):
    typed(project).build()
    assert declared(project) == DECLARED


def test_declarations_are_written_when_the_build_is_refused(project):
    typed(project)
    with pytest.raises(Faulty, match="template-variables"):
        build(project.root)
    assert declared(project) == DECLARED
    assert (project.root / ".awning/types/types/view.ts").is_file()


def test_unchanged_declarations_are_not_written_and_old_ones_deleted(project):
    typed(project).add_widget("other").build()
    file = project.root / DECLARATION
    before = file.stat()
    project.add_file("widgets/other/view.html.j2", "{{ t('hello') }}{{ more }}")
    project.add_file("widgets/other/old.html.j2", "")
    project.build()
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == (before.st_mtime_ns, before.st_ino)
    types = project.root / ".awning/types/widgets"
    assert "more: Printable;" in (types / "other/view.html.d.j2.ts").read_text()
    (project.root / "widgets/other/old.html.j2").unlink()
    project.build("note")
    assert (types / "other/old.html.d.j2.ts").exists()
    project.build()
    assert not (types / "other/old.html.d.j2.ts").exists()
    assert {path.suffix for path in types.rglob("*.*")} == {".ts"}


def test_refused_template_keeps_its_declaration(project):
    typed(project).build()
    project.add_file("widgets/note/view.html.j2", "{{ title")
    with pytest.raises(Faulty):
        project.build()
    assert declared(project) == DECLARED


def test_deleted_types_are_written_by_an_unchanged_build(project):
    typed(project)
    assert build(project.root, allow_errors=True).fresh
    assert not build(project.root, allow_errors=True).fresh
    shutil.rmtree(project.root / ".awning/types")
    build(project.root, allow_errors=True)
    assert declared(project) == DECLARED


@pytest.mark.usefixtures("processes")
def test_typescript_reports_wrong_calls_only(project):
    build_workspace(typed(project, widget_ts=SCRIPT).read())
    wrong = [number for number, line in enumerate(SCRIPT.splitlines(), start=1) if "// wrong" in line]
    for options in ((), ("--exactOptionalPropertyTypes",)):
        errors = type_errors(project.root, *options)
        assert set(errors) == {"widgets/note/widget.ts"}
        assert sorted({line for line, _ in errors["widgets/note/widget.ts"]}) == wrong
        for line, text in errors["widgets/note/widget.ts"]:
            assert SCRIPT.splitlines()[line - 1].partition("// wrong: ")[2] in text


DECLARING = """\
{#def title: string, soldOut: boolean, left: number, note: string #}
<p>{{ t("hello") }}{{ title }}{{ note|default("") }}</p>
{% if soldOut %}-{% else %}{{ left }}{{ more }}{% endif %}
{% if title %}{{ sub }}{% endif %}{% if left %}{{ few }}{% else %}{{ none_left }}{% endif %}
"""
GIVEN = """\
import { afterPrice, type Translate } from "awning";
import view from "./view.html.j2";
declare const t: Translate;
declare const soldOut: boolean;
declare const stock: number | null;
const all = { t, title: "", note: "", sub: 1, few: 1, none_left: "" };
export const right = [
  view({ ...all, soldOut, left: 1, more: 1 }),
  view({ ...all, soldOut: true, left: 1 }),
  view({ ...all, soldOut: false, left: stock ?? 0, more: null }),
  view({ t, note: "", few: 1, title: "", soldOut: true, left: 0, none_left: 1 }),
];
export default afterPrice(() => "");
view({ ...all, soldOut, left: stock, more: 1 }); // wrong: null
view({ ...all, soldOut, left: "1", more: 1 }); // wrong: number
view({ ...all, soldOut: 0, left: 1, more: 1 }); // wrong: boolean
view({ ...all, soldOut, left: 1, more: 1, title: undefined }); // wrong: string
view({ ...all, soldOut, left: 1, more: 1, note: null }); // wrong: string
view({ ...all, soldOut: false, left: 1 }); // wrong: more
view({ t, title: "", sub: 1, few: 1, none_left: 1, soldOut, left: 1, more: 1 }); // wrong: note
"""


@pytest.mark.usefixtures("processes")
def test_declaration_in_a_template_is_the_type(project):
    build_workspace(typed(project, view_html_j2=DECLARING, parts_html_j2="", widget_ts=GIVEN).read())
    assert "  title: string;\n" in declared(project)
    assert "  note: string;\n" in declared(project)
    wrong = [number for number, line in enumerate(GIVEN.splitlines(), start=1) if "// wrong" in line]
    for options in ((), ("--exactOptionalPropertyTypes",)):
        errors = type_errors(project.root, *options)["widgets/note/widget.ts"]
        assert sorted({line for line, _ in errors}) == wrong
        for line, text in errors:
            assert GIVEN.splitlines()[line - 1].partition("// wrong: ")[2] in text


@pytest.mark.usefixtures("processes")
def test_template_without_declarations_accepts_any_arguments(project):
    typed(project, widget_ts=SCRIPT).build()
    shutil.rmtree(project.root / ".awning/types/widgets")
    assert type_errors(project.root) == {}


@pytest.mark.usefixtures("processes")
def test_scaffolds_and_reference_widgets_have_no_type_errors(tmp_path):
    languages = ("en", "lv", "de")
    project = Project(tmp_path, languages=languages)
    project.add_file("tsconfig.json", SCAFFOLD.read_text(encoding="utf-8"))
    for slot in SLOTS:
        add_widget(tmp_path, f"a-{slot}", slot=slot, languages=languages)
    for widget in (ROOT / "widgets").iterdir():
        if (widget / "widget.toml").is_file():
            shutil.copytree(widget, tmp_path / "widgets" / widget.name)
    assert not has_errors(build(tmp_path).diagnostics)
    assert len(list(tmp_path.glob(".awning/types/widgets/*/view.html.d.j2.ts"))) >= len(SLOTS) + 2
    assert type_errors(tmp_path, "--exactOptionalPropertyTypes") == {}
