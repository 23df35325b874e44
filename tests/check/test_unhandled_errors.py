"""Exceptions of subscribers: what `check` reports is what a page reports, and it reports only what is certain."""

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
    "a member of a field that no payload has": "params.item.missing.name",
    "a method of a field that no payload has": "params.item.tags.map((tag) => tag)",
    "an element of a field that no payload has": "params.item.images[0]",
    "a field that no parameter has": "params.product.name",
    "a value of a field that no payload has": "params.item.missing.name = 1",
    "the same twice": "params.item.missing.name + params.item.missing.name",
    "a member in brackets": "params.item.missing['name']",
    "another field that is asked for": "params.item.sale && params.item.sale.price; params.item.missing.name",
}
MAY_THROW = {
    "a method of a field that may be null": "params.item.stock.toFixed(2)",
    "a method of a field of variants that may be null": "params.item.variants.map((one) => one.weight.toFixed(1))",
}
HARMLESS = {
    "a field that is asked for": "if (params.item.missing) params.item.missing.name",
    "a field that is asked for, and a global": "params.item.sale && params.item.sale.price; window.shop.price",
    "an optional member": "params.item.missing?.name",
    "an exception that is caught": "try { params.item.missing.name } catch {}",
    "a field that is asked for null": "params.item.stock !== null && params.item.stock.toFixed(2)",
    "a global of the shop": "window.shop.config.x",
    "an element of the shop": "document.querySelector('.price-of-shop').dataset.price.trim()",
    "a part of a browser": "document.querySelector('select').selectedOptions[0].label.trim()",
    "a field of another object": "const own = {}; try { own.missing.name } catch {}",
}


def snippet(code: str) -> str:
    return f'svcPlugins.subscribeEvent("svc-content-after-price", (event, init, params) => {{ init(); {code}; }});'


def reported(code: str) -> list[tuple[str, Severity]]:
    diagnostics = check_text("x.js", snippet(code), Dialect()).diagnostics
    return [(item.rule, item.severity) for item in diagnostics if item.rule != "script-budget"]


@pytest.mark.parametrize("code", [*THROWS.values(), *MAY_THROW.values()], ids=[*THROWS, *MAY_THROW])
def test_exception_that_comes_from_a_field_is_a_warning(code: str) -> None:
    assert reported(code) == [("unhandled-error", Severity.WARNING)]


@pytest.mark.parametrize("name", HARMLESS)
def test_exception_that_is_not_certain_is_not_reported(name: str) -> None:
    assert reported(HARMLESS[name]) == []


def test_place_is_that_of_the_member() -> None:
    code = snippet("\n  const { item } = params;\n  init().setContent(item.missing.name)")
    (finding,) = [
        item for item in check_text("x.js", code, Dialect()).diagnostics if item.rule == "unhandled-error"
    ]
    assert finding.place is not None
    assert (finding.place.line, finding.place.column) == (3, 26)


@pytest.fixture(scope="session")
def pages(browser) -> SmallPages:
    yield from open_small_pages(browser, emulator_script(find_esbuild()).decode())


@pytest.mark.usefixtures("processes")
def test_pages_report_the_same_errors(pages: SmallPages) -> None:
    throwing = {**THROWS, **MAY_THROW}
    documents = [
        pages.html(
            FIRE, jquery=True, configure="", body=f'<div id="box"></div><script>{snippet(code)}</script>'
        )
        for code in throwing.values()
    ]
    seen = dict(zip(throwing, pages.gather(documents, RESULT), strict=True))
    assert json.dumps([name for name in throwing if "unhandled-error" not in seen[name]]) == "[]"


@pytest.mark.parametrize(
    ("use", "rules"),
    [
        ("updated.selectedVariantId.trim()", ["unhandled-error"]),
        ("updated.selectedVariantId?.trim()", []),
        ("if (updated.selectedVariantId) updated.selectedVariant.sku", []),
    ],
)
def test_id_in_an_update_is_null_when_no_variant_is_chosen(use: str, rules: list[str]) -> None:
    code = (
        'svcPlugins.subscribeEvent("svc-content-after-price", (event, init) => { init(); });'
        'svcPlugins.subscribeEvent("svc-content-after-price-updated", (event, init, params, updated) => {'
        f"{use}; }});"
    )
    found = check_text("x.js", code, Dialect()).diagnostics
    assert [item.rule for item in found if item.rule != "script-budget"] == rules
