"""App data and language as the service may insert them; texts by language and plural category."""

import html
import json
from collections.abc import Mapping

import pytest
from frames import SmallPages
from shop_scripts import SHOP, Snippet

DATA = {"sample": {"days": 5, "note": "\"</script><b> O'Hara & \u0101"}, "other": {"days": 9}}
RAW = json.dumps(DATA).replace("</", "<\\/")
DEFAULTS = '{"days": 3, "deep": {"a": 1, "b": 2}}'
WIDGET = "({ data, language }) => { log(data, language); return 'x'; }"

FORMS: dict[str, tuple[str, object]] = {
    "raw JSON": (RAW, DATA["sample"]),
    "HTML-escaped": (html.escape(json.dumps(DATA)), DATA["sample"]),
    "a JSON string with JSON in it": (json.dumps(RAW), DATA["sample"]),
    "an HTML-escaped JSON string": (html.escape(json.dumps(json.dumps(DATA))), DATA["sample"]),
    "white space around": (f"\n {RAW} \n", DATA["sample"]),
    "empty": ("", {}),
    "the placeholder itself": ("{{svc_app_data}}", {}),
    "null": ("null", {}),
    "a number": ("17", {}),
    "a list": ("[]", {}),
    "an empty string": ('""', {}),
    "cut off": (RAW[:20], {}),
    "no part for this widget": ('{"other": {"days": 9}}', {}),
    "a part that is no object": ('{"sample": "x"}', {}),
    "a nested part": ('{"sample": {"deep": {"b": 7}}}', {"deep": {"a": 1, "b": 7}}),
    "hostile keys": ('{"sample": {"__proto__": {"x": 1}, "constructor": 1}}', {"constructor": 1}),
}


def data_element(text: str, language: str = "{{svc_language}}", app: str = "my-app") -> str:
    return f'<script type="application/json" data-awning="{app}" lang="{language}">{text}</script>'


def part_of(app: str, defaults: str = "{}") -> str:
    return f'const part = (common) => appData("{app}")("sample", {defaults}, common);'


def body_with(element: str, code: str) -> str:
    return f'<div id="box"></div>{element}<script>{code}</script>'


@pytest.mark.parametrize(("text", "part"), FORMS.values(), ids=FORMS)
def test_app_data_is_read_in_every_form(
    small_pages: SmallPages, snippet: Snippet, text: str, part: dict[str, object]
) -> None:
    code = snippet(WIDGET, "noMessages", "part", before=part_of("my-app", DEFAULTS))
    small = small_pages.load(SHOP + "product();", body=body_with(data_element(text), code))
    data, _ = small.log
    assert data == {"days": 3, "deep": {"a": 1, "b": 2}} | part
    assert small.run("() => ({}).x ?? null") is None
    assert small.errors == []


def test_widget_without_schema_gets_its_defaults(small_pages: SmallPages, snippet: Snippet) -> None:
    assert small_pages.load(SHOP + "product();", snippet(WIDGET)).log == [{}, "en"]


@pytest.mark.parametrize(("enabled", "visible"), [("false", False), ("true", True), ('"false"', True)])
def test_app_data_can_turn_a_widget_off(
    small_pages: SmallPages, snippet: Snippet, enabled: str, visible: bool
) -> None:
    code = snippet("() => 'x'", "noMessages", "part", before=part_of("my-app"))
    element = data_element(f'{{"sample": {{"enabled": {enabled}}}}}')
    small = small_pages.load(SHOP + "product(); select('2');", body=body_with(element, code))
    assert ("x" in small.html) is visible
    assert bool(small.kinds("init")) is visible


RESERVED: dict[str, tuple[object, bool]] = {
    "listed": ({"disabled": ["other", "sample"]}, False),
    "not listed": ({"disabled": ["other"]}, True),
    "an empty list": ({"disabled": []}, True),
    "a text": ({"disabled": "sample"}, True),
    "an object": ({"disabled": {"0": "sample", "length": 1}}, True),
    "hostile names": ({"disabled": [None, {"a": 1}, "__proto__", "toString"]}, True),
    "no list": ({}, True),
    "a reserved key that is a list": (["sample"], True),
    "a reserved key that is a text": ("sample", True),
    "a reserved key that is null": (None, True),
}


@pytest.mark.parametrize(("reserved", "visible"), RESERVED.values(), ids=RESERVED)
def test_disabled_widget_does_not_start(
    small_pages: SmallPages, snippet: Snippet, reserved: object, visible: bool
) -> None:
    code = snippet("() => 'x'", "noMessages", "part", before=part_of("my-app"))
    element = data_element(json.dumps({"_awning": reserved, "sample": {"enabled": True}}))
    small = small_pages.load(SHOP + "product(); select('2');", body=body_with(element, code))
    assert ("x" in small.html) is visible
    assert bool(small.kinds("subscribe")) is visible
    assert small.errors == []


def test_snippet_without_the_kill_switch_has_no_code_for_it(snippet: Snippet) -> None:
    with_switch, without = (
        snippet("() => 'x'", "noMessages", "part", before=part_of("my-app"), AWNING_KILL_SWITCH=switch)
        for switch in ("true", "false")
    )
    assert "_awning" in with_switch
    assert "_awning" not in without


@pytest.mark.parametrize(("stored", "visible"), [("{}", False), ('{"sample": {"enabled": true}}', True)])
def test_widget_that_is_off_by_default_can_be_turned_on_by_app_data(
    small_pages: SmallPages, snippet: Snippet, stored: str, visible: bool
) -> None:
    code = snippet("() => 'x'", "noMessages", "part", before=part_of("my-app", '{"enabled": false}'))
    small = small_pages.load(SHOP + "product();", body=body_with(data_element(stored), code))
    assert ("x" in small.html) is visible


def test_each_app_reads_its_own_element(small_pages: SmallPages, snippet: Snippet) -> None:
    code = snippet("({ data }) => data.of", "noMessages", "part", before=part_of("my-app"))
    elements = [
        body_with(data_element(f'{{"sample": {{"of": "{of}"}}}}', app="same"), code) for of in ("a", "b")
    ]
    small = small_pages.load(SHOP + "product();", body="".join(elements))
    assert small.run("() => box().textContent") == "ab"


def test_data_element_elsewhere_in_the_page_is_found_by_its_name(
    small_pages: SmallPages, snippet: Snippet
) -> None:
    code = snippet("({ data }) => data.of", "noMessages", "part", before=part_of("my-app"))
    elements = (
        data_element('{"sample": {"of": "no"}}', app="other")
        + data_element('{"sample": {"of": "yes"}}')
        + "<p></p>"
    )
    small = small_pages.load(SHOP + "product();", body=body_with(elements, code))
    assert small.run("() => box().textContent") == "yes"


@pytest.mark.parametrize(
    ("of_page", "of_element", "language"),
    [
        ("en", "lv", "en"),
        (None, "lv", "lv"),
        (None, "{{svc_language}}", ""),
        ("", "de", "de"),
        (None, "<hostile>", ""),
    ],
)
def test_language_is_that_of_the_page_or_else_of_the_data_element(
    small_pages: SmallPages, snippet: Snippet, of_page: str | None, of_element: str, language: str
) -> None:
    code = snippet(
        "({ language }) => { log(language); return ''; }", "noMessages", "part", before=part_of("a")
    )
    shop = (
        SHOP + f"awningEmulator.host('#box', PRICE, {{ item, page: {{ language: {json.dumps(of_page)} }} }});"
    )
    small = small_pages.load(shop, body=body_with(data_element("", html.escape(of_element)), code))
    assert small.log == [language]


TEXTS = {
    "plain": "Arrives soon",
    "named": "Arrives in {days} days, {days}!",
    "days": {"zero": "{count} dienu", "one": "{count} diena", "other": "{count} dienas"},
    "short": {"other": "{count} d"},
}
TRANSLATED = [
    ("t('plain')", "Arrives soon"),
    ("t('named', { days: 3 })", "Arrives in 3 days, 3!"),
    ("t('named', { days: 0 })", "Arrives in 0 days, 0!"),
    ("t('named')", "Arrives in {days} days, {days}!"),
    ("t('named', { days: '{days}$&' })", "Arrives in {days}$& days, {days}$&!"),
    ("t('missing')", "missing"),
    ("t('days', { count: 1 })", "1 diena"),
    ("t('days', { count: 21 })", "21 diena"),
    ("t('days', { count: 10 })", "10 dienu"),
    ("t('days', { count: 2 })", "2 dienas"),
    ("t('short', { count: 1 })", "1 d"),
    ("t('days')", "{count} dienas"),
]


def text_code(language: str, text: object) -> str:
    """Code of one text, with the forms of a plural passed to `plurals`."""
    return f"plurals('{language}', {json.dumps(text)})" if isinstance(text, dict) else json.dumps(text)


def table(language: str, texts: Mapping[str, object]) -> str:
    return "{" + ", ".join(f"{key}: {text_code(language, text)}" for key, text in texts.items()) + "}"


def test_messages_of_one_language_are_rendered(small_pages: SmallPages, snippet: Snippet) -> None:
    calls = ", ".join(call for call, _ in TRANSLATED)
    code = snippet(f"({{ t }}) => {{ log({calls}); return ''; }}", f"oneLanguage({table('lv', TEXTS)})")
    texts = small_pages.load(SHOP + "product();", code).log
    assert list(zip(TRANSLATED, texts, strict=True)) == [(row, row[1]) for row in TRANSLATED]


@pytest.mark.parametrize(
    ("language", "text"), [("de", "2 Tage"), ("lv", "2 dienas"), ("fr", "2 dienas"), ("", "2 dienas")]
)
def test_messages_are_in_the_language_of_the_page_or_the_fallback(
    small_pages: SmallPages, snippet: Snippet, language: str, text: str
) -> None:
    forms = {"lv": TEXTS["days"], "de": {"one": "{count} Tag", "other": "{count} Tage"}}
    texts = ", ".join(text_code(code, text) for code, text in forms.items())
    code = snippet("({ t }) => t('days', { count: 2 })", f"byLanguage(['de'], {{ days: [{texts}] }})")
    small = small_pages.load(
        SHOP + f"awningEmulator.host('#box', PRICE, {{ item, page: {{ language: '{language}' }} }});", code
    )
    assert small.run("() => box().textContent") == text


def test_text_that_a_language_does_not_have_is_its_key(small_pages: SmallPages, snippet: Snippet) -> None:
    code = snippet("({ t }) => t('soon')", "byLanguage(['en'], { soon: ['Drīz', null] })")
    assert small_pages.load(SHOP + "product();", code).run("() => box().textContent") == "soon"


COUNTED_RULES = """
window.__rules = [];
const Rules = Intl.PluralRules;
Intl.PluralRules = function (language) { __rules.push(language); return new Rules(language); };
"""


def test_plural_rules_are_made_once_for_each_language(small_pages: SmallPages, snippet: Snippet) -> None:
    texts = f"{{ days: {text_code('lv', TEXTS['days'])}, hours: {text_code('lv', TEXTS['days'])} }}"
    code = snippet(
        "({ t }) => t('days', { count: 1 }) + t('days', { count: 2 }) + t('hours', { count: 10 })",
        f"oneLanguage({texts})",
    )
    small = small_pages.load(COUNTED_RULES + SHOP, code, "product(); select('2');")
    assert small.run("() => box().textContent") == "1 diena2 dienas10 dienu"
    assert small.run("() => __rules") == ["lv"]


def test_widget_without_messages_renders_keys(small_pages: SmallPages, snippet: Snippet) -> None:
    assert "a-key" in small_pages.load(SHOP + "product();", snippet("({ t }) => t('a-key')")).html


MONEY = [
    ("4235.65, 'EUR'", "€4235.65"),
    ("50, 'EUR'", "€50.00"),
    ("0, 'EUR'", "€0.00"),
    ("1.005, 'EUR'", "€1.01"),
    ("-3.5, 'EUR'", "-€3.50"),
    ("9, 'USD'", "$9.00"),
    ("9, 'nonsense'", "nonsense9.00"),
    ("9, null", "9.00"),
    ("9, {}", "9.00"),
    (
        (
            "1234567.891, { symbol: 'kr', position: 'after', decimals: 1, "
            "decimal_separator: ',', thousands_separator: '.' }"
        ),
        "1.234.567,9 kr",
    ),
    ("1200, { code: 'JPY', decimals: 0 }", "¥1200"),
]


def test_money_formats_an_amount(small_pages: SmallPages, snippet: Snippet) -> None:
    calls = ", ".join(f"money({arguments})" for arguments, _ in MONEY)
    widget = f"""
      import {{ afterPrice, money }} from "awning";
      export default afterPrice(() => {{ log({calls}); return ""; }});
    """
    texts = small_pages.load(SHOP + "product();", snippet(widget)).log
    assert list(zip(MONEY, texts, strict=True)) == [(row, row[1]) for row in MONEY]
