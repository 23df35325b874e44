"""Templates whose values are all JSON get shorter helpers: they render the reference's text, or raise an error."""

import html

import pytest
from parity import JavaScript, by_reference

from awning.template import compile_template

VALUES = [
    "", "plain", "<b>&\"'", "{{svc_app_data}}", "{", "Krūze ☕", "a" * 300 + "&", 0, 1, -1, 2.5, 0.0001, 1e15, 1e16,
    9999999999999998, 0.00001, 0.00009999999999999999, -0.00001, 1e21, 1e300, 5e-324, True, False, None, [], [0], {},
    {"a": 1}, [[]], "0", " ", {"search": 1, "replace": 1}, {"length": 0}, ["a", "b"], "ab☕",
]  # fmt: skip
TEMPLATES = [
    "{{ x }}", "<p title='{{ x }}'></p>", "{% if x %}yes{% else %}no{% endif %}",
    "{{ x if x else 'none' }}", "{{ not x }}",
    "{% for y in x %}[{{ y }}]{% else %}none{% endfor %}", "{{ x|default('d', true) }}",
    "{% if x and x != 1 %}{{ x }}{% endif %}", "{{ missing }}{{ x.a }}{{ x['b'] }}", "<textarea>{{ x }}</textarea>",
    "{% set y = x %}{{ y }}{{ y }}", "{% for y in x %}{{ loop.index }}/{{ loop.length }}{% endfor %}",
]  # fmt: skip


@pytest.mark.parametrize("dev", [False, True], ids=["shipped", "dev"])
def test_json_helpers_print_the_text_of_the_reference_or_fail(javascript: JavaScript, dev: bool) -> None:
    modules = [
        compile_template(template, path="case.html", containers=False, dev=dev).code for template in TEMPLATES
    ]
    assert all("awning/template/json" in module for module in modules)
    contexts = [[{"x": value} for value in VALUES] for _ in modules]
    for template, answers in zip(TEMPLATES, javascript.render(modules, contexts), strict=True):
        for value, result in zip(VALUES, answers, strict=True):
            wanted = by_reference(template, {"x": value}).text
            if result.text is None:
                assert wanted is None or not is_common(value), (template, value, result.error)
            else:
                assert wanted is not None, (template, value, result.text)
                assert html.unescape(result.text) == html.unescape(wanted), (template, value)


def is_common(value: object) -> bool:
    """Whether a value is None, a text, a boolean or a number without exponent."""
    if isinstance(value, (int, float)):
        return value == 0 or 1e-4 <= abs(value) < 1e16
    return value is None or isinstance(value, str)


PLACES = [
    "<i style='color: {{ x }}'></i>", "<style>.a { color: {{ x }} } .b { color: red }</style>",
    "<i style='font-family: \"{{ x }}\"'></i>", "<i style='background: url({{ x }})'></i>",
    "<i style='background: url(/a/{{ x }}?b={{ x }})'></i>", "<svg><rect fill='{{ x }}'></rect></svg>",
    "<img srcset='{{ x }}'>", "<img srcset='/a.png {{ x }}'>", "<img src='{{ x }}'>", "<a href='{{ x }}'></a>",
    "<a href='/{{ x }}'></a>", "<a href='/a/{{ x }}'></a>", "<a href='?a={{ x }}'></a>",
    "<a href='{{ y }}{{ x }}'></a>", "<iframe src='https://a.example/{{ x }}'></iframe>", "<p title='{{ x }}'></p>",
    "<title>{{ x }}</title>",
]  # fmt: skip
NOT_PRINTED = [
    [], [0], ["red"], ["red", "blue"], ["calc("], ["rgb(1", "2"], [["var("]], ["/a.png"], ["/a.png 1x"], ["1x"], [".."],
    ["<b>"], ["'"], {}, {"a": 1}, {"red": "red"}, 1e16, 1e21, 1e-7, 5e-324,
]  # fmt: skip


@pytest.mark.parametrize("dev", [False, True], ids=["shipped", "dev"])
def test_list_mapping_and_exponent_are_errors_in_every_html_context(
    javascript: JavaScript, dev: bool
) -> None:
    modules = [compile_template(place, path="case.html", containers=False, dev=dev).code for place in PLACES]
    assert all("awning/template/json" in module for module in modules)
    contexts = [[{"x": value, "y": "/a"} for value in NOT_PRINTED] for _ in modules]
    for place, answers in zip(PLACES, javascript.render(modules, contexts), strict=True):
        printed = [
            (value, answer.text)
            for value, answer in zip(NOT_PRINTED, answers, strict=True)
            if answer.text is not None
        ]
        assert printed == [], place


def test_nan_and_infinity_are_errors(javascript: JavaScript) -> None:
    code = compile_template("{{ x }}", path="case.html", containers=False).code
    javascript.page.evaluate(javascript.script([code]))
    for value in ("NaN", "Infinity", "-Infinity"):
        failed = f"() => {{ try {{ return renders[0]({{ x: {value} }}); }} catch {{ return null; }} }}"
        assert javascript.page.evaluate(failed) is None


def test_dev_build_names_the_value_that_cannot_be_printed(javascript: JavaScript) -> None:
    code = compile_template("<p>\n{{ x }}", path="case.html", containers=False, dev=True).code
    (results,) = javascript.render([code], [[{"x": [1]}, {"x": 1e-5}]])
    assert "case.html:2: a list or mapping cannot be printed" in results[0].error
    assert "case.html:2: 0.00001 is printed with an exponent" in results[1].error
    failed = "() => { try { renders[0]({ x: 10n }); } catch (error) { return String(error); } }"
    assert "case.html:2: a bigint cannot be printed" in javascript.page.evaluate(failed)
