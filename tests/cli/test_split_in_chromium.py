"""`awning add widget NAME --from old.html --split`: which parts leave the HTML, and why the others stay.

`tests/workspace/test_handwritten_split.py` has the parts that stay without a comparison.
"""

import sys
from contextlib import contextmanager

import pytest
from project import Project

from awning.cli import split
from awning.contract import Exit
from awning_harness.comparison.comparer import Comparison
from awning_harness.service import serve

SUBSCRIBES = (
    'svcPlugins.subscribeEvent("svc-content-after-price", (e, init) => { init().setContent("<p>x</p>"); });'
)
SCRIPT = f"<script>{SUBSCRIBES}</script>"
STYLE = "<style>.a { color: red }</style>"


@pytest.fixture
def bring(project, awning):
    """Bring in a snippet as the widget `old`, and take it apart. Returns the result of the command."""
    project.add_widget()

    def call(html, *options, **environ):
        project.add_file("old.html", html)
        return awning("add", "widget", "old", "--from", "old.html", "--split", *options, **environ)

    return call


@pytest.fixture
def all_alike(monkeypatch):
    """A comparison that finds no difference. Returns the workspaces and slots that it was made for."""
    made = []

    @contextmanager
    def comparer(_say, workspace, slots):
        made.append((workspace, slots))
        yield lambda _actual, _expected: None

    monkeypatch.setattr(split, "_page_comparer", lambda: comparer)
    return made


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


def test_workspace_with_a_store_and_packages_is_compared(project, bring, all_alike):
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
    at_cart = SUBSCRIBES.replace("after-price", "after-cart")
    result = bring(f"{STYLE}<script>{SUBSCRIBES} {at_cart}</script>")
    assert (result.code, "style.css" in files_of(project)) == (0, True), result.err
    ((workspace, slots),) = all_alike
    assert (workspace.root != project.root, slots) == (True, ("after-price", "after-cart"))
    assert (project.root / "dist/kept.txt").read_text() == "before"


def test_each_version_is_built_once(bring, all_alike, monkeypatch):
    built, build = [], split.build_workspace

    def build_once(workspace):
        texts = {path.name: path.read_text() for path in (workspace.root / "widgets/old").iterdir()}
        built.append(str(sorted(texts.items())))
        return build(workspace)

    monkeypatch.setattr(split, "build_workspace", build_once)
    assert bring(f"{STYLE}{SCRIPT}").code == 0
    assert len(built) == len(set(built)) > 1


def test_part_stays_when_the_widget_would_not_build(project, bring, all_alike):
    html = "<style>.a { background: url(none.png) }</style>"
    result = bring(html)
    assert result.code == 0
    assert "stays in body.html: it would not build: " in result.err, result.err
    assert (project.root / "widgets/old/body.html").read_text() == html
    assert not {"style.css", "widget.ts"} & set(files_of(project))


@pytest.fixture(scope="module")
def running():
    with serve() as running:
        yield running


def test_part_stays_when_the_page_would_differ(project, bring, monkeypatch):
    @contextmanager
    def comparer(_say, _workspace, _slots):
        yield lambda actual, expected: None if actual == expected else "the rules of styles differ"

    monkeypatch.setattr(split, "_page_comparer", lambda: comparer)
    html = "<style media=all>.a { color: red }</style><style>.a { color: blue }</style><p class=a>b</p>"
    result = bring(html)
    assert result.code == 0
    assert "stays in body.html: the rules of styles differ" in result.err
    assert (project.root / "widgets/old/body.html").read_text() == html


@pytest.fixture(scope="module")
def first_difference(browser, running, tmp_path_factory):
    """`first_difference(actual, expected, *slots)` compares two versions of a body snippet."""
    workspace = Project(tmp_path_factory.mktemp("shop")).add_widget().read()
    return lambda actual, expected, *slots: Comparison(browser, running, workspace, slots).first_difference(
        {"body": actual}, {"body": expected}
    )


REMOVES = "<script>document.querySelector('.y').remove()</script>"
MOVED = ("<style>.x + .y { top: 9px }</style>", "<i class=x></i>", "<b class=y></b>")
DIFFERENCES = {
    "a name on the window": (
        "<script>window.own = 1</script>",
        "<script>window.own = 2</script>",
        "window.own differs",
    ),
    "the order of rules": (
        "<style>.a { color: blue }</style><style>.a { color: red }</style><p class=a>b</p>",
        "<style>.a { color: red }</style><style>.a { color: blue }</style><p class=a>b</p>",
        "the rules of styles, as the build writes them, differ when the page is parsed",
    ),
    "an element whose title a script sets": (
        "<p id=out></p><script>out.title = out.nextSibling.localName</script>",
        "<p id=out></p><style></style><script>out.title = out.nextSibling.localName</script>",
        "the elements differ when the page is parsed",
    ),
    "a style that holds without scripts": (
        f"{MOVED[0]}{MOVED[1]}{MOVED[2]}{REMOVES}",
        f"{MOVED[1]}{MOVED[0]}{MOVED[2]}{REMOVES}",
        "inset-block-start of <b.y> differs without JavaScript",
    ),
    "a page that goes elsewhere": (
        "<script>location.href = '/'</script>",
        "<script>location.href = '/'</script>",
        "the page goes to http://",
    ),
    "a page that differs each time": (
        "<p id=out></p><script>out.title = Math.random()</script>",
        "<p id=out></p><script>out.title = Math.random()</script>",
        "the elements differ when the page is parsed",
    ),
}


@pytest.mark.parametrize(("actual", "expected", "reason"), DIFFERENCES.values(), ids=DIFFERENCES)
def test_first_difference_of_two_versions_is_told(first_difference, actual, expected, reason):
    assert first_difference(actual, expected).startswith(reason)


def test_pages_of_all_slots_are_compared(first_difference):
    versions = [f"<script>if (/cart/.test(location)) document.body.title = {n};</script>" for n in (1, 2)]
    assert first_difference(*versions, "after-price", "after-cart").startswith("the elements differ")


def test_lines_of_a_call_stack_and_stamps_make_no_difference(first_difference):
    throws = "<script>console.error(new Error('two')); throw new Error('one')</script>"
    assert first_difference(f"<!--awning 0123456789ab-->\n\n{throws}", throws) is None


def test_nothing_is_written_without_a_browser(project, bring):
    result = bring(SCRIPT, AWNING_BROWSER="/nowhere/chromium")
    assert (result.code, "AWNING_BROWSER is /nowhere/chromium" in result.err) == (Exit.USAGE, True)
    assert not (project.root / "widgets/old").exists()


def test_nothing_is_written_without_the_harness(project, bring, monkeypatch):
    import awning.cli.split  # noqa: F401, PLC0415 - the verb imports it late

    monkeypatch.setattr(sys.modules["awning.cli.verbs"], "joined_verbs", dict)
    result = bring(SCRIPT)
    assert (result.code, "pip install 'awning[harness]'" in result.err) == (Exit.USAGE, True)
    assert not (project.root / "widgets/old").exists()


@pytest.mark.parametrize("options", [("--slot", "after-price"), ("--from-head", "head.html")])
def test_split_needs_a_snippet_of_the_body(project, awning, options):
    project.add_widget().add_file("head.html", "<meta name=a>")
    result = awning("add", "widget", "old", "--split", *options)
    assert (result.code, "--split needs a snippet" in result.err) == (Exit.USAGE, True)
    assert not (project.root / "widgets/old").exists()
