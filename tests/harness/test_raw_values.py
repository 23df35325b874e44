"""A raw value is found in a block's text and in its attributes, and a number only where a shopper reads it."""

import pytest

from awning_harness.checks.families.payloads import raw_values

LONG = "0.30000000000000004"
RAW = {
    f"<p>{LONG} left</p>": [("shows", LONG)],
    f'<progress value="{LONG}" max="1"></progress>': [],
    f'<i style="width: {LONG}%" data-share="{LONG}"></i>': [],
    f'<input value="{LONG}">': [("has in the attribute value of <input>", LONG)],
    f'<b aria-label="{LONG} left"><i title="{LONG}"></i></b>': [
        ("has in the attribute aria-label of <b>", LONG),
        ("has in the attribute title of <i>", LONG),
    ],
    '<progress value="NaN"></progress>': [("has in the attribute value of <progress>", "NaN")],
    '<a class="undefined" href="/x?a=undefined">a</a>': [
        ("has in the attribute class of <a>", "undefined"),
        ("has in the attribute href of <a>", "undefined"),
    ],
}


@pytest.mark.parametrize("html", RAW)
def test_raw_value_is_found_where_a_shopper_meets_it(html):
    text = html.partition(">")[2].partition("<")[0]
    found = raw_values(text, html)
    assert [(what, match[0]) for what, match in found] == RAW[html]
