"""Numbers print by one rule in Python and in JavaScript: doubles of every size."""

import math

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from parity import JavaScript, by_reference, compiled
from volumes import volume

DOUBLES = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.floats(-1e6, 1e6).map(lambda number: round(number, 2)),
    st.integers(-(10**18), 10**18),
    st.builds(math.ldexp, st.floats(0.5, 1), st.integers(-30, 60)),
)
HALVES = st.integers(-(10**6), 10**6).map(lambda number: number / 8)
TEMPLATES = (
    "{{ x }}",
    "{{ x ~ '' }}|{{ [x]|join }}|{{ x|string }}|{{ x|tojson }}|{{ [x] }}",
    "{{ x|round }}|{{ x|round(1) }}|{{ x|round(2) }}|{{ x|round(-1) }}",
    "{{ x|round(2, 'floor') }}|{{ x|round(1, 'ceil') }}",
    "{{ '%.2f|%.0f|%e|%g|%.10g' % (x, x, x, x, x) }}",
    "{{ '{:.2f}|{:,}|{:e}|{:g}|{:.3}'.format(x, x, x, x, x / 3) }}",
    "{{ x // 3 }}|{{ x % 7 }}|{{ -x % 7 }}|{{ x // -0.7 }}|{{ x % 0.3 }}|{{ x / 3 }}|{{ x|int }}|{{ x|abs }}",
    "{{ x|filesizeformat }}|{{ x|filesizeformat(true) }}",
)


@settings(
    max_examples=volume("number-text"),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # the assertion names the number: nothing to shrink
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(numbers=st.lists(DOUBLES | HALVES, min_size=30, max_size=30))
def test_numbers_print_as_in_the_reference(javascript: JavaScript, numbers: list[float]) -> None:
    modules = [code for code in map(compiled, TEMPLATES) if isinstance(code, str)]
    assert len(modules) == len(TEMPLATES)
    contexts = [{"x": number} for number in numbers]
    for template, rendered in zip(
        TEMPLATES, javascript.render(modules, [contexts] * len(modules)), strict=True
    ):
        for context, result in zip(contexts, rendered, strict=True):
            expected = by_reference(template, context)
            assert result.text == expected.text, (template, context, result, expected)
