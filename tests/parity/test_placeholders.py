"""A printed value never contains a placeholder of the service, whatever filters it went through."""

import pytest
from parity import JavaScript, compiled

PRINTED = {
    "<p>{{ x }}</p>": "<p>{&#123;svc_app_data}}</p>",
    "<p>{{ x|e }}</p>": "<p>{&#123;svc_app_data}}</p>",
    "<p>{{ x|safe }}</p>": "<p>{&#123;svc_app_data}}</p>",
    '<p title="{{ x|safe }}"></p>': '<p title="{&#123;svc_app_data}}"></p>',
    "<p>{{ ('%s'|safe) % x }}</p>": "<p>{&#123;svc_app_data}}</p>",
    "<p>{{ x|replace('_', '_')|upper|lower }}</p>": "<p>{&#123;svc_app_data}}</p>",
    "<p>{{ x|tojson }}</p>": '<p>"{\\u007bsvc_app_data}}"</p>',
    '<p data-x="{{ [x]|tojson }}"></p>': '<p data-x="[&#34;{\\u007bsvc_app_data}}&#34;]"></p>',
    "<p data-x='{{ {x: x}|tojson }}'></p>": '<p data-x=\'{"{\\u007bsvc_app_data}}": "{\\u007bsvc_app_data}}"}\'></p>',
    "<a href='/?q={{ x }}'></a>": "<a href='/?q=%7B%7Bsvc_app_data%7D%7D'></a>",
}


@pytest.mark.parametrize("template", PRINTED)
def test_printed_value_is_not_a_placeholder(javascript: JavaScript, template: str) -> None:
    code = compiled(template)
    assert isinstance(code, str), code
    ((result,),) = javascript.render([code], [[{"x": "{{svc_app_data}}"}]])
    assert result.text == PRINTED[template]


SPLIT = {
    "<p>{% raw %}{{{% endraw %}{{ x }}</p>": "<p>{&#123;svc_app_data}}</p>",
    "<p>{% raw %}{{{% endraw %}{% if x %}{{ x }}{% endif %}</p>": "<p>{&#123;svc_app_data}}</p>",
    "<p>{% raw %}{{svc_app{% endraw %}{{ x[7:] }}</p>": "<p>{&#123;svc_app_data}}</p>",
    "<title>{% raw %}{{s{% endraw %}{{ x[1:] }}</title>": "<title>{&#123;svc_app_data}}</title>",
    '<p title="{% raw %}{{s{% endraw %}{{ x[1:] }}"></p>': '<p title="{&#123;svc_app_data}}"></p>',
    "<a href='/{% raw %}{{s{% endraw %}{{ x[1:] }}'></a>": "<a href='/{{svc_app_data%7D%7D'></a>",
    "<p style='width: 1px{% raw %}{{s{% endraw %}{{ x[1:] }}'></p>": None,
}


@pytest.mark.parametrize("template", SPLIT)
def test_value_does_not_complete_a_placeholder_begun_in_raw_text(
    javascript: JavaScript, template: str
) -> None:
    code = compiled(template)
    if SPLIT[template] is None:
        assert not isinstance(code, str)
        return
    assert isinstance(code, str), code
    ((result,),) = javascript.render([code], [[{"x": "svc_app_data}}"}]])
    assert result.text == SPLIT[template], result.error
