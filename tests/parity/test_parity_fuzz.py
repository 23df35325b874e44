"""Differential fuzz: random templates with random contexts, in JavaScript as in the reference environment."""

from grammar import CONTEXTS, TEMPLATES
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from parity import JavaScript, by_reference, compiled
from volumes import volume

BATCH = 20
RENDERINGS = 10
METHOD = " is a method"
"""A method that is not called is a value in Python, with an address for a text; here it is an error, never a text."""


@settings(
    max_examples=volume("template-parity"),
    phases=[
        Phase.explicit,
        Phase.reuse,
        Phase.generate,
    ],  # the assertion names the template: a batch shrinks slowly
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.function_scoped_fixture,
    ],
)
@given(
    templates=st.lists(TEMPLATES, min_size=BATCH, max_size=BATCH),
    contexts=st.lists(CONTEXTS, min_size=RENDERINGS, max_size=RENDERINGS),
)
def test_random_templates_agree_with_reference(
    javascript: JavaScript, templates: list[str], contexts: list[dict]
) -> None:
    built = {template: code for template in templates if isinstance(code := compiled(template), str)}
    answers = javascript.render(list(built.values()), [contexts] * len(built))
    for template, rendered in zip(built, answers, strict=True):
        for context, found in zip(contexts, rendered, strict=True):
            expected = by_reference(template, context)
            if found.error.endswith(METHOD):
                continue
            assert found.text == expected.text, (template, context, found, expected)
