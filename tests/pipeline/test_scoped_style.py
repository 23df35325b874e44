"""A widget's style applies to the widget only: the scoping as a table."""

import re
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awning.errors import Faulty
from awning.pipeline.incremental import build, inspect_workspace
from awning.pipeline.phases import build_workspace
from awning.pipeline.style import properties
from awning.pipeline.style.css import joined, parse, without_depth
from awning.pipeline.style.keyframes import read_keyframes
from awning.pipeline.style.outside_uses import script_findings, template_findings
from awning.pipeline.style.properties import property_findings
from awning.pipeline.style.scope import at_rule_findings, scope
from awning.pipeline.style.selectors import selector_findings
from awning.pipeline.style.shadow import compact, document_rules, shadow_rules
from awning.pipeline.style.sheet_findings import bracket_findings
from awning.rules import find_rule
from awning.script.file import ScriptFile

ROOT = Path(__file__).parents[2]

SCOPED = {
    "rules": (".a{x:y} .b{}", ".aw{.a{x:y} .b{}}"),
    "a string with braces": ('.a{content:"}{"}', '.aw{.a{content:"}{"}}'),
    "a comment with a brace": ("/* } */.a{}", ".aw{/* } */.a{}}"),
    "an address with a semicolon": (".a{b:url(data:x;y})}", ".aw{.a{b:url(data:x;y})}}"),
    "conditions stay inside": ("@media print{.a{}}", ".aw{@media print{.a{}}}"),
    "imports come first": ('.a{}@import "x.css";', '@import "x.css";.aw{.a{}}'),
    "fonts go outside": ("@font-face{src:x}.a{}", ".aw{.a{}}@font-face{src:x}"),
    "key frames are renamed where they are used": (
        "@keyframes spin{to{x:y}}.a{animation:spin 1s;spin:spin}",
        ".aw{.a{animation:aw-spin 1s;spin:spin}}@keyframes aw-spin{to{x:y}}",
    ),
    "also in a variable that an animation reads, and inside a nested rule": (
        "@keyframes spin{}.a{--x: spin; &:hover{animation-name:var(--x),spin}}",
        ".aw{.a{--x: aw-spin; &:hover{animation-name:var(--x),aw-spin}}}@keyframes aw-spin{}",
    ),
    "key frames in a condition keep it": (
        "@media print{@keyframes spin{}.a{}}",
        ".aw{@media print{.a{}}}@media print{@keyframes aw-spin{}}",
    ),
    "declarations after nested rules stay behind them": (
        ".a{.b{c:d}e:f;g:h;@media x{i:j}\nk:l}",
        ".aw{.a{.b{c:d}@media all{e:f;g:h;}@media x{i:j}\n@media all{k:l}}}",
    ),
    "a parent in :not() only": (".a{:not(&), .b &{c:d}}", ".aw{.a{.aw :not(&), .b &{c:d}}}"),
    "not in a selector that is relative to the parent": (
        ".a{> :not(&){c:d}+ i:not(&){}}",
        ".aw{.a{> :not(&){c:d}+ i:not(&){}}}",
    ),
    "a parent in some alternatives only": (
        ":is(&, .b , :not(&)) i{}.a{> :where(.d &,.e .f){}:is(.d, .e) &{}:is(&,){}}",
        (
            ".aw{:is(&, .b:where(.aw *), :not(&):where(.aw *)) i{}"
            ".a{> :where(.d &,.e .f:where(.aw *)){}:is(.d, .e) &{}:is(&,){}}}"
        ),
    ),
    "vendor prefixes are seen through": ("@-webkit-keyframes s{}", "@-webkit-keyframes aw-s{}"),
    "the widget's own element": (":root{a:b}:host, .c{}", ".aw{&{a:b}&, .c{}}"),
    "only at the start": (".a:root{}", ".aw{.a:root{}}"),
    "layer statements come first": ("@layer a,b;@layer a{.x{}}", "@layer a,b;.aw{@layer a{.x{}}}"),
    "also with a condition around them": (
        "@media print{@layer a,b;.x{}}@supports (a:b){@layer c}",
        "@media print{@layer a,b;}@supports (a:b){@layer c;}.aw{@media print{.x{}}}",
    ),
    "also in a layer": ("@layer a{@layer b,c;.x{}}", "@layer a{@layer b,c;}.aw{@layer a{.x{}}}"),
    "layers keep their order": (
        "@media print{@layer a{.x{}}}@layer b,a;@layer c{.y{}}",
        "@media print{@layer a;}@layer b,a;.aw{@media print{@layer a{.x{}}}@layer c{.y{}}}",
    ),
    "also one that is empty inside": (
        "@layer a{@font-face{src:x}}@layer b{}",
        "@layer a;@layer b;@layer a{@font-face{src:x}}",
    ),
    "also behind one without a name": (
        "@layer{.x{}}@layer b{.y{}}@layer c,b;\n@media print{@LAYER{.z{}}}@layer d;",
        (".aw{@layer{.x{}}}@layer b;@layer c,b;.aw{@layer b{.y{}}\n@media print{@LAYER{.z{}}}}@layer d;"),
    ),
    "one without a name and rules is left out": ("@layer{}.x{}@layer b{}", "@layer b;.aw{.x{}}"),
    "key frames that are the initial value of a variable": (
        "@property --x{initial-value:spin}@keyframes spin{}.a{animation:var(--x) 1s}",
        ".aw{.a{animation:var(--x) 1s}}@property --x{initial-value:aw-spin}@keyframes aw-spin{}",
    ),
    "an initial value that no animation reads stays": (
        "@property --x{initial-value:spin}@keyframes spin{}",
        "@property --x{initial-value:spin}@keyframes aw-spin{}",
    ),
    "a quoted name": (
        "@keyframes \"glow\"{}.a{animation:'glow' 1s}",
        ".aw{.a{animation:'aw-glow' 1s}}@keyframes \"aw-glow\"{}",
    ),
    "a variable that no animation reads stays": (
        "@keyframes red{}.a{--tone:red;color:var(--tone);animation:red}",
        ".aw{.a{--tone:red;color:var(--tone);animation:aw-red}}@keyframes aw-red{}",
    ),
    "positions go outside": (
        "@media print{@position-try --flip{inset:0}}.a{}",
        ".aw{\n.a{}}@media print{@position-try --flip{inset:0}}".replace("\n", ""),
    ),
    "every at-rule without rules for elements": (
        "@counter-style a{}@color-profile --b{}@font-palette-values --c{}@view-transition{}@function --d(){}.e{}",
        ".aw{.e{}}@counter-style a{}@color-profile --b{}@font-palette-values --c{}@view-transition{}@function --d(){}",
    ),
    "an unknown at-rule": ("@new-thing x{y:z}.a{}", ".aw{.a{}}@new-thing x{y:z}"),
    "an unknown at-rule without a block": (".a{}@new-thing x;", ".aw{.a{}}@new-thing x;"),
    "a document rule": ("@-moz-document url(x){.a{}}", "@-moz-document url(x){.aw{.a{}}}"),
    "a scope is inside of the widget": (
        "@scope (.a, :root > .b) to (.c){img{d:e}}",
        "@scope (.aw .a, .aw > .b) to (.c){img:nth-child(n){d:e}}",
    ),
    "a scope in a rule": (
        ".a{@scope(.b){> .c, >{x:y}}}",
        ".aw{.a{@scope(.b){> :nth-child(n).c, >{x:y}}}}",
    ),
    "rules in a scope weigh as much as those beside it": (
        "@scope(.a){.b,> i .b,& .b,:scope,*|b.c,::before,/**/ .d{x:y}@media a{b{x:y}}.e{.f{x:y}}}",
        (
            "@scope(.aw .a){:nth-child(n).b,> i:nth-child(n) .b,&:nth-child(n) .b,:nth-child(n):scope,"
            "*|b:nth-child(n).c,:nth-child(n)::before,/**/ :nth-child(n).d{x:y}"
            "@media a{b:nth-child(n){x:y}}:nth-child(n).e{.f{x:y}}}"
        ),
    ),
    "a list with the widget's own element": (
        ":is(:root, .b) .c, :where(:root){d:e}",
        ".aw{:is(&,& .b) .c, :where(&){d:e}}",
    ),
    "a host with a class": (":host(.dark) .a{b:c}", ".aw{&:is(.dark) .a{b:c}}"),
    "lists without it": (":is(.a,.b):not(:root){c:d}", ".aw{:is(.a,.b):not(:root){c:d}}"),
    "words with a comment between them": (
        "@font-face{font-family:My/**/Font}@keyframes a{from,50%/**/{margin:1px/**/2px}}.b/**/.c{margin:1px/**/2px}",
        ".aw{.b/**/.c{margin:1px 2px}}@font-face{font-family:My Font}@keyframes aw-a{from,50%/**/{margin:1px 2px}}",
    ),
    "a sheet as in HTML": (
        "<!--\n.a{}\n-->@media print{.b{}}<!-- -->",
        ".aw{    \n.a{}\n   @media print{.b{}}}",
    ),
    "its marks where they are none": (".a <!-- .b{}.c{d:'<!--'}", ".aw{.a <!-- .b{}.c{d:'<!--'}}"),
    "nothing": ("", ""),
    "only a comment": ("/* later */", ""),
}


def scoped(css: str) -> str:
    return scope(css, "aw", read_keyframes([css]))


@pytest.mark.parametrize("case", SCOPED, ids=str)
def test_style_is_scoped(case):
    css, expected = SCOPED[case]
    assert scoped(css) == expected


_DECLARATIONS = st.lists(st.sampled_from(["x-0:y;", "--x-0:{;};", "/* a */x-0:')';"]), max_size=2).map(
    "".join
)
_PLAIN = st.one_of(
    st.sampled_from(["@layer x-0;", "@layer x-0,x-0.b;", "@layer x-0{}", "@unknown x-0;", "@import 'x-0';"]),
    st.builds(
        "{}{{{}}}".format,
        st.sampled_from(
            [
                "@font-face",
                "@keyframes x-0",
                "@property --x-0",
                "@unknown",
                "@page :first",
                ".x-0",
                ":root",
            ]
        ),
        _DECLARATIONS,
    ),
)
_BLOCKS = ["@media print", "@SUPPORTS (a:b)", "@layer x-0", "@container (a:b)", "@document url(x)"]
_BLOCKS += ["@layer", "@starting-style", "@scope (.x-0) to (.b)", "@scope", ".x-0, :is(:root,.x-0)", ":host"]
_SHEETS = st.recursive(
    _PLAIN,
    lambda inner: st.builds(
        "{} {{{}}}".format, st.sampled_from(_BLOCKS), st.lists(inner, max_size=4).map("\n".join)
    ),
    max_leaves=12,
)


@given(st.lists(_SHEETS, max_size=4).map("".join))
def test_no_statement_of_a_style_is_lost(pattern):
    numbers = count(1)
    css = re.sub("x-0", lambda _match: f"x-{next(numbers)}", pattern)
    names = set(re.findall(r"x-\d+", css))
    keyframes = read_keyframes([css])

    assert names <= set(re.findall(r"x-\d+", scope(css, "aw", keyframes)))
    assert names <= set(re.findall(r"x-\d+", shadow_rules(css) + document_rules(css)))


def test_rules_stay_on_their_lines():
    css = ".a {\n  x: y;\n}\n\n.b {\n}\n"
    assert scoped(css).splitlines()[1:5] == css.splitlines()[1:5]


@given(st.text(alphabet="{}();:,.@#\"'\\/*- \nab&", max_size=60))
def test_joined_tokens_equal_the_style(css):
    assert joined(parse(css)) == css
    scoped(css)


OF_THE_DOCUMENT = {
    "a container around one": (
        "@container (a:b){@font-face{src:x}.a{b:c}}",
        "@container (a:b){@font-face{src:x}}",
        "@container (a:b){.a{b:c}}",
    ),
    "a layer with nothing else keeps its place": (
        "@layer a{@font-face{src:x}}@layer b{}",
        "@layer a{@font-face{src:x}}",
        "@layer a{}@layer b{}",
    ),
    "fonts": (".a{} @font-face{src:x}.b{}", " @font-face{src:x}", ".a{}.b{}"),
    "custom properties": ("@property --a{syntax:'*'}", "@property --a{syntax:'*'}", ""),
    "what refines a font": (
        "@font-feature-values A{}@font-palette-values --b{}",
        "@font-feature-values A{}@font-palette-values --b{}",
        "",
    ),
    "a condition around one": (
        "@media print{@font-face{src:x}.a{b:c}}",
        "@media print{@font-face{src:x}}",
        "@media print{.a{b:c}}",
    ),
    "a condition in a condition": (
        "@supports (a:b){@media print{@property --a{}}.a{b:c}}",
        "@supports (a:b){@media print{@property --a{}}}",
        "@supports (a:b){.a{b:c}}",
    ),
    "nothing of it": (
        "@media print{.a{b:c}}@keyframes d{}",
        "",
        "@media print{.a{b:c}}@keyframes d{}",
    ),
    "a string that looks like it": (".a{content:'@font-face{}'}", "", ".a{content:'@font-face{}'}"),
}


@pytest.mark.parametrize("case", OF_THE_DOCUMENT, ids=str)
def test_rules_are_divided_between_document_and_shadow_root(case):
    css, document, shadow = OF_THE_DOCUMENT[case]
    assert document_rules(css) == document
    assert shadow_rules(css) == shadow


def test_rules_of_the_document_stay_on_their_lines():
    css = ".a {\n  x: y;\n}\n@font-face {\n  src: x;\n}\n"
    assert document_rules(css).splitlines()[3] == "@font-face {"


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("/* x */ .a {\n  x: y;\n}\n", ".a{x: y}"),
        (".a :hover , .b { x : 'a  b' ; }", ".a :hover,.b{x : 'a  b'}"),
        ("@media ( min-width : 1px ) { .a { } }", "@media ( min-width : 1px ){.a{}}"),
        (".a/* x */.b, c /* y */ d { e: f/* ; */; }", ".a/**/.b,c d{e: f}"),
        (".a { b:/**/1px/* x */2px; c: calc(1px +/**/2px) }", ".a{b:1px/**/2px;c: calc(1px +/**/2px)}"),
    ],
)
def test_compaction_removes_only_whitespace_and_comments(css, expected):
    assert compact(css) == expected


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        (".a { b: c }\n", []),
        ('.a { b: "}" } /* } */ .c { d: url(x}y) }', []),
        (".a { b: c }\n}\np { d: e }", ["2:1 this brace has no opening brace"]),
        (
            "}\n .a { b: c } }",
            ["1:1 this brace has no opening brace", "2:14 this brace has no opening brace"],
        ),
        (".a { b: c\n.d { e: f }", ["1:4 this brace is never closed"]),
        ("@media print {\n .a { b: c }\n", ["1:14 this brace is never closed"]),
        (".a { b: ( } ) ; }", ["1:9 this bracket is never closed"]),
        (".a { b: calc(1px + 2px; }\n.c { d: e }", ["1:13 this bracket is never closed"]),
        (".a[b { c: d }", ["1:3 this bracket is never closed"]),
        (".a { b: c) }", ["1:10 this bracket has no opening bracket"]),
        (".a { b: url(c.png; }\n.d { e: calc(1px) }", ["1:9 this url( is not closed"]),
        (".a { b: url(c.png", ["1:9 this url( is not closed"]),
        (".a { b: URL( c d.png ) }", ["1:9 this url( is not closed"]),
        ('.a { b: url("c.png) }', ["1:13 this text is never closed"]),
        (".a { b: 'c }\n.d { e: f }", ["1:9 this text is never closed"]),
        (".a { b: c }\n// it's red\n.d { e: f }", ["2:6 this text is never closed"]),
        (".a { b: c }\n/* d\n.e { f: g }", ["2:1 this comment is never closed"]),
        (".a { b: c } /*/ .e { f: g }", ["1:13 this comment is never closed"]),
        ('.a\\(b { c: "\\"" } .w-\\[1px\\] { d: url( e.png ) } .f:is(.g, [h]) { i: \'\\\n\' } /**/', []),
        (".a\\} { b: c }", []),
    ],
)
def test_unmatched_braces_are_errors(css, expected):
    diagnostics = bracket_findings("widgets/a/style.css", css)
    assert [
        f"{diagnostic.place.line}:{diagnostic.place.column} {diagnostic.message.partition(',')[0]}"
        for diagnostic in diagnostics
    ] == expected


@pytest.mark.parametrize(
    ("css", "place", "line"),
    [
        (".note { color #333; }\n", "1:14", ".note { color #333; }"),
        ("@keyframes spin{to{x:y}}\n.a { y: 1 }\n.note { color #333; }", "3:14", ".note { color #333; }"),
    ],
)
def test_style_error_is_shown_in_the_authors_line(project, css, place, line):
    project.add_widget("note", style_css=css)
    (diagnostic,) = [
        warning for warning in build(project.root, types=False).diagnostics if warning.rule == "style-warning"
    ]
    assert (str(diagnostic.place), diagnostic.excerpt) == (f"widgets/note/style.css:{place}", line)


def test_import_that_a_package_style_lacks_is_reported_in_the_package(project):
    project.add_file("node_modules/pkg/x.css", '@import "./missing.css";\n')
    project.add_widget("note", style_css='@import "pkg/x.css";\n.note { color: red }\n')
    with pytest.raises(Faulty) as caught:
        build_workspace(project.read())
    (diagnostic,) = caught.value.diagnostics
    assert (str(diagnostic.place), diagnostic.excerpt) == (
        "node_modules/pkg/x.css:1:9",
        '@import "./missing.css";',
    )


SHADOW = 'title = "Note"\nslot = "after-price"\nisolation = "shadow"\n'


@pytest.mark.parametrize(
    ("css", "place"),
    [
        ('@import "./colours.css";\n.note { color: red }\n', "1:1"),
        ("/* @import 'https://example.com' */\n  @IMPORT url(colours.css) print;", "2:3"),
        ('@import "https://example.com/x.css";\n@import "colours.css";', "2:1"),
    ],
)
def test_import_of_a_file_in_the_style_of_a_shadow_root_is_an_error(project, css, place):
    project.add_widget("note", widget_toml=SHADOW, style_css=css)
    project.add_file("widgets/note/colours.css", ".note { color: blue }\n")
    with pytest.raises(Faulty) as caught:
        build_workspace(project.read())
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.rule, str(diagnostic.place)) == ("style-error", f"widgets/note/style.css:{place}")
    assert "isolation" in diagnostic.hint


@pytest.mark.parametrize(
    "address",
    ['"https://example.com/x.css"', "url(//example.com/x.css) print", "url( 'http://example.com/x.css' )"],
)
@pytest.mark.parametrize("toml", [SHADOW, SHADOW.replace("shadow", "scoped")])
def test_import_from_another_host_stays_in_the_snippet(project, address, toml):
    css = f"@import {address};\n.note {{ color: red }}\n"
    project.add_widget("note", widget_toml=toml, style_css=css).build()
    assert "@import" in project.dist("body.html")


def test_text_like_an_import_is_built_in_a_shadow_root(project):
    css = '/* @import "x"; */ .note::after { content: \'@import "x";\' }\n'
    project.add_widget("note", widget_toml=SHADOW, style_css=css).build()
    assert "content:" in project.dist("body.html")


def _reported(diagnostics):
    return [
        f"{diagnostic.place.line}:{diagnostic.place.column} {diagnostic.message.split(chr(34))[1]}"
        for diagnostic in diagnostics
    ]


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        (".a { colour: red }", ["1:6 colour"]),
        (".a { color: red;\n  bakground: blue; aspect-ration: 1 }", ["2:3 bakground", "2:20 aspect-ration"]),
        (".a { &:hover { colr: red } }", ["1:16 colr"]),
        ("@media print { .a { colr: red } }", ["1:21 colr"]),
        (".a { @supports (x: y) { colr: red } }", ["1:25 colr"]),
        ("@keyframes spin { from { colr: red } }", ["1:26 colr"]),
        (".a { --colr: red; --b: { colr: x }; -webkit-colr: red; COLOR: red }", []),
        (".a:hovr, a colr:hover { color: red }", []),
        ("@font-face { font-nam: x; src: y } @property --a { syntx: '*' }", ["1:14 font-nam", "1:52 syntx"]),
        ("@media print { @page { margn: 1cm; size: a4; marks: crop } }", ["1:24 margn"]),
        ("@page { @top-left { colr: red } } @page :first { bleed: 6pt }", ["1:21 colr"]),
        ("@scope (.a) { .b { colr: red } }", ["1:20 colr"]),
        ("@-moz-document url-prefix() { .q { colr: red } }", ["1:36 colr"]),
        (
            "@counter-style a { prefx: x; pad: 3 '0' } @position-try --a { widht: 1px }",
            ["1:20 prefx", "1:63 widht"],
        ),
        (
            "@font-palette-values --a { base-palete: 1 } @view-transition { navigatio: auto }",
            ["1:28 base-palete", "1:64 navigatio"],
        ),
        ("@font-feature-values A { @styleset { nice-style: 12 } } @of-a-tool { fancy: 1 }", []),
        (".a { color-adjust: exact; _height: 1px }", []),
        (".a { content: 'colr: red'; /* colr: red */ background: url(colr:x) }", []),
        (".a { *zoom: 1; c\\olr: red }", []),
        ("colr: red;", []),
        (".a { colr", []),
    ],
)
def test_unknown_properties_are_reported(css, expected):
    assert _reported(property_findings("widgets/a/style.css", css)) == expected


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        (".a { padding: 0.5em\n  color: red; top: 0 }", ["2:3 color"]),
        (".a { margin: 0 auto\n COLOR : red\n left: 0 }", ["2:2 COLOR", "3:2 left"]),
        ("@media print { .a { .b { top: 0 left: 0 } } }", ["1:33 left"]),
        (
            ".a { --text: a color: red; background: url(color:x) image-set('color:a' 1x); width: calc(1px) }",
            [],
        ),
        (
            ".a { filter: progid:DXImageTransform.Microsoft.gradient(startColorstr='#1', endColorstr='#2') }",
            [],
        ),
        (".a { top: 0\n .b:hover { color: red } }", []),
        (".a { grid-area: 1 / 2; content: 'color: red' }", []),
    ],
)
def test_property_behind_a_missing_semicolon_is_reported(css, expected):
    assert _reported(property_findings("widgets/a/style.css", css)) == expected


OUTSIDE = {
    "body": ["1:1 body"],
    "HTML .a": ["1:1 HTML .a"],
    ".a,\nbody .b, html.dark .c": ["2:1 body .b", "2:10 html.dark .c"],
    ".a body > .b": ["1:4 .a body > .b"],
    "/* head */ head .a": ["1:12 head .a"],
    ".a :root": ["1:4 .a :root"],
    ":root, :root.dark .a, :host .b": [],
    "html, :host": [],
    "html, :root, body .a": [],
    ":root body .a, .b": ["1:7 :root body .a"],
    "body.dark & .a, html:has(&)": [],
    ".a :where(:root)": ["1:11 .a :where(:root)"],
    ":is(html, body) .a": ["1:5 :is(html, body) .a"],
    ":where(body, :root) .a, :is(:root)": [],
    ".a:has(body), .b:is(head)": ["1:8 .a:has(body)", "1:21 .b:is(head)"],
    ".a:not(:root), :not(html, body)": [],
    ":scope > .a, :where(:scope) .b": [],
    ".a :scope": ["1:4 .a :scope"],
    "::view-transition-old(a), :root::view-transition": [
        "1:1 ::view-transition-old(a)",
        "1:32 :root::view-transition",
    ],
    ".a::view-transition-old(a), .a::before": [],
    ".a:is(html .b, .c), .d::part(body)": [],
    ".a:is(body *), .a:where( html.dark > body ~ .b ), :is(body .a) .b": [],
    ".a:is(.b body), .a:where(:root *, .c html/**/ )": ["1:10 .a:is(.b body)"],
    "*|html .a, |body": ["1:3 *|html .a", "1:13 |body"],
    "a|html .a": [],
    "[dir=rtl] .a, [ LANG|='ar' ].b > .c": ["1:1 [dir=rtl] .a", "1:15 [ LANG|='ar' ].b > .c"],
    "[dir=rtl], [dir] & .a, .a[dir=rtl] .b, .a:is([dir=rtl] *), [data-dir] .a, [dir=rtl]": [],
    ".body, #body, [body], [a=body] .b, :not(body) .c, tbody, .a:is(html .a, .b)": [],
}


@pytest.mark.parametrize("selectors", OUTSIDE)
def test_selectors_outside_of_the_widget_are_reported(selectors):
    diagnostics = selector_findings("widgets/a/style.css", selectors + " { color: red }", shadow=False)
    assert _reported(diagnostics) == OUTSIDE[selectors]


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("@media print { body .a { color: red } }", ["1:16 body .a"]),
        (".a { html & .b { color: red } body .c { color: red } }", ["1:31 body .c"]),
        (".a { :root .b { color: red } :root & { color: red } }", ["1:6 :root .b"]),
        (".a { @media print { :root .b, :host .c { color: red } } }", ["1:21 :root .b"]),
        ("@media print { :root .b { color: red } }", []),
        (".a { [dir=rtl] .b { color: red } } .a [dir=rtl] .b { color: red }", []),
        (":root body, html { color: red }", ["1:7 :root body", "1:13 html"]),
        ("@font-face { src: x } @keyframes body { from { color: red } }", []),
    ],
)
def test_nested_selectors_outside_of_the_widget_are_reported(css, expected):
    assert _reported(selector_findings("widgets/a/style.css", css, shadow=False)) == expected


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        (":root, :host { --x: 1 }", []),
        ("html,\n:host(.dark) { line-height: 1.5 }", []),
        (":host html { color: red }", ["1:7 :host html"]),
        ("html.dark & .note { color: red }", ["1:1 html.dark & .note"]),
        (".note { :root & { color: red } &:hover { color: red } }", ["1:9 :root &"]),
        (".note { html, :host { color: red } }", ["1:9 html"]),
        (".note:is(body *) { color: red }", ["1:10 .note:is(body *)"]),
    ],
)
def test_selectors_outside_of_a_shadow_root_are_reported(css, expected):
    assert _reported(selector_findings("widgets/a/style.css", css, shadow=True)) == expected


@pytest.mark.parametrize("css", [".a,{ color: red }", ".a {{ color: red }}", ".a{}{}", ".a,/* b */{}"])
@pytest.mark.parametrize("shadow", [False, True])
def test_empty_selector_is_left_to_the_bundler(css, shadow):
    assert list(selector_findings("widgets/a/style.css", css, shadow=shadow)) == []


@pytest.mark.parametrize(("markup", "count"), [('<p dir="rtl">', 0), ("p.dir = d;", 0), ("a redirect", 1)])
def test_direction_is_the_page_s_if_no_element_of_the_widget_has_one(markup, count):
    found = selector_findings("widgets/a/style.css", "[dir=rtl] .a { top: 0 }", shadow=False, markup=markup)
    assert [one.hint for one in found] == ["[dir=rtl] & .note looks at the page around the widget"] * count


@pytest.mark.parametrize(("part", "count"), [('<p dir="auto">', 0), ("<p>", 1)])
def test_direction_may_be_that_of_an_element_of_a_shared_template(project, part, count):
    project.add_widget(
        "note", style_css="[dir=auto] .a { top: 0 }", view_html_j2='{% include "part.html.j2" %}'
    )
    project.add_file("widgets/_shared/part.html.j2", f'{part}<b class="a">x</b></p>\n')
    reported = inspect_workspace(project.root, types=False).others
    assert [found.rule for found in reported].count("style-selector") == count


def test_long_selector_is_quoted_in_one_line():
    (diagnostic,) = selector_findings("widgets/a/style.css", f"body\n  .{'a' * 90} {{}}", shadow=False)
    assert diagnostic.message == f'"body .{"a" * 74}..." matches nothing: body is outside of the widget'


@pytest.mark.parametrize(("name", "has_way"), [("html", True), ("body", True), ("head", False)])
def test_hint_names_a_class_of_the_page_where_one_can_decide(name, has_way):
    (diagnostic,) = selector_findings("widgets/a/style.css", f"{name} .a {{}}", shadow=False)
    assert (f"{name}.dark & .note" in diagnostic.hint) is has_way


@pytest.mark.parametrize(
    ("opening", "closing", "offset"),
    [
        (".a{", "}", 2),
        ("@media print {", "}", 13),
        ("@supports (a: b) {", "}", 10),
        ("@layer a{", "}", 8),
        ("width: calc(", ")", 7),
        ("(", ")", 0),
        (":is(", ")", 1),
        ("[", "]", 0),
    ],
)
def test_deeply_nested_rules_are_an_error_and_not_bundled(opening, closing, offset):
    css = ".x {\n" + opening * 2_000 + "colr: red" + closing * 2_000 + "\n}"
    (diagnostic,) = bracket_findings("widgets/a/style.css", css)
    place = f"widgets/a/style.css:2:{99 * len(opening) + offset + 1}"
    assert (diagnostic.rule, str(diagnostic.place)) == ("style-error", place)
    assert "nested more than 100 deep" in diagnostic.message
    assert scoped(css).count("{") <= 102
    assert without_depth(css).count("\n") == 2
    assert list(property_findings("widgets/a/style.css", css)) == []
    assert list(selector_findings("widgets/a/style.css", css, shadow=True)) == []


def test_style_may_be_a_hundred_levels_deep():
    css = ".a{" * 100 + "color:red" + "}" * 100
    assert list(bracket_findings("widgets/a/style.css", css)) == []
    assert without_depth(css) == css


@pytest.mark.parametrize("path", ["widgets/note/style.css", "widgets/_shared/deep.css"])
def test_deep_style_is_refused_wherever_it_is(project, path):
    project.add_widget("note", style_css='@import "../_shared/deep.css";')
    project.add_file("widgets/_shared/deep.css", ".a { color: red }")
    project.add_file(path, ".a{" * 5_000 + "color:red" + "}" * 5_000)
    with pytest.raises(Faulty) as caught:
        build_workspace(project.read())
    assert [(one.rule, str(one.place)) for one in caught.value.diagnostics if one.severity == "error"] == [
        ("style-error", f"{path}:1:303")
    ]


AT_RULES = {
    "@new-thing x { y: z }": "1:1 @new-thing is not a known at-rule",
    "@medai print { .a { b: c } }": "1:1 @medai is not a known at-rule",
    "@media print {\n @tailwind base; }": "2:2 @tailwind is not a known at-rule",
    ".a { @apply b; }": "1:6 @apply is not a known at-rule",
    ".a { .b { @keyframes c {} } }": "1:11 @keyframes inside of a rule is ignored by browsers",
    ".a { @media print { @font-face {} } }": "1:21 @font-face inside of a rule is ignored by browsers",
    ".a { @position-try --b {} }": "1:6 @position-try inside of a rule is ignored by browsers",
    ".a { @media print { b: c } @supports (a: b) { @layer c { d: e } } @container (b) {} @scope (.c) {} }": "",
    "@charset 'utf-8'; @import 'x'; @layer a, b; @namespace svg url(x); @page { @top-left {} }": "",
    "@-webkit-keyframes a {} @-moz-document url-prefix() { .a {} } @STARTING-STYLE { .a {} }": "",
    "@counter-style a {} @property --b {} @font-palette-values --c {} @view-transition {}": "",
    "@font-feature-values a { @styleset { b: 1 } } @position-try --c {} @color-profile --d {}": "",
}


@pytest.mark.parametrize("css", AT_RULES)
def test_at_rules_that_browsers_would_ignore_are_reported(css):
    reported = [
        f"{one.place.line}:{one.place.column} {one.message}" for one in at_rule_findings("a.css", css)
    ]
    assert reported == ([AT_RULES[css]] if AT_RULES[css] else [])


def test_unknown_at_rule_is_reported_once_and_kept(project):
    project.add_widget("note", style_css="@new-thing x { color: red }\n.note { color: red }\n").build()
    (warning,) = build(project.root, types=False).diagnostics
    assert (warning.rule, str(warning.place)) == ("style-warning", "widgets/note/style.css:1:1")
    assert "}@new-thing x{color: red}</style>" in project.dist("body.html")


PRIVATE = {
    "a style attribute": ("<p style='animation: spin {{ d }}s linear'>x</p>", "", ["view.html.j2:2:22"]),
    "its longhand": ('<p style="top: 0;\n animation-name: spin">x</p>', "", ["view.html.j2:3:18"]),
    "a variable": ('<p style="--by: spin">x</p>', "", ["view.html.j2:2:17"]),
    "a variable that no animation reads": ('<p style="--word: spin; color: red">x</p>', "", []),
    "other text": ("<p style='content: \"spin\"' class='spin' title='animation: spin'>spin</p>", "", []),
    "a keyword": ("<p style='animation: none 1s reverse'>x</p>", "", []),
    "a style element": ("<style>p { animation: spin 1s }</style>", "", ["view.html.j2:2:23"]),
    "key frames of its own": ("<style>@keyframes spin {} p { animation: spin 1s }</style>", "", []),
    "a property in a script": ("x", "p.style.animation = 'spin 1s';", ["widget.ts:5:21"]),
    "a prefixed one": ("x", "p.style.webkitAnimationName = `spin`;", ["widget.ts:5:31"]),
    "a choice": ("x", "p.style.animation = p.id ? `spin ${d}s` : 'none';", ["widget.ts:5:28"]),
    "setProperty": ("x", "p.style.setProperty('animation', 'spin 1s');", ["widget.ts:5:34"]),
    "an object": ("x", "Object.assign(p.style, { animation: 'spin 1s' });", ["widget.ts:5:37"]),
    "cssText": ("x", "p.style.cssText = 'top: 0; animation: spin 1s';", ["widget.ts:5:19"]),
    "an event": (
        "x",
        "p.onanimationend = (event: AnimationEvent) => event.animationName == 'spin';",
        ["widget.ts:5:70"],
    ),
    "markup": ("x", "p.innerHTML = '<b style=\"animation: spin 1s\">x</b>';", ["widget.ts:5:15"]),
    "an attribute without quotes": ("<p STYLE=animation-name:spin>x</p>", "", ["view.html.j2:2:25"]),
    "a reference in an attribute": ("<p style='animation: spi&#110; 1s'>x</p>", "", ["view.html.j2:2:1"]),
    "an attribute in a condition": (
        "<p style='{% if d %}animation: spin {{ d }}s{% endif %}'>x</p>",
        "",
        ["view.html.j2:2:32"],
    ),
    "no attribute": (
        (
            "<!-- <p style='animation: spin'> --><textarea><p style='animation: spin'></textarea>"
            "<p title=\"style='animation: spin'\" style='' style='animation: spin'>x</p>"
        ),
        "",
        [],
    ),
    "an attribute in a script": ("x", "p.setAttribute('style', 'animation: spin 1s');", ["widget.ts:5:25"]),
    "a longer style": ("x", "p.style.cssText += '; animation: spin 1s';", ["widget.ts:5:20"]),
    "a variable in a script": ("x", "p.style.setProperty('--by', 'spin');", ["widget.ts:5:29"]),
    "a rule": ("x", "document.styleSheets[0].insertRule('p { animation: spin }');", ["widget.ts:5:36"]),
    "a switch": (
        "x",
        "p.onanimationend = (e) => { switch (e.animationName) { case 'spin': p.remove(); } };",
        ["widget.ts:5:61"],
    ),
    "a list of names": (
        "x",
        "p.onanimationend = (e) => ['spin'].includes(e.animationName);",
        ["widget.ts:5:28"],
    ),
    "a style element in a script": (
        "x",
        'p.innerHTML = `<style>p { animation: spin ${d}s }</style><b style=\\"top: 0\\">`;',
        ["widget.ts:5:15"],
    ),
    "a sheet with an inserted rule": ("x", "p.x = `.a { animation: spin 1s } ${d}`;", ["widget.ts:5:7"]),
    "prose with braces": (
        "x",
        "p.title = 'p { animation: spin } is old'; Error('Odd { animation: spin }');",
        [],
    ),
    "another string": ("x", "p.title = 'spin'; p.className = 'animation: spin';", []),
}
TURN = "@keyframes spin { to { rotate: 1turn } } .a { animation: spin 1s, var(--by) 1s }"
SCRIPT = "const d = 2;\n\n\nconst p = document.createElement('p');\nCODE\n"


@pytest.mark.parametrize("case", PRIVATE)
def test_key_frames_named_outside_of_the_style_are_reported(case):
    markup, code, places = PRIVATE[case]
    keyframes = read_keyframes([TURN])
    script = ScriptFile(path="widget.ts", text=SCRIPT.replace("CODE", code))
    template = f"{{#def d: number -#}}\n{markup}\n"
    found = [*template_findings("view.html.j2", template, keyframes), *script_findings(script, keyframes)]
    assert [str(one.place) for one in found] == places
    assert all(one.severity == "warning" and '"spin"' in one.message for one in found)


@pytest.mark.parametrize("isolation", ["scoped", "shadow"])
def test_key_frames_are_private_in_a_scoped_style(project, isolation):
    project.add_widget("note", widget_toml=SHADOW.replace("shadow", isolation), style_css=TURN)
    project.add_file("widgets/note/view.html.j2", '<p style="animation: spin 1s">{{ t("hello") }}</p>')
    found = [
        str(one.place)
        for one in build(project.root, types=False).diagnostics
        if one.rule == "private-keyframes"
    ]
    assert found == (["widgets/note/view.html.j2:1:22"] if isolation == "scoped" else [])


def test_key_frames_of_an_imported_sheet_are_renamed_in_all(project):
    project.add_widget("note", style_css='@import "./turn.css";\n.note { animation: spin 1s }\n')
    project.add_file("widgets/note/turn.css", "@keyframes spin { to { rotate: 1turn } }\n")
    project.build()
    assert re.search(r"animation:(1s )?aw-\w{6}-spin", project.dist("body.html"))
    assert re.search(r"@keyframes aw-\w{6}-spin", project.dist("body.html"))


def test_similar_property_is_looked_up_once_for_each_name(monkeypatch):
    looked_up = []
    monkeypatch.setattr(properties, "did_you_mean", lambda name, _known: looked_up.append(name))
    assert len(list(property_findings("widgets/a/style.css", ".a { fancy-one: 1 }" * 9))) == 9
    assert looked_up == ["fancy-one"]


def test_root_is_outside_of_a_shadow_root():
    (diagnostic,) = selector_findings("widgets/a/style.css", ":root .a {}", shadow=True)
    assert (diagnostic.message, diagnostic.hint) == (
        '":root .a" matches nothing: :root is outside of the widget',
        "leave out :root; :host is the widget's own element",
    )


def test_misspelt_property_is_reported_once(project):
    project.add_widget("note", style_css=".note { colr: red; bakground: blue; colour: red }\n")
    warnings = [(w.rule, str(w.place), w.hint) for w in build(project.root, types=False).diagnostics]
    assert warnings == [
        ("style-warning", "widgets/note/style.css:1:9", 'did you mean "color"?'),
        ("style-warning", "widgets/note/style.css:1:20", 'did you mean "background"?'),
        ("style-warning", "widgets/note/style.css:1:37", 'did you mean "color"?'),
    ]


@pytest.mark.parametrize(
    "css",
    [
        "@font-face { font-famly: x }",
        "@page { margn: 1cm }",
        "@scope (.a) { .b { colr: red } }",
        "@-moz-document url-prefix() { .q { colr: red } }",
        "@media print { @page { widht: 1px } }",
    ],
)
def test_misspelt_name_in_an_at_rule_is_reported_once(project, css):
    project.add_widget("note", style_css=f".note {{ color: red }}\n{css}\n")
    (warning,) = build(project.root, types=False).diagnostics
    assert (warning.rule, warning.place.line) == ("style-warning", 2)


def test_comment_silences_warnings_about_styles(project):
    css = "/* awning-ignore style-warning, style-selector: as wanted */\nbody .note { fancy: 1 }\n"
    project.add_widget("note", style_css=css)
    project.add_file("widgets/_shared/colours.css", css)
    assert build(project.root, types=False).diagnostics == ()


def test_unknown_property_in_a_shared_folder_is_reported(project):
    project.add_widget("note", style_css='@import "../_shared/colours.css";\n')
    project.add_file("widgets/_shared/colours.css", "body { colour: red }\n")
    (warning,) = build(project.root, types=False).diagnostics
    assert (warning.rule, str(warning.place)) == ("style-warning", "widgets/_shared/colours.css:1:8")


def test_style_of_a_script_without_the_runtime_may_name_the_body(project):
    script = 'svcPlugins.subscribeEvent("svc-content-after-price", (event, init) => {\n  init();\n});\n'
    project.add_widget("note", widget_ts=script, style_css="body .note { color: red }\n")
    assert "style-selector" not in {finding.rule for finding in build(project.root, types=False).diagnostics}


def test_examples_of_style_selector(project):
    rule = find_rule("style-selector")
    project.add_widget("note", style_css=rule.wrong[0].code)
    project.add_widget("right", style_css=rule.right[0].code)
    reported = [(w.rule, str(w.place)) for w in build(project.root, types=False).diagnostics]
    assert reported == [
        ("style-selector", "widgets/note/style.css:1:1"),
        ("style-selector", "widgets/note/style.css:2:1"),
    ]
    assert re.search(r"html\.dark \.aw-\w{6} \.note\{", project.dist("widgets/right/body.html"))
