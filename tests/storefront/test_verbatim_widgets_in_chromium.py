"""A snippet that is brought in does on the page what it did when it was pasted, beside another widget of the app.

Each snippet of `snippets/` is a kind that shops have. The app has the bytes of every one as they are. What differs is
the stamp before them: two pages are compared for the snippets that could notice that, one with the snippet as it is and
with the other widget's own snippet, one with the app of both.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from project import Project

from awning.cli.split import Versions
from awning.contract import Dialect
from awning.pipeline.phases import build_workspace
from awning.snippet.compose import without_stamp
from awning.workspace.handwritten.split import split
from awning.workspace.handwritten.widget import bring_in, read_snippet
from awning_harness.comparison.comparer import Comparison, differences
from awning_harness.comparison.recording import record
from awning_harness.service import serve
from awning_harness.storefront import FixedSnippets, FixedSource

SNIPPET_FOLDER = Path(__file__).with_name("snippets")
SNIPPETS = sorted(SNIPPET_FOLDER.glob("*.html"))
NEIGHBOUR = "zz-neighbour"
LANGUAGE = "en"
APP_DATA = '{"text": "set by the shop"}'

FILES = {
    "say.js": "function say(what) { return 'said ' + what; }",
    "writes.js": "document.write('<p>Written by a library</p>');",
    "reviews.js": "gotReviews({ count: 3 });",
    "js": "initMap();",
    "reviews.json": "4.5",
    "stars.json": "5",
    "consent.js": "window.consent = { initialise: ({ palette }) => { window.colour = palette.popup.background; } };",
    "jquery-3.6.0.min.js": "window.fakeJquery = 3;",
    "more.css": ".icons { color: rgb(4, 5, 6) }",
    "consent.css": "body { outline: 0 }",
}


@dataclass
class Shown:
    """A source whose snippets the test chooses for each page."""

    snippets: tuple[FixedSnippets, ...] = ()

    def website(self, website_id):
        return FixedSource().website(website_id)

    def websites(self):
        return FixedSource().websites()

    def page_snippets(self, website_id, language, data=None):
        return self.snippets


@pytest.fixture(scope="module")
def shown():
    return Shown()


@pytest.fixture(scope="module")
def plain_pages():
    """What pages do without the snippet, by address."""
    return {}


@pytest.fixture(scope="module")
def url(shown, served):
    with served(shown) as url:
        yield url


@pytest.fixture(scope="module")
def brought(tmp_path_factory):
    """A workspace with every snippet as a widget, and a widget with a script behind them."""
    project = Project(tmp_path_factory.mktemp("brought"), languages=(LANGUAGE,))
    for file in SNIPPETS:
        widget = bring_in([read_snippet(file, "body", Dialect())], title=file.stem)
        for path, text in widget.files.items():
            project.add_file(f"widgets/{file.stem}/{path}", text)
    return project.add_widget(NEIGHBOUR, style_css=".text { color: rgb(7, 7, 7) }")


def filled(html):
    return html.replace("{{svc_language}}", LANGUAGE).replace("{{svc_app_data}}", APP_DATA)


def answer(route):
    name = route.request.url.partition("?")[0].rpartition("/")[2]
    kind = "text/css" if name.endswith("css") else "text/javascript" if name.endswith("js") else "text/plain"
    headers = {"access-control-allow-origin": "*"}
    route.fulfill(status=200, body=FILES.get(name, ""), content_type=kind, headers=headers)


def page_of(html):
    slots = re.findall(r"svc-content-after-(\w+)", html)
    if "cart" in slots or "checkout" in slots:
        return f"{LANGUAGE}/{'cart' if 'cart' in slots else 'checkout'}?cart=C1"
    return f"{LANGUAGE}/product/1"


def test_every_snippet_is_in_the_app_as_it_is(brought, tmp_path):
    out = tmp_path / "dist"
    brought.build(out=out)
    units = [*(file.stem for file in SNIPPETS), NEIGHBOUR]
    own = {unit: (out / "widgets" / unit / "body.html").read_bytes().decode() for unit in units}
    stamp, *_ = re.findall("^<!--awning [0-9a-f]{12}-->", own[NEIGHBOUR])
    htmls = [file.read_bytes().decode() for file in SNIPPETS]
    assert [own[file.stem] for file in SNIPPETS] == [f"{stamp}{html}" for html in htmls]
    body = (out / "body.html").read_bytes().decode()
    assert body == "\n".join([f"{stamp}{htmls[0]}", *htmls[1:], own[NEIGHBOUR].removeprefix(stamp)])


LOOK_AROUND = (
    "analytics-counter-image",
    "language-conditional-comment",
    "shop-moves-elements",
    "write-late",
    "write-unclosed",
)
"""Snippets that write into the page as it is parsed, count or move its elements, or open elements that go on."""


@pytest.mark.parametrize("name", LOOK_AROUND)
def test_snippet_does_in_the_app_what_it_did_when_it_was_pasted(
    browser, shown, url, plain_pages, brought, tmp_path, name
):
    file = SNIPPET_FOLDER / f"{name}.html"
    html = file.read_bytes().decode()
    workspace = brought.read()
    chosen = tuple(widget for widget in workspace.widgets if widget.name in (name, NEIGHBOUR))
    build_workspace(replace(workspace, widgets=chosen), out=tmp_path / "dist")
    body, neighbour = (
        (tmp_path / "dist" / path / "body.html").read_bytes().decode()
        for path in (".", f"widgets/{NEIGHBOUR}")
    )
    address = f"{url}/{page_of(html)}"
    other = FixedSnippets(body=without_stamp(neighbour))
    if address not in plain_pages:
        shown.snippets = (other,)
        plain_pages[address] = record(browser, address, answer, styles=False)
    shown.snippets = (FixedSnippets(body=filled(html)), other)
    expected = record(browser, address, answer, styles=False)
    assert expected != plain_pages[address]
    shown.snippets = (FixedSnippets(body=filled(body)),)
    assert list(differences(record(browser, address, answer, styles=False), expected)) == []


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """A workspace with a widget that has a script, and a verbatim one."""
    project = Project(tmp_path_factory.mktemp("app"), languages=(LANGUAGE,))
    project.add_file("widgets/a-library/body.html", "<script>window.library = 1</script>")
    project.add_file("widgets/a-library/widget.toml", 'title = "Library"\n')
    return project.add_widget("stock", style_css=".text { color: rgb(7, 7, 7) }")


@pytest.fixture(scope="module")
def compared(browser, app):
    """Makes the comparison of `--split` for a widget with these slots."""
    with serve() as running:
        yield lambda slots: Comparison(browser, running, app.read(), slots).first_difference


def taken_apart(app, name, folder, compared):
    """Return the widget of a snippet, verbatim and after `split`. `compared(slots)` makes the comparison."""
    snippet = read_snippet(SNIPPET_FOLDER / f"{name}.html", "body", Dialect())
    versions = Versions(app.root, folder, name)
    verbatim = bring_in([snippet], title=name)
    first = versions.build(verbatim.files)
    slots = next(each.slots for each in first.workspace.widgets if each.name == name)
    compare = compared(slots)

    def differs(files):
        return versions.difference(files, first.html, compare)

    return verbatim, split(verbatim, snippet, differs, has_slot=bool(slots))


TAKEN = {
    "checkout-note": "widget.ts",
    "countdown-in-slot": "widget.ts",
    "reviews-fetch": "widget.ts",
}
"""The file that a part of a snippet goes into: scripts of another page, with timers and with answers."""


@pytest.mark.parametrize("name", TAKEN)
def test_part_of_a_snippet_goes_into_a_file_if_the_page_does_the_same(app, compared, tmp_path, name):
    verbatim, widget = taken_apart(app, name, tmp_path, compared)
    assert widget.files.keys() - verbatim.files.keys() == {TAKEN[name]}, widget.remarks


KEPT = {
    "language-octal": "Legacy octal escape sequences",
    "price-jquery-event": "the widget's script has no default export",
}


@pytest.mark.parametrize("name", KEPT)
def test_script_that_does_not_build_as_a_widget_stays(app, tmp_path, name):
    verbatim, widget = taken_apart(app, name, tmp_path, lambda _slots: lambda *_versions: None)
    assert widget.files == verbatim.files
    assert any(KEPT[name] in remark for remark in widget.remarks)
