"""The scripts of one HTML file are separate programs that share their globals."""

import pytest

from awning.check.files import check_text
from awning.contract import Dialect
from awning.diagnostics import Severity

TWICE = 'svcPlugins.subscribeEvent("svc-content-after-price", (event, init) => { init(); init(); });'
ONCE = 'svcPlugins.subscribeEvent("svc-content-after-price", (event, init) => { init(); });'
PAGES = {
    "a throw ends its own script": (f"<script>throw new Error();</script><script>{TWICE}</script>", True),
    "an exception ends its own script": (f"<script>null.x;</script><p></p><script>{TWICE}</script>", True),
    "a throw ends the rest of its script": (f"<script>throw new Error(); {TWICE}</script>", False),
    "a function is shared": (
        (
            "<script>var twice = (event, init) => { init(); init(); };</script>"
            '<script>svcPlugins.subscribeEvent("svc-content-after-price", twice);</script>'
        ),
        True,
    ),
    "a constant is shared": (
        (
            '<script>const PRICE = "svc-content-after-price";</script>'
            "<script>svcPlugins.subscribeEvent(PRICE + '-updated', (event, init) => init());</script>"
        ),
        True,
    ),
    "a function of a later script is not there yet": (
        f"<script>try {{ later(); }} catch {{ {TWICE} }}</script><script>function later() {{}}</script>",
        True,
    ),
    "a module comes after the others": (
        f'<script type="module">if (window.first) {{ {TWICE} }}</script><script>window.first = true;</script>',
        True,
    ),
    "the names of a module are its own": (
        (
            '<script type="module">let name = "svc-content-after-price";'
            "addEventListener('load', () => svcPlugins.subscribeEvent(name, (event, init) => init()));</script>"
            '<script type="module">let name = "svc-content-after-price-updated";</script>'
        ),
        False,
    ),
    "strict code is the script's own": (
        (
            '<script>"use strict"; var a;</script>'
            f"<script>(function () {{ if (this === window) {{ {TWICE} }} }})();</script>"
        ),
        True,
    ),
    "data is no script": (f'<script type="application/json">{{}}</script><script>{ONCE}</script>', False),
}


@pytest.mark.parametrize(("html", "broken"), PAGES.values(), ids=PAGES)
def test_scripts_of_a_page_run_one_after_another(html, broken):
    diagnostics = check_text("page.html", html, Dialect()).diagnostics
    rules = {diagnostic.rule for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR}
    assert bool(rules & {"init-once", "updated-pair"}) == broken


@pytest.mark.parametrize(
    ("path", "code", "broken"),
    [
        ("a.html", "<script type=module>if (this === undefined) {{ {} }}</script>", True),
        ("a.html", "<script>if (this === window) {{ {} }}</script>", True),
        ("a.js", "export {{}}; if (this === undefined) {{ {} }}", True),
        ("a.js", "await 1; if (this === undefined) {{ {} }}", True),
        ("a.mjs", "if (this === undefined) {{ {} }}", True),
        ("a.mts", "const seen: boolean = this === undefined; if (seen) {{ {} }}", True),
        ("a.mjs", "if (this === window) {{ {} }}", False),
        ("a.js", "if (this === window) {{ {} }}", True),
    ],
)
def test_this_of_a_module_is_undefined_and_that_of_a_classic_script_the_window(path, code, broken):
    diagnostics = check_text(path, code.format(TWICE), Dialect()).diagnostics
    assert [each.rule for each in diagnostics if each.severity is Severity.ERROR] == ["init-once"] * broken
