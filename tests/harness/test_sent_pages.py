"""A page that is sent to a frame has its Content Security Policy as a `<meta>` in its head."""

import pytest

from awning_harness.visit.frames.sent_pages import with_policy


@pytest.mark.parametrize(
    ("policy", "element"),
    [
        ("default-src 'self'", "default-src &#x27;self&#x27;"),
        ('report-to "here"', "report-to &quot;here&quot;"),
        (r"script-src \1 \g<0>", r"script-src \1 \g&lt;0&gt;"),
    ],
)
def test_policy_is_the_first_element_of_the_head_as_it_is(policy, element):
    page = with_policy("<!doctype html><HEAD><title>Shop</title></HEAD><p>&lt;head></p>", policy)
    head = f'<HEAD><meta http-equiv="content-security-policy" content="{element}"><title>'
    assert head in page
    assert page.count("<meta") == 1
