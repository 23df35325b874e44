"""Turning a hand-written script into a module: placeholders, names used elsewhere, and `this`."""

import pytest

from awning.contract import Dialect
from awning.handwritten.script import (
    names_in_handlers,
    names_on_window,
    names_put_on_window,
    plain_script,
    split_imports,
    uses_at_load,
    with_window_as_this,
    with_window_names,
    without_placeholders,
)

LANG = "document.documentElement.lang"

PLACEHOLDERS = {
    "app data as an expression": ("var a = {{svc_app_data}};", "var a = ({});"),
    "app data as a string": ("JSON.parse('{{svc_app_data}}')", "JSON.parse('{}')"),
    "app data in a template": ("let a = `{{svc_app_data}}`;", "let a = `{}`;"),
    "the language as a string": ('var l = "{{svc_language}}";', f"var l = {LANG};"),
    "the language in a string": (
        "f('/a/{{svc_language}}/b'.length)",
        f"f(('/a/' + {LANG} + '/b').length)",
    ),
    "the language twice in a string": (
        "'{{svc_language}}-{{svc_language}}'",
        f"('' + {LANG} + '-' + {LANG} + '')",
    ),
    "the language in a template": ("`/{{svc_language}}/ä`", f"`/${{{LANG}}}/ä`"),
    "the language as an expression": ("f({{svc_language}})", f"f({LANG})"),
    "behind letters of several bytes": ("'ā€😀'; f('{{svc_language}}')", f"'ā€😀'; f({LANG})"),
    "in a comment": ("// {{svc_app_data}}\nf()", "// svc_app_data\nf()"),
    "one that nobody knows": ("f({{svc_price}})", "f(({}))"),
    "braces of another kind": ("f('{{name}}')", "f('{{name}}')"),
}


@pytest.mark.parametrize("case", PLACEHOLDERS, ids=str)
def test_placeholders_are_replaced_in_place(case):
    script, expected = PLACEHOLDERS[case]
    assert without_placeholders(script, Dialect())[0] == expected


def test_placeholders_are_reported_with_their_lines():
    script = "f();\nvar a = {{svc_app_data}};\n\nvar b = '{{svc_language}}';\n"
    assert [
        (placeholder.name, placeholder.line) for placeholder in without_placeholders(script, Dialect())[1]
    ] == [
        ("svc_app_data", 2),
        ("svc_language", 4),
    ]


def test_placeholder_names_follow_the_dialect():
    assert (
        without_placeholders("f({{shop_language}})", Dialect(placeholder_prefix="shop_"))[0] == f"f({LANG})"
    )


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("(function (w) {})(this);", "(function (w) {})(globalThis);"),
        ("this.a = () => this;", "globalThis.a = () => globalThis;"),
        ("function f() { return this; }", "function f() { return this; }"),
        ("class A { b() { return this; } c = this; }", "class A { b() { return this; } c = this; }"),
        (
            "var o = { f() { return this; }, g: this, 'ä': 1 };",
            "var o = { f() { return this; }, g: globalThis, 'ä': 1 };",
        ),
    ],
)
def test_top_level_this_becomes_the_window(script, expected):
    assert with_window_as_this(script) == expected


def test_only_names_used_elsewhere_are_assigned_to_the_window():
    script = "function f() {}\nvar a = 1, b = 2;\nlet c; class D {}\n"
    code, names = with_window_names(script, {"f", "b", "D", "x"})
    assert names == ("f", "b", "D")
    assert code == f"Object.assign(globalThis, {{ f }});\n{script}Object.assign(globalThis, {{ b, D }});\n"
    assert with_window_names(script, set()) == (script, ())


def test_names_are_found_in_event_attributes_and_window_properties():
    assert {"open", "shut"} <= names_in_handlers(
        ["<a onclick='open(1)'>", 'h("<b onmouseover=\\"shut()\\">")']
    )
    assert names_on_window(["window.a(); self['b']; globalThis.c; x.d"]) == {"a", "b", "c"}


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("window.b = 1; self['a'] = window.b || 2; window.b = 3;", ("b", "a")),
        ("window.a.b = 1; window.a == 1; window.a(); x.window = 1; a = 1;", ()),
        ("window.onload = f; window.location = '/a'; window['1'] = 1;", ()),
        ("window.a ??= []; window['b'] ||= {}; window.once = 1; window.c += 1;", ("a", "b", "once")),
        ("window.größe = window.ārējs = 1;", ("größe", "ārējs")),
        ("function f() { var self = this; self.items = []; } style.top.bar = 2;", ()),
        ("(function (window, top) { window.a = 1; top.b = 1; })(window, list);", ("a",)),
        ("// window.a = 1\nf('window.b = 1');", ()),
    ],
)
def test_globals_are_names_that_a_script_assigns_on_the_window(script, expected):
    assert names_put_on_window(script) == expected


def test_imports_of_a_module_are_split_from_its_code_and_exports_are_left_out():
    script = (
        "import a from './ä.js';\nexport const b = 'ä';\nimport './c.js'; export function d() {}\n"
        "export { b };\nexport default d();\n"
    )
    imports, code = split_imports(script)
    assert imports == ["import a from './ä.js';\n", "import './c.js';\n"]
    assert code == "const b = 'ä';\n function d() {}\n\nvoid (d());\n"


REMOVED = {
    "a default export": ("const a = 1\nexport default a", [], "const a = 1\nvoid (a);"),
    "a list of exports": ("const a = 1\nexport { a }\n(f)()", [], "const a = 1\n;\n(f)()"),
    "an import": ("f()\nimport './c.js'\n[1].g()", ["import './c.js'\n"], "f()\n;\n[1].g()"),
    "exports of other modules": (
        "f()\nexport * from './c.js'\nexport { x } from './d.js';\ng()",
        ["import './c.js';\n", "import './d.js';\n"],
        "f()\n\n\ng()",
    ),
}


@pytest.mark.parametrize("case", REMOVED, ids=str)
def test_statements_around_imports_and_exports_stay_apart_without_semicolons(case):
    script, imports, code = REMOVED[case]
    assert split_imports(script) == (imports, code)


USES = {
    "at once": ("document.getElementById('box').title = 1;", True),
    "in a selector": ('$(".a > #box");', True),
    "in a template": ("f(`#box`);", True),
    "before a listener": ("$('#box').on('click', f);", True),
    "in a function that is called at once": ("(function () { f('box'); })();", True),
    "in a function that is named": ("function f() { g('box'); }\nlist.forEach(f);", True),
    "in a function of a function": ("function f() { g(); }\nconst g = () => h('box');\nf();", True),
    "in a function of a loop": ("[1].forEach(function () { f('box'); });", True),
    "in what a method's value is": ("function f() { g('box'); } var App = { f }; App.f();", True),
    "in an argument of a listener": ("document.addEventListener('click', f('#box'));", True),
    "in a function that is called as listeners are": ("on('#box');", True),
    "as a form": ("document.forms.box.q.value = 1;", True),
    "as a property of the window": ("window.box.hidden = true;", True),
    "as a property of another object": ("a.box.hidden = true;", False),
    "in an object of listeners": ("$(document).on({ click: function () { f('box'); } });", False),
    "in a function for a listener of its own": ("on(document, 'click', () => f('box'));", False),
    "in a timer": ("setTimeout(() => f('box'));", True),
    "in no string": ("box.title = 'a boxer';", False),
    "in a subscriber": ("svcPlugins.subscribeEvent('svc-content-after-price', () => f('box'));", False),
    "in a listener": ("document.addEventListener('click', function () { f('box'); });", False),
    "for a listener": ("$(document).on('click', '#box', f); function f() { g('box'); }", False),
    "for a ready page": ("$(function () { f('box'); }); $(document).ready(() => f('box'));", False),
    "in a function that handlers name": (
        "function f() { g('box'); }\nvar g = function () { f('box'); };",
        False,
    ),
    "in a function of a subscriber": ("function f() { g('box'); }\nsubscribeEvent('a', () => f());", False),
}


@pytest.mark.parametrize("case", USES, ids=str)
def test_names_are_found_in_code_that_runs_at_load(case):
    script, uses = USES[case]
    assert uses_at_load(script, {"box"}, {"box"}) == uses


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("\n<!--\nf();\n//-->\n", "f();\n"),
        ("\n//<![CDATA[\nf();\n//]]>\n", "f();\n"),
        ("if (a --> 0) f();", "if (a --> 0) f();\n"),
    ],
)
def test_html_comment_around_a_script_is_removed(script, expected):
    assert plain_script(script) == expected
