"""The check knows every argument of a render function. A value of the payload may not go into HTML without escaping."""

import pytest

from awning.check.files import check_text
from awning.contract import SLOTS, Dialect
from awning.contract.payloads import PAGE_ARGUMENT

ARGUMENTS = [
    (slot, name)
    for slot in SLOTS.values()
    for name in (*(argument.name for argument in slot.payload.arguments), PAGE_ARGUMENT.name)
]
OF_THE_SERVICE = {"currency", "page"}
"""Arguments without texts of a shop's owner or of a shopper."""


def rules_broken(slot, body):
    script = f'import {{ {slot.function} }} from "awning";\nexport default {slot.function}((all) => {{ {body} }});\n'
    return {item.rule for item in check_text("widgets/a/widget.js", script, Dialect()).diagnostics}


@pytest.mark.parametrize(("slot", "argument"), ARGUMENTS, ids=lambda value: getattr(value, "name", value))
def test_check_reports_an_unescaped_argument(slot, argument):
    broken = rules_broken(slot, f"return `<b>${{all.{argument}.any}}</b>`;")
    assert broken == (set() if argument in OF_THE_SERVICE else {"raw-html"})


@pytest.mark.parametrize(("slot", "argument"), ARGUMENTS, ids=lambda value: getattr(value, "name", value))
def test_check_executes_a_function_that_reads_an_argument(slot, argument):
    payload = slot.payload.arguments[0].name
    body = f"const read = all.{argument}.any; return `<b>${{all.{payload}.any}}</b>`;"
    assert rules_broken(slot, body) == {"raw-html"}


SOURCES = {
    '"<p>" + item.name + "</p>"': "item.name",
    "`<p>${item.name.trim().toUpperCase()}</p>`": "item.name",
    'item.id ? "" : item.description': "item.description",
    'page.title + fmt("x") + item.name': "item.name",
    'item.variants.map((variant) => `<li>${variant.name}</li>`).join("")': "item.variants[0].name",
    '["<p>", item.name].join("")': "item.name",
    "location.hash.slice(1)": "location.hash",
}
"""HTML, and the value in it that the message of `raw-html` names."""


@pytest.mark.parametrize("html", SOURCES)
def test_message_names_the_value_that_is_not_escaped(html):
    script = (
        'svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item, page }) => {\n'
        f"  const html = {html};\n  init().setContent(html);\n}});\n"
    )
    (diagnostic,) = check_text("x.js", script, Dialect()).diagnostics
    assert diagnostic.message.endswith(f"goes into setContent() without escaping: {SOURCES[html]}")


def test_message_of_a_render_function_names_the_value():
    script = 'import { afterPrice } from "awning";\nexport default afterPrice(({ item }) => `<p>${item.name}</p>`);\n'
    (diagnostic,) = check_text("x.js", script, Dialect()).diagnostics
    assert diagnostic.message.endswith("as HTML without escaping: item.name")
