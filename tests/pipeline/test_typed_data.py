"""The type of `data` for the editor's TypeScript. It changes no snippet."""

from pathlib import Path

import pytest
from typescript import type_errors

from awning.data_schema import read_schema
from awning.pipeline.editor import data_declaration
from awning.pipeline.phases import write_types

ROOT = Path(__file__).parents[2]
SCAFFOLD = ROOT / "src/awning/workspace/scaffold/workspace/tsconfig.json"
DECLARATION = ".awning/types/widgets/note/data.schema.d.ts"

SCHEMA = """\
{
  "type": "object",
  "$defs": {"row": {
    "type": "object",
    "required": ["title"],
    "properties": {"title": {"type": "string"}, "link": {"type": "string", "default": "/"}}
  }},
  "properties": {
    "few": {"type": "integer", "minimum": 0, "default": 3, "title": {"lv": "Maz", "en": "Few left"}},
    "note": {"type": "string", "description": "Any text */ with care"},
    "size": {"enum": ["small", "large", 3], "default": "small"},
    "maybe": {"type": ["string", "null"], "default": null},
    "rows": {"type": "array", "items": {"$ref": "#/$defs/row"}, "default": []},
    "tags": {"type": "array", "items": {"enum": ["new", "sale"]}},
    "look": {"type": "object", "properties": {
      "colour": {"type": "string", "default": "#fff"}, "wide": {"type": "boolean"}}, "required": ["wide"]},
    "shop": {"$ref": "#/$defs/row"},
    "place": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
    "texts": {"type": "object", "additionalProperties": {"type": "string"}},
    "odd-key": {"type": "number", "const": 4, "default": 4}
  },
  "required": ["note"]
}
"""

DECLARED = """\
// Made by awning from widgets/note/data.schema.json: the settings of a shop.

/** This widget's part of the app data, with the defaults under it. */
export type Data = {
  /** Few left. A whole number from 0. Default: 3. */
  few: number;
  /** Any text * / with care. A text. */
  note?: string;
  /** One of "small", "large", 3. Default: "small". */
  size: "small" | "large" | 3;
  /** A text or null. Default: null. */
  maybe: string | null;
  /** A list of objects. Default: []. */
  rows: DataRows[];
  /** A list of values out of "new", "sale". */
  tags?: ("new" | "sale")[];
  /** An object. */
  look: DataLook;
  /** An object. */
  shop: DataShop;
  /** An object. */
  place?: DataPlace;
  /** An object. */
  texts?: {
    [key: string]: string;
  };
  /** 4. Default: 4. */
  "odd-key": 4;
};

export type DataRows = {
  /** A text. */
  title: string;
  /** A text. */
  link?: string;
};

export type DataLook = {
  /** A text. Default: "#fff". */
  colour: string;
  /** True or false. */
  wide?: boolean;
};

export type DataShop = {
  /** A text. */
  title?: string;
  /** A text. Default: "/". */
  link: string;
};

export type DataPlace = {
  /** A text. */
  name: string;
};
"""

SCRIPT = """\
import { afterPrice } from "awning";
import type { Data } from "./data.schema";
import view from "./view.html.j2";
const long = (title: string): number => title.length;
export default afterPrice<Data>(({ data, t }) => {
  const total: number = data.few + data.rows.map((row) => long(row.title)).length + data["odd-key"];
  const maybe: string | null = data.maybe;
  const shop: string = data.shop.title ?? data.place?.name ?? "";
  const text: string = shop + data.look.colour + (data.note ?? "") + (data.texts?.lv ?? "");
  if (data.size === "large" || data.tags?.includes("new")) return "";
  return view({ t, few: total, note: text + maybe, rows: data.rows });
});
afterPrice<Data>(({ data }) => String(data.fev)); // wrong: fev
afterPrice<Data>(({ data: { fev } }) => fev); // wrong: fev
afterPrice<Data>(({ data }) => long(data.note) ? "" : ""); // wrong: undefined
afterPrice<Data>(({ data }) => (data.size === "middle" ? "" : "a")); // wrong: no overlap
afterPrice<Data>(({ data }) => data.rows.map((row) => row.titel).join("")); // wrong: titel
afterPrice<Data>(({ data }) => data.tags[0] ?? ""); // wrong: undefined
afterPrice<Data>(({ data }) => String(data.look.color)); // wrong: color
afterPrice(({ data }) => String(data.few)); // wrong: DataOfNoType
"""
VIEW = '{{ t("hello") }}{{ few }}{{ note }}{% for row in rows %}{{ row.title }}{{ row.link }}{% endfor %}'


def typed(project):
    project.add_file("tsconfig.json", SCAFFOLD.read_text(encoding="utf-8"))
    return project.add_widget(data_schema_json=SCHEMA, widget_ts=SCRIPT, view_html_j2=VIEW)


def test_the_type_follows_the_schema_and_its_defaults(project):
    project.add_widget(data_schema_json=SCHEMA).build()
    assert (project.root / DECLARATION).read_text(encoding="utf-8") == DECLARED


def test_type_is_deleted_with_its_schema(project):
    project.add_widget(data_schema_json=SCHEMA)
    write_types(project.root)
    assert (project.root / DECLARATION).is_file()
    (project.root / "widgets/note/data.schema.json").unlink()
    write_types(project.root)
    assert not (project.root / DECLARATION).exists()


@pytest.mark.usefixtures("processes")
def test_typescript_accepts_and_rejects_uses_of_data(project):
    typed(project)
    write_types(project.root)
    errors = type_errors(project.root)
    wrong = [number for number, line in enumerate(SCRIPT.splitlines(), 1) if "// wrong" in line]
    assert sorted({line for line, _ in errors["widgets/note/widget.ts"]}) == wrong, errors
    assert errors.keys() == {"widgets/note/widget.ts"}
    messages = " ".join(text for _, text in errors["widgets/note/widget.ts"])
    assert "Did you mean 'colour'?" in messages
    assert "DataOfNoType" in messages


@pytest.mark.usefixtures("processes")
def test_types_do_not_exist_before_the_first_build(project):
    script = SCRIPT.splitlines()[:2]
    script.append("export default afterPrice<Data>(({ data }) => data.few + data.anything.at.all);")
    typed(project).add_file("widgets/note/widget.ts", "\n".join(script))
    write_types(project.root)
    (project.root / DECLARATION).unlink()
    assert type_errors(project.root) == {}


def test_types_do_not_change_a_snippet(project):
    plain = 'import {{ afterPrice }} from "awning";\n{}export default afterPrice{}(({{ data }}) => `${{data.few}}`);\n'
    sizes = []
    for imported, argument in (("", ""), ('import type { Data } from "./data.schema";\n', "<Data>")):
        project.add_widget(data_schema_json=SCHEMA, widget_ts=plain.format(imported, argument)).build()
        sizes.append(len(project.dist("body.html")))
    assert sizes[0] == sizes[1]


@pytest.mark.parametrize(
    ("schema", "body"),
    [
        ({"type": "object"}, "{\n  [key: string]: unknown;\n}"),
        ({"properties": {}}, "{}"),
        (
            {"properties": {"a": {"type": "integer", "default": 1}}, "additionalProperties": True},
            "{\n  /** A whole number. Default: 1. */\n  a: number;\n  [key: string]: unknown;\n}",
        ),
        ({"properties": {"a": {"type": "null"}}}, "{\n  /** Null. */\n  a?: null;\n}"),
        ({"properties": {"a": {"enum": [[1], "b"]}}}, '{\n  /** One of [1], "b". */\n  a?: unknown;\n}'),
        (
            {"properties": {"a": {"type": ["string", "integer"]}}},
            "{\n  /** A text or a whole number. */\n  a?: string | number;\n}",
        ),
        ({"properties": {"a": {"type": "array"}}}, "{\n  /** A list. */\n  a?: unknown[];\n}"),
    ],
)  # fmt: skip
def test_each_type_of_schema_has_its_typescript_type(schema, body):
    part, _ = read_schema(schema)
    assert data_declaration("x", part).rpartition("export type Data = ")[2] == f"{body};\n"
