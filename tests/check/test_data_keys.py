"""Keys of `data` that data.schema.json does not have, read in scripts and in templates."""

import re

import pytest

from awning.check.data_keys import records_with_data
from awning.check.payload_fields import payload_findings
from awning.data_schema import read_schema
from awning.diagnostics import Severity
from awning.rules import PAGES
from awning.script import ScriptFile
from awning.template import compile_template

PAGE = PAGES / "data-key.md"
VIEW = "widgets/a/view.html.j2"
IMPORTS = 'import { afterPrice, afterCart, live } from "awning";\nimport view from "./view.html.j2";\n'
ROW = {"type": "object", "properties": {"title": {"type": "string"}, "size": {"enum": ["s", "m"]}}}
SCHEMA = {
    "properties": {
        "threshold": {"type": "number", "default": 50},
        "rows": {"type": "array", "items": ROW},
        "look": {"type": "object", "properties": {"colour": {"type": "string"}}},
        "texts": {"type": "object", "additionalProperties": {"type": "string"}},
        "either": {"type": ["object", "string"], "properties": {"a": {}}},
    }
}


def found_in(script, template="{{ x }}", schema=SCHEMA, path="widgets/a/widget.ts"):
    reads = compile_template(template, path=VIEW).reads
    records = records_with_data(None if schema is None else read_schema(schema)[0])
    return list(
        payload_findings(ScriptFile(path=path, text=script), {VIEW: reads}, {VIEW: template}, records=records)
    )


@pytest.mark.parametrize(
    ("script", "messages"),
    [
        ("afterCart<Data>(({ data }) => data.treshold)", ['data has no "treshold"']),
        ("afterCart(({ data }) => data.threshold + data.rows.length)", []),
        ("afterCart<Data>(({ data: { treshold } }) => treshold)", ['data has no "treshold"']),
        ("afterCart<Data>((given) => given.data['treshold'])", ['data has no "treshold"']),
        ("afterCart(live<CartArgs<Data>>(({ data }) => data.treshold, {}))", ['data has no "treshold"']),
        ("afterCart(({ data }: CartArgs<Data>) => data.look.color)", ['data.look has no "color"']),
        ("afterCart(({ data }) => data.look?.colour)", []),
        ("afterCart(({ data }) => data.rows.map((row) => row.titel))", ['data.rows has no "titel"']),
        ("afterCart(({ data }) => data.rows?.find(({ size }) => size === 's')?.titel)", ['data.rows has no "titel"']),
        ("afterCart(({ data }) => { for (const { titel } of data.rows) f(titel); })", ['data.rows has no "titel"']),
        # objects with any keys, and values that are not known
        ("afterCart(({ data }) => data.texts.anything + data.either.b)", []),
        ("afterCart(({ data }) => (data as any).treshold)", []),
        ("afterCart(({ data }: { data: Mine }) => data.treshold)", []),
        ("afterCart(({ data }) => Object.keys(data).map((key) => data[key]))", []),
    ],
)  # fmt: skip
def test_unknown_keys_in_a_script_are_reported(script, messages):
    diagnostics = found_in(IMPORTS + script)
    assert [diagnostic.message for diagnostic in diagnostics] == messages
    assert {diagnostic.rule for diagnostic in diagnostics} <= {"data-key"}


@pytest.mark.parametrize(
    ("template", "messages"),
    [
        ("{{ data.treshold }}", ['data has no "treshold"']),
        ("{{ data.threshold }}{{ data.look.colour }}", []),
        ("{% for row in data.rows %}{{ row.titel }}{% endfor %}", ['data.rows has no "titel"']),
        ('{{ data.treshold|default("") }}', ['data has no "treshold"']),
        ('{{ data.zzz|default("") }}', []),
        ("{{ data.texts.lv }}", []),
    ],
)
def test_unknown_keys_in_a_template_are_reported(template, messages):
    diagnostics = found_in(
        IMPORTS + "export default afterCart<Data>(({ data }) => view({ data }));", template
    )
    assert [
        (diagnostic.message, diagnostic.place.path, diagnostic.place.line) for diagnostic in diagnostics
    ] == [(m, VIEW, 1) for m in messages]


def test_an_unknown_key_is_an_error_at_its_place_with_a_suggestion():
    [diagnostic] = found_in(IMPORTS + "afterCart<Data>(({ data }) =>\n  data.treshold);\n")
    assert (diagnostic.severity, diagnostic.place.line, diagnostic.place.column) == (Severity.ERROR, 4, 8)
    assert diagnostic.hint == 'did you mean "threshold"?'
    assert diagnostic.excerpt == "  data.treshold);"


def test_any_key_is_unknown_without_a_schema():
    [diagnostic] = found_in(IMPORTS + "afterCart(({ data }) => data.threshold)", schema=None)
    assert "data.schema.json" in diagnostic.hint


def test_import_of_the_data_type_without_a_schema_is_reported(shop, check):
    shop.add_widget(
        widget_ts='import { afterPrice } from "awning";\nimport type { Data } from "./data.schema";\n'
        'import view from "./view.html.j2";\nexport default afterPrice<Data>(({ t }) => view({ t }));\n',
    )
    [finding] = check(cwd=shop.root).findings
    assert (finding["rule"], finding["line"], finding["column"]) == ("unresolved-import", 2, 27)


def test_schema_that_allows_any_key_has_no_unknown_keys():
    assert found_in(IMPORTS + "afterCart(({ data }) => data.threshold)", schema={"type": "object"}) == []


@pytest.mark.parametrize(("heading", "count"), [("Wrong", 1), ("Right", 0)])
def test_examples_of_the_rule_page_are_true(heading, count):
    example = re.search(rf"\n{heading}.*?:\n\n```ts\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[
        1
    ]
    assert len(found_in(example)) == count


def test_check_reports_an_unknown_key(shop, check):
    shop.add_widget(
        data_schema_json='{"properties": {"few": {"type": "integer", "default": 3}}}',
        widget_ts='import { afterPrice } from "awning";\nimport type { Data } from "./data.schema";\n'
        'import view from "./view.html.j2";\n'
        "export default afterPrice<Data>(({ data, t }) => view({ t, few: data.fev }));\n",
        view_html_j2='{{ t("hello") }}{{ few }}',
    )
    result = check(cwd=shop.root)
    assert (result.code, result.rules) == (1, ["data-key"])
    assert result.findings[0]["line"] == 4
