"""Numbers, dates and distances equal those of Intl in each language; amounts equal those of the shop."""

import re
import sys
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

ShopIn = Callable[[str], Page]
LANGUAGES = ("lv", "en", "de", "ru", "ar", "pt-BR")
INSTANT = "2026-03-02T22:30:00Z"
DAY = "new Date(Date.UTC(2026, 2, 2))"

AS_INTL: tuple[tuple[str, str], ...] = (
    ("number(1234567.891, L)", "new Intl.NumberFormat(L).format(1234567.891)"),
    (
        "number(1234.5, L, 2)",
        "new Intl.NumberFormat(L, {minimumFractionDigits: 2, maximumFractionDigits: 2}).format(1234.5)",
    ),
    ("number(2.5, L, 0)", "new Intl.NumberFormat(L, {maximumFractionDigits: 0}).format(2.5)"),
    ("number('12.50', L)", "new Intl.NumberFormat(L).format(12.5)"),
    ("number(-0.5, L, 1)", "new Intl.NumberFormat(L, {minimumFractionDigits: 1}).format(-0.5)"),
    ("percent(0.256, L)", "new Intl.NumberFormat(L, {style: 'percent'}).format(0.256)"),
    (
        "percent(0.256, L, 1)",
        "new Intl.NumberFormat(L, {style: 'percent', minimumFractionDigits: 1}).format(0.256)",
    ),
    ("unit(350, L, 'gram')", "new Intl.NumberFormat(L, {style: 'unit', unit: 'gram'}).format(350)"),
    (
        "unit(2, L, 'liter', null, 'long')",
        "new Intl.NumberFormat(L, {style: 'unit', unit: 'liter', unitDisplay: 'long'}).format(2)",
    ),
    (
        "unit(90, L, 'kilometer-per-hour')",
        "new Intl.NumberFormat(L, {style: 'unit', unit: 'kilometer-per-hour'}).format(90)",
    ),
    (
        "date('2026-03-02', L)",
        f"new Intl.DateTimeFormat(L, {{dateStyle: 'medium', timeZone: 'UTC'}}).format({DAY})",
    ),
    (
        "date('2026-03-02', L, 'full')",
        f"new Intl.DateTimeFormat(L, {{dateStyle: 'full', timeZone: 'UTC'}}).format({DAY})",
    ),
    (
        "date('2026-03-02', L, {weekday: 'short', day: 'numeric'})",
        f"new Intl.DateTimeFormat(L, {{weekday: 'short', day: 'numeric', timeZone: 'UTC'}}).format({DAY})",
    ),
    (
        f"datetime('{INSTANT}', L, 'long')",
        f"new Intl.DateTimeFormat(L, {{dateStyle: 'long', timeStyle: 'short'}}).format(new Date('{INSTANT}'))",
    ),
    (
        f"time(Date.parse('{INSTANT}'), L)",
        f"new Intl.DateTimeFormat(L, {{timeStyle: 'short'}}).format(new Date('{INSTANT}'))",
    ),
    (
        f"datetime(new Date('{INSTANT}'), L, 'short', 'America/New_York')",
        (
            "new Intl.DateTimeFormat(L, {dateStyle: 'short', timeStyle: 'short', timeZone: 'America/New_York'}).format("
            f"new Date('{INSTANT}'))"
        ),
    ),
    ("relative(-1, L, 'day')", "new Intl.RelativeTimeFormat(L, {numeric: 'auto'}).format(-1, 'day')"),
    ("relative(3, L, 'week')", "new Intl.RelativeTimeFormat(L, {numeric: 'auto'}).format(3, 'week')"),
)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("ours", "intl"), AS_INTL, ids=[ours for ours, _ in AS_INTL])
def test_formatted_value_equals_that_of_intl(shop: Page, ours: str, intl: str, language: str) -> None:
    text, expected = shop.evaluate(f"(L) => [awning.{ours}, {intl}]", language)
    assert text == expected


MONEY: tuple[tuple[str, str, str], ...] = (
    ("a code", "4235.65, 'EUR'", "€4235.65"),
    ("a code whose sign is letters", "5, 'CHF'", "CHF5.00"),
    ("a code that is none", "5, 'euro'", "euro5.00"),
    ("a name of JavaScript", "5, 'constructor'", "constructor5.00"),
    ("no currency", "5, undefined", "5.00"),
    ("a currency that says nothing", "63.8, {}", "63.80"),
    ("a code in the payload", "63.8, {code: 'EUR'}", "€63.80"),
    (
        "all that the payload may say",
        "1234567.891, {symbol: 'Ls', position: 'after', decimals: 3, decimal_separator: ',', thousands_separator: '.'}",
        "1.234.567,891 Ls",
    ),
    ("nulls", "5, {code: 'EUR', symbol: null, decimals: null, decimal_separator: null}", "€5.00"),
    ("decimals as text", "5, {symbol: '$', decimals: '0'}", "$5"),
    ("decimals that cannot be", "5, {symbol: '$', decimals: 400}", "$5.00"),
    ("a separator that is a pattern", "1234, {symbol: '$', thousands_separator: '$&'}", "$1$&234.00"),
    ("decimals that are no whole number", "5.123, {symbol: '$', decimals: 1.5}", "$5.12"),
    ("a half of a cent", "1.005, 'EUR'", "€1.01"),
    ("one of a large amount", "4698989.805, 'EUR'", "€4698989.81"),
    ("one of a larger amount", "9207408049.935, {symbol: 'Rp'}", "Rp9207408049.94"),
    ("one of three decimals", "540309099.4155, {symbol: 'D', decimals: 3}", "D540309099.416"),
    ("one that is calculated", "3 * 0.335, 'EUR'", "€1.01"),
    ("hardly less than a half", "1.00499, 'EUR'", "€1.00"),
    ("the cents of the largest amounts that have some", "90071992547409.91, 'EUR'", "€90071992547409.91"),
    ("no amount in many decimals", "0, {symbol: 'B', decimals: 12}", "B0.000000000000"),
    ("the smallest of many decimals", "0.000000015, {symbol: 'B', decimals: 9}", "B0.000000015"),
    ("a number with an exponent", "1e21, 'EUR'", "€1000000000000000000000.00"),
    (
        "a larger one",
        "-1.5e22, {symbol: '$', decimals: 0, thousands_separator: ','}",
        "-$15,000,000,000,000,000,000,000",
    ),
    ("the largest number", "Number.MAX_VALUE, 'JPY'", f"¥{int(sys.float_info.max)}"),
    ("a currency whose decimals differ between browsers", "99.5, 'HUF'", "Ft99.50"),
    ("one in small letters", "99.5, 'kwd'", "KWD99.500"),
    ("a currency without decimals", "3360, 'JPY'", "¥3360"),
    ("a format without decimals", "3360.5, {code: 'JPY', symbol: '¥', thousands_separator: ','}", "¥3,361"),
    ("a symbol from right to left", "79.6, {symbol: 'د.إ', position: 'after'}", "79.60 د.إ"),
    ("less than nothing", "-5, 'EUR'", "-€5.00"),
    ("hardly less than nothing", "-0.001, 'EUR'", "€0.00"),
    ("an amount as text", "'12.5', 'EUR'", "€12.50"),
    ("no amount", "null, 'EUR'", ""),
    ("an amount that is none", "NaN, 'EUR'", ""),
)


@pytest.mark.parametrize(("amount", "text"), [case[1:] for case in MONEY], ids=[case[0] for case in MONEY])
def test_money_equals_the_display_of_the_shop(shop: Page, amount: str, text: str) -> None:
    assert shop.evaluate(f"awning.money({amount})") == text


ROUNDED_TO_ZERO = {
    "number(-0.001, 'en', 2)": "0.00",
    "number(-0.4, 'de', 0)": "0",
    "number(-0.0001, 'lv')": "0",
    "number(-0, 'en')": "0",
    "number('-0.001', 'ar', 1)": "0.0",
    "percent(-0.001, 'en')": "0%",
    "percent(-0.00001, 'de', 2)": "0,00\u00a0%",
    "unit(-0.2, 'en', 'gram', 0)": "0 g",
    "money(-0.4, 'JPY')": "¥0",
    "relative(-0, 'en', 'hour')": "this hour",
    "number(-0.005, 'en', 2)": "-0.01",
    "percent(-0.005, 'en')": "-1%",
}


@pytest.mark.parametrize("call", ROUNDED_TO_ZERO)
def test_number_that_is_rounded_to_zero_has_no_sign(shop: Page, call: str) -> None:
    assert shop.evaluate(f"awning.{call}") == ROUNDED_TO_ZERO[call]


MINOR_UNITS = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}
"""The codes of ISO 4217 whose minor unit is not 2, written apart from those of the code."""


def test_decimals_of_a_code_are_those_of_iso_4217(shop: Page) -> None:
    minor = {code: decimals for decimals, codes in MINOR_UNITS.items() for code in codes.split()}
    codes = shop.evaluate("Intl.supportedValuesOf('currency')")
    amounts = shop.evaluate("(codes) => codes.map((code) => awning.money(1, code))", codes)
    written = {
        code: len(amount.partition(".")[2] if re.search(r"1\.\d+$", amount) else "")
        for code, amount in zip(codes, amounts, strict=True)
    }
    assert {code: written[code] for code in codes} == {code: minor.get(code, 2) for code in codes}


NOTHING = (
    *(
        f"number({value}, 'en')"
        for value in ("undefined", "null", "NaN", "Infinity", "''", "' '", "'ten'", "true", "[]")
    ),
    "number(5, 'en', -1)",
    "number(5, 'en', 400)",
    "percent('x', 'en')",
    "unit(5, 'en', 'gramm')",
    "unit(5, 'en', undefined)",
    *(
        f"date({value}, 'en')"
        for value in (
            "undefined",
            "null",
            "NaN",
            "''",
            "'soon'",
            "'2026-02-30'",
            "'2026-13-01'",
            "'02.03.2026'",
            "9e15",
        )
    ),
    "date('2026-02-30T10:00:00Z', 'en')",
    "date('2026-03-02T25:00', 'en')",
    "date('2026-03-02', 'en', 'lon')",
    "date('2026-03-02T10:00:00Z', 'en', 'long', 'Mars/Base')",
    "date(new Date(NaN), 'en')",
    "time({}, 'en')",
    "relative(2, 'en', 'fortnight')",
    "relative(undefined, 'en', 'day')",
)


@pytest.mark.parametrize("call", NOTHING)
def test_invalid_value_is_formatted_as_an_empty_string(shop: Page, call: str) -> None:
    assert shop.evaluate(f"awning.{call}") == ""


@pytest.mark.parametrize("language", ["undefined", "null", "''", "'no language'", "'x'", "'en_US'"])
def test_invalid_language_falls_back_to_that_of_the_browser(shop: Page, language: str) -> None:
    assert shop.evaluate(f"awning.number(1234.5, {language})") == "1,234.5"


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_calendar_day_does_not_depend_on_the_time_zone(shop_in: ShopIn, zone: str) -> None:
    page = shop_in(zone)
    for value in ("2026-03-02", "2026-03-02T00:10", "2026-03-02 23:50"):
        for call in (
            f"awning.date('{value}', 'en', 'short')",
            f"awning.date('{value}', 'en', 'short', 'UTC')",
        ):
            assert page.evaluate(call) == "3/2/26"


def test_instant_is_in_the_time_zone_of_the_browser_or_of_the_argument(shop: Page) -> None:
    assert shop.evaluate(f"awning.datetime('{INSTANT}', 'de', 'short')") == "03.03.26, 00:30"
    assert shop.evaluate(f"awning.datetime('{INSTANT}', 'de', 'short', 'UTC')") == "02.03.26, 22:30"


COUNTED = """() => {
  const made = {};
  for (const name of ["NumberFormat", "DateTimeFormat", "RelativeTimeFormat"]) {
    const Plain = Intl[name];
    Intl[name] = function (...given) {
      made[name] = (made[name] ?? 0) + 1;
      return new Plain(...given);
    };
  }
  for (let n = 0; n < 100; n++) {
    for (const language of ["et", "fi"]) {
      awning.number(n, language, 2);
      awning.percent(n, language);
      awning.unit(n, language, "gram");
      awning.date(n * 864e5, language, "long");
      awning.date("2026-03-02", language, "long");
      awning.relative(n, language, "day");
      awning.money(n, "SEK");
    }
  }
  return made;
}"""


def test_formatter_is_created_once_per_language_and_options(shop_in: ShopIn) -> None:
    """The counts: two languages, two kinds of dates (days and instants have different options), one currency sign."""
    assert shop_in("Europe/Riga").evaluate(COUNTED) == {
        "NumberFormat": 2 * 3 + 1,
        "DateTimeFormat": 2 * 2,
        "RelativeTimeFormat": 2,
    }
