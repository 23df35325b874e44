"""A handler in an attribute of a template is a warning: a page with a strict policy does not run it."""

import pytest

from awning.check.inline_handlers import inline_handlers

SCRIPT = (
    'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
    "export function add() {}\nexport default afterPrice(() => view({}));\n"
)


def found(template: str) -> list[tuple[str, int, int]]:
    diagnostics = inline_handlers("widgets/a/view.html.j2", template)
    return [(d.message.split()[0], d.place.line, d.place.column) for d in diagnostics]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ('<button onclick="add()">Add</button>', ("onclick", 1, 9)),
        ('<button onclick="history.back()">x</button>', ("onclick", 1, 9)),
        ("<p>\n<button class='a' onClick='return remove( this )'>x</button>", ("onClick", 2, 19)),
        ('<form onsubmit="event.preventDefault(); open(1)">', ("onsubmit", 1, 7)),
        ("<input oninput=add()>", ("oninput", 1, 8)),
        ('<b data-x="{{ x }}" onclick="add(this.dataset.x)">', ("onclick", 1, 21)),
        ('<img alt=""onerror="this.remove()">', ("onerror", 1, 12)),
        ('<svg><a onbegin="x()"></a></svg>', ("onbegin", 1, 9)),
        ('<b {% if a %}onclick="x()"{% endif %}>', ("onclick", 1, 14)),
        ('<b onclick="{% if a %}x(){% else %}y(){% endif %}">', ("onclick", 1, 4)),
        ('{% raw %}<b onclick="x()">{% endraw %}', ("onclick", 1, 13)),
        ('{% macro m() %}<b title=">" onclick="x()">{% endmacro %}', ("onclick", 1, 29)),
    ],
)
def test_handler_in_an_attribute_is_reported(template, expected):
    assert found(template) == [expected]


@pytest.mark.parametrize(
    "template",
    [
        '<button onclick="add({{ id }})">refused by the compiler</button>',
        '<button onclick="">x</button>',
        "<button onclick>x</button>",
        '<button data-onclick="add()" on="x" one="y">x</button>',
        '<p title=\'onclick="add()"\'>onclick="add()"</p>',
        "<p title='now onclick=\"add()\"'>x</p>",
        '{# <button onclick="add()"> #}<!-- <button onclick="add()"> -->',
        '{{ "<b onclick=\\"x\\">" }}<style>[onclick="x"] { }</style><textarea><b onclick="x"></textarea>',
        '</b onclick="x">',
        '<button class="add">add()</button>',
    ],
)
def test_other_attributes_are_not_reported(template):
    assert found(template) == []


def test_handler_in_a_shared_template_is_reported(check, shop):
    shop.add_widget(view_html_j2='{% include "part.html.j2" %}{{ t("hello") }}\n')
    shop.add_file("widgets/_shared/part.html.j2", '<button type="button" onclick="add()">+</button>\n')
    [finding] = [item for item in check(cwd=shop.root).findings if item["rule"] == "dead-handler"]
    assert (finding["path"], finding["column"]) == ("widgets/_shared/part.html.j2", 23)


def test_check_explains_live(check, shop):
    shop.add_widget(view_html_j2='<button type="button" onclick="add()">+</button>\n', widget_ts=SCRIPT)
    [finding] = [item for item in check(cwd=shop.root).findings if item["rule"] == "dead-handler"]
    assert (finding["severity"], finding["path"], finding["column"]) == (
        "warning",
        "widgets/note/view.html.j2",
        23,
    )
