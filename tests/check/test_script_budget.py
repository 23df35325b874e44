"""A small script cannot exhaust the check: it ends at a limit, and the check reports what it leaves out."""

import pytest

from awning.check.files import check_text
from awning.check.running.engine import engine
from awning.contract import Dialect
from awning.diagnostics import Severity
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
    "a sum of 5,000 texts": "x = " + times(5_000, "'a' + ") + "item.id",
    "a thousand conditions": "".join(f"if (item.a{n}) f{n}();" for n in range(1000)),
    "loops in loops over what is not known": "while (f()) while (g()) while (h()) while (i()) if (j()) k()",
    "a call of a name of 20,000 letters": times(20_000, "x") + "()",
}
"""Scripts that take much memory or time, or throw, where a value is too large."""

MANY = {
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
"""Scripts with many paths, calls or levels."""


TWICE = in_callback("")


def diagnostics(code, path="x.js"):
    return check_text(path, code, Dialect()).diagnostics


def rules(code):
    return {diagnostic.rule for diagnostic in diagnostics(code)}


@pytest.mark.parametrize("name", [*GROWING, *MANY])
def test_check_of_a_script_ends_and_the_engine_goes_on(name):
    assert rules(in_callback({**GROWING, **MANY}[name])) <= {"init-once", "script-budget"}
    assert rules(TWICE) == {"init-once"}


ENDLESS = {
    "a loop": "for (;;) item.id",
    "a loop in a function": "const wait = () => { while (true) item.id; }; wait()",
    "a regular expression that backtracks": "/^(a+)+$/.test('" + times(40, "a") + "b')",
    "a regular expression with overlapping ways": "/(a|aa)+$/.test('" + times(60, "a") + "b')",
    "a regular expression of optional letters": "/^(a?){40}a{40}$/.test('" + times(40, "a") + "')",
    "a regular expression of many stars": "/a*a*a*a*a*a*a*a*b/.test('" + times(200, "a") + "')",
    "a regular expression that replaces": "'" + times(200, "a") + "'.replace(/(\\w*)*!/g, 'x')",
    "promises": "const next = () => Promise.resolve().then(next); next()",
    "promises that are awaited": "(async () => { for (;;) await null; })()",
    "memory": "const all = []; for (;;) all.push(new Array(1e5).fill(1))",
    "a text": "const all = []; for (;;) all.push('x'.repeat(1e7) + all.length)",
    "a generator": "function* f() { for (;;) yield 1; } [...f()]",
}


@pytest.mark.usefixtures("in_haste")
@pytest.mark.parametrize("code", ENDLESS.values(), ids=ENDLESS)
def test_endless_script_is_a_note_about_what_was_not_checked(code):
    (note,) = [found for found in diagnostics(in_callback(code)) if found.rule == "script-budget"]
    assert note.severity is Severity.NOTE
    assert note.message.startswith("not checked: what it does, because it ")
    assert rules(TWICE) == {"init-once"}


@pytest.mark.usefixtures("in_haste")
def test_note_is_at_the_loop_that_does_not_end():
    code = "const a = 1;\nfunction f() {\n  for (;;) {\n    a;\n  }\n}\nf();\nsvcPlugins.subscribeEvent;\n"
    (note,) = diagnostics(code)
    assert (note.rule, note.place.line) == ("script-budget", 3)


@pytest.mark.usefixtures("in_haste")
def test_loop_that_is_endless_in_one_life_leaves_the_findings_of_others():
    code = in_callback("for (let i = 0; i < item.variants.length; i += item.stock) item.id")
    assert rules(code) == {"init-once", "script-budget"}


def test_known_wrong_part_of_the_page_is_a_note_and_no_finding():
    code = in_callback("document.querySelector('form').elements.amount")
    (note,) = diagnostics(code)
    assert (note.rule, note.severity) == ("script-budget", Severity.NOTE)
    assert "form.elements" in note.message


def test_timer_that_repeats_is_followed_for_some_rounds():
    assert rules("let n = 0; setInterval(() => { if (++n === 3) eval('1'); }, 1000);") == {"no-eval"}


@pytest.mark.usefixtures("in_haste")
@pytest.mark.parametrize(
    ("code", "hint"), [("svcPlugins.x;", "svcPlugins"), ("a.innerHTML = b;", "without escaping")]
)
def test_hint_of_the_note_names_what_the_file_can_break(code, hint):
    (note,) = diagnostics("for (;;) document.title;\n" + code)
    assert hint in note.hint


def test_engine_that_was_ended_is_started_again():
    assert rules(TWICE) == {"init-once"}
    process = engine().child.process
    process.kill()
    process.wait()
    assert rules(in_callback("item.id")) == {"init-once"}
    assert engine().child.process is not process


def test_two_thousand_subscriptions_are_checked():
    code = times(2_000, 'svcPlugins.subscribeEvent("svc-content-after-price", (e, init) => { init(); });\n')
    assert rules(code) == set()


def test_a_file_that_is_too_large_is_a_note_and_still_searched_for_secrets():
    code = 'const appSecret = "q7Vd2mXz9Lk4";\n' + "f();\n" * (MOST_BYTES // 5)
    by_rule = {diagnostic.rule: diagnostic for diagnostic in diagnostics(code)}
    assert set(by_rule) == {"secret-in-source", "script-budget"}
    assert "1,500,000 bytes" in by_rule["script-budget"].message


BRANCHES = {
    "dates": ("new Date().getDay() == 1", "new Date().getDay() == 1"),
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


@pytest.mark.parametrize(
    "condition", ["new Date().getDay() == 6", "new Date().getMonth() == 0", "Date.now() > 0"]
)
def test_rule_that_is_broken_on_some_days_is_found_on_each_day(condition):
    code = f"""svcPlugins.subscribeEvent("svc-content-after-price", (item, init) => {{
  init("x");
  if ({condition}) {{ init("y"); }}
}});"""
    assert rules(code) == {"init-once"}


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
