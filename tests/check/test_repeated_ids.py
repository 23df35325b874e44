"""Ids that a template writes again although a label or an `aria-` attribute refers to one."""

import re
from pathlib import Path

import pytest

from awning.check.repeated_ids import repeated_ids

PAGE = Path(__file__).parents[2] / "docs" / "rules" / "repeated-id.md"
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
    "two arms": (f"{{% if a %}}{QTY}{{% else %}}{QTY}{{% endif %}}", []),
    "three arms": (f"{{% if a %}}{QTY}{{% elif b %}}{QTY}{{%- else -%}}{QTY}{{% endif %}}", []),
    "arms in an arm": (
        f"{{% if a %}}{{% if b %}}{QTY}{{% endif %}}{{% else %}}{{% if b %}}{QTY}{{% endif %}}{{% endif %}}",
        [],
    ),
    "a list that is empty": (f"{{% for a in b %}}x{{% else %}}{QTY}{{% endfor %}}", []),
    "two ifs": (f"{{% if a %}}{QTY}{{% endif %}}\n{{% if b %}}{QTY}{{% endif %}}", ["error 2:43"]),
    "after an if": (f"{{% if a %}}{QTY}{{% endif %}}\n{QTY}", ["error 2:33"]),
    "a loop": (f"{{% for a in b %}}{QTY}{{% endfor %}}", ["warning 1:49"]),
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


def test_examples_on_the_page_of_the_rule():
    wrong, right = re.findall(r"```\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(list(repeated_ids("a.html.j2", wrong))) == 1
    assert list(repeated_ids("a.html.j2", right)) == []
