"""How scripts are run: rewritten without types and modules, on a page with marked texts."""

import json
from html import escape
from pathlib import Path

import pytest

from awning.check.files import check_text
from awning.check.running import behaviour, rewriting, search
from awning.check.running.payloads import SOURCES, mark
from awning.contract import Dialect
from awning.script.tree import parse

ROOT = Path(__file__).parents[2]
TWICE = "svcPlugins.subscribeEvent('svc-content-after-cart', (event, init) => { init(); init(); });"
TYPED = {
    "types": "type A = { b: string }; interface B extends A { c?: number }; declare const d: B;",
    "annotations": "const f = <T,>(a: T, b?: number, ...c: string[]): a is T => true; let x!: number; f<string>('a')",
    "casts": "const a = ({} as unknown as { b: string })!.b; const c = <string>a; const d = {} satisfies object;",
    "an enum": "enum A { B, C = 4, D, 'e f' = 'x' } const a = A.B + A.C + A.D;",
    "a class": """abstract class A<T> implements Iterable<T> { private readonly a: T | null = null; declare b: string;
static c?: number; constructor(readonlyName: string) {} abstract d(): void;
protected async e?(this: A<T>): Promise<void> {} }""",
    "overloads": "function f(a: string): void; function f(a: number): void; function f(a: unknown) {}",
    "a parameter named this": "function f(this: Window, a: number) { return a; }",
    "imports": "import type { A } from 'a'; import b, { type C, d as e } from 'b'; import * as f from 'c'; import 'd';",
    "exports": "export const a = 1; export default 1; export type B = string; export { a as c };",
    "an await of a module": "const answer = await fetch('/x'); export {};",
    "keywords before a value": "for (const a in'x'&&{}) a; if (0) ; else'x'&& 1; const b = () => { return'1'&& 2; };",
    "an empty async function": "const f = async () => {}; async function g() {} const o = { async h() {} };",
    "a directive": "function f() { 'use strict'; return this; } f();",
    "a switch": "switch (1) { case 1: default: break; case 2 /* two */: { break; } }",
    "optional calls": "window.nothing?.(1)?.[2]?.three(); new Date; new (class { static x() {} })();",
    "spreads": "Math.max(...[1, 2]); const f = function* () { yield* [1]; yield; }; [...f()];",
    "templates": "String.raw`a${1}`; const a = `${`${1 && 2}`}`;",
    "labels": "a: for (;;) { b: do { break a; } while (0 || 1); }",
}


@pytest.mark.parametrize("code", TYPED.values(), ids=TYPED)
def test_script_is_run_to_its_end_when_it_has(code):
    """The second statement is reached, so the engine has read and run the first."""
    diagnostics = check_text("x.ts", f"{code}\n{TWICE}", Dialect()).diagnostics
    assert [diagnostic.rule for diagnostic in diagnostics] == ["init-once"]
    assert diagnostics[0].place.line == code.count("\n") + 2


@pytest.mark.parametrize("code", ["const a = <p>x</p>;", "namespace A { export const b = 1; }"])
def test_code_that_is_not_run_is_a_note(code):
    path = "x.tsx" if "<p>" in code else "x.ts"
    (note,) = check_text(path, f"{code}\n{TWICE}", Dialect()).diagnostics
    assert (note.rule, str(note.severity)) == ("script-budget", "note")


def test_places_are_bytes_of_the_file():
    text = f"const name = 'Ķīļi 😀';\n  {TWICE}\n"
    (diagnostic,) = check_text("x.js", text, Dialect()).diagnostics
    line = text.split("\n")[1]
    assert line[diagnostic.place.column - 1 :].startswith("init(); });")


def test_rewritten_code_counts_both_results_of_a_condition():
    code = b"if (a && b) c(); else d();"
    rewritten = rewriting.rewritten(parse(code, typed=False).root)
    assert sorted(rewritten.counters) == [-2, -1, 1, 2]
    assert rewritten.text(0, len(code)).count("__b(") == 2


ORDER = """svcPlugins.subscribeEvent("svc-content-after-checkout", (event, init, { cartData }) => {
  const block = init();
  if (cartData.discount_code === "SAVE10" && cartData.total < 50) init();
  block.setContent("");
});"""
WAYS = {
    "two fields of a payload": (ORDER, {"init-once"}),
    "an entry of the storage": (
        ORDER.replace("cartData.discount_code", "localStorage.getItem('a')"),
        {"init-once"},
    ),
    "an address": (ORDER.replace("cartData.discount_code ===", "location.search ==="), set()),
    "a script in content": (
        ORDER.replace('("")', "('<b>a</b><script>window.zz = 1<\\\\/script>')").replace(
            "init();\n  block", "0;\n  block"
        ),
        set(),
    ),
}


@pytest.mark.parametrize(("code", "broken"), WAYS.values(), ids=WAYS)
def test_lives_reach_code_behind_conditions(code, broken):
    assert {diagnostic.rule for diagnostic in check_text("x.js", code, Dialect()).diagnostics} == broken


NAME = SOURCES.index("item.name")
MARKUP = {
    "<p>{}</p>": True,
    "{}": True,
    '<p title="{}">': True,
    "<p title='{}'>": True,
    "<p title={}>": True,
    "<p {}>": True,
    "<script>let a = '{}'</script>": True,
    "<!-- {} -->": False,
    "<textarea>{}</textarea>": True,
    "": False,
}


@pytest.mark.parametrize("html", MARKUP)
def test_marked_text_is_markup_when_a_browser_reads_it_so(html):
    assert (search.raw_markup(html.format(mark(NAME))) == NAME) == MARKUP[html]


@pytest.mark.parametrize("html", MARKUP)
def test_escaped_text_is_no_markup(html):
    if "<p title={}>" not in html and "<p {}>" not in html:
        assert search.raw_markup(html.format(escape(mark(NAME)))) is None


@pytest.mark.parametrize(
    ("html", "is_markup"),
    [
        ("<textarea>{}</textarea>", False),
        ("<noscript>{}</noscript>", False),
        ("<script>let a = '{}'</script>", True),
        ("<style>a::after {{ content: '{}' }}</style>", True),
        ('<p title="{}">', True),
    ],
)
def test_text_with_its_quotes_is_markup_where_quotes_end_it(html, is_markup):
    half = html.format(escape(mark(NAME), quote=False))
    assert (search.raw_markup(half) == NAME) == is_markup


@pytest.mark.parametrize(
    ("html", "is_markup"),
    [
        ("<script type='application/json'>{}</script>", False),
        ("<script>let a = {0}, b = 'b', c = [{0}] // it's c</script>", False),
        ("<script>let a = '{}'</script>", True),
        ("<script>let a = \"it's\", b = 'it\\'s {}'</script>", True),
    ],
)
def test_text_in_json_of_a_script_is_markup_in_single_quotes(html, is_markup):
    code = json.dumps(mark(NAME)).replace("<", "\\u003c")
    assert (search.raw_markup(html.format(code)) == NAME) == is_markup


def test_nothing_is_run_where_there_is_no_engine(monkeypatch):
    monkeypatch.setattr(behaviour, "missing_engine", lambda: "there is no quickjs-ng for this machine")
    code = f"{TWICE}\nif (0) eval('1');"
    assert [diagnostic.rule for diagnostic in check_text("x.js", code, Dialect()).diagnostics] == ["no-eval"]


def test_dialect_of_a_profile_is_that_of_the_page():
    dialect = Dialect(global_object="shopPlugins", event_prefix="shop-")
    code = TWICE.replace("svcPlugins", "shopPlugins").replace("svc-", "shop-")
    assert [item.rule for item in check_text("x.js", code, dialect).diagnostics] == ["init-once"]
    assert [item.rule for item in check_text("x.js", TWICE, dialect).diagnostics] == []


def test_vendored_dom_is_the_pinned_one():
    lock = json.loads((ROOT / "packaging/dom/package-lock.json").read_text())
    version = lock["packages"]["node_modules/linkedom"]["version"]
    assert (ROOT / f"jsrc/vendor/linkedom-{version}.js").is_file()
