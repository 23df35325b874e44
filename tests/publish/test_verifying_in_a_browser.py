"""`publish verify --browser`: whether widgets render on the public page, and which rules break there."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import pytest
from project import Project

from awning.contract import Dialect, Exit
from awning_harness import public_pages
from awning_harness.service import serve

PAGE = '[tool.awning.profiles.default]\npage = "{url}{language}/product/1"\n'
BREAKS = """<script>svcPlugins.subscribeEvent("svc-content-after-price", (event, init) => {
  init().setContent("1"); init().setContent("2");
});
svcPlugins.subscribeEvent("svc-content-after-price-updated", (event, init) => { throw Error("x") });
// ("note", "aw-1a2b3c")
</script>"""

RAW = """svcPlugins.subscribeEvent("svc-content-after-price", (_event, initContentHandler) => {
  initContentHandler().setContent("<p>Arrives tomorrow</p>");
});
"""


@pytest.fixture(scope="module")
def browse(processes):
    """What `open_browser` yields, for all tests: each page has a browser context of its own.

    Playwright has a thread of its own, because the commands of the tests run event loops in this one.
    """
    opened = public_pages.open_browser(print, Dialect())
    with ThreadPoolExecutor(1) as thread:
        look_at = thread.submit(opened.__enter__).result()
        yield lambda address, snippets: thread.submit(look_at, address, snippets).result()
        thread.submit(opened.__exit__, None, None, None).result()


@pytest.fixture
def kept_browser(browse, monkeypatch):
    """Commands look at pages with the browser that is open."""
    monkeypatch.setattr(public_pages, "open_browser", lambda _say, _dialect: nullcontext(browse))


@pytest.fixture
def brief(monkeypatch):
    """Commands wait a second for what does not render."""
    monkeypatch.setattr(public_pages, "RENDER_MS", 1000)


@pytest.fixture
def site(workspace, awning, monkeypatch):
    """A workspace with one real widget, and an instance on a website of the simulated service."""
    (workspace / "pyproject.toml").unlink()
    project = Project(workspace)
    project.add_widget()
    pyproject = workspace / "pyproject.toml"
    pyproject.write_text(pyproject.read_text() + PAGE)
    with serve() as running:
        app_id, key = running.service.register_app({"app_title": "Test"})
        website = running.service.create_website(languages=("en",))
        monkeypatch.setenv("AWNING_AUTH_CODE", running.service.install(app_id, website.id))
        monkeypatch.setenv("AWNING_API_KEY", key)
        monkeypatch.setenv("AWNING_BASE_URL", running.apps_url)
        assert awning("instances", "add", "--name", "site")[0] == 0
        yield running


def verify(awning):
    code, out, _ = awning("publish", "verify", "--browser", "--cache", "0", "--json")
    return code, {cell["language"]: cell.get("browser") for cell in json.loads(out)["cells"]}


@pytest.mark.usefixtures("kept_browser")
def test_rendered_widget_is_counted(site, awning):
    assert awning("build")[0] == 0
    assert awning("publish", "apply")[0] == 0
    view = {
        "rendered": 1,
        "widgets": 1,
        "disabled": [],
        "raw": [],
        "elsewhere": [],
        "rules": [],
        "errors": [],
    }
    views = {None: None, "en": view}
    assert verify(awning) == (0, views)


@pytest.mark.usefixtures("kept_browser")
def test_disabled_widget_is_named_and_not_counted(site, awning, workspace):
    pyproject = workspace / "pyproject.toml"
    pyproject.write_text(
        pyproject.read_text().replace("[tool.awning]\n", "[tool.awning]\nkill_switch = true\n", 1)
    )
    assert awning("build")[0] == 0
    (widget,) = json.loads((workspace / "dist/build.json").read_text())["widgets"]
    assert awning("publish", "apply")[0] == 0
    assert awning("publish", "disable", widget["name"])[0] == 0
    code, out, _ = awning("publish", "verify", "--browser", "--cache", "0")
    assert (code, f"0 of 0 widgets render, 1 disabled ({widget['name']})" in out) == (0, True), out


@pytest.mark.usefixtures("kept_browser")
def test_widget_is_judged_only_on_a_page_with_its_slot(site, awning, workspace, request):
    project = Project(workspace)
    project.add_widget("basket", slot="after-cart").add_widget("paid", slot="after-checkout")
    assert awning("build")[0] == 0
    assert awning("publish", "apply")[0] == 0
    pyproject = workspace / "pyproject.toml"
    before = pyproject.read_text()
    for page, counted in (("product/1", "note"), ("cart", "basket")):
        pyproject.write_text(before + PAGE.replace("product/1", page))
        others = sorted({"note", "basket", "paid"} - {counted})
        code, views = verify(awning)
        view = views["en"]
        assert (code, view["elsewhere"], view["rendered"], view["widgets"]) == (0, others, 1, 1)
    request.getfixturevalue("brief")
    pyproject.write_text(before + PAGE.replace("product/1", ""))
    code, out, _ = awning("publish", "verify", "--browser", "--cache", "0")
    of_no_slot = "3 of slots that this page does not have (basket, note, paid), `page` of"
    assert (code, f"0 of 0 widgets render, {of_no_slot}" in out) == (0, True), out


@pytest.mark.usefixtures("kept_browser", "brief")
def test_widget_of_the_slot_that_does_not_render_is_missing(site, awning, workspace):
    Project(workspace).add_widget("quiet", view_html_j2="")
    pyproject = workspace / "pyproject.toml"
    pyproject.write_text(pyproject.read_text() + PAGE)
    assert awning("build")[0] == 0
    assert awning("publish", "apply")[0] == 0
    code, views = verify(awning)
    assert (code, views["en"]["rendered"], views["en"]["widgets"]) == (0, 1, 2)


@pytest.mark.usefixtures("kept_browser")
def test_raw_widget_is_named_and_not_counted(site, awning, workspace):
    folder = workspace / "widgets/plain"
    folder.mkdir()
    (folder / "widget.toml").write_text('title = "Plain"\nslot = "after-price"\n')
    (folder / "widget.ts").write_text(RAW)
    code, out, err = awning("build")
    assert code == 0, out + err
    assert awning("publish", "apply")[0] == 0
    code, out, err = awning("publish", "verify", "--browser", "--cache", "0")
    assert (code, err) == (0, ""), err
    assert "1 of 1 widgets render, 1 raw and not counted (plain)" in out


LEAKS = """export {};
Object.assign(window, { dataLayer: [] });
svcPlugins.subscribeEvent("svc-content-after-price", (_event, initContentHandler) => {
  Object.assign(window, { opened: [] });
  initContentHandler().setContent("<p>Arrives tomorrow</p>");
});
"""


@pytest.mark.usefixtures("kept_browser")
def test_global_breaks_a_rule_until_a_widget_allows_it(site, awning, workspace):
    folder = workspace / "widgets/plain"
    folder.mkdir()
    (folder / "widget.ts").write_text(LEAKS)
    seen = []
    for allowed in ({"dataLayer"}, {"dataLayer", "opened"}):
        lines = "".join(f'{name} = "a reason"\n' for name in sorted(allowed))
        (folder / "widget.toml").write_text(f'title = "Plain"\nslot = "after-price"\n\n[globals]\n{lines}')
        code, out, err = awning("build")
        assert code == 0, out + err
        assert awning("publish", "apply")[0] == 0
        code, views = verify(awning)
        seen.append((code, views["en"]["rules"]))
    assert seen == [(Exit.FINDINGS, ["global-leaked"]), (0, [])]


@pytest.mark.usefixtures("kept_browser", "brief")
def test_broken_rules_are_named(site, awning, rebuild):
    rebuild({"en": BREAKS})
    assert awning("publish", "apply")[0] == 0
    code, views = verify(awning)
    assert code == Exit.FINDINGS
    assert views["en"]["rendered"] == 0
    assert {"init-once", "unhandled-error"} <= set(views["en"]["rules"])
    code, _, err = awning("publish", "verify", "--browser", "--cache", "0")
    what = "the page could not be opened, or a widget failed or broke a rule"
    assert (code, err) == (Exit.FINDINGS, f"on 1 page, {what}: exit code 1\n")


def test_browser_is_refused_without_the_harness(site, awning, monkeypatch):
    monkeypatch.setattr(sys.modules["awning.cli.verbs"], "joined_verbs", dict)
    code, _, err = awning("publish", "verify", "--browser")
    assert (code, "pip install 'awning[harness]'" in err) == (Exit.USAGE, True)
