"""The filters of templates call the functions of `awning`. What they need of the page are variables of the template."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from awning.errors import Faulty
from awning.template.compile import compile_template
from awning.template.own_filters import FILTERS

Render = Callable[..., str]
INTL = {name: spec for name, spec in FILTERS.items() if spec.page}
EUR = {"code": "EUR", "decimal_separator": ","}

RENDERED: tuple[tuple[str, dict[str, object], str], ...] = (
    ("{{ p|money }}", {"p": 12.5, "currency": EUR}, "€12,50"),
    ("{{ p|money(item.currency) }}", {"p": 12.5, "item": {"currency": "EUR"}}, "€12.50"),
    ("{{ p|money(currency='USD') }}", {"p": 12.5, "currency": EUR}, "$12.50"),
    ("{{ [1, 2]|map('money')|join(' ') }}", {"currency": "EUR"}, "€1.00 €2.00"),
    ("{{ [1, 2]|map('money', 'USD')|join(' ') }}", {}, "$1.00 $2.00"),
    ("{% set currency = 'USD' %}{{ 1|money }}", {"currency": "EUR"}, "$1.00"),
    ("{% for n in [1] %}{{ n|money }}{% endfor %}", {"currency": "EUR"}, "€1.00"),
    ("{% macro m(n) %}{{ n|money }}{% endmacro %}{{ m(1) }}", {"currency": "EUR"}, "€1.00"),
    ("{% with currency = 'USD' %}{{ 1|money }}{% endwith %}", {"currency": "EUR"}, "$1.00"),
    (
        "{{ n|number }} {{ n|number(2) }} {{ n|number(digits=0) }}",
        {"n": 1234.5, "language": "de"},
        "1.234,5 1.234,50 1.235",
    ),
    ("{{ n|number(language='de') }}", {"n": 1234.5, "language": "en"}, "1.234,5"),
    ("{{ n|number(2, 'de') }}", {"n": 1234.5, "language": "en"}, "1.234,50"),
    ("{{ 0.2|percent }}", {"language": "en"}, "20%"),
    ("{{ 350|unit('gram') }} {{ 2|unit('liter', width='long') }}", {"language": "en"}, "350 g 2 liters"),
    ("{{ d|date }} {{ d|date('long') }}", {"d": "2026-03-02", "language": "en"}, "Mar 2, 2026 March 2, 2026"),
    ("{{ d|date({'weekday': 'long'}) }}", {"d": "2026-03-02", "language": "en"}, "Monday"),
    ("{{ d|date(dict(weekday='long')) }}", {"d": "2026-03-02", "language": "en"}, "Monday"),
    (
        "{{ d|datetime('short', zone='UTC') }}",
        {"d": "2026-03-02T22:30:00Z", "language": "de"},
        "02.03.26, 22:30",
    ),
    ("{{ d|time }}", {"d": "2026-03-02T22:30", "language": "de"}, "22:30"),
    ("{{ 1|relative('day') }}", {"language": "de"}, "morgen"),
    ("[{{ none|money }}{{ missing|number }}{{ 'soon'|date }}]", {"language": "en", "currency": "EUR"}, "[]"),
    ("{{ 5|money }}", {"currency": {"symbol": "<b>"}}, "&lt;b&gt;5.00"),
    ("<a title='{{ 5|money }}'>x</a>", {"currency": {"symbol": "'\""}}, "<a title='&#39;&#34;5.00'>x</a>"),
    ("{{ 5|money ~ '!' }} {{ (5|money)|length }}", {"currency": "EUR"}, "€5.00! 5"),
    ("{{ 5|money if 5|money else '' }}", {"currency": "EUR"}, "€5.00"),
)


@pytest.mark.parametrize(("template", "context", "text"), RENDERED, ids=[case[0] for case in RENDERED])
def test_filter_renders_the_formatted_value(
    render: Render, template: str, context: dict[str, object], text: str
) -> None:
    assert render(template, **context) == text


@pytest.mark.parametrize("name", sorted(INTL))
def test_page_value_of_a_filter_is_a_variable_of_the_template(name: str) -> None:
    argument = "'day'" if name in {"relative", "unit"} else ""
    template = f"{{{{ x|{name}({argument}) }}}}"
    reads = compile_template(template, path="view.html.j2").reads or ()
    assert [variable.name for variable in reads] == sorted((INTL[name].page, "x"))


REFUSED = (
    ("{{ x|money('EUR', 2) }}", "template-arguments"),
    ("{{ x|number(2.5) }}", "template-arguments"),
    ("{{ x|number(21) }}", "template-arguments"),
    ("{{ x|number(-1) }}", "template-arguments"),
    ("{{ x|number('2') }}", "template-arguments"),
    ("{{ x|unit }}", "template-arguments"),
    ("{{ x|unit('gramm') }}", "template-arguments"),
    ("{{ x|unit('kilometer-per-our') }}", "template-arguments"),
    ("{{ x|unit('meter-per-second-per-second') }}", "template-arguments"),
    ("{{ x|unit('meter-per-') }}", "template-arguments"),
    ("{{ x|unit('-per-meter') }}", "template-arguments"),
    ("{{ x|unit('meter', width='long-per-short') }}", "template-arguments"),
    ("{{ x|relative('fortnight') }}", "template-arguments"),
    ("{{ x|relative('day-per-week') }}", "template-arguments"),
    ("{{ x|date('short-per-long') }}", "template-arguments"),
    ("{{ x|date('lon') }}", "template-arguments"),
    ("{{ x|date(length='long') }}", "template-arguments"),
    ("{{ x|currency }}", "template-filter"),
    ("{% filter money %}5{% endfilter %}", "template-filter-block"),
)


@pytest.mark.parametrize(("template", "rule"), REFUSED)
def test_arguments_invalid_for_intl_are_refused(template: str, rule: str) -> None:
    with pytest.raises(Faulty) as refused:
        compile_template(template, path="view.html.j2")
    assert [diagnostics.rule for diagnostics in refused.value.diagnostics] == [rule]


@pytest.mark.parametrize(
    "unit", ["meter", "mile-scandinavian", "meter-per-second", "liter-per-mile-scandinavian"]
)
def test_one_unit_and_two_joined_units_are_accepted(unit: str) -> None:
    assert f'"{unit}"' in compile_template(f"{{{{ x|unit('{unit}') }}}}", path="view.html.j2").code


def test_hint_about_an_unknown_filter_lists_every_own_filter() -> None:
    with pytest.raises(Faulty) as refused:
        compile_template("{{ x|nosuch }}", path="view.html.j2")
    [diagnostic] = refused.value.diagnostics
    assert ", ".join(FILTERS) in (diagnostic.hint or "")


def test_template_without_filters_has_no_filter_code() -> None:
    assert "filter_" not in compile_template("{{ x }}", path="view.html.j2").code


def rows_of_the_page() -> list[tuple[str, str, str, str]]:
    page = (Path(__file__).parents[2] / "docs" / "formatting.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\{\{.+\}\})` \| `(.+)` \| (.+) \| (.+) \|$", page, re.MULTILINE)
    return [(template.replace("\\|", "|"), *rest) for template, *rest in rows]


@pytest.mark.parametrize(("template", "call", "text", "language"), rows_of_the_page())
def test_examples_in_the_documentation_table_are_true(
    shop: Page, render: Render, template: str, call: str, text: str, language: str
) -> None:
    page_values = {} if language == "any language" else {"language": language}
    results = (render(template, currency="EUR", **page_values), shop.evaluate(f"awning.{call}"))
    assert [result.replace("\u00a0", " ") for result in results] == [text, text]


def test_docs_list_every_filter_that_formats_with_intl() -> None:
    assert {re.search(r"\|(\w+)", template)[1] for template, *_ in rows_of_the_page()} == set(INTL)  # type: ignore[index]
