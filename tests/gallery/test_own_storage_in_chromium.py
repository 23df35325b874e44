"""A state's page has storage and cookies of its own: empty when it is loaded, otherwise as the browser's."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from project import Project

from awning.pipeline.phases import build_workspace
from awning.workspace.reader import read_workspace
from awning_harness.gallery.writing import make_gallery

WIDGET = """
import { afterPrice, live } from "awning";
import view from "./view.html.j2";

const count = (text: string | null | undefined): number => Number(text ?? 0) + 1;

const render = () => view({ isOpen: !(localStorage.closed || sessionStorage.closed || document.cookie) });

function mounted(root: Element): void {
  root.addEventListener("click", () => {
    localStorage.setItem("closed", String(count(localStorage.getItem("closed"))));
    sessionStorage.closed = count(sessionStorage.closed as string | undefined);
    document.cookie = `closed=${count(/closed=([0-9]+)/.exec(document.cookie)?.[1])}; path=/; max-age=3600`;
    const seen = [localStorage.closed, sessionStorage.getItem("closed"), document.cookie];
    root.querySelector("p")!.textContent = seen.join(" ");
  });
}

export default afterPrice(live(render, { mounted }));
"""
VIEW = '<p>{{ "open" if isOpen else "shut" }}</p><button type="button">Close</button>\n'
STATES = """
[[state]]
name = "closed"
title = "Closed by the shopper"
payload = "P1"
steps = ['click "button"']

[[state]]
name = "open"
title = "As it begins"
payload = "P1"
"""
USE = """(storage) => {
  storage.clear();
  const seen = [storage.length, storage.getItem("a"), storage.a, "a" in storage, storage.key(0)];
  storage.setItem("a", 1);
  storage.b = { toString: () => "two" };
  seen.push(storage.a, storage.getItem("b"), storage.length, Object.keys(storage).sort(), { ...storage });
  seen.push("b" in storage, delete storage.a, storage.a, storage.removeItem("none"), JSON.stringify(storage));
  storage.setItem("key", "a name of a method");
  seen.push(storage.getItem("key"), typeof storage.key, storage.hasOwnProperty("b"), storage.key(9));
  seen.push(Object.prototype.toString.call(storage));
  storage.clear();
  return [...seen, storage.length, Object.keys(storage)];
}"""
"""What a widget can do with storage. Returns what it sees."""
OF_BROWSER = 'document.body.appendChild(document.createElement("iframe")).contentWindow.localStorage'


@pytest.fixture(scope="module")
def states(tmp_path_factory) -> str:
    """The address of the folder of the widget's states, in a written gallery."""
    project = Project(tmp_path_factory.mktemp("shop"))
    project.add_widget("closes", widget_ts=WIDGET, view_html_j2=VIEW, states_toml=STATES)
    workspace = read_workspace(project.root)
    folder = tmp_path_factory.mktemp("written")
    record = build_workspace(workspace, out=folder / "dist")
    make_gallery(workspace, record, folder / "dist").write(folder / "gallery")
    return (folder / "gallery/states/closes").as_uri()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def test_page_of_a_state_begins_without_what_another_state_has_stored(states, tab: Page):
    """Also when the same page is loaded again."""
    for _ in range(2):
        for state, text in (("closed", "1 1 closed=1"), ("open", "open")):
            tab.goto(f"{states}/{state}/en.html")
            expect(tab.locator("[data-slot] p")).to_have_text(text)


def test_storage_behaves_as_the_browser_s(states, tab: Page):
    tab.goto(f"{states}/open/en.html")
    expected = tab.evaluate(f"({USE})({OF_BROWSER})")
    for own in ("localStorage", "sessionStorage"):
        assert tab.evaluate(f"({USE})({own})") == expected


@pytest.mark.parametrize(
    ("texts", "cookie"),
    [
        (["a=1", "b=2; path=/; secure"], "a=1; b=2"),
        (["a=1", "a=x=y"], "a=x=y"),
        (["a=1", "a=; max-age=0"], ""),
        (["a=1; expires=Thu, 01 Jan 1970 00:00:00 GMT"], ""),
        (["a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], "a=1"),
    ],
)
def test_cookies_are_kept_until_they_expire(states, tab: Page, texts, cookie):
    tab.goto(f"{states}/open/en.html")
    tab.evaluate("(texts) => { for (const text of texts) document.cookie = text; }", texts)
    assert tab.evaluate("document.cookie") == cookie
