"""Properties that a page adds to built-in prototypes, as old libraries do, are invisible to templates."""

import pytest
from parity import JavaScript

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


CHANGED = {
    "values of all kinds": (TEMPLATE, "{ d: {}, l: [1, 2], s: 'a', n: 5, k: 'added' }", EXPECTED),
    "an undeclared variable beside a declared one": (
        "{#def s: string #}{{ s }}|{{ added }}|{% if added is defined %}defined{% endif %}",
        "{ s: 'own' }",
        "own||",
    ),
    "an own property": (
        "{{ d.added }}|{{ d.e.added }}|{{ added }}",
        """JSON.parse('{"added": 3, "d": {"added": 1, "e": {"added": 2}}}')""",
        "1|2|3",
    ),
    "a property of a property": (
        "{{ d.added }}|{{ d.e.added }}|{{ d['added'] }}|{{ l.added }}|{{ s.added }}|{{ n.added }}|{{ added }}",
        "{ d: { e: {} }, l: [], s: 'a', n: 5 }",
        "||||||",
    ),
}


@pytest.mark.parametrize("added", ["{ value: 'POLLUTED', enumerable: true }", "{ get: () => 'POLLUTED' }"])
@pytest.mark.parametrize(("template", "context", "text"), CHANGED.values(), ids=CHANGED)
def test_properties_of_a_changed_prototype_are_invisible(
    javascript: JavaScript, template: str, context: str, text: str, added: str
) -> None:
    call = f"""() => {{
      const kinds = [Object, Array, String, Number], names = ["added", "s"], context = {context};
      const change = (work) => kinds.forEach((kind) => names.forEach((name) => work(kind.prototype, name)));
      change((prototype, name) => Object.defineProperty(prototype, name, {{ configurable: true, ...{added} }}));
      try {{
        return renders[0](context);
      }} finally {{
        change((prototype, name) => delete prototype[name]);
      }}
    }}"""
    assert javascript.called(template, call) == text


def test_argument_of_t_named_like_the_prototype_is_an_own_property(javascript: JavaScript) -> None:
    call = """() => renders[0]({
      t: (key, values) => `${Object.keys(values)} ${Object.getPrototypeOf(values) === Object.prototype} ${values.b}`,
      x: { b: "POLLUTED" },
    })"""
    assert javascript.called("{{ t('a', __proto__=x) }}", call) == "__proto__ true undefined"


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
    template = "{{ d.price }}|{{ d.title }}|{{ d['price'] }}"
    assert javascript.called(template, f"() => renders[0]({{ d: {owner} }})") == "||"


@pytest.mark.parametrize("owner", ["{ price: 5 }", "Object.assign(Object.create(null), { price: 5 })"])
def test_own_properties_are_visible_with_and_without_a_prototype(javascript: JavaScript, owner: str) -> None:
    assert javascript.called("{{ d.price }}", f"() => renders[0]({{ d: {owner} }})") == "5"
