"""Inputs that cannot work, each with the finding that an author needs. `test_bad_inputs.py` runs them."""

from dataclasses import dataclass, field

HEAD = 'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
TAIL = "export default afterPrice(({ t }) => view({ t }));\n"
TOML = 'title = "Note"\nslot = "after-price"\n'
STATE = '[[state]]\nname = "a"\ntitle = "A"\npayload = "P1"\n'
P = '<p>{{ t("hello") }}</p>\n'


@dataclass(frozen=True)
class BadInput:
    """`files` replace those of a widget that works; paths with a slash begin at the workspace.

    `place` is the path, below the widget if it has no slash, and the line. `says` and `advises` are words of the
    message and the hint.
    """

    files: dict[str, str | bytes]
    rule: str
    place: str
    says: str
    advises: str
    severity: str = "error"
    gone: tuple[str, ...] = field(default=())


def script(line: str, tail: str = TAIL) -> dict[str, str | bytes]:
    """Return a script with this line as its third."""
    return {"widget.ts": f"{HEAD}{line}\n{tail}"}


def schema(property_: str) -> dict[str, str | bytes]:
    return {"data.schema.json": f'{{"properties": {{\n"a": {property_}\n}}}}\n'}


CART = (HEAD + TAIL).replace("afterPrice", "afterCart")
COPY = 'hello = "Hello"\nmore = "Read more about this offer"\nless = "Show me less of it"\n'
COPIED = P + '{{ t("more") }}{{ t("less") }}\n'

BAD_INPUTS = {
    # What the widget says about itself
    "slot of another export": BadInput(
        {"widget.ts": CART}, "slot-mismatch", "widget.ts:3", "afterCart", 'slot = "after-cart"'
    ),
    "slot without an export": BadInput(
        {"widget.toml": 'title = "N"\nslots = ["after-price", "after-cart"]\n'},
        "slot-mismatch",
        "widget.toml:2",
        "after-cart",
        "add afterCart",
    ),
    "slot that no shop has": BadInput(
        {"widget.toml": 'title = "N"\nslot = "after-prices"\n'},
        "unknown-slot",
        "widget.toml:2",
        "after-prices",
        "after-price",
    ),
    "misspelt key": BadInput(
        {"widget.toml": TOML + "budgte = 3\n"}, "unknown-key", "widget.toml:3", "budgte", "budget"
    ),
    "TOML that is not closed": BadInput(
        {"widget.toml": 'title = "Note\nslot = "after-price"\n'}, "toml-syntax", "widget.toml:1", "", ""
    ),
    "budget and a picture": BadInput(
        {
            "widget.toml": TOML + "budget = 900\n",
            "style.css": 'p { background: url("./big.png") }\n',
            "big.png": bytes(range(256)) * 40,
        },
        "size-budget",
        "widget.toml:3",
        "over its budget",
        "big.png 10240",
    ),
    "style of another name": BadInput(
        {"style2.css": "p { color: red }\n"},
        "file-unused",
        "style2.css",
        "does not read",
        "style.css",
        "warning",
    ),
    # Scripts
    "no default export in a cart's widget": BadInput(
        {"widget.ts": 'import "awning";\n', "widget.toml": TOML.replace("price", "cart"), "view.html.j2": P},
        "missing-export",
        "widget.ts:1",
        "no default export",
        "export default afterCart(({ cart }) => ...)",
    ),
    "function as the export of two slots": BadInput(
        {
            "widget.ts": HEAD + "export default () => view({});\n",
            "widget.toml": 'title = "N"\nslots = ["after-cart", "after-checkout"]\n',
        },
        "missing-export",
        "widget.ts:3",
        "a function, which is not a slot",
        "export default [afterCart(({ cart }) => ...), afterCheckout(({ cart }) => ...)]",
    ),
    "no default export": BadInput(
        {"widget.ts": HEAD + "view({});\n"},
        "missing-export",
        "widget.ts:1",
        "default export",
        "export default",
    ),
    "export of a function": BadInput(
        {"widget.ts": HEAD + "export default ({ t }) => view({ t });\n"},
        "missing-export",
        "widget.ts:3",
        "not a slot",
        "afterPrice",
    ),
    "misspelt name of awning": BadInput(
        {"widget.ts": (HEAD + TAIL).replace("afterPrice", "afterPrise")},
        "missing-export",
        "widget.ts:1",
        "afterPrise",
        "afterPrice",
    ),
    "function that is not imported": BadInput(
        script("const price = money(1, 'EUR'); console.log(price);"),
        "missing-import",
        "widget.ts:3",
        "money",
        "import { money }",
    ),
    "renamed template": BadInput(
        {"View.html.j2": P},
        "unresolved-import",
        "widget.ts:2",
        "view.html.j2",
        "View.html.j2",
        gone=("view.html.j2",),
    ),
    "misspelt import": BadInput(
        script('import { a } from "./mroe"; a();') | {"more.ts": "export const a = () => 1;\n"},
        "unresolved-import",
        "widget.ts:3",
        "./mroe",
        "more",
    ),
    "package that is not installed": BadInput(
        script('import a from "left-pad"; a();'),
        "unresolved-import",
        "widget.ts:3",
        "left-pad",
        "npm install",
    ),
    "module of Node.js": BadInput(
        script('import fs from "node:fs"; fs.readFileSync("a");'),
        "unresolved-import",
        "widget.ts:3",
        "node:fs",
        "browsers",
    ),
    "import from another host": BadInput(
        script('import a from "https://cdn.example/a.js"; a();'),
        "unresolved-import",
        "widget.ts:3",
        "another host",
        "widget's folder",
    ),
    "style sheet in a script": BadInput(
        script('import "./a.css";') | {"a.css": "p { color: red }\n"},
        "style-import",
        "widget.ts:3",
        "style sheet",
        "style.css",
    ),
    "await at the top": BadInput(
        script('const a = await fetch("/a"); console.log(a);'),
        "script-error",
        "widget.ts:3",
        "await",
        "async function",
    ),
    "bracket that is not closed": BadInput(
        script("const a = (1;"), "script-error", "widget.ts:3", "Expected", "not closed"
    ),
    "text that is not closed": BadInput(
        script('const a = "b;'), "script-error", "widget.ts:3", "Unterminated", "quote"
    ),
    "constant that is assigned": BadInput(
        script("const a = 1; a = 2;"), "script-error", "widget.ts:3", "constant", "declared"
    ),
    "functions in functions": BadInput(
        script(f"const a = {'() => ' * 800}1; console.log(a);"),
        "source-limit",
        "widget.ts:3",
        "200 levels",
        "functions",
    ),
    "eval": BadInput(script('console.log(eval("1 + 1"));'), "no-eval", "widget.ts:3", "", ""),
    "document.write": BadInput(script('document.write("<p>");'), "document-write", "widget.ts:3", "", ""),
    # Types
    "function that nothing defines": BadInput(
        script("showNote();"), "type-error", "widget.ts:3", "showNote", ""
    ),
    "import of the template that is gone": BadInput(
        {"widget.ts": 'import { afterPrice } from "awning";\n' + TAIL},
        "type-error",
        "widget.ts:2",
        "view",
        "",
    ),
    "text in place of a number": BadInput(
        script('const days: number = "3"; console.log(days);'), "type-error", "widget.ts:3", "number", ""
    ),
    "promise in place of a truth value": BadInput(
        {
            "view.html.j2": "{#def sold: boolean -#}\n" + P + "{% if sold %}<b>Sold</b>{% endif %}\n",
            "widget.ts": HEAD
            + "const sold = async () => true;\n"
            + "export default afterPrice(({ t }) => view({ t, sold: sold() }));\n",
        },
        "type-error",
        "widget.ts:4",
        "Promise",
        "",
    ),
    # Templates
    "tags that do not match": BadInput(
        {"view.html.j2": P + "<div><p></span></section>\n"},
        "template-tags",
        "view.html.j2:2",
        "</span> closes nothing",
        "</div>",
        "warning",
    ),
    "element that is not closed": BadInput(
        {"view.html.j2": f"<div>\n{P}"},
        "template-tags",
        "view.html.j2:1",
        "never closed",
        "</div>",
        "warning",
    ),
    "unused template": BadInput(
        {"old.html.j2": "<p>old</p>\n"},
        "template-unused",
        "old.html.j2:1",
        "no script imports",
        "import it",
        "warning",
    ),
    "deleted import of the template": BadInput(
        {"widget.ts": 'import { afterPrice } from "awning";\nexport default afterPrice(() => "");\n'},
        "template-unused",
        "view.html.j2:1",
        "no script imports",
        "view.html.j2",
        "warning",
    ),
    "statement that is not closed": BadInput(
        {"view.html.j2": P + "{% if a %}\n<p></p>\n"}, "template-syntax", "view.html.j2", "", ""
    ),
    "filter that Jinja2 does not have": BadInput(
        {"view.html.j2": P + "{{ 'a'|uper }}\n"}, "template-filter", "view.html.j2:2", "uper", "upper"
    ),
    "include of a missing file": BadInput(
        {"view.html.j2": P + '{% include "row.html.j2" %}\n'},
        "template-not-found",
        "view.html.j2:2",
        "row.html.j2",
        "",
    ),
    "address with a script": BadInput(
        {"view.html.j2": P + '<a href="javascript:{{ a }}">x</a>\n'},
        "template-unsafe-url",
        "view.html.j2:2",
        "",
        "",
    ),
    "sheet of another host in a template": BadInput(
        {"view.html.j2": P + '<link rel="stylesheet" href="https://cdn.example/a.css">\n'},
        "style-import",
        "view.html.j2:2",
        "another host",
        "style.css",
    ),
    # Styles
    "import of a sheet of another host": BadInput(
        {"style.css": '@import url("https://cdn.example/a.css");\np { color: red }\n'},
        "style-import",
        "style.css:1",
        "cdn.example",
        "copy the rules",
    ),
    "url( that is not closed": BadInput(
        {"style.css": "p {\n  background: url(a.png;\n}\n"}, "style-error", "style.css:2", "url(", '")"'
    ),
    "brace that is not closed": BadInput(
        {"style.css": "p { color: red\n"}, "style-error", "style.css:1", "never closed", "close it"
    ),
    "comment that is not closed": BadInput(
        {"style.css": "p { color: red }\n/* a\n"}, "style-error", "style.css:2", "comment", "*/"
    ),
    "misspelt property": BadInput(
        {"style.css": "p { colr: red }\n"}, "style-warning", "style.css:1", "colr", "color", "warning"
    ),
    "picture that is missing": BadInput(
        {"style.css": 'p { background: url("./lgo.png") }\n', "logo.png": b"\x89PNG"},
        "unresolved-import",
        "style.css:1",
        "lgo.png",
        "logo.png",
    ),
    # Texts
    "copied language": BadInput(
        {"messages/en.toml": COPY, "messages/lv.toml": COPY, "view.html.j2": COPIED},
        "message-untranslated",
        "messages/lv.toml:1",
        "all 3 messages",
        "translate",
        "warning",
    ),
    "message that is missing": BadInput(
        {"view.html.j2": P + '{{ t("helo") }}\n'}, "message-missing", "view.html.j2:2", "helo", "hello"
    ),
    "argument that is missing": BadInput(
        {"messages/en.toml": 'hello = "Hello {name}"\n', "messages/lv.toml": 'hello = "Sveiki {name}"\n'},
        "message-arguments",
        "view.html.j2:1",
        "{name}",
        "name",
    ),
    "text that is not UTF-8": BadInput(
        {"messages/lv.toml": b'hello = "Sveiki \xe2"\n'},
        "file-encoding",
        "messages/lv.toml:1",
        "UTF-8",
        "save it",
    ),
    # Data and states
    "format that nothing checks": BadInput(
        schema('{"type": "string", "format": "uuid"}'),
        "data-schema",
        "data.schema.json:2",
        "uuid",
        "date-time",
        "warning",
    ),
    "keyword that nothing checks": BadInput(
        schema('{"type": "object", "patternProperties": {}}'),
        "data-schema",
        "data.schema.json:2",
        "patternProperties",
        "a schema can have: additionalProperties",
        "warning",
    ),
    "migration that throws for an example": BadInput(
        {
            "data.schema.json": '{"x-version": 2, "properties": {"a": {"type": "string"}}}\n',
            "data.migrate.ts": "export const examples = [{ b: 5 }];\n"
            "export const migrate = (stored: { b?: number }) => {\n"
            '  if (stored.b === 5) throw new Error("five");\n  return {};\n};\n',
        },
        "data-migration",
        "data.migrate.ts:3",
        "example 1 cannot be migrated",
        "",
    ),
    "migration whose result does not fit": BadInput(
        {
            "data.schema.json": '{"x-version": 2, "properties": {"a": {"type": "string"}}}\n',
            "data.migrate.ts": "export const examples = [{}];\nexport function migrate() {\n  return { b: 1 };\n}\n",
        },
        "data-migration",
        "data.migrate.ts:2",
        "does not fit the schema",
        "",
    ),
    "new version without a migration": BadInput(
        {"data.schema.json": '{"x-version": 2, "properties": {"a": {"type": "string"}}}\n'},
        "data-migration",
        "data.schema.json:1",
        "no data.migrate.ts",
        "export a function migrate",
        "warning",
    ),
    "default that is no date": BadInput(
        schema('{"type": "string", "format": "date", "default": "soon"}'),
        "data-default",
        "data.schema.json:2",
        "soon",
        "",
    ),
    "JSON with a comma too many": BadInput(
        {"data.schema.json": '{"properties": {},}\n'}, "json-syntax", "data.schema.json:1", "", "comma"
    ),
    "time that is none": BadInput(
        schema('{"type": "string", "format": "time"}')
        | {"states.toml": f'{STATE}data = {{ a = "25:00" }}\n'},
        "data-value",
        "states.toml:5",
        "25:00",
        "",
    ),
    "product that no shop has": BadInput(
        {"states.toml": STATE.replace("P1", "P999")}, "unreachable-state", "states.toml:4", "P999", "products"
    ),
    "misspelt step": BadInput(
        {"states.toml": f'{STATE}steps = ["selct red"]\n'}, "state-step", "states.toml:5", "selct", "select"
    ),
    # Tests
    "test with a syntax error": BadInput(
        {"test_note.py": "def test_note(storefront):\n    assert (\n"},
        "test-syntax",
        "test_note.py:2",
        "not valid Python",
        "pytest",
    ),
    "test of the workspace with a syntax error": BadInput(
        {"tests/test_app.py": "def test(:\n"},
        "test-syntax",
        "tests/test_app.py:1",
        "not valid Python",
        "pytest",
    ),
}
