"""Keys of `data` that data.schema.json does not have, read in scripts and in templates. TypeScript finds them."""

import json
import re

import pytest
from cases_in_widgets import findings_of_cases

from awning.diagnostics import Severity
from awning.rules import PAGES

pytestmark = pytest.mark.usefixtures("processes")

PAGE = PAGES / "data-key.md"
IMPORTS = 'import { afterPrice, afterCart, live } from "awning";\nimport view from "./view.html.j2";\n'
TYPED = f'{IMPORTS}import type {{ CartArgs }} from "awning";\nimport type {{ Data }} from "./data.schema";\n'
ROW = {"type": "object", "properties": {"title": {"type": "string"}, "size": {"enum": ["s", "m"]}}}
SCHEMA = {
    "properties": {
        "threshold": {"type": "number", "default": 50},
        "rows": {"type": "array", "items": ROW},
        "look": {"type": "object", "properties": {"colour": {"type": "string"}}},
        "texts": {"type": "object", "additionalProperties": {"type": "string"}},
        "either": {"type": ["object", "string"], "properties": {"a": {}}},
        "empty": {"type": "object", "properties": {}},
    }
}


def found_in(root, cases, ending="js", schema=SCHEMA):
    """The findings of each case, which has a script and a template."""
    files = [{f"part.{ending}": script, "view.html.j2": template} for script, template in cases]
    if schema is not None:
        files = [{**case, "data.schema.json": json.dumps(schema)} for case in files]
    return findings_of_cases(root, files, ["data-key"])


IN_TYPESCRIPT = (
    ("afterCart<Data>(({ data }) => data.treshold)", ['data has no "treshold"']),
    ("afterCart<Data>(({ data }) => data.threshold + data.rows.length)", []),
    ("afterCart(({ data }) => data.treshold + data.threshold)", ['data has no "treshold"']),
    ("afterCart<Data>(({ data: { treshold } }) => treshold)", ['data has no "treshold"']),
    ("afterCart<Data>((given) => given.data['treshold'])", ['data has no "treshold"']),
    ("afterCart(live<CartArgs<Data>>(({ data }) => data.treshold, {}))", ['data has no "treshold"']),
    ("afterCart(live(({ data }) => data.treshold, {}))", ['data has no "treshold"']),
    ("afterCart(({ data }: CartArgs<Data>) => data.look.color)", ['data.look has no "color"']),
    ("afterCart<Data>(({ data }) => data.rows.map((row) => row.titel))", ['data.rows has no "titel"']),
    ("afterCart<Data>(({ data }) => data.empty.any)", ['data.empty has no "any"']),
    # objects with any keys, and values that are not known
    ("afterCart<Data>(({ data }) => data.texts.anything + data.either.b)", []),
    ("afterCart<Data>(({ data }) => (data as any).treshold)", []),
    ("afterCart(({ data }: { data: Mine }) => data.treshold)", []),
    ("interface DataRows { a: 1 } const data: DataRows = { a: 1 }; data.treshold;", []),
)
IN_JAVASCRIPT = (
    ("afterCart(({ data }) => data.treshold)", ['data has no "treshold"']),
    ("afterCart(live(({ data }) => data.treshold, {}))", ['data has no "treshold"']),
    ("afterCart(({ data }) => data.look?.colour + data.look.color)", ['data.look has no "color"']),
    ("afterCart(({ data }) => data.rows?.find(({ size }) => size === 's')?.titel)", ['data.rows has no "titel"']),
    ("afterCart(({ data }) => { for (const { titel } of data.rows) f(titel); })", ['data.rows has no "titel"']),
    ("afterCart(render); function render({ data }) { data.treshold; }", ['data has no "treshold"']),
    ("afterCart(({ data }) => data.texts.anything + data.either.b)", []),
    ("afterCart(({ data }) => Object.keys(data).map((key) => data[key]))", []),
    ("afterCart(({ data }) => { data.treshold = 1; return data.treshold; })", []),
)  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "ending", "imports"), [(IN_TYPESCRIPT, "ts", TYPED), (IN_JAVASCRIPT, "js", IMPORTS)]
)
def test_unknown_keys_in_a_script_are_reported(tmp_path, rows, ending, imports):
    found = found_in(tmp_path, [(imports + script, "") for script, _ in rows], ending)
    assert [[diagnostic.message for diagnostic in of_case] for of_case in found] == [row[1] for row in rows]


TEMPLATES = (
    ("{{ data.treshold }}", ['data has no "treshold"']),
    ("{{ data.threshold }}{{ data.look.colour }}", []),
    ("{% for row in data.rows %}{{ row.titel }}{% endfor %}", ['data.rows has no "titel"']),
    ('{{ data.treshold|default("") }}', ['data has no "treshold"']),
    ('{{ data.zzz|default("") }}', []),
    ("{{ data.texts.lv }}", []),
)


@pytest.mark.parametrize(("ending", "imports"), [("ts", TYPED), ("js", IMPORTS)])
def test_unknown_keys_in_a_template_are_reported(tmp_path, ending, imports):
    argument = "<Data>" if ending == "ts" else ""
    script = f"{imports}export default afterCart{argument}(({{ data }}) => view({{ data }}));"
    found = found_in(tmp_path, [(script, template) for template, _ in TEMPLATES], ending)
    places = [[(d.message, d.place.path.rpartition("/")[2], d.place.line) for d in case] for case in found]
    assert places == [[(message, "view.html.j2", 1) for message in row[1]] for row in TEMPLATES]


def test_an_unknown_key_is_an_error_at_its_place_with_a_suggestion(tmp_path):
    script = TYPED + "afterCart<Data>(({ data }) =>\n  data.treshold);\n"
    [[diagnostic]] = found_in(tmp_path, [(script, "")], "ts")
    assert (diagnostic.severity, diagnostic.place.line, diagnostic.place.column) == (Severity.ERROR, 6, 8)
    assert diagnostic.hint == 'did you mean "threshold"?'
    assert diagnostic.excerpt == "  data.treshold);"


@pytest.mark.parametrize("schema", [None, {"properties": {}}])
def test_any_key_is_unknown_without_settings(tmp_path, schema):
    script = IMPORTS + "afterCart(({ data }) => data.threshold)"
    [[diagnostic]] = found_in(tmp_path, [(script, "")], schema=schema)
    assert "data.schema.json" in diagnostic.hint


def test_import_of_the_data_type_without_a_schema_is_reported(shop, check):
    shop.add_widget(
        widget_ts='import { afterPrice } from "awning";\nimport type { Data } from "./data.schema";\n'
        'import view from "./view.html.j2";\nexport default afterPrice<Data>(({ t }) => view({ t }));\n',
    )
    [finding] = check(cwd=shop.root, types=True).findings
    assert (finding["rule"], finding["line"], finding["column"]) == ("unresolved-import", 2, 27)


def test_schema_that_allows_any_key_has_no_unknown_keys(tmp_path):
    script = IMPORTS + "afterCart(({ data }) => data.threshold)"
    assert found_in(tmp_path, [(script, "")], schema={"type": "object"}) == [[]]


def test_examples_of_the_rule_page_are_true(tmp_path):
    page = PAGE.read_text(encoding="utf-8")
    wrong, right = (
        re.search(rf"\n{heading}.*?:\n\n```ts\n(.*?)```", page, re.DOTALL)[1]
        for heading in ("Wrong", "Right")
    )
    found = found_in(tmp_path, [(wrong, "{{ threshold }}"), (right, "{{ threshold }}")], "ts")
    assert [len(of_case) for of_case in found] == [1, 0]
