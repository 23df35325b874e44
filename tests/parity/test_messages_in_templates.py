"""A text that the compiler puts into the template is the one that `t` would give: the run time's own says so.

A template that meets only JSON may spell a reference another way (`awning.template.json_only`).
"""

import html
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from parity import JavaScript
from volumes import volume

from awning.template import Compiled, compile_template

ONE_LANGUAGE = 'export { oneLanguage as default } from "awning/run";'
RENDER = """([texts, contexts]) => {
  const [translate, called, inlined] = renders;
  const tried = (render, context) => {
    try { return render(context); } catch (error) { return `failed: ${error}`; }
  };
  return contexts.map((context) => {
    const given = { ...context, t: translate(texts) };
    return [tried(called, given), tried(inlined, context)];
  });
}"""

PIECES = [
    "{a}", "{b}", "{c}", "{d}", "{ä}", "{}", "{a b}", "{{a}}", "{", "}", "$", "${a}", "`", "\\", "\\`", "\\u{41}",
    "\r", "\n", "\r\n", "\u2028", "\u2029", "\0", "</script>", "<!--", '"', "'", "&", "<b>", "{svc_app_data}", "$&",
    "{{svc_language}}", "𝄞", "€", " ", "x",
]  # fmt: skip
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=8).map("".join)
VALUES = [
    None,
    0,
    1.5,
    True,
    False,
    "",
    "text",
    "{b}",
    "$&",
    "`${a}\\",
    "<b>",
    "</script>",
    [1, [2]],
    {"x": 1},
]
ARGUMENTS = [
    "a=a",
    "b=b",
    "c=o.x",
    "d=a|upper",
    "b='`${x}'",
    "a=1",
    "c=none",
    "d=a ~ b",
    "a=['<'|safe, b]",
    "b=b|safe",
    "a=(a if b)",
    "c=[a if o.x][0]",
]
CALLS = st.lists(st.sampled_from(ARGUMENTS), unique_by=lambda one: one[0], max_size=4).map(
    lambda given: "t('k'" + "".join(f", {one}" for one in given) + ")"
)
DECLARED = st.sampled_from(["", "{#def a: string #}", "{#def a: string, b: string #}", "{#def b: number #}"])
PLACES = [
    "{{ # }}",
    "<p title='{{ # }}'>",
    "{{ #|upper }}",
    "{{ # ~ a }}",
    "<a href='{{ # }}'>",
    "{{ #|safe }}",
]


def compiled(template: str, texts: dict[str, str] | None = None) -> Compiled:
    return compile_template(template, path="case.html", containers=False, messages=texts)


def kept(declared: str, name: str, value: object) -> object:
    """The value, or one that keeps what is declared."""
    if f"{name}: string" in declared:
        return str(value)
    return len(str(value)) if f"{name}: number" in declared else value


def encodable(text: str) -> bool:
    return not re.search("[\ud800-\udfff]", text)


@settings(
    max_examples=volume("messages-in-templates"),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(
    text=TEXTS.filter(encodable),
    call=CALLS,
    place=st.sampled_from(PLACES),
    declared=DECLARED,
    contexts=st.lists(st.tuples(*[st.sampled_from(VALUES)] * 3), min_size=4, max_size=8),
)
def test_a_text_in_the_module_is_what_t_gives(
    javascript: JavaScript,
    text: str,
    call: str,
    place: str,
    declared: str,
    contexts: list[tuple[object, ...]],
) -> None:
    template = declared + place.replace("#", call)
    inlined = compiled(template, {"k": text})
    modules = [ONE_LANGUAGE, compiled(template).code]
    javascript.page.evaluate(javascript.script([*modules, inlined.code]))
    given = [
        {"a": kept(declared, "a", a), "b": kept(declared, "b", b), "o": {"x": x}} for a, b, x in contexts
    ]
    if inlined.calls_t:
        assert "context.t(" in inlined.code
        return
    for called, found in javascript.page.evaluate(RENDER, [{"k": text}, given]):
        assert html.unescape(found) == html.unescape(called)


@pytest.mark.parametrize("text", PIECES)
def test_no_piece_of_a_text_gets_out_of_the_code(javascript: JavaScript, text: str) -> None:
    texts = {"k": f"{text}{{a}}{text}"}
    found = compiled("{{ t('k', a=a) }}", texts)
    assert not found.calls_t
    assert not re.search("[\r\u2028\u2029\0]|</", found.code)
    modules = [ONE_LANGUAGE, compiled("{{ t('k', a=a) }}").code, found.code]
    javascript.page.evaluate(javascript.script(modules))
    ((called, inlined),) = javascript.page.evaluate(RENDER, [texts, [{"a": "`${x}"}]])
    assert html.unescape(inlined) == html.unescape(called)


def test_half_a_character_is_written_as_its_number(javascript: JavaScript) -> None:
    code = compiled("{{ t('k', a=a) }}", {"k": "\ud800{a}"}).code
    code.encode()
    javascript.page.evaluate(javascript.script([code]))
    assert javascript.page.evaluate("() => renders[0]({ a: 1 }).charCodeAt(0)") == 0xD800


CALL_STAYS = {
    "an argument would be evaluated twice": ("{a} {a}", "t('k', a=x.y)"),
    "an argument would not be evaluated": ("text", "t('k', a=x.y)"),
    "arguments would be evaluated in another order": ("{b} {a}", "t('k', a=x.y, b=x.z)"),
    "the key is not known": ("text", "t(k)"),
    "the key is not given": ("text", "t('other')"),
    "an argument is the prototype of the others": ("{a}", "t('k', __proto__=x)"),
}


@pytest.mark.parametrize("why", CALL_STAYS)
def test_the_call_stays_where(why: str) -> None:
    text, call = CALL_STAYS[why]
    found = compiled(f"{{{{ {call} }}}}", {"k": text})
    assert found.calls_t
    assert "context.t(" in found.code


SETS = [
    "{% set t = x %}", "{% for t in x %}{% include 'row.html' %}{% endfor %}", "{% macro t() %}{% endmacro %}",
    "{% macro m(t) %}{% endmacro %}", "{% with t=1 %}{% endwith %}", "{% import 'row.html' as t %}",
    "{% from 'row.html' import m as t %}", "{% from 'row.html' import t %}", "{% set t %}{% endset %}",
    "{% from 'sets.html' import m %}",
]  # fmt: skip
OTHERS = {"row.html": "{{ t('k') }}", "sets.html": "{% set t = 1 %}{% macro m() %}{% endmacro %}"}


@pytest.mark.parametrize("sets", SETS)
def test_no_call_is_replaced_where_a_template_has_a_t_of_its_own(sets: str) -> None:
    """What it includes would be given that one."""
    options = {"path": "case.html", "loader": OTHERS.get}
    template = sets + "{% include 'row.html' %}"
    found = compile_template(template, messages={"k": "text"}, **options)
    assert found == compile_template(template, **options)


READ = "{{ t('k', a=a) }}{{ t('other') }}{{ b }}"


def test_what_is_read_and_used_is_told_as_without_texts() -> None:
    known = {"k": "{a}", "other": "o"}
    for template in (READ, "{% include 'row.html' %}"):
        called = compile_template(template, path="case.html", loader=OTHERS.get)
        found = compile_template(template, path="case.html", loader=OTHERS.get, messages=known)
        assert (called.calls_t, found.calls_t) == (True, False)
        assert found.variables == called.variables
        assert found.reads == called.reads
        assert found.messages == called.messages


def test_a_text_without_a_value_is_the_templates_own() -> None:
    assert 'return "<b>Fish &amp; Chips<\\/b>"' in compiled("<b>{{ t('k') }}</b>", {"k": "Fish & Chips"}).code


def test_only_what_may_be_nothing_has_the_name_to_fall_back_on() -> None:
    code = compiled("{{ t('k', a=a, b=1 ~ 'x') }}", {"k": "{a} of {b}"}).code
    assert '`${context.a ?? "{a}"} of ${(str(1) + "x")}`' in code


PIECEWISE = "{#def a: string, n: number #}<p title='{{ t('k', a=a) }}'>{{ t('k', a=a) }}{{ t('n', n=n) }}</p>"


def test_a_message_of_texts_is_escaped_piece_by_piece() -> None:
    """A number is escaped with the text around it: a script that gives another value prints no HTML."""
    found = compiled(PIECEWISE, {"k": "<{a}> & {", "n": "{n} left"}).code
    assert re.sub(r"\s*\n\s*", "", found.partition("return ")[2]) == (
        "`<p title='&lt;${escapeText(context.a)}&gt; &amp; &#123;'>&lt;${escapeText(context.a)}&gt; &amp; &#123;"
        "${escapeText(`${context.n} left`)}<\\/p>`;}"
    )


def test_a_text_and_a_value_spell_no_placeholder_together(javascript: JavaScript) -> None:
    declared = "{#def a: string #}"
    code = compiled(declared + "{{ t('k', a=a) }}", {"k": "{{{a}"}).code
    ((found,),) = javascript.render([code], [[{"a": "svc_app_data}}"}]])
    assert found.text == "&#123;&#123;svc_app_data}}"
