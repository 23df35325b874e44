"""Fields that no payload has, read in scripts and in templates. TypeScript finds them."""

import re

import pytest
from cases_in_widgets import findings_of_cases
from project import Project

from awning.pipeline.incremental import inspect_workspace
from awning.rules import PAGES

pytestmark = pytest.mark.usefixtures("processes")

PAGE = PAGES / "payload-field.md"
MESSAGE = re.compile(r'(.+) has no "(.+)"')
IMPORTS = 'import { afterPrice, afterCart, afterCheckout, live } from "awning";\nimport view from "./view.html.j2";\n'


def found_in(root, cases, ending="js", pyproject=""):
    """The findings of each case, which has a script and a template."""
    files = [
        {f"part.{ending}": script, "view.html.j2": template, "data.schema.json": '{ "type": "object" }'}
        for script, template in cases
    ]
    return findings_of_cases(root, files, ["payload-field"], pyproject)


def named(diagnostics):
    return [" ".join(MESSAGE.fullmatch(diagnostic.message).groups()) for diagnostic in diagnostics]


SCRIPTS = (
    ("afterPrice(({ item }) => item.prise)", ["an item prise"]),
    ("afterPrice(({ item }) => item.price + item.options.length + item.variants.length)", []),
    ("afterPrice(({ itme }) => itme.price)", ["what afterPrice gives itme"]),
    ("afterPrice(({ t, data, page, language, variant }) => t(data.x + page.language + language))", []),
    ("afterPrice((args) => args.item.prise)", ["an item prise"]),
    ("afterPrice(({ item: { name, prise = 1 }, variant }) => variant?.skuu)", ["an item prise", "a variant skuu"]),
    ("afterPrice(({ item }) => item[\"prise\"] + item['price'])", ["an item prise"]),
    ("afterPrice(({ item: product }) => product.prise)", ["an item prise"]),
    ("afterPrice(live(({ item }) => item.prise, () => {}))", ["an item prise"]),
    ("export default afterPrice(render);\nfunction render({ item }) { return item.prise; }", ["an item prise"]),
    ("const render = ({ item }) => item.prise;\nexport default [afterPrice(render)]", ["an item prise"]),
    ("afterPrice(({ item }) => { const { prise, name: n } = item; const c = item; return c.nam; })",
     ["an item prise", "an item nam"]),
    ("afterPrice(({ item, variant }) => (variant ?? item).prise)", ["an item prise"]),
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
    ("const render = (args) => args.cart.totl;\nexport default [afterCart(render), afterCheckout(render)]",
     ["a cart totl"]),
    ("// the type Item is no class Item of ours\nafterPrice(({ item }) => item.prise)", ["an item prise"]),
    # values that are not known
    ("afterPrice(({ item }) => { item.prise = 1; return item.prise; })", []),
    ("/** @param {{ item: any }} all */ const f = (all) => all.item.prise; afterPrice(f)", []),
    ("class Item {}; new Item().prise", []),
    ("import { Item } from 'shop'; /** @type {Item} */ let one; one.prise", []),
    ("afterPrice(({ item }) => { item = other(); return item.prise; })", []),
    ("afterPrice(({ item }) => other.map((item) => item.prise))", []),
    ("afterPrice(({ item }) => { if (a) { const item = b; } return item.prise; })", ["an item prise"]),
    ("afterPrice(({ item }) => ({ ...item, prise: 1 }).prise)", []),
    ("afterPrice(({ item, ...rest }) => rest.prise)", []),
    ("afterPrice(({ item }) => item[name] + item.toString() + item.hasOwnProperty('a'))", []),
    ("const afterPrice2 = afterPrice; afterPrice2(({ item }) => item.prise)", ["an item prise"]),
    ("function f(item) { return item.prise; }\nafterPrice(({ item }) => f(item))", []),
    ("afterPrice(({ item }) => item.prise +)", []),
    ("afterPrice(item => item.itme)", ["what afterPrice gives itme"]),
    ("afterCheckout(({ carts }) => carts)", ["what afterCheckout gives carts"]),
    ("afterPrice(({ item }) => item['zzz'])", ["an item zzz"]),
)  # fmt: skip


@pytest.fixture(scope="module")
def of_scripts(tmp_path_factory):
    cases = [(IMPORTS + script, "{{ x }}") for script, _ in SCRIPTS]
    return dict(
        zip(
            (script for script, _ in SCRIPTS),
            found_in(tmp_path_factory.mktemp("scripts"), cases),
            strict=True,
        )
    )


@pytest.mark.parametrize(("script", "expected"), SCRIPTS)
def test_unknown_fields_in_a_script_are_reported(of_scripts, script, expected):
    assert named(of_scripts[script]) == expected


def test_a_slot_of_another_module_is_ignored(tmp_path):
    mine = 'import { afterPrice } from "./mine";\nafterPrice(({ item }) => item.prise);'
    renamed = 'import { afterPrice as price } from "awning";\nprice(({ item }) => item.prise);'
    assert [len(found) for found in found_in(tmp_path, [(mine, ""), (renamed, "")])] == [0, 1]


EVENTS = (
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
    ("svc-content-after-price", "named); function named(e, init, all) { all.item.prise; } (0",
     ["an item prise"]),
)  # fmt: skip


def test_unknown_fields_in_event_callbacks_are_reported(tmp_path):
    scripts = [f'svcPlugins.subscribeEvent("{event}", {callback});' for event, callback, _ in EVENTS]
    found = found_in(tmp_path, [(script, "") for script in scripts])
    assert [named(of_case) for of_case in found] == [expected for *_, expected in EVENTS]


DIALECT = 'profile = "other"\n[tool.awning.profiles.other.dialect]\nevent_prefix = "shop-"\n'


def test_unknown_fields_in_events_of_another_dialect_are_reported(tmp_path):
    script = 'x.subscribeEvent("shop-content-after-cart", (e, init, { cartData }) => cartData.totl);'
    [found] = found_in(tmp_path, [(script, "")], pyproject=DIALECT)
    assert named(found) == ["a cart totl"]


def test_unknown_fields_in_a_page_are_reported(tmp_path):
    script = (
        "<p>ā</p><script>svcPlugins.subscribeEvent('svc-content-after-price', function (e, init, all) {\n"
        "  init().setContent(String(all.item.prise)); });</script>"
    )
    project = Project(tmp_path).add_file("widgets/old/widget.toml", 'title = "old"\n')
    project.add_file("widgets/old/body.html", script)
    [found] = [d for d in inspect_workspace(tmp_path).counted() if d.rule == "payload-field"]
    assert str(found.place) == "widgets/old/body.html:2:37"


TEMPLATES = (
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
    ("{{ item.prise }}", "{ const a = 1\nview({ item })\n}", ["an item prise"]),
    ("{{ item.prise }}", "[1].map(() => view({ item }))", ["an item prise"]),
    ("{{ line['unit-prise'] }}", "view({ line: item.variants[0] })", ["a variant unit-prise"]),
)


@pytest.mark.parametrize("ending", ["js", "ts"])
def test_unknown_fields_in_a_template_are_reported(tmp_path, ending):
    scripts = [
        f"{IMPORTS}declare const other: any;\nexport default afterPrice(({{ item, t }}) => {call});"
        for _, call, _ in TEMPLATES
    ]
    if ending == "js":
        scripts = [script.replace("declare const", "let").replace(": any", "") for script in scripts]
    found = found_in(tmp_path, list(zip(scripts, (row[0] for row in TEMPLATES), strict=True)), ending)
    assert [named(of_case) for of_case in found] == [expected for *_, expected in TEMPLATES]


def test_fields_that_a_script_adds_are_in_doubt(tmp_path):
    adding = "for (const one of item.variants) one.total = 1; return view({ all: item.variants });"
    script = f"{IMPORTS}export default afterPrice(({{ item }}) => {{ {adding} }});"
    template = "{% for one in all %}{{ one.total }}{% endfor %}"
    assert found_in(tmp_path, [(script, template)]) == [[]]


VALID = """
svcPlugins.subscribeEvent("svc-content-after-price", function (event, init, param) {
  var item = param.item, names = [];
  for (var i = 0; i < item.variants.length; i++) names.push(item.variants[i].options[0].title.trim());
  item.variants.forEach(function (variant) { names.push(variant.price.toFixed(2)); });
  const { price, ...others } = item;
  const copy = Object.assign({ extra: 1 }, item);
  if ("images" in item) names.push(item.images[0]);
  init().setContent(names.join() + price + others.sku + copy.extra + Object.keys(item).map((key) => item[key]));
});
window.svcPlugins.subscribeEvent("svc-content-after-cart", (event, init, { cartData: cart, currency }) => {
  const lines = (cart.items || []).map((line) => Object.assign(line, { sum: line.price * line.quantity }));
  const known = lines.find((line) => line.sum > 1) || {};
  init().setContent(String(lines[0].sum) + known.price + (currency || {}).symbol);
});
"""


def test_usual_code_has_no_unknown_fields(tmp_path):
    assert found_in(tmp_path, [(VALID, "")]) == [[]]


VIEW = "export default afterPrice(({ item }) => view({ item }));"


def test_unknown_field_is_reported_where_it_is_read(tmp_path):
    macro = "{% macro m(x) %}\n{{ x }}{% endmacro %}\n{{ m(item.prise) }}"
    [in_template], [passed_to_macro], [in_script] = found_in(
        tmp_path,
        [
            (IMPORTS + VIEW, "<p>\n{{ item.prise }}"),
            (IMPORTS + VIEW, macro),
            (IMPORTS + "afterPrice(({ item }) =>\n  item.images);", "{{ x }}"),
        ],
    )
    assert str(in_template.place) == "widgets/case-0/view.html.j2:2:8"
    assert (in_template.hint, in_template.excerpt) == ('did you mean "price"?', "{{ item.prise }}")
    assert (passed_to_macro.place.line, passed_to_macro.excerpt) == (3, "{{ m(item.prise) }}")
    assert (in_script.place.line, in_script.place.column) == (4, 8)
    assert in_script.hint.startswith("the fields are brand, category, ")


def test_unknown_field_in_a_deeply_nested_expression_is_reported(tmp_path):
    sum_ = "item.price" + " + 'x'" * 3000 + " + item.prise"
    brackets = "(" * 100 + "item" + ")" * 100 + ".prise"
    cases = [(f"{IMPORTS}afterPrice(({{ item }}) => {code})", "") for code in (sum_, brackets)]
    assert [named(found) for found in found_in(tmp_path, cases)] == [["an item prise"], ["an item prise"]]


def test_examples_of_the_rule_page_are_true(tmp_path):
    cases = []
    for heading in ("Wrong", "Right"):
        section = PAGE.read_text(encoding="utf-8").split(f"\n{heading}:\n")[1]
        template, script = re.findall(r"```\w+\n(.*?)```", section, re.DOTALL)[:2]
        cases.append((script, template))
    assert [len(found) for found in found_in(tmp_path, cases)] == [2, 0]


def test_unknown_field_in_a_template_of_a_typed_script_is_an_error(check, shop):
    script = (
        'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
        "export default afterPrice(({ item }) => view({ item }));\n"
    )
    shop.add_widget(view_html_j2="<p>{{ item.nmae }}</p>\n", widget_ts=script)
    result = check(cwd=shop.root, types=True)
    (finding,) = [item for item in result.findings if item["rule"] == "payload-field"]
    assert (finding["severity"], finding["path"]) == ("error", "widgets/note/view.html.j2")
    assert finding["docs"] == "docs/rules/payload-field.md"


def test_typescript_reports_the_unknown_fields_of_a_script(check, shop):
    script = (
        'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
        "export default afterPrice(({ item }) => view({ name: item.nmae }));\n"
    )
    shop.add_widget(view_html_j2="<p>{{ name }}</p>\n", widget_ts=script)
    findings = [f for f in check(cwd=shop.root, types=True).findings if f["path"] == "widgets/note/widget.ts"]
    assert [(finding["rule"], finding["severity"]) for finding in findings] == [("type-error", "error")]
