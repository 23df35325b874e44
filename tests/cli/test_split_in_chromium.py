"""`awning add widget NAME --from old.html --split`: which parts leave the HTML, and why the others stay."""

import sys
from contextlib import contextmanager

import pytest

from awning.cli import split
from awning.contract import Exit
from awning_harness.comparison import Comparison
from awning_harness.service import serve

SUBSCRIBES = (
    'svcPlugins.subscribeEvent("svc-content-after-price", (e, init) => { init().setContent("<p>x</p>"); });'
)
SCRIPT = f"<script>{SUBSCRIBES}</script>"


@pytest.fixture
def bring(project, awning):
    """Bring in a snippet as the widget `old`, and take it apart. Returns the result of the command."""
    project.add_widget()

    def call(html, *options, **environ):
        project.add_file("old.html", html)
        return awning("add", "widget", "old", "--from", "old.html", "--split", *options, **environ)

    return call


@pytest.fixture(scope="module")
def running():
    with serve() as running:
        yield running


@pytest.fixture
def open_browser(browser, running, monkeypatch):
    """The command compares pages in the browser of the tests, and so starts none."""

    @contextmanager
    def comparer(_say, workspace, slots):
        yield Comparison(browser, running, workspace, slots).first_difference

    monkeypatch.setattr(split, "_page_comparer", lambda: comparer)


def files_of(project):
    return sorted(project.tree("widgets/old"))


@pytest.mark.usefixtures("processes")
def test_styles_and_a_script_go_into_files_of_their_own(project, bring, awning):
    style = ".a { color: #ff0000; font-weight: bold }\n@media print { .a:hover { transition: top 200ms } }"
    html = f"<style>\n{style}\n</style>\n{SCRIPT}\n"
    result = bring(html)
    assert (result.code, files_of(project)) == (
        0,
        ["states.toml", "style.css", "widget.toml", "widget.ts"],
    ), result.err
    assert "old.html:1: the style is in style.css: no difference was found" in result.err
    assert "old.html:5: the script is in widget.ts: no difference was found" in result.err
    built = awning("build")
    assert built.code == 0, built.err
    assert project.dist("widgets/old/body.html").count("subscribeEvent") == 1


@pytest.mark.usefixtures("open_browser")
def test_workspace_with_a_store_and_packages_is_compared(project, bring):
    """A build refuses links that lead out of the workspace, so its folders are copied."""
    project.add_file("storefront/products.toml", "")
    project.add_file("node_modules/left/package.json", '{"name": "left", "version": "1.0.0", "main": "i.js"}')
    project.add_file("node_modules/left/i.js", "export const left = 1;\n")
    project.add_file("dist/kept.txt", "before")
    project.add_file(
        "widgets/note/widget.ts",
        'import { afterPrice } from "awning";\nimport { left } from "left";\n'
        "export default afterPrice(() => `${left}`);\n",
    )
    result = bring(f"<style>.a {{ color: red }}</style>{SCRIPT}")
    assert (result.code, "style.css" in files_of(project)) == (0, True), result.err
    assert (project.root / "dist/kept.txt").read_text() == "before"


@pytest.mark.usefixtures("open_browser")
def test_each_version_is_built_once(bring, monkeypatch):
    built, build = [], split.build_workspace

    def build_once(workspace):
        texts = {path.name: path.read_text() for path in (workspace.root / "widgets/old").iterdir()}
        built.append(str(sorted(texts.items())))
        return build(workspace)

    monkeypatch.setattr(split, "build_workspace", build_once)
    assert bring(f"<style>.a {{ color: red }}</style>{SCRIPT}").code == 0
    assert len(built) == len(set(built)) > 1


REMOVES = "<script>document.querySelector('.y').remove()</script>"
DIFFERENCES = {
    "a name on the window": (
        f"<script>Object.assign(window, {{ own: document.currentScript.text.length }}); {SUBSCRIBES}</script>",
        "window.own differs",
    ),
    "a style that another one overrides": (
        "<style media=all>.a { color: red }</style><style>.a { color: blue }</style><p class=a>b</p>",
        "the rules of styles, as the build writes them, differ when the page is parsed",
    ),
    "a style whose element a script reads": (
        "<p id=out></p><style>.a{top:0}</style><script>out.title = out.nextSibling.localName</script>",
        "the elements differ when the page is parsed",
    ),
    "a script whose element a script reads": (
        f"<script>{SUBSCRIBES} document.body.title = document.currentScript.text.length</script>",
        "the elements differ when the page is parsed",
    ),
    "a style with a file that the widget has not": (
        "<style>.a { background: url(none.png) }</style>",
        "it would not build: ",
    ),
    "a style that holds without scripts": (
        f"<i class=x></i><style>.x + .y {{ top: 9px }}</style><b class=y></b>{REMOVES}",
        "inset-block-start of <b.y> differs without JavaScript",
    ),
    "a page that goes elsewhere": (
        "<style>.a { top: 0 }</style><script>location.href = '/'</script>",
        "the page cannot be compared with itself: the page goes to http://",
    ),
    "a page that differs each time": (
        "<style>.a { top: 0 }</style><p id=out></p><script>out.title = Math.random()</script>",
        "the page cannot be compared with itself: the elements differ",
    ),
}


@pytest.mark.usefixtures("open_browser")
@pytest.mark.parametrize(("html", "reason"), DIFFERENCES.values(), ids=DIFFERENCES)
def test_part_stays_when_the_page_would_differ(project, bring, html, reason):
    result = bring(html)
    assert result.code == 0
    assert f"stays in body.html: {reason}" in result.err, result.err
    assert (project.root / "widgets/old/body.html").read_text() == html
    assert not {"style.css", "widget.ts"} & set(files_of(project))


@pytest.mark.usefixtures("open_browser")
def test_lines_of_a_call_stack_make_no_difference(bring):
    throws = "console.error(new Error('two')); throw new Error('one')"
    result = bring(f"<style>\n.a {{ top: 0 }}\n</style>\n<p class=a></p>\n<script>{throws}</script>")
    assert "old.html:1: the style is in style.css: no difference was found" in result.err


@pytest.mark.usefixtures("open_browser")
def test_pages_of_all_slots_are_compared(bring):
    at_cart = SUBSCRIBES.replace("after-price", "after-cart")
    only_there = "if (/cart/.test(location)) document.body.title = document.currentScript.text.length;"
    result = bring(f"<script>{SUBSCRIBES} {at_cart} {only_there}</script>")
    assert "stays in body.html: the elements differ when the page is parsed" in result.err


def test_nothing_is_written_without_a_browser(project, bring):
    result = bring(SCRIPT, AWNING_BROWSER="/nowhere/chromium")
    assert (result.code, "AWNING_BROWSER is /nowhere/chromium" in result.err) == (Exit.USAGE, True)
    assert not (project.root / "widgets/old").exists()


def test_nothing_is_written_without_the_harness(project, bring, monkeypatch):
    import awning.cli.split  # noqa: F401, PLC0415 - the verb imports it late

    monkeypatch.setattr(sys.modules["awning.cli.split"], "joined_verbs", dict)
    result = bring(SCRIPT)
    assert (result.code, "pip install 'awning[harness]'" in result.err) == (Exit.USAGE, True)
    assert not (project.root / "widgets/old").exists()


@pytest.mark.parametrize("options", [("--slot", "after-price"), ("--from-head", "head.html")])
def test_split_needs_a_snippet_of_the_body(project, awning, options):
    project.add_widget().add_file("head.html", "<meta name=a>")
    result = awning("add", "widget", "old", "--split", *options)
    assert (result.code, "--split needs a snippet" in result.err) == (Exit.USAGE, True)
    assert not (project.root / "widgets/old").exists()
