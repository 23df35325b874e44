"""Intl on the page where scripts are run: what it answers is what Chromium answers, and nothing else is answered."""

import pytest
from playwright.sync_api import Browser

from awning.check.files import check_text
from awning.check.running.engine import CALL_SECONDS, page_script
from awning.check.running.page import Page
from awning.contract import Dialect

SAME = [
    "new Intl.NumberFormat('en').format(1234567.891)",
    "new Intl.NumberFormat('en-US').format(-0.5)",
    "Intl.NumberFormat('en', { maximumFractionDigits: 0 }).format(1999.6)",
    "Intl.NumberFormat('en', { minimumFractionDigits: 2 }).format(3)",
    "Intl.NumberFormat('en', { useGrouping: false }).format(12345)",
    "Intl.NumberFormat('en', { style: 'percent' }).format(0.256)",
    "Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 }).format(0.2567)",
    "Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(1234.5)",
    "Intl.NumberFormat('en', { style: 'currency', currency: 'USD' }).format(-3)",
    "Intl.NumberFormat('en', { style: 'currency', currency: 'JPY' }).format(1999.6)",
    "Intl.NumberFormat('en', { style: 'currency', currency: 'SEK' }).format(19)",
    "Intl.NumberFormat('en', { style: 'currency', currency: 'EUR', currencyDisplay: 'code' }).format(19)",
    "Intl.NumberFormat('en', { style: 'currency', currency: 'EUR', minimumFractionDigits: 0 }).format(19)",
    "Intl.NumberFormat('en').format(NaN) + Intl.NumberFormat('en').format(-Infinity)",
    "(1234.5).toLocaleString('en')",
    "(19.9).toLocaleString('en', { style: 'currency', currency: 'GBP' })",
    "new Intl.PluralRules('en').select(1) + new Intl.PluralRules('en').select(2)",
    "['b', 'A', 'a', 'B', 'ä', 'z', '10', '9', ' '].sort((a, b) => a.localeCompare(b, 'en')).join()",
    "['b', 'C', 'a'].sort(new Intl.Collator('en').compare).join()",
    "'a'.localeCompare('A', 'en', { sensitivity: 'base' }) + 'a'.localeCompare('á', 'en', { sensitivity: 'accent' })",
    "new Intl.DateTimeFormat('en').format(new Date(2026, 10, 5))",
    "new Date(2026, 0, 31).toLocaleDateString('en')",
]
THROWN = [
    "Intl.NumberFormat('en', { style: 'currency' })",
    "Intl.NumberFormat('en', { style: 'currency', currency: 'euro' })",
    "Intl.NumberFormat('en', { maximumFractionDigits: 101 })",
    "Intl.NumberFormat('en', { minimumFractionDigits: 4, maximumFractionDigits: 2 })",
    "new Intl.DateTimeFormat('en').format(new Date('x'))",
]
LEFT = [
    "new Intl.NumberFormat('en').formatToParts(1)",
    "new Intl.NumberFormat('en').resolvedOptions().locale",
    "new Intl.NumberFormat('en', { notation: 'compact' }).format(1200)",
    "new Intl.NumberFormat('en', { style: 'unit', unit: 'kilogram' }).format(1)",
    "Intl.DateTimeFormat().resolvedOptions().timeZone",
    "new Intl.DateTimeFormat('en').formatToParts(new Date())",
    "new Intl.PluralRules('pl').select(2)",
    "new Intl.PluralRules('en', { type: 'ordinal' }).select(2)",
    "new Intl.ListFormat('en').format(['a', 'b'])",
    "new Intl.RelativeTimeFormat('en').format(1, 'day')",
    "new Intl.DisplayNames('en', { type: 'region' }).of('LV')",
    "[...new Intl.Segmenter('en').segment('a')]",
    "Intl.getCanonicalLocales('EN')",
    "Intl.NumberFormat.supportedLocalesOf('de')",
    "'a'.localeCompare('b', 'sv')",
    "'a10'.localeCompare('a9', 'en', { numeric: true })",
    "'a'.localeCompare('-')",
]


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(page_script(), CALL_SECONDS)


@pytest.mark.usefixtures("processes")
def test_answers_are_those_of_chromium(page: Page, browser: Browser) -> None:
    tab = browser.new_page(locale="en-US")
    try:
        expected = {code: tab.evaluate(f"String({code})") for code in SAME}
        names = {
            code: tab.evaluate(f"() => {{ try {{ {code} }} catch (e) {{ return e.name }} }}")
            for code in THROWN
        }
    finally:
        tab.close()
    assert {code: page.context.eval(f"String({code})") for code in SAME} == expected
    assert {
        code: page.context.eval(f"(() => {{ try {{ {code} }} catch (e) {{ return e.name }} }})()")
        for code in THROWN
    } == names


@pytest.mark.parametrize("code", LEFT)
def test_run_ends_at_what_the_page_does_not_know(code: str) -> None:
    script = f"svcPlugins.subscribeEvent('svc-content-after-price', (event, init) => {{ init(); {code}; init(); }});"
    (note,) = check_text("x.js", script, Dialect()).diagnostics
    assert note.rule == "script-budget"
