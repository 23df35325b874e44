"""Ids that a template writes again although a label or an `aria-` attribute refers to one."""

import pytest
from project import Project

from awning.check.repeated_ids import repeated_ids
from awning.pipeline.incremental import inspect_workspace
from awning.rules import find_rule

QTY = '<label for="qty">Pieces</label> <input id="qty">'

TEMPLATES = {
    "the case": (f'<p id="qty">first</p>{QTY}', ["error 1:54"]),
    "two fields": (f"{QTY}\n{QTY}", ["error 2:33"]),
    "a description": ('<p id="a">x</p><p id="a">y</p><b aria-describedby="c a">z</b>', ["error 1:16"]),
    "a list of options": (
        '<datalist id="a"></datalist><input list="a"><datalist id="a"></datalist>',
        ["error 1:45"],
    ),
    "in single quotes and upper case": ("<P ID='a'>x</P><p Id=a>y</p><LABEL FOR=a>z</LABEL>", ["error 1:16"]),
    "a label for the first": (f'{QTY}<p id="qty">x</p>', []),
    "no reference": ('<p id="a">x</p><p id="a">y</p>', []),
    "a reference to another": (f'<p id="a">x</p><p id="a">y</p>{QTY}', []),
    "a popover": (
        '<div popover id="a"></div><div popover id="a"></div><button popovertarget="a">x</button>',
        ["error 1:27"],
    ),
    "a dialog": (
        '<dialog id="a"></dialog><dialog id="a"></dialog><button commandfor="a" command="show-modal">x</button>',
        ["error 1:25"],
    ),
    **{
        f"a reference {tag}": (f'<b id="a"></b><b id="a"></b>{tag}', ["warning 1:15"])
        for tag in (
            "<a href='#a'>x</a>",
            "<svg><use xlink:href=' #%61 '/></svg>",
            "<svg><path fill='red url( \"#a\" )'/></svg>",
            "<i style='mask: url(#a)'></i>",
            "<img usemap=#a>",
            "<svg><animate begin='1s; a.click+2s'/></svg>",
        )
    },
    "no references": (
        "<b id=a></b><b id=a></b><a href='/x#a' data-b='a.click'>#a</a><p begin='a.click' style='top: a'>x</p>",
        [],
    ),
    "a label and an address": (f"{QTY}{QTY}<a href='#qty'>x</a>", ["error 1:81"]),
    "an address and a label": (f"<a href='#qty'>x</a>{QTY}{QTY}", ["error 1:101"]),
    "two arms": (f"{{% if a %}}{QTY}{{% else %}}{QTY}{{% endif %}}", []),
    "three arms": (f"{{% if a %}}{QTY}{{% elif b %}}{QTY}{{%- else -%}}{QTY}{{% endif %}}", []),
    "arms in an arm": (
        f"{{% if a %}}{{% if b %}}{QTY}{{% endif %}}{{% else %}}{{% if b %}}{QTY}{{% endif %}}{{% endif %}}",
        [],
    ),
    "a list that is empty": (f"{{% for a in b %}}x{{% else %}}{QTY}{{% endfor %}}", []),
    "two ifs": (f"{{% if a %}}{QTY}{{% endif %}}\n{{% if b %}}{QTY}{{% endif %}}", ["warning 2:43"]),
    "after an if": (f"{{% if a %}}{QTY}{{% endif %}}\n{QTY}", ["error 2:33"]),
    "a loop": (f"{{% for a in b %}}{QTY}{{% endfor %}}", ["warning 1:49"]),
    **{
        f"excluding conditions {one} and {other}": (
            f"{{% if {one} %}}{QTY}{{% endif %}}{{%- if {other} -%}}{QTY}{{% endif %}}",
            [],
        )
        for one, other in (
            ("a", "not a"),
            ("a.b and c", "not (c)"),
            ("a or b", "not (a or b)"),
            ("not (a and b)", "a and b"),
            ("not (a or b)", "b"),
            ("a == 1", "a != 1"),
            ("a == 'x'", 'a == "y"'),
            ("a == 'x'", "not a"),
            ("a is defined", "a is undefined"),
            ("a is none", "a is not none"),
            ("a in b", "a not in b"),
            ("a < 3", "a >= 3"),
            ("a|length > 0", "not a"),
            ("a|length == 0", "a"),
            ("a|length != 0", "not a"),
            ("a is none", "a"),
            ("a is not defined", "a"),
            ("a is true", "a is false"),
            ("a == none", "a"),
            ("a['b']", "not a.b"),
        )
    },
    "excluding conditions in tags": (
        f"<input{{% if a %}} id='qty'{{% endif %}}><input{{% if not a %}} id='qty'{{% endif %}}>{QTY[:35]}",
        [],
    ),
    "an assignment between conditions": (
        f"{{% if a %}}{{% set b = 1 %}}{QTY}{{% endif %}}{{% if not a %}}{QTY}{{% endif %}}",
        [],
    ),
    "conditions that may hold at once": (
        f"{{% if a == b %}}{QTY}{{% endif %}}{{% if a == c %}}{QTY}{{% endif %}}",
        ["warning 1:122"],
    ),
    "filters that may give any zero": (
        f"{{% if a|first != 0 %}}{QTY}{{% endif %}}{{% if not a|first %}}{QTY}{{% endif %}}",
        ["warning 1:133"],
    ),
    "a key with a dot": (
        f"{{% if a['b.c'] %}}{QTY}{{% endif %}}{{% if not a.b.c %}}{QTY}{{% endif %}}",
        ["warning 1:127"],
    ),
    "a condition in its repetition": (
        f"{{% if a %}}{QTY}{{% endif %}}{{% if a and b %}}{QTY}{{% endif %}}",
        ["error 1:118"],
    ),
    "unfinished conditions": (
        f"{{% if a ( %}}{QTY}{{% endif %}}{{% if b %}}{QTY}{{% endif %}}",
        ["warning 1:114"],
    ),
    "equal chains": (
        f"{{% if a %}}x{{% elif b %}}{QTY}{{% endif %}}{{% if a %}}{QTY}{{% elif b %}}x{{% endif %}}",
        [],
    ),
    "a list and its absence": (
        f"{{% for a in b %}}{{% if loop.first %}}{QTY}{{% endif %}}{{% endfor %}}{{% if not b %}}{QTY}{{% endif %}}",
        [],
    ),
    **{
        f"a loop with {condition}": (
            f"{{% for a in b %}}{{% if {condition} %}}{QTY}{{% endif %}}{{% endfor %}}",
            [],
        )
        for condition in ("loop.first", "loop.last and c", "loop.index0 == c", "a.selected", "c == a.id")
    },
    "a loop with all rounds but one": (
        f"{{% for a in b %}}{{% if not loop.first %}}{QTY}{{% endif %}}{{% endfor %}}",
        ["warning 1:72"],
    ),
    "a loop with a condition of the page": (
        f"{{% for a in b %}}{{% if c %}}{QTY}{{% endif %}}{{% endfor %}}",
        ["warning 1:59"],
    ),
    "a loop with a note of its first round": (
        f"{{% for a in b %}}{{% if not n.x %}}{QTY}{{% set n.x = true %}}{{% endif %}}{{% endfor %}}",
        [],
    ),
    "a loop with a choice": (f"{{% for a, c in b if a.selected %}}{QTY}{{% endfor %}}", []),
    "a first round in a loop": (
        f"{{% for a in b %}}{{% for c in d %}}{{% if loop.first %}}{QTY}{{% endif %}}{{% endfor %}}{{% endfor %}}",
        ["warning 1:84"],
    ),
    "a template element": (f"<template>{QTY}</template>{QTY}<template>{QTY}</template>", []),
    "a value": (f"{{% set a %}}{QTY}{{% endset %}}{{% set b = 1 %}}{QTY}", []),
    "a macro that is called twice": (
        f"{{% macro a() %}}{QTY}{{% endmacro %}}{{{{ a() }}}} {{{{- a() }}}}",
        ["warning 1:48"],
    ),
    "a macro in a loop": (
        f"{{% macro a() %}}{QTY}{{% endmacro %}}{{% for b in c %}}{{% call(d) a() %}}{{% endcall %}}{{% endfor %}}",
        ["warning 1:48"],
    ),
    "calls that may show nothing": (
        f"{{% call a(b) %}}{QTY}{{% endcall %}}{{% call a(not b) %}}{QTY}{{% endcall %}}",
        ["warning 1:128"],
    ),
    "a call with two": (f"{{% call a() %}}{QTY}{QTY}{{% endcall %}}", ["error 1:95"]),
    "a macro in two arms": (
        f"{{% macro a() %}}{QTY}{{% endmacro %}}{{% if b %}}{{{{ a() }}}}{{% else %}}{{{{ a() }}}}{{% endif %}}",
        [],
    ),
    "a macro that others call": (
        (
            f"{{% macro a() %}}{QTY}{{% endmacro %}}{{% macro b() %}}{{{{ a() }}}}{{% endmacro %}}"
            "{% macro c() %}{{ a() }}{% endmacro %}{{ b() if d else c() }}"
        ),
        [],
    ),
    "a call that is text": (
        f"{{% macro a() %}}{QTY}{{% endmacro %}}{{{{ a() }}}}{{% raw %}}{{{{ a() }}}}{{% endraw %}}",
        [],
    ),
    "macros of one name": (
        (
            f"{{% if b %}}{{% macro a() %}}{QTY}{{% endmacro %}}{{% endif %}}"
            "{% if c %}{% macro a() %}{% endmacro %}{% endif %}{{ a() }}{{ a() }}"
        ),
        [],
    ),
    "a macro with an argument": (
        f"{{% macro a(b) %}}{{% if b %}}{QTY}{{% endif %}}{{% endmacro %}}{{{{ a(1) }}}}{{{{ a(0) }}}}",
        [],
    ),
    "a reference to more than an id": ('<p id="a">x</p><p id="a">y</p><label for="a {{ b }}">z</label>', []),
    "two macros": (
        f"{{% macro a() %}}{QTY}{{% endmacro %}}{{% macro b() %}}{QTY}{{% endmacro %}}",
        ["warning 1:125"],
    ),
    "ids with a number": (
        '{% for a in b %}<label for="q{{ loop.index }}">x</label><input id="q{{ loop.index }}">{% endfor %}',
        [],
    ),
    "values as ids": ('<p id="{{ aa }}">x</p><p id="{{ bb }}">y</p><label for="{{ aa }}">z</label>', []),
    "a comment": (f'{{# <p id="qty"> #}}<!-- <p id="qty"> -->{QTY}', []),
    "raw text": (f'{{% raw %}}<p id="qty">{{% endraw %}}{QTY}', ["error 1:66"]),
    "a value that looks like a tag": ("{{ '<p id=\"qty\">' }}" + QTY, []),
    "an unfinished section": (f"<![x{QTY}", []),
}


@pytest.mark.parametrize("name", TEMPLATES)
def test_id_that_is_referred_to_is_written_once(name):
    template, expected = TEMPLATES[name]
    reported = [
        f"{one.severity} {one.place.line}:{one.place.column}" for one in repeated_ids("a.html.j2", template)
    ]
    assert reported == expected


def test_message_names_the_first_element_and_the_reference():
    (diagnostic,) = repeated_ids("a.html.j2", f'<p id="qty">\n{QTY}')
    assert diagnostic.message == (
        'the id "qty" is already that of line 1, and for of <label> finds the first element only'
    )


def test_label_that_finds_the_block_of_another_widget_is_reported(tmp_path):
    project = Project(tmp_path)
    heading = '<section aria-labelledby="title"><h2 id="title">x</h2></section>'
    shadow = 'title = "x"\nslot = "after-price"\nisolation = "shadow"\n'
    project.add_widget("a", view_html_j2='<p id="qty">x</p><a href="#shade" id="shade">x</a>')
    project.add_widget("b", view_html_j2=f'<a href="#shade" id="shade">x</a>\n{QTY}{heading}')
    project.add_widget("c", slot="after-cart", view_html_j2=heading)
    project.add_widget("d", widget_toml=shadow, view_html_j2=heading)
    project.add_widget("e", view_html_j2=f'<p id="qty">x</p>{heading}')
    reported = {
        str(found.place): found.message.partition(", for ")[0].partition(", aria")[0]
        for found in inspect_workspace(project.root, types=False).others
        if found.rule == "repeated-id"
    }
    assert reported == {
        "widgets/b/view.html.j2:2:33": (
            'the id "qty" is already that of widgets/a/view.html.j2:1, and on a page with both'
        ),
        "widgets/e/view.html.j2:1:51": (
            'the id "title" is already that of widgets/b/view.html.j2:2, and on a page with both'
        ),
    }


def test_examples_on_the_page_of_the_rule():
    [wrong], [right] = find_rule("repeated-id").wrong, find_rule("repeated-id").right
    assert len(list(repeated_ids("a.html.j2", wrong.code))) == 1
    assert list(repeated_ids("a.html.j2", right.code)) == []


@pytest.mark.parametrize(
    "condition", ["-" * 140 + "1", "not " * 30 + "a", "(" * 10_000, "a and " * 9_000 + "a", "9" * 140]
)
def test_odd_condition_is_read(condition):
    template = f"{{% if {condition} %}}{QTY}{{% endif %}}{{% if {condition} %}}{QTY}{{% endif %}}"
    assert [one.severity for one in repeated_ids("a.html.j2", template)] == ["error"]
