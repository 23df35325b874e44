"""The tags and attributes that a browser builds do not depend on the values. Templates and values are generated.

Templates are random text in which § stands where the tokenizer accepts a value. Values mix harmless text with text that
has a meaning in HTML, URLs and CSS.
"""

import json
from pathlib import Path

from html_ends import end_of, is_open
from hypothesis import HealthCheck, example, given, reject, settings
from hypothesis import strategies as st
from volumes import volume

from awning.template.html.html_context import START, HtmlContext, HtmlRefusal
from awning.template.html.tokenizer import advance
from awning.template.html.values import output

SOUP = json.loads((Path(__file__).parent / "soup.json").read_text(encoding="utf-8"))


@st.composite
def filled(draw: st.DrawFn) -> list[str]:
    """An accepted template as alternating texts and names of escapers."""
    context, out = START, [""]
    for piece in draw(st.lists(st.sampled_from(SOUP["text"]) | st.just("§"), max_size=30)):
        try:
            context = step(context, piece, out)
        except HtmlRefusal:
            continue
    while is_open(context):
        try:
            context = step(context, end_of(context), out)
        except HtmlRefusal:
            reject()
    return out if len(out) > 1 else ["", "escapeText", ""]


def step(context: HtmlContext, piece: str, out: list[str]) -> HtmlContext:
    if piece == "§":
        context, interpolation = output(context)
        out[-1] += interpolation.before
        out += [interpolation.escaper, interpolation.after]
        return context
    context, emitted = advance(context, piece)
    out[-1] += emitted
    return context


values = st.lists(st.sampled_from(SOUP["values"] + SOUP["quiet values"]), min_size=1, max_size=4).map("".join)


@settings(max_examples=volume("html-structure"), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(filled(), st.lists(values, min_size=1, max_size=8))
@example(["<a href='", "escapeUrl", "'>", "escapeText", "</a>"], ["'><script>alert(1)</script>"])
@example(["<a href='viber:", "escapeUrlPath", "'>"], ["x", "//a", ":b"])
def test_tags_and_attributes_do_not_depend_on_values(
    laboratory, parts: list[str], samples: list[str]
) -> None:
    interpolations = len(parts) // 2
    rows = [
        [samples[(row + interpolation) % len(samples)] for interpolation in range(interpolations)]
        for row in range(len(samples))
    ]
    assert laboratory.call("trial", parts, "x", rows, "attached") == []
    assert laboratory.call("clear") == 0


def test_tested_pages_ran_no_delayed_script(laboratory) -> None:
    assert "executed" not in laboratory.happened()
