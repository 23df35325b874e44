"""A small script cannot exhaust the check: it ends within its budget and reports what it leaves out."""

import pytest

from awning.check import budget
from awning.check.files import check_text
from awning.check.interpreter import explorer, expressions
from awning.check.rule import Inspected
from awning.contract import Dialect
from awning.diagnostics import Severity
from awning.script import ScriptFile
from awning.script.file import MOST_BYTES


def in_callback(code):
    return (
        'svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item }) => {\n'
        f"{code};\ninit(); init();\n}});"
    )


def times(count, code):
    return code * count


GROWING = {
    "a text doubled forty times": "let s = 'x';" + times(40, "s = s + s;"),
    "a template doubled forty times": "let s = 'x';" + times(40, "s = `${s}${s}`;"),
    "a text joined to itself": "let s = 'x';" + times(40, "s = s.concat(s, s, s);"),
    "a text repeated": "let s = 'x';" + times(20, "s = s.repeat(100);"),
    "a text repeated a billion times": "let s = 'x'.repeat(1e9); for (let i = 0; i < 50; i++) s = s.repeat(1e5)",
    "a text padded": "let s = 'x'.padStart(1e9).padEnd(1e9); s = s + s",
    "a text that replaces itself": "let s = 'aa';" + times(40, "s = s.replace(/a/g, 'aa');"),
    "a text that is replaced everywhere": "let s = 'aa';" + times(40, "s = s.replaceAll('a', s);"),
    "a text that a function doubles": "let s = 'aa';" + times(40, "s = s.replace(/a/g, (m) => m + m);"),
    "a list joined by a long text": "let s = Array(50).fill('y').join('z'.repeat(90));"
    + times(9, "s = Array(50).fill(s).join(s);"),
    "a list spread into itself thirty times": "let s = [1];" + times(30, "s = [...s, ...s];"),
    "a list pushed into itself": "let a = [1];" + times(30, "a.push(...a);"),
    "a list put before itself": "let a = [1];" + times(30, "a.unshift(...a);"),
    "a list put inside itself": "let a = [1];" + times(30, "a.splice(0, 0, ...a);"),
    "a list joined to itself": "let a = [1];" + times(30, "a = a.concat(a);"),
    "a list flattened": "let a = [1, 2];" + times(20, "a = [a, a, a, a, a, a, a, a].flat();"),
    "a list that maps to itself": "let a = [1, 2];" + times(12, "a = a.flatMap(() => a);"),
    "a list of a given length": "let a = Array(1e9); Array.from({ length: 1e9 }); a.length = 1e9; a[99999999] = 1",
    "a power of big integers": "let s = 9n ** 99999999999n; s = 9 ** 9 ** 9; s = s * s",
    "a shift of a big integer": "let x = 1n << 99999999n; x = 1 << 1e9",
    "a number of 20,000 digits": "x = " + times(20_000, "9"),
    "a hexadecimal number of 20,000 digits": "x = 0x" + times(20_000, "f"),
    "a chain of prototypes that closes": "const a = {}, b = {};"
    "Object.setPrototypeOf(a, b); Object.setPrototypeOf(b, a); a.x",
    "a list in itself": "const a = []; a.push(a); a.flat(); a.join(); `${a}`",
    "a regular expression that backtracks": "/^(a+)+$/.test('" + times(40, "a") + "b')",
    "a regular expression with overlapping ways": "/(a|aa)+$/.test('" + times(60, "a") + "b')",
    "a regular expression of optional letters": "/^(a?){40}a{40}$/.test('" + times(40, "a") + "')",
    "a regular expression of many stars": "/a*a*a*a*a*a*a*a*b/.test('" + times(200, "a") + "')",
    "a regular expression that replaces": "'" + times(200, "a") + "'.replace(/(\\w*)*!/g, 'x')",
    "a sum of 5,000 texts": "x = " + times(5_000, "'a' + ") + "item.id",
    "a thousand conditions": "".join(f"if (item.a{n}) f{n}();" for n in range(1000)),
    "loops in loops over what is not known": "while (f()) while (g()) while (h()) while (i()) if (j()) k()",
    "a call of a name of 20,000 letters": times(20_000, "x") + "()",
}
"""Scripts that would take much memory or time. Their values are widened, and the whole script is checked."""

NOT_ALL = {
    "a text of 20,000 letters in loops": "for (let i = 0; i < 60; i++) for (let j = 0; j < 60; j++) { x = '"
    + times(20_000, "a") + "'; f(x); }",
    "a function that calls itself twice": "function f(n) { return f(n + 1) + f(n + 2); } f(0)",
    "functions that call each other": "const a = () => { b(); b(); }, b = () => { a(); a(); }; a()",
    "a getter that reads itself": "const a = { get x() { return this.x + this.x; } }; a.x",
    "a generator of itself": "function* g() { yield* g(); yield* g(); } [...g()]",
    "a thousand calls in try": "try {" + "".join(f"f{n}();" for n in range(1000)) + "} catch { init(); }",
    "a thousand comparisons with one number": "".join(f"if (item.price == {n}) f();" for n in range(1000)),
    "a condition negated in loops": "let f = item.a; for (let i = 0; i < 60; i++) for (let j = 0; j < 60; j++) f = !f",
    "5,000 parentheses": "x = " + times(5_000, "(") + "1" + times(5_000, ")"),
    "5,000 lists in one another": "x = " + times(5_000, "[") + "1" + times(5_000, "]"),
    "4,000 objects in one another": "x = " + times(4_000, "{ a: ") + "1" + times(4_000, "}"),
    "5,000 blocks in one another": times(5_000, "{") + times(5_000, "}"),
    "2,000 conditions in one another": times(2_000, "if (item.a)") + "f()",
    "9,000 negations": "x = " + times(9_000, "!") + "1",
    "4,500 calls in a row": "$('a')" + times(4_500, ".b()"),
    "3,000 templates in one another": "x = " + times(3_000, "`${") + "1" + times(3_000, "}`"),
    "a pattern of 3,000 levels": "let " + times(3_000, "[") + "x" + times(3_000, "]") + " = item",
    "2,500 labels": "".join(f"a{n}:" for n in range(2_500)) + ";",
}  # fmt: skip
"""Scripts of which a part is left out and reported."""


def explored(code):
    return Inspected(source=ScriptFile(path="x.js", text=code)).explored


def diagnostics(code, path="x.js"):
    return check_text(path, code, Dialect()).diagnostics


@pytest.mark.parametrize("name", [*GROWING, *NOT_ALL])
def test_check_of_a_script_stays_within_its_budget(name):
    exploration = explored(in_callback({**GROWING, **NOT_ALL}[name]))
    assert exploration.steps <= 1.2 * budget.STEPS


@pytest.mark.parametrize("name", GROWING)
def test_code_after_a_widened_value_is_still_checked(name):
    reported = diagnostics(in_callback(GROWING[name]))
    assert {diagnostic.rule for diagnostic in reported} == {"init-once"}


@pytest.mark.parametrize("name", NOT_ALL)
def test_skipped_code_is_reported_as_a_note(name):
    notes = [
        diagnostic
        for diagnostic in diagnostics(in_callback(NOT_ALL[name]))
        if diagnostic.rule == "script-budget"
    ]
    assert len(notes) == 1
    assert notes[0].severity is Severity.NOTE
    assert notes[0].message.startswith("not checked: ")


def test_two_thousand_subscriptions_are_within_the_budget():
    code = times(2_000, 'svcPlugins.subscribeEvent("svc-content-after-price", (e, init) => { init(); });\n')
    exploration = explored(code)
    assert (exploration.observations, exploration.left_out) == ([], {})


@pytest.mark.parametrize("name", ["svc-content-after-price ", "svc-content-after-price"])
def test_two_thousand_event_names_are_within_the_budget(name):
    exploration = explored(f'svcPlugins.subscribeEvent("{times(2_000, name)}", (e, init) => {{ init(); }});')
    assert exploration.steps < budget.STEPS


def test_a_file_that_is_too_large_is_a_note_and_still_searched_for_secrets():
    code = 'const appSecret = "q7Vd2mXz9Lk4";\n' + "f();\n" * (MOST_BYTES // 5)
    by_rule = {diagnostic.rule: diagnostic for diagnostic in diagnostics(code)}
    assert set(by_rule) == {"secret-in-source", "script-budget"}
    assert "1,500,000 bytes" in by_rule["script-budget"].message


COUNTDOWN = """
import { afterPrice, live } from "awning";
function minutesLeft(data) {
  const day = new Date().getDay();
  if (!data.weekend && (day === 0 || day === 6)) return 0;
  return Math.max(0, data.cutoff - new Date().getHours() * 60 - new Date().getMinutes());
}
let draw = (_root) => {};
export default afterPrice(live(({ item, data, t }) => {
  const left = item.stock, minutes = minutesLeft(data);
  const few = left !== null && left > 0 && left <= data.few;
  const within = minutes >= 60 ? t("hours", { hours: minutes / 60 }) : t("minutes", { count: minutes });
  draw = (root) => {
    const place = root.querySelector(".time"), now = minutesLeft(data);
    if (place) place.textContent = now >= 60 ? t("hours", { hours: now / 60 }) : t("minutes", { count: now });
  };
  return left === 0 ? "" : `<p class="${few}">${t(within)}</p>`;
}, { mounted: (root) => void setInterval(() => draw(root), 20000) }));
"""


def test_widget_that_reads_the_clock_on_each_path_is_checked_in_whole():
    exploration = explored(COUNTDOWN)
    assert exploration.left_out == {}
    assert exploration.steps < budget.STEPS // 4


BRANCHES = {
    "dates": ("new Date().getDay() == 1", "new Date().getDay() == 1"),
    "made values": ("next().ok", "next().ok"),
    "ids with digits": ('document.getElementById("#1")', 'document.getElementById("#2")'),
    "selectors with digits": ("$(\"a[href='#1']\").length", "$(\"a[href='#2']\").length"),
}
"""Conditions in two branches: each is about a value of its own."""


@pytest.mark.parametrize("name", BRANCHES)
def test_paths_of_each_branch_are_executed_when_their_conditions_look_alike(name):
    first, second = BRANCHES[name]
    code = f"""svcPlugins.subscribeEvent("svc-content-after-price", (item, init) => {{
  if (document.querySelector(".promo")) {{ if ({first}) {{ document.title = 1 }} else {{ document.title = 2 }} }}
  else {{ if ({second}) {{ document.title = 1 }} else {{ init("x") }} }}
  init("y");
}});"""
    reported = [(found.rule, found.place.line) for found in diagnostics(code)]
    assert reported == [("init-once", 4)]


def test_helper_that_reads_the_clock_in_many_places_is_checked_in_whole():
    calls = times(12, 'if (late()) document.title = "late"; ')
    exploration = explored(in_callback(f"const late = () => new Date().getHours() > 12; {calls}"))
    assert exploration.left_out == {}


@pytest.mark.parametrize(("code", "hint"), [("svcPlugins.x;", "svcPlugins"), ("", "without escaping")])
def test_hint_of_the_note_names_what_the_file_can_break(code, hint):
    recursion = "function f(n) { return f(n + 1) + f(n + 2); }\ndocument.title = f(0);\n"
    (note,) = diagnostics(recursion + code)
    assert hint in note.hint


def test_note_is_at_the_place_where_the_budget_ended():
    code = "const a = 1;\nfunction f(n) { return f(n + 1) + f(n + 2); }\nf(0);\nsvcPlugins.subscribeEvent;\n"
    (note,) = diagnostics(code)
    assert note.place.line == 2
    assert "25,000 steps in a row" in note.message


def explored_with_steps(code, steps, monkeypatch):
    monkeypatch.setattr(budget, "STEPS", steps)
    monkeypatch.setattr(budget, "STEPS_OF_A_RUN", steps)
    return explored(code)


@pytest.mark.parametrize("code", ["f(); g()", "if (item.a) f(); if (item.b) g()"])
def test_script_that_uses_exactly_all_steps_is_checked_in_whole(code, monkeypatch):
    whole = explored(in_callback(code))
    assert explored_with_steps(in_callback(code), whole.steps, monkeypatch) == whole


@pytest.mark.parametrize("code", ["if (item.a) f(); if (item.b) g()"])
def test_every_smaller_budget_is_reported_as_used_up(code, monkeypatch):
    steps = explored(in_callback(code)).steps
    for fewer in range(steps):
        exploration = explored_with_steps(in_callback(code), fewer, monkeypatch)
        assert set(exploration.left_out) == {explorer.OUT_OF_STEPS}, fewer


def test_an_error_in_the_interpreter_is_not_caught(monkeypatch):
    def broken(_run, _node, _scope):
        raise AttributeError("a mistake")
        yield

    monkeypatch.setitem(expressions.EXPRESSIONS, "identifier", broken)
    with pytest.raises(AttributeError, match="a mistake"):
        diagnostics("document.title;")


BORROWED = [
    "Array.prototype.map.call(document.querySelectorAll('a'), (a) => a.href)",
    "[].slice.call(undefined)",
    "[].map.call({ length: 2, 0: 'a' }, (x) => x)",
    "Array.prototype.join.call('abc', '-')",
    "String.prototype.trim.call(item.name)",
    "String.prototype.trim.call(null)",
    "''.slice.call([1, 2])",
    "Object.prototype.hasOwnProperty.call(item, 'a')",
    "({}).hasOwnProperty.call(null, 'a')",
    "({}).hasOwnProperty({})",
    "new Map().get.call(item, 1)",
    "new Map([[1, 2]]).set()",
    "new Set().has()",
    "Promise.resolve().then.call(item, () => 1)",
    "Function.prototype.call.call(item)",
    "'a'.repeat(-1) + 'a'.charAt(9) + 'a'.slice('x') + 'a'.substring({}, null)",
    "(-8) ** (1 / 3) + 1 % 0 + 0 / 0 + 1 / 0 + 2 ** 5000 + -(2 ** 5000)",
]
"""Methods and operators with an unusual `this`, argument or operand. The check once failed for each of them."""


@pytest.mark.parametrize("code", BORROWED)
def test_methods_accept_any_this_value(code):
    reported = diagnostics(in_callback(f"try {{ {code}; }} catch {{ }}"))
    assert {diagnostic.rule for diagnostic in reported} == {"init-once"}
