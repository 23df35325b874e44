"""A script that no browser runs is an error at its place. A script that browsers run is never one."""

import pytest

from awning.check.files import check_text
from awning.check.rules import script_syntax
from awning.contract import Dialect
from awning.diagnostics import Severity

BROKEN = {  # script: line, column
    "let x = ;": (1, 9),
    "let x = 1 +;": (1, 12),
    "const a = {b: };": (1, 15),
    "if (x { y(); }": (1, 7),
    "function f( { }": (1, 16),
    "foo(1,,2);": (1, 7),
    "x = {a: 1,, b: 2};": (1, 11),
    'var a = "unclosed;': (1, 19),
    'var a = 1;\nvar b = "unclosed;\nvar c = 2;': (2, 19),
    'svcPlugins.subscribeEvent("svc-content-after-price", (e, init, d) => { init(;': (1, 77),
    "a();\nb();\nlet y = 3 let z = 4;\nc();": (3, 11),
    "let \u00e9 = \u00e9 + ;": (1, 13),
    "// one\u2028two\nlet x = ;": (2, 9),
    "foo)": (1, 4),
    "foo(": (1, 5),
    "{": (1, 2),
    "}": (1, 1),
    "`abc": (1, 5),
    "let a = [1, 2;": (1, 14),
    "const x;": (1, 7),
    "x = a ? b;": (1, 10),
    "else {}": (1, 1),
    "import from 'x' y": (1, 13),
    "return return;": (1, 8),
    "a b": (1, 3),
    "f(1);\nx = /[b-a]/;": (2, 5),
    "x = /(?<n>a)(?<n>b)/;": (1, 5),
    "/a/uv.test(b);": (1, 1),
    "let [a];": (1, 5),
    "for (var { a };;) {}": (1, 10),
    "new a?.b();": (1, 1),
    "f(new (a)?.[b]().c);": (1, 3),
    "f() = 1;": (1, 1),
    "({ ...{ a } } = b);": (1, 4),
    "[{ a: { ...[b] } }] = c;": (1, 9),
}
VALID = """\
export * as n from "z";
import x from "y" with { type: "json" };
class A { #x = 1; static { this.y = 2; } has(o) { return #x in o; } static async *gen() {} accessor z = 1; }
a ??= b; c ||= d; e &&= f;
x = 1_000_000n ** 2n;
/[\\p{L}--[a-z]]/v.test(s);
for await (const x of y) {}
label: for (;;) { continue label; }
a?.b?.[c]?.(d);
x = a?.3:1;
String.raw`\\u`;
var get = 1, set = 2, type = 3, from = 4, of = 5, async = 6; type = get;
module.exports = {}; namespace.x = 1; declare(1); abstract(2); type(3);
for (async of => {};;) {}
`a${`b${c}`}`;
const m = await import("x");
try { } catch { } finally { }
a = [, 1, , 2,];
f(a, b,); let [c = 1, , d] = e;
<!-- an old comment
#!/usr/bin/env node
using x = y();
function* g() { yield* a; const b = yield; }
x = class extends (a, b) { constructor() { super(); } };
if (i<n&&j>m) x();
export default async () => {};
var s = "a,,b"; s = /,,/;
/(?i:a)(?<n>b)|(?<n>c)/d; /[\\q{ab}&&\\w]/v; /\\p{RGI_Emoji}/v;
for (let [a] of b) {} try {} catch ({ c }) {}
new (a?.b)(); new a()?.b(); new a[b?.c]; new new a()()?.b;
[...{ a }] = b; ({ ...a.b } = { ...{ c } }); { using a = b; }""".splitlines()
VALID.append(f"x = /{'(a)' * 255}/;")  # more groups than the engine reads
CLASSIC = """\
await: for (;;) { break await; }
(function (await) { return await; })(1); (await => await)(2);
var await = (x) => x; await(3); await /2/await;
var await = 1; async function f() { await 1; }
var await = 1, f = (a = await) => a; var o = { await };
var yield = 1; yield = yield * 2;
var a = "\\251\\8" + 010 + 09.5;
with ({ a: 1 }) { a = 2; }
function f(a, a) { return a; } { function g() {} function g() {} }
if (true) function h() {} else function i() {}
for (var i = 0 in {}) {} delete i; arguments = 1;
var let = 1, static = 2, async = 3; async = let;
/\\c/, /a{/, /]/, /\\8/, /(?=a)*/;
f() = 1; function g() { "use strict"; a.b(1) += f(); }
f()++; --a.b((1)); (f()) = 1; f(...a) = 1; f(a,) += 1; for (f() of a);
{ using a = b; } var using = 1; using = 2; new (a?.b)();
var a = 1; <!-- not this )(""".splitlines()
NO_CLASSIC = """\
"use strict"; with ({ a: 1 }) {}
function f() { "use strict"; return "\\07"; }
"use strict"; var yield = 1;
function f(a, a = 1) {}
let a = 1; let a = 2;
try {} catch (e) { let e; }
function f() { await 1; }
async function f() { var await; }
function f() { super.x; }
var a = 1 || 2 ?? 3, b = -1 ** 2;
if (1) class A {}
class A { f() { this.#x; } }
break;
return 1;
f() &&= 1;
f`a` = 1;
new f() = 1;
a?.b() = 1;
import("a")++;
new a?.b();
using a = b;
{ new new a?.b(); }
for ({ ...{ a } } of b);
import.meta.url;
await 1;
for await (const a of []);
var a: number = 1;
@a class A {}
class A { @a f() {} }
class A { static accessor a = 1; }
var a = /{1}/, b = /]/u;
var a = <b>x</b>;""".splitlines()
OF_MODULES = {  # script: what a classic script does not have
    "await 1;": "await",
    "x = await fetch('a');": "await",
    "for await (const a of []);": "for await",
    "import.meta.url;": "import.meta",
    "if (a) return;": "return",
    "import 'a';": "import",
}
TYPED = """\
export type * from "x";
import { type A, b } from "c"; import type D from "e"; export type { D };
const f = <const T,>(a: T): T => a!;
type A = { readonly [K in keyof B as `x${K}`]?: C[K] };
abstract class A<in out T> { abstract a(): void; declare b: string; constructor(public e: string) { } }
let x = y satisfies Z; let w = <any>y;
enum E { A = 1, B } declare global { interface Window { a: 1 } }
type A = typeof import("x"); type B = import("x").C<D>;
const x = a<b>(c); new Map<string, number>();
function f(this: X, a?: string, ...b: any[]): asserts a is string;""".splitlines()


def syntax(path, text):
    diagnostics = check_text(path, text, Dialect()).diagnostics
    return [diagnostic for diagnostic in diagnostics if diagnostic.rule == "script-syntax"]


@pytest.mark.parametrize("script", BROKEN)
def test_a_syntax_error_is_reported_at_its_place(script):
    (diagnostic,) = syntax("a.js", script)
    assert (diagnostic.severity, diagnostic.place.line, diagnostic.place.column) == (
        Severity.ERROR,
        *BROKEN[script],
    )
    assert diagnostic.message.startswith("not valid JavaScript: ")


@pytest.mark.parametrize("script", VALID)
def test_a_script_that_browsers_accept_has_no_syntax_error(script):
    assert [diagnostic.severity for diagnostic in syntax("a.js", script)] in ([], [Severity.NOTE])


def test_note_about_a_valid_script_names_no_mistake():
    (diagnostic,) = syntax("a.html", "<script>function f(a, a) { String.raw`\\u`; }</script>")
    assert (diagnostic.severity, "mistake" in diagnostic.hint) == (Severity.NOTE, False)


@pytest.mark.parametrize("script", CLASSIC)
def test_a_classic_script_that_browsers_accept_has_no_syntax_error(script):
    assert [diagnostic.severity for diagnostic in syntax("a.html", f"<script>{script}\n</script>")] in (
        [],
        [Severity.NOTE],
    )


@pytest.mark.parametrize("script", NO_CLASSIC)
def test_a_classic_script_that_browsers_refuse_is_an_error(script):
    (diagnostic,) = syntax("a.html", f"<script>{script}\n</script>")
    assert diagnostic.severity is Severity.ERROR


def test_without_an_engine_the_name_await_is_no_error(monkeypatch):
    monkeypatch.setattr(script_syntax, "is_classic_script", lambda code: None)
    for script in CLASSIC:
        severities = [each.severity for each in syntax("a.html", f"<script>{script}\n</script>")]
        assert severities in ([], [Severity.NOTE]), script
    for script, word in OF_MODULES.items():
        (diagnostic,) = syntax("a.html", f"<script>{script}</script>")
        assert f"`{word}` at the top level" in diagnostic.message


@pytest.mark.parametrize(
    ("html", "is_code"),
    [
        ("<svg><script>((</script></svg>", True),
        ("<svg><foreignObject><script>((</script></foreignObject></svg>", True),
        ("<svg/><svg></svg><script>((</script>", True),
        ("<svg><script>if (1 &lt; 2) f()</script></svg>", False),
        ("<svg><script><![CDATA[ f() ]]></script></svg>", False),
        ("<svg><title><script>((</script></title></svg>", True),
        ("<svg><title><title><script>((</script></title></title></svg>", False),
        ("<svg><style>a<script>((</script></style></svg>", True),
        ("<svg><style><![CDATA[ <script>((</script> ]]></style></svg>", False),
        ("<svg><![CDATA[ > <script>((</script> ]]></svg>", False),
        ("<svg><textarea><script>((</script></textarea></svg>", True),
        ("<svg><template><script>((</script></template></svg>", True),
        ("<svg><p><textarea><script>((</script></textarea></p>", False),
        ("<math><mi><script>((</script></mi></math>", True),
        ("<math><annotation-xml><script>((</script></annotation-xml></math>", False),
        ("<svg><script href=a.js>((</script><script xlink:href=a.js>((</script></svg>", False),
        ("<math><script>((</script></math>", False),
    ],
)
def test_scripts_in_svg_are_read_where_browsers_read_their_text(html, is_code):
    assert bool(syntax("a.html", html)) == is_code


@pytest.mark.parametrize("script", TYPED)
def test_a_script_that_typescript_accepts_has_no_syntax_error(script):
    assert [diagnostic.severity for diagnostic in syntax("a.ts", script)] in ([], [Severity.NOTE])


def test_a_syntax_error_in_a_page_is_reported_at_its_line():
    (diagnostic,) = syntax("a.html", "<p>{ not ( code</p>\n<script>\n  let x = ;\n</script>\n")
    assert (diagnostic.place.line, diagnostic.place.column, diagnostic.severity) == (3, 11, Severity.ERROR)


def test_a_syntax_error_is_reported_without_esbuild(monkeypatch):
    monkeypatch.setenv("AWNING_ESBUILD", "/nowhere/esbuild")
    (diagnostic,) = syntax("a.js", "let x = 1;\nlet y = 1 +;")
    assert (diagnostic.severity, diagnostic.place.line) == (Severity.ERROR, 2)
    assert syntax("a.js", "f(1, 2);") == []


def test_a_secret_is_not_shown_by_other_rules():
    secret = "ab12cd34" * 4
    diagnostics = check_text("a.js", f'let x = 1 "SVC-{secret}";', Dialect()).diagnostics
    assert {diagnostic.rule for diagnostic in diagnostics} == {"script-syntax", "secret-in-source"}
    assert not any(secret in diagnostic.message + (diagnostic.excerpt or "") for diagnostic in diagnostics)
