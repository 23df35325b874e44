"""`--fix` moves a call of initContentHandler that comes too late, if running shows the same page, or says why not."""

import pytest

from awning.check.files import check_text
from awning.check.fixing import apply_fixes
from awning.contract import Dialect

BASE = 'svcPlugins.subscribeEvent("svc-content-after-price", '
UPDATED = 'svcPlugins.subscribeEvent("svc-content-after-price-updated", '

NAMED = 'svcPlugins.subscribeEvent(name, (e, init) => { c = c || init(); c.setContent("u"); });'

MOVED = {
    "timer": (
        BASE + '(event, init) => {\n  setTimeout(() => { init().setContent("a"); }, 0);\n});\n',
        BASE
        + "(event, init) => {\n  const contentHandler = init();\n"
        + '  setTimeout(() => { contentHandler.setContent("a"); }, 0);\n});\n',
    ),
    "await, with a remark and the result in a variable": (
        BASE
        + 'async (e, init) => {\n  // a remark\n  await null;\n  const own = init();\n  own.setContent("č");\n});',
        BASE
        + "async (e, init) => {\n  const contentHandler = init();\n  // a remark\n  await null;\n"
        + '  const own = contentHandler;\n  own.setContent("č");\n});',
    ),
    "old script on one line, with a directive": (
        BASE
        + 'function (e, init) { "use strict"; setTimeout(function () { init().setContent("a"); }, 0); });',
        BASE
        + 'function (e, init) { "use strict"; var contentHandler = init();'
        + ' setTimeout(function () { contentHandler.setContent("a"); }, 0); });',
    ),
    "answer of a host that may fail": (
        BASE + '(e, init) => { fetch("/x").then((r) => r.text()).then((t) => init().setContent("x")); });',
        BASE
        + '(e, init) => { const contentHandler = init(); fetch("/x").then((r) => r.text())'
        + '.then((t) => contentHandler.setContent("x")); });',
    ),
    "name that the script has": (
        "var contentHandler = 1;\n"
        + BASE
        + '(e, init) => { setTimeout(() => { init().setContent("a"); }); });',
        "var contentHandler = 1;\n"
        + BASE
        + '(e, init) => { const ownBlock = init(); setTimeout(() => { ownBlock.setContent("a"); }); });',
    ),
    "first update makes the block, in a block that keeps its name from other scripts": (
        "let c;\n  " + UPDATED + '(e, init) => {\n  c = c || init();\n  c.setContent("u");\n})\nlet d;',
        "let c;\n  {\n  let contentHandler;\n  "
        + BASE
        + "function (event, init) { contentHandler = init(); });\n  "
        + UPDATED
        + '(e, init) => {\n  c = c || contentHandler;\n  c.setContent("u");\n})\n  }\nlet d;',
    ),
    "first update in a function, with the line ends of Windows and an odd name": (
        f"(function () {{\r\n\t{UPDATED}function (e, event) {{ event(); }});\r\n}})();",
        "(function () {\r\n\tvar contentHandler;\r\n\t"
        + BASE
        + "function (e, event) { contentHandler = event(); });\r\n\t"
        + UPDATED
        + "function (e, event) { contentHandler; });\r\n})();",
    ),
}

LEFT = {
    "the page would differ": (
        BASE + '(e, init) => { setTimeout(() => { init().setContent("late"); }, 0); });\n'
        + BASE + '(e, own) => { own().setContent("early"); });',
        UPDATED + '(e, init) => { init().setContent("u"); });',
        "let c;\n" + BASE + '(e, init) => { c = init(); c.setContent("a"); });\n'
        + UPDATED + '(e, init) => { init().setContent("u"); });',
    ),
    "the check cannot run all of what the script does": (
        BASE + '(e, init) => { setTimeout(() => { if (window.a && a.b === 3) alert(1); init().setContent("x"); }); });',
    ),
    "its callback has no body in braces": (
        BASE + '(e, init) => setTimeout(() => init().setContent("a"), 0));',
    ),
    "the file has a source map, so it is generated: change what it is made from": (
        BASE + '(e, init) => { setTimeout(() => { init().setContent("a"); }); });\n//# sourceMappingURL=old.js.map\n',
    ),
    "init is used elsewhere in the callback, too": (
        BASE + '(e, init) => { setTimeout(() => { if (init) init().setContent("a"); }, 0); });',
    ),
    "the call is made elsewhere, by what gets initContentHandler": (
        BASE + '(e, init) => { Promise.resolve("x").then(init); });',
    ),
    "init is not the second parameter of a function that is written into subscribeEvent": (
        'function show(e, init) { setTimeout(() => { init().setContent("a"); }, 0); }\n' + BASE + "show);",
    ),
    "the event's name is not written into a call of subscribeEvent that stands alone": (
        "let c;\nif (window.svcPlugins) " + UPDATED + '(e, init) => { c = c || init(); c.setContent("u"); });',
        f"let c;\nconst name = 'svc-content-after-price-updated';\n{NAMED}",
    ),
    "the script has the names contentHandler, ownBlock, ownContentHandler already": (
        "let contentHandler, ownBlock, ownContentHandler;\n"
        + BASE + '(e, init) => { setTimeout(() => { init().setContent("a"); }, 0); });',
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", MOVED)
def test_late_call_is_moved_where_the_page_stays_the_same(case):
    before, after = MOVED[case]
    assert apply_fixes("old.js", before, Dialect()) == (after, 1)
    rules = {diagnostic.rule for diagnostic in check_text("old.js", after, Dialect()).diagnostics}
    assert rules.isdisjoint({"init-early", "updated-pair", "init-once"})


@pytest.mark.parametrize(
    ("reason", "script"), [(reason, script) for reason, cases in LEFT.items() for script in cases]
)
def test_late_call_that_stays_has_the_reason_in_its_hint(reason, script):
    checked = check_text("old.js", script, Dialect())
    hints = [item.hint for item in checked.diagnostics if item.rule in {"init-early", "updated-pair"}]
    assert [hint for hint in hints if hint.endswith(f"(--fix leaves it: {reason})")], hints
    assert apply_fixes("old.js", script, Dialect()) == (script, 0)


TYPED = UPDATED + "(e: unknown, init{}): void => {{ init(); }});"


def test_variable_of_a_typescript_has_the_type_that_the_callback_names():
    fixed, count = apply_fixes("old.ts", TYPED.format(": () => Handler"), Dialect())
    assert (count, "let contentHandler: ReturnType<() => Handler>;" in fixed) == (1, True)
    assert apply_fixes("old.ts", TYPED.format(""), Dialect())[1] == 0


def test_fixes_inside_each_other_keep_all_other_text():
    inner = (
        '        var all = new Function("return this")(); setTimeout(() => {{ {}().setContent("a"); }}, 0);'
    )
    script = f"{BASE}(e, init) => {{\n{inner.format('init')} /* 1 */ /* 2 */ /* 3 */ /* 4 */ /* 5 */\n}});\n"
    moved = script.replace("init().", "contentHandler.").replace(
        "{\n", "{\n        const contentHandler = init();\n", 1
    )
    assert apply_fixes("old.js", script, Dialect()) == (
        moved.replace('new Function("return this")()', "globalThis"),
        2,
    )


def test_call_in_a_page_is_moved_in_its_script():
    page = "<p>č</p>\n<script>\n" + MOVED["timer"][0] + "</script>\n"
    fixed, count = apply_fixes("old.html", page, Dialect())
    assert (fixed, count) == (page.replace(*MOVED["timer"]), 1)
