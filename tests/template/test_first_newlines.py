"""A value at the beginning of a textarea or pre keeps its first newline, which browsers would drop."""

import pytest

from awning.template.reference import reference_environment

VALUE = "\nx"
KEPT = [
    "{{ a }}",
    "{% for x in [a] %}{% if x %}{{ x }}{% endif %}{% endfor %}",
    "{% for x in [a] %}{% set y = x %}{{ y }}{% endfor %}",
    "{% for x in [a] %}{% for y in [x] %}{{ y }}{% endfor %}{% endfor %}",
    "{% for x in [a] %}{% with y = x %}{{ y }}{% endwith %}{% endfor %}",
    "{% for x in [] %}text{% endfor %}{{ a }}",
    "{% for x in [] %}text{% else %}{{ a }}{% endfor %}",
    "{% for x in [1] %}{% set y = x %}{% endfor %}{{ a }}",
    "{% if off %}{{ off }}{% endif %}{{ a }}",
    "{% if off %}text{% endif %}{{ a }}",
    "{% if off %}text{% elif a %}{{ a }}{% endif %}",
    "{% with y = a %}{% if off %}text{% endif %}{% endwith %}{{ a }}",
    "{% set y = a %}{% if off %}{{ off }}{% else %}{{ y }}{% endif %}",
]
TEXTS = ["text{{ a }}", "{% for x in [a] %}text{{ x }}{% endfor %}.", "{% if off %}text{% endif %}text"]


@pytest.mark.parametrize("element", ["textarea", "pre"])
@pytest.mark.parametrize("body", KEPT)
def test_newline_is_printed_before_what_may_begin_with_a_value(element: str, body: str) -> None:
    assert rendered(f"<{element}>{body}</{element}>") == f"<{element}>\n{VALUE}</{element}>"


@pytest.mark.parametrize("body", TEXTS)
def test_no_newline_is_printed_before_text(body: str) -> None:
    assert rendered(f"<pre>{body}</pre>").startswith("<pre>text")


def test_filter_block_prints_a_newline_before_its_value() -> None:
    assert rendered("<pre>{% filter lower %}{{ a }}{% endfilter %}</pre>") == f"<pre>\n{VALUE}</pre>"


def rendered(template: str) -> str:
    return reference_environment().from_string(template).render(a=VALUE)
