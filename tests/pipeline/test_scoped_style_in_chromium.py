"""What scoped styles compute to in Chromium: a table of cases, all in one page."""

import subprocess
from dataclasses import dataclass

import pytest

from awning.bundle.request import TARGET
from awning.bundle.run import find_esbuild
from awning.pipeline.style.keyframes import read_keyframes
from awning.pipeline.style.scope import scope
from awning_harness.browser import find_browser, launch_arguments

MARKUP = '<p class="a b" data-x="y">x<i class="c">y</i></p>'
SPIN = "@keyframes spin { to { rotate: 1turn } }"
REVERSE = "@keyframes reverse { to { rotate: -1turn } }"


@dataclass(frozen=True)
class Case:
    css: str
    expected: str
    asked: str = "animationName"
    of: str = ".a"
    """The element inside of the widget whose computed style is asked; empty for the widget's own element."""


ANIMATIONS = {
    "a name": Case(f"{SPIN} .a {{ animation: spin 91s }}", "§-spin"),
    "a keyword that is also a name": Case(
        f"{SPIN} {REVERSE} .a {{ animation: spin 91s linear infinite reverse }}", "§-spin"
    ),
    "the direction beside it": Case(
        f"{SPIN} {REVERSE} .a {{ animation: spin 91s linear infinite reverse }}",
        "reverse",
        "animationDirection",
    ),
    "a keyword twice": Case(f"{REVERSE} .a {{ animation: reverse 91s reverse }}", "§-reverse"),
    "an easing beside a function": Case(
        "@keyframes ease-in { to { rotate: 1turn } } .a { animation: cubic-bezier(0, 0, 1, 1) 91s ease-in }",
        "§-ease-in",
    ),
    "an easing that is also a name": Case(
        "@keyframes ease-in { from { opacity: 0 } } @keyframes pulse { 50% { opacity: .5 } }"
        ".a { animation: pulse 91s ease-in 2 }",
        "§-pulse",
    ),
    "both": Case("@keyframes both { to { rotate: 1turn } } .a { animation: 91s both both }", "§-both"),
    "infinite after a number": Case(
        "@keyframes infinite { to { rotate: 1turn } } .a { animation: 2 91s infinite }", "§-infinite"
    ),
    "paused": Case(
        f"@keyframes paused {{ to {{ rotate: 1turn }} }} {SPIN} .a {{ animation: paused 91s spin }}", "§-spin"
    ),
    "keywords in the longhand": Case(
        f"{REVERSE} .a {{ animation-name: reverse, none; animation-duration: 99s }}", "§-reverse, none"
    ),
    "a list": Case(
        f"{SPIN} {REVERSE} .a {{ animation: 91s spin, reverse 92s reverse }}", "§-spin, §-reverse"
    ),
    "a string": Case('@keyframes "glow" { to { opacity: .5 } } .a { animation: "glow" 91s }', "§-glow"),
    "the initial value of a variable": Case(
        f"@property --first {{ syntax: '*'; inherits: true; initial-value: spin }} {SPIN}"
        ".a { animation: var(--first) 91s }",
        "§-spin",
    ),
    "a string and a name": Case(
        "@keyframes 'glow' { to { opacity: .5 } } .a { animation: glow 91s }", "§-glow"
    ),
    "an escape": Case("@keyframes sp\\69n { to { rotate: 1turn } } .a { animation: spi\\6e  91s }", "§-spin"),
    "a name with a sign": Case(
        "@keyframes spin\\+1 { to { rotate: 1turn } } .a { animation: spin\\+1 91s }", "§-spin\\+1"
    ),
    "a variable": Case(f"{SPIN} .a {{ --by: spin; animation: var(--by) 91s }}", "§-spin"),
    "a variable of a variable": Case(
        f"{SPIN} .a {{ --by: spin 91s; --all: var(--by), none; animation: var(--all) }}", "§-spin, none"
    ),
    "the other value of a variable": Case(f"{SPIN} .a {{ animation: var(--by, spin) 91s }}", "§-spin"),
    "a function of the page": Case(
        f"@function --f() {{ --by: spin; result: var(--by) 91s }} {SPIN} .a {{ animation: --f() }}", "§-spin"
    ),
    "a parameter of a function": Case(
        f"@function --g(--n: spin) {{ result: var(--n) 91s }} {SPIN} .a {{ animation: --g() }}", "§-spin"
    ),
    "a container with a variable": Case(
        f"{SPIN} :root {{ --by: spin }} @container style(--by: spin) {{ .a {{ animation: var(--by) 91s }} }}",
        "§-spin",
    ),
    "a condition with a value that is a name": Case(
        f"{REVERSE} .a {{ --k: reverse; animation: if(style(--k: reverse): reverse reverse 91s; else: none) }}",
        "§-reverse",
    ),
    "a number that is reckoned": Case(
        "@keyframes infinite {} .a { animation: calc(2) calc(90s + 1s) infinite }", "§-infinite"
    ),
    "important": Case(f"@keyframes important {{}} {SPIN} .a {{ animation: spin 91s !important }}", "§-spin"),
    "in upper case": Case(f"{SPIN} .a {{ ANIMATION: spin 91s LINEAR }}", "§-spin"),
    "in a condition": Case(f"@media all {{ {SPIN} .a {{ animation: spin 91s }} }}", "§-spin"),
    "key frames in @scope": Case(f"@scope (.a) {{ {SPIN} .c {{ animation: spin 91s }} }}", "§-spin", of=".c"),
    "in a declaration of @scope": Case(f"{SPIN} @scope (.a) {{ animation: spin 91s }}", "§-spin"),
    "between comments": Case(f"@keyframes/**/spin {{}} {SPIN} .a {{ animation:/**/spin/**/91s }}", "§-spin"),
    "in @scope": Case(f"{SPIN} @scope (.a) {{ .c {{ animation: spin 91s }} }}", "§-spin", of=".c"),
}
VALUES = {
    "layers named in a condition": Case(
        "@media screen { @layer l1, l2; } @layer l2 { .a { margin-left: 4px } } @layer l1 { .a { margin-left: 9px } }",
        "4px",
        "marginLeft",
    ),
    "an empty layer": Case(
        "@layer l3 {} @layer l4 { .a { margin-left: 4px } } @layer l3 { .a { margin-left: 9px } }",
        "4px",
        "marginLeft",
    ),
    "layers named after one": Case(
        "@layer l5 { .a { margin-left: 9px } } @layer l6, l5; @layer l6 { .a { margin-left: 4px } }",
        "4px",
        "marginLeft",
    ),
    "auto, a duration": Case(
        f"@keyframes auto {{ to {{ rotate: 1turn }} }} {SPIN} .a {{ animation: auto spin }}",
        "§-spin",
        "animationName",
    ),
    "a layer without a name before named ones": Case(
        "@layer { .a { margin-left: 9px } } @layer l8, l9; @layer l9 { .a { margin-left: 4px } }",
        "4px",
        "marginLeft",
    ),
    "a layer without a name in a condition": Case(
        "@layer m1; @media all { @layer { .a { margin-left: 9px } } } @layer m2; @layer m2 { .a { margin-left: 4px } }",
        "4px",
        "marginLeft",
    ),
    "a declaration after a condition": Case(
        ".a { @media all { margin-left: 1px } margin-left: 2px }", "2px", "marginLeft"
    ),
    "a declaration after a nested rule": Case(
        ".a { & { margin-left: 1px } margin-left: 2px; .c & { margin-left: 9px } }", "2px", "marginLeft"
    ),
    "a declaration between nested rules": Case(
        ".a { .c { & { margin-left: 1px } top: 1px; margin-left: 2px; @media print { top: 2px } } }",
        "2px",
        "marginLeft",
        ".c",
    ),
    ":not(&)": Case(".b { :not(&) { margin-left: 3px } }", "3px", "marginLeft", ".c"),
    "a variable that is no animation": Case(
        "@keyframes red { to { rotate: 1turn } } .a { --tone: red; color: var(--tone) }",
        "rgb(255, 0, 0)",
        "color",
    ),
    "a condition with a variable": Case(
        f"{SPIN} .a {{ --by: spin; animation: var(--by) 91s; margin-left: if(style(--by: spin): 3px; else: 0px) }}",
        "3px",
        "marginLeft",
    ),
    "a variable of a word": Case("@keyframes flex {} .a { --d: flex; display: var(--d) }", "flex", "display"),
    ":root": Case(":root { margin-left: 3px }", "3px", "marginLeft", ""),
    ":where(:root)": Case(":where(:root) { --gap: 7px } .a { margin: var(--gap) }", "7px", "marginLeft"),
    ":is(:root, .dark) .c": Case(":is(:root, .dark) .c { margin-left: 4px }", "4px", "marginLeft", ".c"),
    ":is(.a, :root) > .a": Case(":is(.b, :root) > .a { margin-left: 4px }", "4px", "marginLeft"),
    ":where(:is(:root))": Case(":where(:is(:root)) { margin-left: 5px }", "5px", "marginLeft", ""),
    ":not(:root)": Case(":not(:root) { margin-left: 6px }", "6px", "marginLeft", ".c"),
    ":host(.host)": Case(":host(.host) .a { margin-left: 8px }", "8px", "marginLeft"),
    ":root:not(.dark)": Case(":root:not(.dark) .a { margin-left: 8px }", "8px", "marginLeft"),
    "@scope": Case("@scope (.a) to (.d) { :scope { margin-left: 9px } }", "9px", "marginLeft"),
    "@scope beside another rule": Case(
        "@scope (.a) { .c { margin-left: 9px } } .c { margin-left: 1px }", "9px", "marginLeft", ".c"
    ),
    "@scope of the widget": Case("@scope { .a { margin-left: 9px } }", "9px", "marginLeft"),
    "@scope of :root": Case("@scope (:root) { .a { margin-left: 9px } }", "9px", "marginLeft"),
    "a bracket that is closed late": Case(
        ".a { margin-left: 2px; --x: (}); } .b { top: 1px }", "2px", "marginLeft"
    ),
    "a block in a variable": Case(".a { --x: { y: z }; margin-left: 2px }", "2px", "marginLeft"),
    "a declaration of @scope": Case(
        "@scope (.a) { margin-left: 9px; .c { margin-left: 1px } } p { margin-left: 4px }",
        "4px",
        "marginLeft",
    ),
    "a declaration of @scope in a layer": Case(
        "@layer l7 { @scope (.a) { @scope (.c) { margin-left: 9px } } }", "9px", "marginLeft", ".c"
    ),
    ":scope": Case(":scope { --gap: 5px } :scope > .a { margin-left: var(--gap) }", "5px", "marginLeft"),
    ":is(:scope, .d)": Case(":is(:scope, .d) > .a { margin-left: 5px }", "5px", "marginLeft"),
    "comments between words": Case(
        ".a { font-family: Arial/**/Black/*\n*/, serif }", '"Arial Black", serif', "fontFamily"
    ),
    "a position": Case(
        "@position-try --flip { position-area: bottom } .a { position: fixed; position-try-fallbacks: --flip }",
        "--flip",
        "positionTryFallbacks",
    ),
}
CASES = ANIMATIONS | VALUES
OUTSIDE = {
    ":is(:root, .b) .c": ":is(:root, .b) .c { top: 1px }",
    ":where(.b, :host)": ":where(.b, :host) { top: 1px }",
    ":not(&)": ":not(&) { top: 1px } .b { :not(&), i:not(&) { top: 1px } }",
    "@scope": "@scope (.b) { .c, :scope { top: 1px } }",
    "@scope without a start": "@scope { .b { top: 1px } }",
    "@scope in a condition": "@media all { @scope (.b) { .c { top: 1px } } }",
    "an at-rule of another browser": "@-moz-document url-prefix() { .b { top: 1px } }",
}
"""Styles that may not reach an element that is outside of the widget."""


@pytest.fixture(scope="module")
def shop(playwright):
    """A page with a widget of each case, and an element beside them."""
    browser = playwright.chromium.launch(executable_path=find_browser().path, args=launch_arguments())
    page = browser.new_page()
    every = [case.css for case in CASES.values()] + list(OUTSIDE.values())
    sheets = [scope(css, f"aw-{number}", read_keyframes([css])) for number, css in enumerate(every)]
    blocks = [f'<div class="aw-{number} host">{MARKUP}</div>' for number in range(len(sheets))]
    styles = [f"<style>{minified(sheet)}</style>" for sheet in sheets]
    page.set_content(f"<!doctype html><body>{''.join(styles + blocks)}<div id=outside>{MARKUP}</div>")
    yield page
    browser.close()


def minified(css: str) -> str:
    target = f"--target={','.join(TARGET)}"
    command = [find_esbuild().path, "--loader=css", "--minify", "--log-level=error", target]
    return subprocess.run(
        command, input=css, check=True, capture_output=True, text=True, encoding="utf-8"
    ).stdout


@pytest.mark.parametrize("name", CASES)
def test_scoped_style_computes_as_written(shop, name):
    case, root = CASES[name], f"aw-{list(CASES).index(name)}"
    computed = shop.evaluate(
        "([selector, name]) => getComputedStyle(document.querySelector(selector))[name]",
        [f".{root} {case.of}".strip(), case.asked],
    )
    assert computed == case.expected.replace("§", root)


@pytest.mark.parametrize("name", [name for name in ANIMATIONS if "direction" not in name])
def test_scoped_animation_runs(shop, name):
    case, root = CASES[name], f"aw-{list(CASES).index(name)}"
    running = shop.evaluate(
        "(selector) => document.querySelector(selector).getAnimations().map((one) => one.animationName)",
        f".{root} {case.of}",
    )
    names = [one for one in case.expected.replace("§", root).replace("\\", "").split(", ") if one != "none"]
    assert sorted(running) == sorted(names)


def test_positions_are_at_the_top_of_the_sheet(shop):
    kept = shop.evaluate(
        "() => [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter((rule) =>"
        " rule instanceof CSSPositionTryRule).map((rule) => rule.style.length)"
    )
    assert kept == [1]


def test_no_style_reaches_the_element_outside(shop):
    names = ["animationName", "marginLeft", "top", "color", "display"]
    plain = shop.evaluate(
        """(names) => {
          const frame = document.createElement("iframe");
          document.body.append(frame);
          frame.contentDocument.body.innerHTML = document.querySelector("#outside").outerHTML;
          const read = (page) => [...page.querySelectorAll("#outside, #outside *")].map((element) =>
            names.map((name) => page.defaultView.getComputedStyle(element)[name]));
          return [read(document), read(frame.contentDocument)];
        }""",
        names,
    )
    assert plain[0] == plain[1]
