"""TypeScript's errors are findings of `check` and `build`, and an unchanged widget is not checked again."""

import json
import os
import shutil

import pytest

from awning.contract import SLOTS
from awning.diagnostics import Severity
from awning.errors import Faulty, ProgramUnusable
from awning.pipeline.build_session import build_session
from awning.pipeline.incremental import build, inspect_workspace
from awning.programs import TYPESCRIPT, find_program
from awning.typescript.server import LanguageServer
from awning.workspace.scaffolding import add_widget, make_workspace

pytestmark = pytest.mark.usefixtures("processes")

VIEW = "{#def sold: boolean #}<p>{% if sold %}-{% endif %}</p>\n"
SCRIPT = """\
import {{ afterPrice }} from "awning";
import view from "./view.html.j2";
export default afterPrice(({{ item }}) => view({{ sold: {sold} }}));
{more}
"""


def widget(sold: str = "item.stock === 0", more: str = "") -> str:
    return SCRIPT.format(sold=sold, more=more)


def type_errors(root):
    return [diagnostic for diagnostic in inspect_workspace(root).others if diagnostic.rule == "type-error"]


@pytest.fixture(scope="module")
def errors_of(findings_of):
    def errors(table, files):
        findings = findings_of(table, files)
        return {case: [d for d in findings[case] if d.rule == "type-error"] for case in table}

    return errors


READS = """\
{% if tested %}-{% endif %}{% if compared > 3 %}-{% endif %}{{ summed + 1 }}{{ t("hello", n=counted) }}
{{ kind is string }}{{ text.upper() }}{{ printed }}{{ object.field == 1 }}{% for x in list %}{{ x == 1 }}{% endfor %}
{{ rounded|round }}{{ priced|number }}{% if f %}{{ f() }}{% endif %}{{ g is callable }}{{ h(i) }}
"""
USES = """\
import { afterPrice, type Item, type Translate } from "awning";
import view from "./view.html.j2";
declare const t: Translate, item: Item, promise: Promise<boolean>, maybe: string | PromiseLike<string>;
class Note { then() {} }
const rest = {
  t, language: "en", tested: 1, compared: 1, summed: 1, counted: 1, kind: "", text: "", printed: 1,
  object: { field: 1 }, list: [1], rounded: 1, priced: 1, f: () => 1, g: () => 1,
  h: (call: () => number) => call(), i: () => 2,
};
export default afterPrice(() => view(rest));
"""
NO_VALUES = {
    "promise": "await the promise before",
    "maybe": "await the promise before",
    "() => 1": "call the function",
    "async () => 1": "call the function, and await its result",
    "Note": "call the function",
}
READ = ("tested", "compared", "summed", "counted", "kind", "text", "printed", "rounded", "priced")
WRONG_USES = (
    *((f"{name}: {value}", hint) for value, hint in NO_VALUES.items() for name in READ),
    ("object: promise", "await the promise before"),
    ("object: { field: promise }", "await the promise before"),
    ("object: { field: () => 1 }", "call the function"),
    ("list: promise", "await the promise before"),
    ("list: [promise]", "await Promise.all(...)"),
    ("list: [1].map(async (x) => x)", "await Promise.all(...)"),
    ("list: () => [1]", "call the function"),
)
RIGHT_USES = (
    "tested: item.stock",
    "tested: JSON.parse('1') as unknown",
    "tested: document.body",
    "compared: null",
    "compared: undefined",
    "summed: [1]",
    "kind: new Date()",
    "kind: { then: 'later', call: 'us', name: 'x', length: 1 }",
    "object: null",
    "object: { field: item }",
    "list: Object.fromEntries([['a', 1]])",
    "list: item.variants",
    "list: 'text'",
    "f: null",
    "g: 1",
    "i: 1",
)


def test_promise_or_function_is_an_error_where_a_template_reads_a_value(project):
    uses = [f"view({{ ...rest, {use} }});" for use in (*RIGHT_USES, *(use for use, _ in WRONG_USES))]
    texts = {f"messages_{language}_toml": 'hello = "{n}"\n' for language in ("en", "lv")}
    project.add_widget(widget_ts=USES + "\n".join(uses), view_html_j2=READS, **texts)
    errors = [d for d in inspect_workspace(project.root).counted() if d.severity is Severity.ERROR]
    assert {d.rule for d in errors} == {"type-error"}
    first = USES.count("\n") + len(RIGHT_USES) + 1
    hints = {d.place.line - first: d.hint for d in errors}
    assert len(errors) == len(WRONG_USES)
    wrong = [use for at, (use, hint) in enumerate(WRONG_USES) if hint not in hints.get(at, "no error")]
    assert wrong == []


FORMATS = {
    "money(item.price);": "money(item.price, item.currency)",
    "number(1);": "number(value, language)",
    "date('2026-01-01');": "date(value, language)",
    "const given = { price: 1 }; view(given);": "pass currency: item.currency",
}


def formatting(line: str) -> dict[str, str]:
    script = (
        widget("true", line)
        .replace("{ afterPrice }", "{ afterPrice, date, money, number, type Item }")
        .replace("view({ sold: true })", "String(item)")
    )
    return {"widget_ts": f"{script}declare const item: Item;\n", "view_html_j2": "{{ price|money }}\n"}


@pytest.mark.parametrize("line", FORMATS)
def test_missing_currency_or_language_is_explained(errors_of, line):
    [error] = errors_of(FORMATS, formatting)[line]
    assert FORMATS[line] in error.hint


def found(diagnostics) -> list[tuple[str, str, str, int, int]]:
    return [(d.severity, d.rule, d.place.path, d.place.line, d.place.column) for d in diagnostics]


WRONG = {
    "import deleted": (
        'import { afterPrice } from "awning";\nexport default afterPrice(({ t }) => view({ t }));\n',
        ("Cannot find name 'view'. (TS2304)", 2, 38),
    ),
    "function defined nowhere": (
        widget("item.stock === 0", "wherever();"),
        ("Cannot find name 'wherever'. (TS2304)", 4, 1),
    ),
    "promise for a boolean": (
        widget("fetch('x').then(() => true)"),
        ("Type 'Promise<boolean>' is not assignable to type 'boolean'. (TS2322)", 3, 48),
    ),
    "field of a payload": (
        widget("item.stok === 0"),
        ("Property 'stok' does not exist on type 'Item'. Did you mean 'stock'? (TS2551)", 3, 59),
    ),
    "after characters outside of the BMP": (
        widget(more='const text: [string, number] = ["ž😀", "x"]; void text;'),
        ("Type 'string' is not assignable to type 'number'. (TS2322)", 4, 39),
    ),
    "argument": (
        widget(more="parseInt(3);"),
        ("Argument of type 'number' is not assignable to parameter of type 'string'. (TS2345)", 4, 10),
    ),
}


def test_type_error_stops_check_and_build(project):
    for number, (script, _) in enumerate(WRONG.values()):
        project.add_widget(f"w{number}", widget_ts=script, view_html_j2=VIEW)
    expected = {
        (f"widgets/w{number}/widget.ts", line, column, message, script.splitlines()[line - 1])
        for number, (script, (message, line, column)) in enumerate(WRONG.values())
    }
    errors = [d for d in inspect_workspace(project.root).others if d.severity is Severity.ERROR]
    assert {(*found([d])[0][2:], d.message, d.excerpt) for d in errors} == expected
    assert {d.rule for d in errors} == {"type-error"}
    assert not (project.root / ".awning").exists()
    with pytest.raises(Faulty) as raised:
        build(project.root)
    assert [d for d in raised.value.diagnostics if d.rule == "type-error"] == errors
    assert not (project.root / "dist").exists()


def test_live_gives_a_render_function_its_arguments(project):
    script = (
        'import { afterPrice, live } from "awning";\n'
        "export default afterPrice(live(({ t, item }) => t('hello') + item.price, { on: {} }));\n"
    )
    project.add_widget(widget_ts=script)
    assert type_errors(project.root) == []
    project.add_file("widgets/note/widget.ts", script.replace("{ t, item }", "{ t, itme }"))
    [error, *_] = type_errors(project.root)
    assert "itme" in error.message


def test_types_are_left_out_on_demand(project):
    project.add_widget(widget_ts=widget("item.stok === 0", "wherever();"), view_html_j2=VIEW)
    verdict = inspect_workspace(project.root, types=False)
    assert [d for d in verdict.others if d.severity is Severity.ERROR] == []
    assert build(project.root, types=False).fresh
    with pytest.raises(Faulty, match="wherever"):
        build(project.root)


def test_comment_silences_a_type_error(project):
    ignored = "// awning-ignore type-error: the page defines it\nwherever();"
    project.add_widget(widget_ts=widget(more=ignored), view_html_j2=VIEW)
    assert type_errors(project.root) == []


@pytest.mark.parametrize(
    ("sold", "more", "rule", "line"),
    [
        ("item.stock === 0, more: 1", "", "template-variables", 3),
        ("'yes'", "", "template-variables", 3),
        ("true", 'import { afterPric } from "awning"; void afterPric;', "missing-export", 4),
        ("true", "afterCart(() => '');", "missing-import", 4),
        ("true", 'import { x } from "./gone"; x();', "unresolved-import", 4),
        ("true", "let b = {;", "script-error", 4),
    ],
)
def test_clearer_rule_reports_the_error_alone(project, sold, more, rule, line):
    project.add_widget(widget_ts=widget(sold, more), view_html_j2=VIEW)
    verdict = inspect_workspace(project.root)
    errors = [d for d in (*verdict.fatal, *verdict.others) if d.severity is Severity.ERROR]
    assert [(d.rule, d.place.line) for d in errors] == [(rule, line)]


def test_unresolved_name_brings_no_errors_that_follow_from_it(project):
    script = "export default afterPrise(({ item, t }) => `${item}${t}`);\n"
    project.add_widget(widget_ts=script)
    assert [d.message for d in inspect_workspace(project.root).others if d.rule == "type-error"] == [
        "Cannot find name 'afterPrise'. (TS2304)"
    ]


@pytest.fixture
def asked(monkeypatch):
    """The scripts that TypeScript is asked about."""
    paths: list[str] = []
    diagnose = LanguageServer.diagnose

    def diagnosed(self, scripts, checkpoint):
        paths.extend(scripts)
        return diagnose(self, scripts, checkpoint)

    monkeypatch.setattr(LanguageServer, "diagnose", diagnosed)
    return paths


def test_only_what_a_change_can_affect_is_checked_again(project, asked):
    for name in ("a", "b"):
        project.add_widget(name, widget_ts=widget(), view_html_j2=VIEW)
    project.add_file("widgets/_shared/more.ts", "export const more: number = 1;\n")
    build(project.root)
    assert sorted(asked) == ["widgets/_shared/more.ts", "widgets/a/widget.ts", "widgets/b/widget.ts"]
    asked.clear()
    project.add_file("widgets/a/view.html.j2", VIEW.replace("boolean", "string"))
    with pytest.raises(Faulty, match="sold"):
        build(project.root)
    assert asked == ["widgets/a/widget.ts"]
    asked.clear()
    project.add_file("widgets/a/view.html.j2", VIEW)
    project.add_file("widgets/a/style.css", ".a { color: red }\n")
    build(project.root)
    assert asked == ["widgets/a/widget.ts"]
    asked.clear()
    inspect_workspace(project.root)
    assert asked == []
    project.add_file("widgets/_shared/more.ts", "export const more: string = 1;\n")
    with pytest.raises(Faulty, match="not assignable to type 'string'"):
        build(project.root)
    assert sorted(asked) == ["widgets/_shared/more.ts", "widgets/a/widget.ts", "widgets/b/widget.ts"]


def test_resident_typescript_sees_each_change(project):
    project.add_widget(widget_ts=widget(), view_html_j2=VIEW)
    with build_session(project.root) as session:
        build(project.root, session=session)
        project.add_file("widgets/note/view.html.j2", VIEW.replace("boolean", "string"))
        with pytest.raises(Faulty, match="'boolean' is not assignable"):
            build(project.root, session=session)
        project.add_file("widgets/note/view.html.j2", VIEW)
        build(project.root, session=session)
        project.add_file("widgets/note/more.ts", "export const more: number = 'x';\n")
        with pytest.raises(Faulty, match=r"more\.ts:1:14"):
            build(project.root, session=session)
        project.add_file("widgets/note/more.ts", "export const more = 1;\n")
        project.add_file("widgets/note/widget.ts", widget(more='import "./more";'))
        build(project.root, session=session)
        (project.root / "widgets/note/more.ts").unlink()
        with pytest.raises(Faulty, match=r"\./more"):
            build(project.root, session=session)
        session.type_server._server._process.kill()
        project.add_file("widgets/note/widget.ts", widget("1"))
        with pytest.raises(Faulty, match="sold"):
            build(project.root, session=session)


def test_settings_of_the_workspace_decide(project):
    project.add_widget(widget_ts=widget(more="export const first = (x) => x;"), view_html_j2=VIEW)
    assert "implicitly" in "".join(d.message for d in inspect_workspace(project.root).others)
    project.add_file(
        "tsconfig.json", '{ "compilerOptions": { "strict": false, "lib": ["ES2022", "DOM"] } }\n'
    )
    assert type_errors(project.root) == []


def test_package_is_found(project):
    project.add_file("node_modules/shapes/package.json", json.dumps({"name": "shapes", "types": "i.d.ts"}))
    project.add_file("node_modules/shapes/i.d.ts", "export declare const side: number;\n")
    project.add_file("node_modules/shapes/index.js", "export const side = 1;\n")
    more = 'import { side } from "shapes"; export const text: string = side;'
    project.add_widget(widget_ts=widget(more=more), view_html_j2=VIEW)
    messages = [d.message for d in inspect_workspace(project.root).others if d.rule == "type-error"]
    assert messages == ["Type 'number' is not assignable to type 'string'. (TS2322)"]


def test_missing_typescript_is_a_warning_and_the_build_goes_on(project, monkeypatch):
    def find(_program, _environ):
        raise ProgramUnusable("awning carries no TypeScript for linux-riscv64", hint="set AWNING_TYPESCRIPT")

    monkeypatch.setattr("awning.pipeline.types.find_program", find)
    for name in ("a", "b"):
        project.add_widget(name, widget_ts=widget(more="wherever();"), view_html_j2=VIEW)
    [warning] = [d for d in build(project.root).diagnostics if "type" in d.rule]
    assert (warning.severity, warning.rule) == ("warning", "types-unchecked")
    assert "linux-riscv64" in warning.message


def test_named_typescript_that_does_not_run_is_an_error(project, tmp_path):
    project.add_widget(widget_ts=widget(), view_html_j2=VIEW)
    environ = {**os.environ, "AWNING_TYPESCRIPT": str(tmp_path / "nowhere")}
    with pytest.raises(ProgramUnusable, match="AWNING_TYPESCRIPT"):
        build(project.root, environ=environ)


def test_typescript_that_does_not_answer_is_an_error(project, tmp_path):
    named = tmp_path / "tsc"
    named.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo Version 5.9.3 && exit\necho no lsp here >&2; exit 1\n'
    )
    named.chmod(0o755)
    project.add_widget(widget_ts=widget(), view_html_j2=VIEW)
    with pytest.raises(ProgramUnusable, match="no lsp here"):
        build(project.root, environ={**os.environ, "AWNING_TYPESCRIPT": str(named)})


@pytest.mark.parametrize("hang", ["exec sleep 600", "sleep 600", "cat >/dev/null; sleep 600"])
def test_typescript_that_hangs_is_ended(project, tmp_path, monkeypatch, hang):
    monkeypatch.setattr("awning.typescript.server.MOST_SILENT_S", 0.2)
    named = tmp_path / "tsc"
    named.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo Version 5.9.3 && exit\n{hang}\n')
    named.chmod(0o755)
    project.add_widget(widget_ts=widget(), view_html_j2=VIEW)
    with pytest.raises(ProgramUnusable, match="does not answer"):
        build(project.root, environ={**os.environ, "AWNING_TYPESCRIPT": str(named)})


JAVASCRIPT = {
    "assigned by another script": ("given();", []),
    "assigned by itself": ("window.own = () => 1; own();", []),
    "assigned without a declaration": ("bare = 1; bare++;", []),
    "guarded": ('if (typeof dataLayer !== "undefined") dataLayer.push(1);', []),
    "read from the window": ("window.jQuery && jQuery(document);", []),
    "allowed": ("allowed();", []),
    "declared": ("var mine = 1; mine++;", []),
    "unknown": ("wherever();", [("warning", 1, 1)]),
    "misspelt": ("document.title = documnt.title;", [("warning", 1, 18)]),
    "jQuery of the shop": ("$(document); jQuery(document);", []),
    "tested with in": ('if ("fbq" in window) fbq();', []),
    "tested in parentheses": ("if (typeof (twq) === 'function') twq();", []),
    "tested as an own property": ('if (window.hasOwnProperty("gtag")) gtag();', []),
    "tested with Object.hasOwn": ('if (Object.hasOwn(globalThis, "pintrk")) pintrk();', []),
    "tested with a borrowed method": (
        'if (Object.prototype.hasOwnProperty.call(window, "snaptr")) snaptr();',
        [],
    ),
    "read by an optional member": ("globalThis?.ttq && ttq.page();", []),
    "read by its text": ('window["_paq"] && _paq.push([]);', []),
    "read by its text, optional": ("self?.['_hmt'] && _hmt.push([]);", []),
    "assigned by a pattern": ("[first, second] = [1, 2]; first + second;", []),
    "assigned by a loop": ("for (each of [1]) { each; }", []),
    "defined": ('Object.defineProperty(window, "made", { value: 1 }); made;', []),
    "assigned together": ("Object.assign(window, { joined: 1, given }); joined;", []),
    "shorthand": ("document.title = String({ titel });", [("warning", 1, 27)]),
    "of a test runner": ("describe();", [("warning", 1, 1)]),
    "of Node.js": ("process.exit(); Buffer;", [("warning", 1, 1), ("warning", 1, 17)]),
    "member of a class without this": (
        "class A { load() { return load(); } } new A();",
        [("warning", 1, 27)],
    ),
    "assigned in a comment": ("// total = 1\n/* total = 1 */ total;", [("warning", 2, 17)]),
    "assigned in a text": ("'qty = 3' + `qty = 3` + qty;", [("warning", 1, 25)]),
    "tested in a comment": ("// typeof total, window.total\ntotal;", [("warning", 2, 1)]),
    "tested of another object": ('"total" in document; document["total"]; total;', [("warning", 1, 41)]),
    "increased": ("total += 1;", [("warning", 1, 1)]),
    "other errors of types": ("document.title = 3; parseInt(1, 2, 3);", []),
    "of another script": ("window.given = () => 1;", []),
}
"""Scripts of the same page. No script assigns a name that another one reads, except `given`."""


def javascript(case: str) -> dict[str, str]:
    toml = 'title = "a"\nslot = "after-price"\nhead = "head.js"\n[globals]\nallowed = "a test"\n'
    code = f"{JAVASCRIPT[case][0]}\n"
    return {"widget_toml": toml, "head_js": code, "widget_ts": widget(), "view_html_j2": VIEW}


@pytest.mark.parametrize("case", JAVASCRIPT)
def test_of_javascript_only_unknown_names_are_reported(errors_of, case):
    errors = errors_of(JAVASCRIPT, javascript)[case]
    assert [(d.severity, d.place.line, d.place.column) for d in errors] == JAVASCRIPT[case][1]


def test_unknown_name_is_an_error_in_a_module_unless_it_is_guarded(project):
    project.add_widget(widget_ts=widget(more='import "./more.js"; import "./guarded.js";'), view_html_j2=VIEW)
    project.add_file("widgets/note/more.js", "export const more = wherever();\n")
    project.add_file(
        "widgets/note/guarded.js", 'if ("fbq" in window) fbq();\nexport const more = window["_paq"];\n'
    )
    assert found(type_errors(project.root)) == [("error", "type-error", "widgets/note/more.js", 1, 21)]


def test_build_with_types_has_the_same_bytes(project):
    project.add_widget(widget_ts=widget(), view_html_j2=VIEW)
    build(project.root)
    first = project.tree()
    shutil.rmtree(project.root / ".awning")
    build(project.root, types=False)
    assert project.tree() == first


def test_installed_typescript_is_verified_before_it_runs(project, tmp_path, monkeypatch):
    copy = tmp_path / TYPESCRIPT.folder
    shutil.copytree(find_program(TYPESCRIPT, {}).package, copy)
    (copy / "lib.dom.d.ts").write_text("")
    changed = find_program(TYPESCRIPT, {}, search=[str(tmp_path)])
    monkeypatch.setattr("awning.pipeline.types.find_program", lambda *_: changed)
    project.add_widget(widget_ts=widget(), view_html_j2=VIEW)
    with pytest.raises(ProgramUnusable, match="it was not run"):
        build(project.root)


def test_scripts_of_a_verbatim_widget_are_searched_for_unknown_names(project):
    project.add_file("widgets/old/widget.toml", 'title = "old"\n')
    html = (
        "<p>āāā😀</p><script>function known() { return {{svc_language}}; } known(); typeof guarded;</script>\n"
        "<p>āāā😀</p><script>'😀'; known(); guarded(); wherever();</script>\n"
    )
    project.add_file("widgets/old/body.html", html)
    types = type_errors(project.root)
    column = html.splitlines()[1].index("wherever") + 1
    assert found(types) == [("warning", "type-error", "widgets/old/body.html", 2, column)]


def test_html_and_comments_of_a_page_assign_nothing(project):
    project.add_file("widgets/old/widget.toml", 'title = "old"\n')
    project.add_file("widgets/other/widget.toml", 'title = "other"\n')
    project.add_file("widgets/old/body.html", "<script>var shared; const fixed = 1; set = 2</script>\n")
    html = """<input value="1" titel="2"><script>// total = 1
alert(value + titel + total + "qty = 3" + qty + shared + fixed + set)</script>
"""
    project.add_file("widgets/other/body.html", html)
    types = type_errors(project.root)
    assert [d.message.split("'")[1] for d in types] == ["value", "titel", "total", "qty"]


NO_RESULT = {
    "arrow function": "afterPrice(({ t }) => { view({ t }); })",
    "async": "afterPrice(async ({ t }) => { view({ t }); })",
    "named": "afterPrice(render); function render({ t }: PriceArgs) { view({ t }); }",
    "named and async": "afterPrice(render); async function render({ t }: PriceArgs) { view({ t }); }",
    "one branch": "afterPrice(({ t, item }) => { if (item.stock) return view({ t }); })",
    "one branch, async": "afterPrice(async ({ t, item }) => { if (item.stock) return view({ t }); })",
    "return without a value": "afterPrice(({ t, item }) => { if (!item.stock) return; return view({ t }); })",
    "handled exception": "afterPrice(({ t }) => { try { return view({ t }); } catch (e) { console.log(e); } })",
    "switch": 'afterPrice(({ t, item }) => { switch (item.sku) { case "a": return view({ t }); } })',
    "live": "afterPrice(live(({ t }) => { view({ t }); }, {}))",
    "live and async": "afterPrice(live(async ({ t }) => { view({ t }); }, {}))",
    "then": 'afterPrice(({ t }) => fetch("/x").then(() => { view({ t }); }))',
    "meanwhile": 'afterPrice(({ t }) => meanwhile("", fetch("/x").then(() => { view({ t }); })))',
    "list of slots": "[afterPrice(({ t }) => { view({ t }); })]",
}
RESULTS = (
    'afterPrice(({ t, item }) => (item.stock ? view({ t }) : ""))',
    "afterPrice(({ t, item }) => (item.stock ? view({ t }) : null))",
    "afterPrice(({ t, variant }) => variant && view({ t }))",
    "afterPrice(live(async ({ t, item }) => item.stock === 0 && view({ t }), {}))",
    "afterPrice(redrawn(9, live(({ t }) => view({ t }), { mounted: (root, { t }) => t('a') })))",
    "afterPrice(live(redrawn(9, ({ t }) => view({ t })), {}))",
    "afterPrice(live<PriceArgs>(async ({ t }) => view({ t }), {}))",
    'afterPrice(() => { throw new Error("never"); })',
)


def rendering(slots: str) -> str:
    names = (
        "import { afterPrice, live, meanwhile, redrawn, type PriceArgs } from 'awning';\n"
        "void [live, meanwhile, redrawn];\n"
    )
    return f'{names}void (0 as unknown as PriceArgs);\nimport view from "./view.html.j2";\nexport default {slots};\n'


@pytest.mark.parametrize("case", NO_RESULT)
def test_forgotten_return_is_an_error(errors_of, case):
    [error] = errors_of(NO_RESULT, lambda case: {"widget_ts": rendering(NO_RESULT[case])})[case]
    assert error.place.line == 5
    assert "return view({ ... })" in (error.hint or "")


def test_forgotten_return_in_javascript_is_an_error(project):
    project.add_widget(widget_ts='import slot from "./slot.js";\nexport default slot;\n')
    code = 'import {{ afterPrice }} from "awning";\nimport view from "./view.html.j2";\nexport default {};\n'
    project.add_file("widgets/note/slot.js", code.format(NO_RESULT["arrow function"]))
    assert found(type_errors(project.root)) == [("error", "type-error", "widgets/note/slot.js", 3, 27)]
    project.add_file("widgets/note/slot.js", code.format(NO_RESULT["return without a value"]))
    assert type_errors(project.root) == []


@pytest.mark.parametrize("slots", RESULTS)
def test_html_or_nothing_is_the_result_of_a_render_function(errors_of, slots):
    assert errors_of(RESULTS, lambda slots: {"widget_ts": rendering(slots)})[slots] == []


CALL = (
    "import view from './view.html.j2';\nexport default afterPrice(({{ {} }}) => view({{ t, more: {} }}));\n"
)
CART = CALL.replace("afterPrice", "afterCart")
HINTS = {
    "t": (
        CALL.format("item", "item.name"),
        "take it from the arguments of the render function, afterPrice(({ t })",
    ),
    "cart": (
        CART.format("t", "cart.total"),
        "take it from the arguments of the render function, afterCart(({ cart })",
    ),
    "currency of a cart": (
        CART.format("t", "currency.code"),
        "the render function, afterCart(({ currency })",
    ),
    "currency of a product": (CALL.format("t", "currency"), "the product has it: item.currency"),
    "price": (CALL.format("t", "price"), "the product has it: item.price"),
    "cart beside a price": (
        CALL.format("t", "cart.total"),
        "afterPrice does not give it: it gives data, item, ",
    ),
    "view": ("export default afterPrice(({ t }) => view({ t }));\n", 'import view from "./view.html.j2"'),
    "view under another name": (
        CALL.replace("import view", "import views").format("t", "1"),
        "it is imported as views",
    ),
    "misspelt view": (CALL.replace("=> view", "=> veiw").format("t", "1"), 'did you mean "view"?'),
    "type of the data": (
        CALL.replace("afterPrice(", "afterPrice<Data>(").format("t", "1"),
        "import type { Data } from",
    ),
    "misspelt argument": (CALL.format("t, itme", "itme.name"), 'did you mean "item"?'),
    "currency among the arguments": (CALL.format("t, currency", "1"), "the product has it: item.currency"),
    "argument of another slot": (
        CALL.format("t, cart", "1"),
        "the render function gets data, item, language",
    ),
    "name of the page": (CALL.format("t", "dataLayer"), "what the page defines: declare const dataLayer"),
}


def hinted(case: str) -> dict[str, str]:
    code = HINTS[case][0]
    names = ", ".join(name for name in ("afterPrice", "afterCart") if name in code)
    return {
        "slot": "after-cart" if "afterCart" in code else "after-price",
        "widget_ts": f'import {{ {names} }} from "awning";\n{code}',
        "view_html_j2": '<p>{{ t("hello") }}{{ more }}</p>\n',
        "data_schema_json": '{ "properties": { "a": { "type": "string" } } }\n',
    }


@pytest.mark.parametrize("case", HINTS)
def test_unknown_name_is_explained(errors_of, case):
    [error] = errors_of(HINTS, hinted)[case]
    assert HINTS[case][1] in error.hint


def test_widgets_of_a_newcomer_have_no_type_error(tmp_path):
    root = tmp_path / "shop"
    make_workspace(root, languages=("en",))
    for slot in SLOTS:
        for bare in (False, True):
            add_widget(root, f"{slot}-{bare}".lower(), slot=slot, languages=("en",), bare=bare)
    assert type_errors(root) == []
