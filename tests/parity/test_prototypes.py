"""Properties that a page adds to built-in prototypes, as old libraries do, are invisible to templates."""

import pytest
from parity import JavaScript, compiled

TEMPLATE = "|".join(  # noqa: FLY002 - one line a kind of access
    [
        "{{ d.added }}|{{ d['added'] }}|{{ added }}|{{ l.added }}|{{ s.added }}|{{ n.added }}|{{ d[k] }}",
        "{{ d.get(k) is none }}|{{ k in d }}|{{ d|length }}|{% for key in d %}{{ key }}{% endfor %}|{{ 'full' if d }}",
        "{{ d|tojson }}|{{ [d]|map(attribute='added')|first is defined }}|{{ l|join }}",
        "{% for x in l %}{{ x }}{% endfor %}|{{ d == {} }}|{{ d|items|list|tojson }}",
        "{{ d.constructor }}|{{ d.__proto__ }}|{{ d['constructor'] }}|{{ l.length }}|{{ s.length }}",
    ]
)
EXPECTED = "|" * 7 + "True|False|0|||{}|False|12|12|True|[]" + "|" * 5


def test_properties_of_a_changed_prototype_are_invisible(javascript: JavaScript) -> None:
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


def test_undeclared_variables_beside_a_declared_one_ignore_the_prototype(javascript: JavaScript) -> None:
    code = compiled("{#def s: string #}{{ s }}|{{ added }}|{% if added is defined %}defined{% endif %}")
    assert isinstance(code, str)
    javascript.page.evaluate(javascript.script([code]))
    text = javascript.page.evaluate("""() => {
      Object.prototype.added = Object.prototype.s = "POLLUTED";
      try {
        return renders[0]({ s: "own" });
      } finally {
        delete Object.prototype.added;
        delete Object.prototype.s;
      }
    }""")
    assert text == "own||"


def test_argument_of_t_named_like_the_prototype_is_an_own_property(javascript: JavaScript) -> None:
    code = compiled("{{ t('a', __proto__=x) }}")
    assert isinstance(code, str)
    javascript.page.evaluate(javascript.script([code]))
    text = javascript.page.evaluate("""() => renders[0]({
      t: (key, values) => `${Object.keys(values)} ${Object.getPrototypeOf(values) === Object.prototype} ${values.b}`,
      x: { b: "POLLUTED" },
    })""")
    assert text == "__proto__ true undefined"


def test_getter_of_a_prototype_is_invisible(javascript: JavaScript) -> None:
    code = compiled(
        "{{ d.added }}|{{ d.e.added }}|{{ d['added'] }}|{{ l.added }}|{{ s.added }}|{{ n.added }}|{{ added }}"
    )
    assert isinstance(code, str)
    javascript.page.evaluate(javascript.script([code]))
    text = javascript.page.evaluate("""() => {
      Object.defineProperty(Object.prototype, "added", { get: () => "POLLUTED", configurable: true });
      try {
        return renders[0]({ d: { e: {} }, l: [], s: "a", n: 5 });
      } finally {
        delete Object.prototype.added;
      }
    }""")
    assert text == "||||||"


def test_own_property_overrides_the_prototype(javascript: JavaScript) -> None:
    code = compiled("{{ d.added }}|{{ d.e.added }}|{{ added }}")
    assert isinstance(code, str)
    javascript.page.evaluate(javascript.script([code]))
    text = javascript.page.evaluate("""() => {
      Object.prototype.added = "POLLUTED";
      try {
        return renders[0](JSON.parse('{"added": 3, "d": {"added": 1, "e": {"added": 2}}}'));
      } finally {
        delete Object.prototype.added;
      }
    }""")
    assert text == "1|2|3"


@pytest.mark.parametrize(
    "owner",
    [
        "new (class { get price() { return 'INHERITED'; } })()",
        "Object.create({ price: 'INHERITED' })",
        "Object.assign(Object.create(null), { __proto__: { price: 'INHERITED' } })",
        'JSON.parse(\'{"__proto__": {"price": "INHERITED"}}\')',
        "Object.assign([], { __proto__: { price: 'INHERITED' } })",
        "new Proxy({}, { getPrototypeOf: () => ({ price: 'INHERITED' }) })",
    ],
)
def test_inherited_properties_of_an_object_are_invisible(javascript: JavaScript, owner: str) -> None:
    code = compiled("{{ d.price }}|{{ d.title }}|{{ d['price'] }}")
    assert isinstance(code, str)
    javascript.page.evaluate(javascript.script([code]))
    assert javascript.page.evaluate(f"() => renders[0]({{ d: {owner} }})") == "||"


@pytest.mark.parametrize("owner", ["{ price: 5 }", "Object.assign(Object.create(null), { price: 5 })"])
def test_own_properties_are_visible_with_and_without_a_prototype(javascript: JavaScript, owner: str) -> None:
    code = compiled("{{ d.price }}")
    assert isinstance(code, str)
    javascript.page.evaluate(javascript.script([code]))
    assert javascript.page.evaluate(f"() => renders[0]({{ d: {owner} }})") == "5"
