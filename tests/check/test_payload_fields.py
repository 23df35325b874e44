"""Fields that no payload has, read in scripts and in templates."""

import re

import pytest

from awning.check.payload_fields import payload_findings
from awning.contract import Dialect
from awning.rules import PAGES
from awning.script import ScriptFile
from awning.template import compile_template

PAGE = PAGES / "payload-field.md"
VIEW = "widgets/a/view.html.j2"
MESSAGE = re.compile(r'(.+) has no "(.+)"')
IMPORTS = 'import { afterPrice, afterCart, afterCheckout, live } from "awning";\nimport view from "./view.html.j2";\n'


def found_in(script, template="{{ x }}", path="widgets/a/widget.ts", dialect=None):
    reads = compile_template(template, path=VIEW).reads
    return list(
        payload_findings(
            ScriptFile(path=path, text=script, dialect=dialect or Dialect()), {VIEW: reads}, {VIEW: template}
        )
    )


def fields_read(script, template="{{ x }}"):
    return [
        " ".join(MESSAGE.fullmatch(diagnostic.message).groups())
        for diagnostic in found_in(IMPORTS + script, template)
    ]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("afterPrice(({ item }) => item.prise)", ["an item prise"]),
        ("afterPrice(({ item }) => item.price + item.options.length + item.variants.length)", []),
        ("afterPrice(({ itme }) => itme.price)", ["what afterPrice gives itme"]),
        ("afterPrice(({ t, data, page, language, variant }) => t(data.x + page.language + language))", []),
        ("afterPrice((args) => args.item.prise)", ["an item prise"]),
        ("afterPrice((args: PriceArgs<{ a: 1 }>) => args.item.prise)", ["an item prise"]),
        ("afterPrice(({ item: { name, prise = 1 }, variant }) => variant?.skuu)", ["an item prise", "a variant skuu"]),
        ("afterPrice(({ item }) => item[\"prise\"] + item['price'])", ["an item prise"]),
        ("afterPrice(({ item: product }) => product!.prise)", ["an item prise"]),
        ("afterPrice(live(({ item }) => item.prise, () => {}))", ["an item prise"]),
        ("export default afterPrice(render);\nfunction render({ item }) { return item.prise; }", ["an item prise"]),
        ("const render = ({ item }) => item.prise;\nexport default [afterPrice(render)]", ["an item prise"]),
        ("afterPrice(({ item }) => { const { prise, name: n } = item; const c = item; return c.nam; })",
         ["an item prise", "an item nam"]),
        ("afterPrice(({ item, variant }) => (variant ?? item).prise)", ["a variant prise"]),
        ("afterPrice(({ item }) => item.variants[0].prise + item.variants[0]?.options[0].titel)",
         ["a variant prise", "an option titel"]),
        ("afterPrice(({ item }) => { for (const { prise } of item.variants) f(prise); })", ["a variant prise"]),
        ("afterPrice(({ item }) => item.variants.filter((one) => one.stok).map(({ prise }) => prise))",
         ["a variant stok", "a variant prise"]),
        ("afterPrice(({ item }) => item.variants.slice(1).find((one) => one.id)?.prise)", ["a variant prise"]),
        ("afterPrice(({ item }) => item.variants.reduce((sum, one) => sum + one.prise, 0))", ["a variant prise"]),
        ("afterPrice(({ item }) => { const [first] = item.variants; return first.prise; })", ["a variant prise"]),
        ("afterCart(({ cart, currency }) => cart.totl + currency.sign)", ["a cart totl", "the currency sign"]),
        ("afterCheckout(({ cart }) => (cart.items || []).map((line) => line.titel))", ["a line of a cart titel"]),
        # values that are not known
        ("afterPrice(({ item }) => (item as any).prise)", []),
        ("afterPrice(({ item }: Mine) => item.prise)", []),
        ("afterPrice(({ item }) => { const own: Mine = item; return own.prise; })", []),
        ("afterPrice(({ item }) => { item = other(); return item.prise; })", []),
        ("afterPrice(({ item }) => other.map((item) => item.prise))", []),
        ("afterPrice(({ item }) => { if (a) { const item = b; } return item.prise; })", []),
        ("afterPrice(({ item }) => ({ ...item, prise: 1 }).prise)", []),
        ("afterPrice(({ item, ...rest }) => rest.prise)", []),
        ("afterPrice(({ item }) => item[name] + item.toString() + item.hasOwnProperty('a'))", []),
        ("const afterPrice2 = afterPrice; afterPrice2(({ item }) => item.prise)", []),
        ("function f(item) { return item.prise; }\nafterPrice(({ item }) => f(item))", []),
        ("afterPrice(({ item }) => item.prise +)", []),
    ],
)  # fmt: skip
def test_unknown_fields_in_a_script_are_reported(script, expected):
    assert fields_read(script) == expected


def test_a_slot_of_another_module_is_ignored():
    assert found_in('import { afterPrice } from "./mine";\nafterPrice(({ item }) => item.prise);') == []
    script = 'import { afterPrice as price } from "awning";\nprice(({ item }) => item.prise);'
    assert len(found_in(script)) == 1


@pytest.mark.parametrize(
    ("event", "callback", "expected"),
    [
        ("svc-content-after-price", "(event, init, param) => param.item.prise", ["an item prise"]),
        ("svc-content-after-price", "function (event, init, { itm, page }) {}", ["the event's parameter itm"]),
        ("svc-content-after-price", "(event, init, param, updated) => updated.x", []),
        ("svc-content-after-price-updated", "(e, init, param, updated) => updated.selectedVariant.prise",
         ["a variant prise"]),
        ("svc-content-after-price-updated", "(e, init, param, updated) => updated.variant", ["the update variant"]),
        ("svc-content-after-cart", "(e, init, { cartData: cart }) => cart.totl", ["a cart totl"]),
        ("svc-content-after-checkout-updated", "(e, init, param, cart) => cart.totl", ["a cart totl"]),
        ("shop-content-after-price", "(event, init, param) => param.item.prise", []),
        ("svc-other", "(event, init, param) => param.item.prise", []),
    ],
)  # fmt: skip
def test_unknown_fields_in_event_callbacks_are_reported(event, callback, expected):
    script = f'svcPlugins.subscribeEvent("{event}", {callback});'
    diagnostics = found_in(script, path="widgets/a/widget.js")
    assert [
        " ".join(MESSAGE.fullmatch(diagnostic.message).groups()) for diagnostic in diagnostics
    ] == expected


def test_unknown_fields_in_events_of_another_dialect_are_reported():
    script = 'x.subscribeEvent("shop-content-after-cart", (e, init, { cartData }) => cartData.totl);'
    assert len(found_in(script, dialect=Dialect(event_prefix="shop-"))) == 1


@pytest.mark.parametrize(
    ("template", "call", "expected"),
    [
        ("{{ item.prise }}{{ item.name }}", "view({ item })", ["an item prise"]),
        ("{{ product.prise }}", "view({ product: item })", ["an item prise"]),
        ("{% for one in item.variants %}{{ one.prise }}{% endfor %}", "view({ item })", ["a variant prise"]),
        (
            "{% for one in all %}{{ one.prise }}{% endfor %}",
            "view({ all: item.variants })",
            ["a variant prise"],
        ),
        ("{{ item.prise|default('') }}{{ item.colour|default('') }}", "view({ item })", ["an item prise"]),
        ("{{ item.items() }}{{ item|length }}{{ item.options[0].title }}", "view({ item })", []),
        ("{{ item.prise }}", "view({ ...item })", []),
        ("{{ item.prise }}", "view({ item: { ...item, prise: 1 } })", []),
        ("{{ other.prise }}", "view({ item, other })", []),
        ("{{ t('k') }}{{ item.price|money(item.currency) }}", "view({ t, item })", []),
    ],
)
def test_unknown_fields_in_a_template_are_reported(template, call, expected):
    assert fields_read(f"export default afterPrice(({{ item, t }}) => {call});", template) == expected


def test_unknown_field_of_a_template_is_reported_in_the_template():
    (diagnostic,) = found_in(
        IMPORTS + "export default afterPrice(({ item }) => view({ item }));", "<p>\n{{ item.prise }}"
    )
    assert (str(diagnostic.place), diagnostic.hint) == (f"{VIEW}:2:8", 'did you mean "price"?')
    assert diagnostic.excerpt == "{{ item.prise }}"


def test_unknown_field_passed_to_a_macro_is_reported_where_it_is_read():
    template = "{% macro m(x) %}\n{{ x }}{% endmacro %}\n{{ m(item.prise) }}"
    (diagnostic,) = found_in(IMPORTS + "export default afterPrice(({ item }) => view({ item }));", template)
    assert (diagnostic.place.line, diagnostic.excerpt) == (3, "{{ m(item.prise) }}")


def test_unknown_field_of_a_script_is_reported_at_its_place():
    (diagnostic,) = found_in(IMPORTS + "afterPrice(({ item }) =>\n  item.images);")
    assert (diagnostic.place.line, diagnostic.place.column) == (4, 8)
    assert diagnostic.hint.startswith("the fields are brand, category, ")


def test_unknown_field_in_a_deeply_nested_expression_is_reported():
    deep = "item.price" + " + 'x'" * 3000 + " + item.prise"
    assert fields_read(f"afterPrice(({{ item }}) => {deep})") == ["an item prise"]
    assert fields_read("afterPrice(({ item }) => " + "(" * 150 + "item" + ")" * 150 + ".prise)") == []


@pytest.mark.parametrize(("heading", "count"), [("Wrong", 2), ("Right", 0)])
def test_examples_of_the_rule_page_are_true(heading, count):
    section = PAGE.read_text(encoding="utf-8").split(f"\n{heading}:\n")[1]
    template, script = re.findall(r"```\w+\n(.*?)```", section, re.DOTALL)[:2]
    assert len(found_in(script, template)) == count


def test_unknown_field_in_a_template_of_a_typed_script_is_an_error(check, shop):
    script = (
        'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
        "export default afterPrice(({ item }) => view({ item }));\n"
    )
    shop.add_widget(view_html_j2="<p>{{ item.nmae }}</p>\n", widget_ts=script)
    result = check(cwd=shop.root)
    (finding,) = [item for item in result.findings if item["rule"] == "payload-field"]
    assert (finding["severity"], finding["path"]) == ("error", "widgets/note/view.html.j2")
    assert finding["docs"] == "docs/rules/payload-field.md"


def test_typescript_reports_the_unknown_fields_of_a_script(check, shop):
    script = (
        'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
        "export default afterPrice(({ item }) => view({ name: item.nmae }));\n"
    )
    shop.add_widget(view_html_j2="<p>{{ name }}</p>\n", widget_ts=script)
    findings = [f for f in check(cwd=shop.root).findings if f["path"] == "widgets/note/widget.ts"]
    assert [(finding["rule"], finding["severity"]) for finding in findings] == [("type-error", "error")]
