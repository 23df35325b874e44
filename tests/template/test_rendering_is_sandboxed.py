"""A template of somebody else's cannot reach Python through `awning template render`."""

import jinja2
import pytest

from awning.template.reference import reference_environment

K = '{% set k = "__cl" ~ "ass__" %}'
GLOBALS = '["__glo" ~ "bals__"]'


@pytest.mark.parametrize(
    "template",
    [
        f'{K}{{{{ ""[k] }}}}',
        f"{K}{{{{ x|map(attribute=k)|join }}}}",
        f"{K}{{{{ x|attr(k) }}}}",
        f"{{{{ lipsum{GLOBALS} }}}}",
        f"{{{{ lipsum{GLOBALS}['os']['popen']('true') }}}}",
        f"{{{{ cycler[('__in' ~ 'it__')]{GLOBALS} }}}}",
        f"{K}{{% macro m() %}}{{% endmacro %}}{{{{ m[k] }}}}",
        f"{K}{{% for i in x %}}{{{{ loop[k] }}}}{{% endfor %}}",
        '{{ "{0.__class__}".format(x) }}',
        '{{ "{:{0.__class__}}".format(x) }}',
        '{{ "{a.__class__}".format(a=x) }}',
        '{{ "{0[0].__class__}".format(x) }}',
        f"{K}{{{{ x|groupby(k) }}}}",
        f"{K}{{{{ x|sort(attribute=k) }}}}",
    ],
)
def test_computed_name_does_not_lead_to_python(template):
    try:
        text = reference_environment().from_string(template).render(x=["a"])
    except (jinja2.TemplateError, TypeError):
        return
    assert "class" not in text
    assert "module" not in text
    assert "object at" not in text


def test_key_of_the_data_may_have_any_name():
    data = {"__class__": "a"}
    assert reference_environment().from_string('{{ x["__class__"] }}').render(x=data) == "a"
