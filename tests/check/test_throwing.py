"""Calls of init in both `try` and `catch` break `init-once` if code after the first call can throw."""

import json

import pytest
from frames import SmallPages, open_small_pages
from page_life import FIRE, RESULT

from awning.bundle.emulator import emulator_script
from awning.bundle.run import find_esbuild
from awning.check.files import check_text
from awning.contract import Dialect
from awning.diagnostics import Severity

THROWS = {
    "member of null": "null.length",
    "member of undefined": "undefined.length",
    "member of a property that is not there": "({}).options.title",
    "member of a variable without a value": "let box; box.title",
    "member of an element of an empty list": "item.variants[0].price",
    "member of what is not found": "item.variants.find((one) => one.price < 0).price",
    "member of what is not matched": "'svc'.match(/x/).index",
    "method of null": "null.trim()",
    "method of a number that may be null": "item.stock.toFixed(2)",
    "method that is not there": "item.name.render()",
    "call of undefined": "undefined()",
    "call of a property that is not there": "({}).render()",
    "call of a number": "let price = 5; price()",
    "new of what is no constructor": "new (() => 1)()",
    "object taken apart from null": "const { title } = null",
    "object taken apart from undefined": "const { title } = undefined",
    "object taken apart inside": "const { options: { title } } = {}",
    "list taken apart from undefined": "const [title] = undefined",
    "list taken apart from a number": "const [title] = 5",
    "parameter taken apart from nothing": "((({ title }) => title))()",
    "address that is none": "new URL(item.name)",
    "address that is empty": "new URL('')",
    "spread of undefined into a list": "[...undefined]",
    "spread of undefined into arguments": "Math.max(...undefined)",
    "spread of a number": "[...5]",
    "for-of of undefined": "for (const one of undefined) one",
    "for-of of an object": "for (const one of {}) one",
    "reduce of an empty list without a start": "[].reduce((a, b) => a + b)",
    "reduce of a list that may be empty": "item.variants.map((one) => one.price).reduce((a, b) => a + b)",
    "in a text": "'a' in 'abc'",
    "in a text of the payload": "'a' in item.name",
    "instanceof what is no function": "item instanceof {}",
    "instanceof undefined": "item instanceof undefined",
    "name that is not declared": "notDeclaredAnywhere",
    "function that is not declared": "notDeclaredAnywhere()",
    "name before its declaration": "early; const early = 1",
    "class before its declaration": "new Early(); class Early {}",
    "assignment to a constant": "const fixed = 1; fixed = 2",
    "increment of a constant": "const fixed = 1; fixed++",
    "element that is not on the page": "document.querySelector('#not-there').textContent",
    "element by an id that is not there": "document.getElementById('not-there').innerHTML",
    "element that surrounds nothing": "document.body.closest('#not-there').id",
    "write to an element that is not there": "document.querySelector('#not-there').textContent = 'x'",
    "storage without the entry": "localStorage.getItem('not-there').length",
    "text that is no JSON": "JSON.parse(item.name)",
    "constant that is no JSON": "JSON.parse('{')",
    "constant that only Python reads as JSON": "JSON.parse('NaN')",
    "nothing read as JSON": "JSON.parse()",
    "text that is no encoding": "decodeURIComponent('%')",
    "class without new": "class Box {} Box()",
    "text repeated less than no times": "'a'.repeat(-1)",
    "digits out of range": "(1).toFixed(101)",
    "list of a length that is none": "new Array(-1)",
    "regular expression that cannot be read": "new RegExp('(')",
}
HARMLESS = {
    "digits": "item.price.toFixed(2)",
    "digits of a literal": "(21).toFixed(2)",
    "JSON of the payload": "JSON.stringify(item)",
    "method of a text": "item.name.toUpperCase().trim().slice(0, 3)",
    "split and join": "item.category.split('/').join(' ')",
    "map of a list": "item.variants.map((one) => one.price)",
    "filter and length": "item.variants.filter((one) => one.stock === 0).length",
    "reduce with a start": "item.variants.reduce((sum, one) => sum + one.price, 0)",
    "for-of of a list": "for (const one of item.variants) one.price",
    "spread of a list": "[...item.variants]",
    "highest of none": "Math.max(...item.variants.map((one) => one.price))",
    "optional member": "item.variants[0]?.price",
    "optional chain": "window.notDeclaredAnywhere?.options.title.trim()",
    "type of a name that is not declared": "typeof notDeclaredAnywhere",
    "property of the window": "window.notDeclaredAnywhere",
    "name asked for first": "if (typeof notDeclaredAnywhere !== 'undefined') notDeclaredAnywhere.push(1)",
    "element asked for first": "const box = document.querySelector('#not-there'); if (box) box.textContent = 'x'",
    "element list": "document.querySelectorAll('p').forEach((one) => one.textContent)",
    "member of an element of a list asked for first": "if (item.variants.length) item.variants[0].price",
    "stock asked for first": "if (item.stock !== null) item.stock.toFixed(0)",
    "default for null": "(item.stock ?? 0).toFixed(0)",
    "money": "new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(item.price)",
    "address that is one": "new URL('https://example.com/a')",
    "object taken apart with a default": "const { title } = undefined ?? {}",
    "parameter with a default": "(({ title } = {}) => title)()",
    "in an object": "'price' in item",
    "instanceof": "item instanceof Object",
    "number of a text": "Number(item.sku) + parseInt(item.id, 10) + parseFloat('x')",
    "date": "new Date().getFullYear()",
    "set": "new Set(item.variants.map((one) => one.sku)).size",
    "constant of another block": "const fixed = 1; { let fixed = 2; fixed = 3; }",
    "function before its declaration": "later(); function later() {}",
    "log": "console.log(item, page.language)",
    "encoding": "encodeURIComponent(item.name) + String(item.stock) + escape('a')",
    "object of pairs": "Object.fromEntries(Object.entries(item).map(([key, value]) => [key, value]))",
    "new element": "document.createElement('p').append(item.name)",
    "data that is JSON": "JSON.parse('{}').title",
    "null read as JSON": "JSON.parse(null)",
    "a long number read as JSON": f"JSON.parse('{'9' * 5000}')",
    "regular expression": "/(\\d+)/.test(item.sku) && item.name.replace(/[a-z]/g, '')",
}  # fmt: skip


def snippet(code: str) -> str:
    """Calls init in `try`, runs the code, and calls init again in `catch`."""
    return f"""svcPlugins.subscribeEvent("svc-content-after-price", (event, init, {{ item, page }}) => {{
  try {{
    init();
    {code};
  }} catch (error) {{
    init();
  }}
}});
"""


def errors(code):
    diagnostics = check_text("x.js", snippet(code), Dialect()).diagnostics
    return {diagnostic.rule for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR}


@pytest.mark.parametrize("name", THROWS)
def test_code_that_can_throw_reaches_the_catch_block(name):
    assert errors(THROWS[name]) == {"init-once"}


@pytest.mark.parametrize("name", HARMLESS)
def test_code_that_cannot_throw_does_not_reach_the_catch_block(name):
    assert errors(HARMLESS[name]) == set()


@pytest.fixture(scope="session")
def pages(browser) -> SmallPages:
    yield from open_small_pages(browser, emulator_script(find_esbuild()).decode())


def test_tables_of_throwing_code_agree_with_chromium(pages):
    tables = {**THROWS, **HARMLESS}
    documents = [
        pages.html(
            FIRE,
            jquery=True,
            configure="",
            body=f'<div id="box"></div><script>{snippet(code)}</script>',
        )
        for code in tables.values()
    ]
    seen = dict(zip(tables, pages.gather(documents, RESULT), strict=True))
    wrong = [name for name in tables if ("init-once" in seen[name]) != (name in THROWS)]
    assert json.dumps(wrong) == "[]"
