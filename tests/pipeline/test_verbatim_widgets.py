"""Verbatim widgets in a build: their HTML is in the snippets as it is, in its place beside the script of the others."""

import json

import pytest
from project import Project

from awning.diagnostics import Severity
from awning.errors import ConfigurationError, Faulty
from awning.pipeline.incremental import build, inspect_workspace
from awning.pipeline.phases import build_workspace
from awning.pipeline.write.maps import BuiltScript
from awning.publish.disabling import WidgetSwitch, check_widget

HTML = "\r\n<p lang={{svc_language}}>{{svc_app_data}} {% x %}</p>\r\n<script>'awning-build....</scr'</script>ā\r\n"


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "shop")


def add_verbatim(project, name, html=HTML, *, place="body", toml=""):
    folder = project.root / "widgets" / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "widget.toml").write_text(f'title = "{name}"\n{toml}')
    (folder / f"{place}.html").write_bytes(html.encode())


def built(project, path):
    return project.tree()[path].decode().partition("-->")[2]


def order(project, *names):
    table = f"[tool.awning]\nlanguages = {json.dumps(list(project.languages))}\norder = {json.dumps(names)}\n"
    project.add_file("pyproject.toml", table)


def test_snippets_hold_the_html_byte_for_byte_in_every_language(project):
    add_verbatim(project, "old")
    project.build()
    for path in (
        "body.html",
        "en/body.html",
        "lv/body.html",
        "widgets/old/body.html",
        "widgets/old/lv/body.html",
    ):
        assert built(project, path) == HTML
    assert project.tree()["head.html"] == b""


def test_comments_name_the_widget_in_a_development_build(project):
    add_verbatim(project, "old", "<p>a</p>")
    build_workspace(project.read(), dev=True)
    assert built(project, "body.html") == "<!--awning-widget old--><p>a</p><!--/awning-widget-->"


def test_html_of_the_head_is_in_the_head_snippet(project):
    add_verbatim(project, "old", place="head")
    project.build()
    assert built(project, "head.html") == HTML
    assert project.tree()["body.html"] == b""


def test_language_without_the_widget_has_none_of_its_html(project):
    add_verbatim(project, "old", toml='languages = ["lv"]\n')
    project.build()
    assert built(project, "lv/body.html") == HTML
    assert project.tree()["en/body.html"] == b""


@pytest.mark.parametrize(
    ("names", "pieces"),
    [
        (("one", "two", "note", "other"), ("<i>1</i>\n", "<i>2</i>\n", "script")),
        (("note", "other", "two", "one"), ("script", "<i>2</i>\n", "<i>1</i>\n")),
        (("one", "note", "two", "other"), ("<i>1</i>\n", "script", "<i>2</i>\n")),
    ],
)
def test_html_is_in_the_order_of_the_widgets(project, names, pieces):
    project.add_widget("note").add_widget("other")
    project.build(out=project.root / "alone")
    script = (project.root / "alone/body.html").read_bytes().decode().partition("-->")[2]
    add_verbatim(project, "one", "<i>1</i>\n")
    add_verbatim(project, "two", "<i>2</i>\n")
    order(project, *names)
    project.build()
    assert built(project, "body.html") == "\n".join(
        script if piece == "script" else piece for piece in pieces
    )


def test_bundled_script_beside_html_is_found_for_its_source_map(project):
    project.add_widget("note")
    add_verbatim(project, "a", "<script>before()</script>")
    add_verbatim(project, "z", "<script>after()</script>")
    build_workspace(project.read(), out=project.root / "tested", for_tests=True)
    script = BuiltScript.read(project.root / "tested", "body.html")
    code = script.code
    assert "before()" not in code
    assert "after()" not in code
    line = code[: code.index("hello")].count("\n") + 1
    assert script.place(line, len(code.split("\n")[line - 1])) is not None
    assert BuiltScript.read(project.root / "tested", "widgets/z/body.html") is None


def test_name_of_the_build_is_put_into_the_bundled_script_alone(project):
    add_verbatim(project, "old")
    project.add_widget("note")
    project.add_file(
        "pyproject.toml",
        '[tool.awning]\nlanguages = ["en"]\nbeacon = "https://a.example/"\nkill_switch = true\n',
    )
    record = project.build()
    html = built(project, "body.html")
    assert HTML in html
    assert f'"{record.fingerprint[:12]}.' in html
    assert "data-awning" in html


def test_record_names_verbatim_widgets_and_disabling_one_is_refused(project):
    add_verbatim(project, "old")
    record = project.build()
    (widget,) = record.widgets
    assert (widget.verbatim, widget.raw, widget.slots) == (True, True, ())
    (row,) = json.loads(project.dist("build.json"))["widgets"]
    assert row["verbatim"] is True

    class NoReleases:
        def all(self):
            return ()

    with pytest.raises(ConfigurationError, match="cannot be disabled"):
        check_widget(WidgetSwitch(widget="old", disable=True, current=record), NoReleases())


def test_report_has_the_size_of_the_html(project):
    add_verbatim(project, "old")
    project.build()
    report = project.dist("report.html")
    assert f"<th>widgets/old/body.html</th><td>{len(HTML.encode())} B</td>" in report
    assert "no slot · en, lv · verbatim" in report


def test_budget_holds_for_the_html(project):
    add_verbatim(project, "old", toml="budget = 10\n")
    (diagnostic,) = (
        d for d in inspect_workspace(project.root, types=False).counted() if d.rule == "size-budget"
    )
    assert "largest files: body.html" in diagnostic.hint


@pytest.mark.parametrize("html", ["<p>a</p><!-- b", "<script>a()", "<template><p>"])
def test_html_that_would_take_in_the_next_widget_is_an_error(project, html):
    add_verbatim(project, "old", html)
    project.add_widget("note")
    with pytest.raises(Faulty) as raised:
        project.build()
    (diagnostic,) = raised.value.diagnostics
    assert (diagnostic.rule, diagnostic.severity) == ("open-end", Severity.ERROR)
    assert diagnostic.place.path == "widgets/old/body.html"


def test_html_that_is_not_utf_8_is_an_error_at_its_byte(project):
    add_verbatim(project, "old")
    (project.root / "widgets/old/body.html").write_bytes(b"<p>\n  caf\xe9</p>")
    with pytest.raises(Faulty) as raised:
        project.build()
    (diagnostic,) = raised.value.diagnostics
    assert (diagnostic.rule, diagnostic.place.line, diagnostic.place.column) == ("file-encoding", 2, 6)


def test_changed_html_is_built_again(project):
    add_verbatim(project, "old", "<p>1</p>")
    assert build(project.root, types=False).fresh
    assert not build(project.root, types=False).fresh
    add_verbatim(project, "old", "<p>2</p>")
    assert build(project.root, types=False).fresh
    assert built(project, "body.html") == "<p>2</p>"


TAKEN = {
    "const": ("const cc = 1", "const cc = 2"),
    "let": ("let cc = 1", "let cc"),
    "class": ("class cc {}", "class cc {}"),
    "const and var": ("const cc = 1", "var cc = 2"),
    "var and const": ("var cc = 1", "const cc = 2"),
    "function and let": ("function cc() {}", "let cc"),
    "async function": ("async function cc() {}", "let cc"),
    "pattern": ("const { a: [cc] } = x", "const cc = 1"),
    "var in a block": ("if (1) { for (var cc of []) {} }", "const cc = 1"),
}
FREE = {
    "var": ("var cc = 1", "var cc = 2"),
    "function": ("function cc() {}", "var cc"),
    "in a block": ("{ const cc = 1 }", "const cc = 2"),
    "in a function": ("(() => { const cc = 1 })()", "const cc = 2"),
    "in a loop": ("for (const cc of []) {}", "const cc = 2"),
    "function in a block": ("{ function cc() {} }", "const cc = 2"),
    "property": ("window.cc = 1", "const cc = 2"),
    "in a text": ("'const cc = 1' // const cc", "const cc = 2"),
}


def add_pairs(project, table):
    """Add two widgets for each case: a0 and b0 for the first. The names of a case are its own: cc0 for `cc`."""
    for number, (one, two) in enumerate(table.values()):
        add_verbatim(project, f"a{number}", f"<script>{one}</script>".replace("cc", f"cc{number}"))
        add_verbatim(project, f"b{number}", f"<p></p>\n<script>{two}</script>".replace("cc", f"cc{number}"))


def test_name_of_another_script_is_an_error_of_check_and_build(project):
    add_pairs(project, TAKEN)
    taken = [d for d in inspect_workspace(project.root, types=False).others if d.rule == "name-taken"]
    places = {d.place.path: (d.severity, d.place.line, d.message) for d in taken}
    assert len(taken) == len(TAKEN)
    for number, (case, (one, _)) in enumerate(TAKEN.items()):
        column = 15 if case == "pattern" else 8 + one.index("cc") + 1
        severity, line, message = places[f"widgets/b{number}/body.html"]
        assert (severity, line) == (Severity.ERROR, 2), case
        assert f"widgets/a{number}/body.html:1:{column}" in message, case
    with pytest.raises(Faulty) as raised:
        build(project.root, types=False)
    assert [d for d in raised.value.diagnostics if d.rule == "name-taken"] == taken


def test_name_of_its_own_is_no_error(project):
    add_pairs(project, FREE)
    assert [d for d in inspect_workspace(project.root, types=False).others if d.rule == "name-taken"] == []


def test_name_is_taken_within_a_widget_and_by_its_head(project):
    add_verbatim(project, "q1", "<script>let a</script><script>let a</script><script>let b</script>")
    add_verbatim(project, "q1", "<script>let b</script>", place="head")
    taken = [d for d in inspect_workspace(project.root, types=False).others if d.rule == "name-taken"]
    assert [(d.message.split('"')[1], d.place.column) for d in taken] == [("a", 35), ("b", 57)]


def test_name_that_every_page_has_is_taken(project):
    add_verbatim(
        project, "q1", "<script>const top = 1, a = top</script><script>{ let top }; var location</script>"
    )
    add_verbatim(project, "q2", "<script>async function top() {}; { function document() {} }</script>")
    taken = [d for d in inspect_workspace(project.root, types=False).others if d.rule == "name-taken"]
    assert [(d.message[:24], d.place.column) for d in taken] == [
        ('"top" is of every page: ', 15),
        ('"top" is of every page: ', 24),
    ]


def test_names_of_modules_are_free(project):
    add_verbatim(project, "q1", "<script type=module>let a</script><script>let a</script>")
    add_verbatim(project, "q2", "<script type=module>let a</script>")
    assert [d for d in inspect_workspace(project.root, types=False).others if d.rule == "name-taken"] == []


def test_style_sheet_is_before_the_html_and_holds_for_the_whole_page(project):
    project.add_widget("note", style_css=".text { top: 0 }")
    for name in ("old", "zz-old"):
        add_verbatim(project, name, f"<i>{name}</i>")
        project.add_file(f"widgets/{name}/style.css", f".{name} {{ color: #ff0000; }}\n")
    record = project.build()
    assert built(project, "widgets/old/body.html") == "<style>.old{color:red}</style><i>old</i>"
    body = built(project, "body.html")
    assert body.endswith(
        "<style>.old{color:red}</style><i>old</i>\n<style>.zz-old{color:red}</style><i>zz-old</i>"
    )
    assert body.count(".old") == 1
    sources = next(w for w in record.widgets if w.name == "old").sources
    assert "widgets/old/style.css" in [source.path for source in sources]
    report = project.tree()["report.html"].decode()
    assert "widgets/old/body.html" in report


def test_style_sheet_of_a_widget_in_the_head_alone_is_refused(project):
    add_verbatim(project, "old", place="head")
    project.add_file("widgets/old/style.css", "a { top: 0 }")
    with pytest.raises(Faulty) as raised:
        project.build()
    (found,) = raised.value.diagnostics
    assert (found.rule, found.place.path) == ("verbatim-widget", "widgets/old/style.css")


def test_error_in_a_style_sheet_is_reported_at_its_place(project):
    add_verbatim(project, "old", "<i>a</i>")
    project.add_file("widgets/old/style.css", "a { top: 0 }\nb { background: url(none.png) }\n")
    with pytest.raises(Faulty) as raised:
        project.build()
    found = raised.value.diagnostics[0]
    assert (found.place.path, found.place.line) == ("widgets/old/style.css", 2)
