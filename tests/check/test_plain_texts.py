"""Texts in templates are reported if shoppers read them."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from awning.check.plain_texts import plain_texts
from awning.rules import find_rule
from awning.workspace.model import Widget

WIDGET = Widget(
    name="note",
    folder=Path("widgets/note"),
    title="Note",
    slots=("after-price",),
    languages=("en", "lv"),
    script=Path("widget.ts"),
    templates=("view.html.j2",),
    messages={"en": {}, "lv": {}},
)

CASES = (
    ("<p>Only {{ n }} left</p>", [(1, 4, "Only left")]),
    ("<p>\n  Piegāde\n</p>", [(2, 3, "Piegāde")]),
    ('<p>{{ t("only") }} <b>left</b></p>', [(1, 23, "left")]),
    ('<img alt="A mug" src="mug.png">', [(1, 13, "mug")]),
    ("<p\n  title='More about'>x</p>", [(2, 10, "More about")]),
    ('<p title="{{ t("more") }}">{{ t("a") }}</p>', []),
    ('{% if a %}<p class="some class" data-x="words">{{ n }} g</p>{% endif %}', []),
    ("{# a comment #}<!-- another one -->{{ a }}", []),
    ("<style>.text { color: red }</style><svg><text>words</text></svg>", []),
    ('<b translate="no">Omniva</b><p translate="no"><i>Latvijas Pasts</i></p>', []),
    ("&nbsp;&mdash; 12 % · €", []),
    ("{% raw %}words{% endraw %}", []),
    ('<param translate="no">text</p>', [(1, 23, "text")]),
    ("<br>text</p>", [(1, 5, "text")]),
    ("<p>&nbsp;Fish &amp; chips</p>", [(1, 10, "Fish & chips")]),
    ("<textarea>Your text</textarea><noscript>words</noscript>", [(1, 11, "Your text"), (1, 41, "words")]),
    ("<p data-title='a' title=\"&quot;Sale&quot;\">", [(1, 32, 'Sale"')]),
    (
        "<p>a very long text that goes on and on and on</p>",
        [(1, 6, "very long text that goes on and on and o…")],
    ),
)


def texts_in(template: str, widget: Widget = WIDGET) -> list[tuple[int, int, str]]:
    seen = list(plain_texts(widget, "view.html.j2", template))
    assert {str(diagnostic.severity) for diagnostic in seen} <= {"note"}
    return [
        (diagnostic.place.line, diagnostic.place.column, re.findall('^"(.*?)" is', diagnostic.message)[0])
        for diagnostic in seen
    ]


@pytest.mark.parametrize(("template", "texts"), CASES, ids=[template for template, _ in CASES])
def test_texts_in_a_template_are_reported(template, texts):
    assert texts_in(template) == texts


def test_texts_in_the_template_of_a_widget_of_one_language_are_allowed():
    assert texts_in("<p>Only</p>", replace(WIDGET, messages={"en": {}})) == []
    assert texts_in("<p>Only</p>", replace(WIDGET, messages={})) == []


def test_examples_of_the_rule_page_are_true():
    [wrong], [right] = find_rule("text-in-template").wrong, find_rule("text-in-template").right
    assert len(texts_in(wrong.code)) == 2
    assert texts_in(right.code) == []


@pytest.mark.parametrize("name", ["alt", "title", "placeholder", "aria-label"])
@pytest.mark.parametrize("value", ['=""', "=''", "", "= "])
def test_attribute_without_text_is_not_reported(name, value):
    assert texts_in(f"<p {name}{value}>{{{{ n }}}}</p>") == []


@pytest.mark.parametrize(
    "text",
    [
        "<",
        "<p",
        '<p title="',
        "{{",
        "{% if",
        "<!",
        "<!--",
        "&#",
        "</",
        "\x00",
        "<p =x>",
        "<![",
        "<![a[",
        "<![if",
        "<![ ]",
    ],
)
def test_text_that_is_not_html_is_ignored(text):
    texts_in(text)
