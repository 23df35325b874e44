"""Handlers in a template that call a function of the widget's script are a warning: the page does not know it."""

import pytest

from awning.check.inline_handlers import inline_handlers
from awning.script import ScriptFile

SCRIPT = """\
import { add } from "./cart";
const remove = () => {};
function open(name) { return name; }
window.show = () => {};
"""


def found(template: str) -> list[tuple[str, int, int]]:
    script = ScriptFile(path="widgets/a/widget.ts", text=SCRIPT)
    diagnostics = inline_handlers("widgets/a/view.html.j2", template, [script])
    return [(d.message.split(",")[0], d.place.line, d.place.column) for d in diagnostics]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ('<button onclick="add()">Add</button>', ("onclick calls add", 1, 9)),
        (
            "<p>\n<button class='a' onClick='return remove( this )'>x</button>",
            ("onClick calls remove", 2, 19),
        ),
        ('<form onsubmit="event.preventDefault(); open(1)">', ("onsubmit calls open", 1, 7)),
        ("<input oninput=add()>", ("oninput calls add", 1, 8)),
        ('<b data-x="{{ x }}" onclick="add(this.dataset.x)">', ("onclick calls add", 1, 21)),
    ],
)
def test_handler_that_calls_a_function_of_the_script_is_reported(template, expected):
    assert found(template) == [expected]


@pytest.mark.parametrize(
    "template",
    [
        '<button onclick="show()">x</button>',
        '<button onclick="history.back()">x</button>',
        '<button onclick="shop.add()">x</button>',
        '<button data-onclick="add()">x</button>',
        '<p title=\'onclick="add()"\'>onclick="add()"</p>',
        "<p title='now onclick=\"add()\"'>x</p>",
        '{# <button onclick="add()"> #}<!-- <button onclick="add()"> -->',
        '<button class="add">add()</button>',
    ],
)
def test_other_handlers_are_not_reported(template):
    assert found(template) == []


def test_check_explains_live(check, shop):
    script = (
        'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
        "export function add() {}\nexport default afterPrice(() => view({}));\n"
    )
    shop.add_widget(view_html_j2='<button type="button" onclick="add()">+</button>\n', widget_ts=script)
    [finding] = [item for item in check(cwd=shop.root).findings if item["rule"] == "dead-handler"]
    assert (finding["severity"], finding["path"], finding["column"]) == (
        "warning",
        "widgets/note/view.html.j2",
        23,
    )
