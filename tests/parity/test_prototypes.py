"""A page may have added to the built-in prototypes, as old libraries do: templates never see it."""

from parity import JavaScript, compiled

TEMPLATE = "|".join(  # noqa: FLY002 - one line a kind of access
    [
        "{{ d.added }}|{{ d['added'] }}|{{ added }}|{{ l.added }}|{{ s.added }}|{{ n.added }}|{{ d[k] }}",
        "{{ d.get(k) is none }}|{{ k in d }}|{{ d|length }}|{% for key in d %}{{ key }}{% endfor %}|{{ 'full' if d }}",
        "{{ d|tojson }}|{{ d }}|{{ [d]|map(attribute='added')|first is defined }}|{{ l|join }}",
        "{% for x in l %}{{ x }}{% endfor %}|{{ d == {} }}|{{ d|items|list }}",
        "{{ d.constructor }}|{{ d.__proto__ }}|{{ d['constructor'] }}|{{ l.length }}|{{ s.length }}",
    ]
)
EXPECTED = "|" * 7 + "True|False|0|||{}|{}|False|12|12|True|[]" + "|" * 5


def test_nothing_of_a_changed_prototype_shows(javascript: JavaScript) -> None:
    code = compiled(TEMPLATE)
    assert isinstance(code, str)
    kinds = ["Object", "Array", "String", "Number"]
    change = "{kinds}.forEach((kind) => {{ window[kind].prototype.added = 'POLLUTED'; }})"
    undo = "{kinds}.forEach((kind) => {{ delete window[kind].prototype.added; }})"
    javascript.page.evaluate(javascript.script([code]))
    try:
        javascript.page.evaluate(change.format(kinds=kinds))
        text = javascript.page.evaluate("() => renders[0]({d: {}, l: [1, 2], s: 'a', n: 5, k: 'added'})")
    finally:
        javascript.page.evaluate(undo.format(kinds=kinds))
    assert text == EXPECTED
