"""A state's page has storage and cookies of its own: empty when it is loaded, otherwise as the browser's."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from project import Project

from awning.pipeline.phases import build_workspace
from awning.workspace.reader import read_workspace
from awning_harness.gallery.writing import make_gallery
from awning_harness.storefront.scripts import bundle_scripts

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
STATEMENTS = {
    "nothing is stored": "return [store.length, store.getItem('a'), store.a, 'a' in store]",
    "set by a method": "store.setItem('a', 1); return [store.a, store.getItem('a')]",
    "set as a property": "store.a = { toString: () => 'x' }; return [store.getItem('a'), 'a' in store]",
    "removed": "store.a = 1; store.removeItem('a'); store.removeItem('b'); return store.length",
    "deleted": "store.a = 1; return [delete store.a, delete store.b, store.a]",
    "cleared": "store.a = 1; store.clear(); return [store.length, Object.keys(store)]",
    "spread": "store.a = 1; return [{ ...store }, JSON.stringify(store)]",
    "for … in": "store.a = 1; const names = []; for (const name in store) names.push(name); return names",
    "own names": "store.setItem('length', 1); return [Reflect.ownKeys(store), store.length]",
    "a name of a method": "store.setItem('key', 'x'); return [store.getItem('key'), typeof store.key]",
    "keys": "store.a = 1; return ['0', NaN, -1, 0.7, 9].map((place) => store.key(place))",
    "a symbol": "store[Symbol('x')] = 1; return [store.length, store['Symbol(x)']]",
    "__proto__": "store.setItem('__proto__', 'x'); return [store.getItem('__proto__'), store.length]",
    "hasOwn": "store.a = 1; return ['a', 'length', 'getItem'].map((name) => Object.hasOwn(store, name))",
    "defined": "Object.defineProperty(store, 'a', { value: 1 }); return [store.getItem('a'), store.length]",
    "its kind": "return [store instanceof Storage, Object.prototype.toString.call(store)]",
    "of the prototype": "Storage.prototype.setItem.call(store, 'a', '1'); return store.a",
    "replaced in the prototype": "Storage.prototype.setItem = (name) => (window.set = name);"
    " store.setItem('a', '1'); return set",
    "too few arguments": "try { store.setItem('a') } catch (error) { return [error.name, error.message] }",
    "an event": "addEventListener('storage', ({ key, storageArea }) => (window.heard = [key, storageArea === store]));"
    " dispatchEvent(new StorageEvent('storage', { key: 'a', storageArea: store })); return heard",
    "two storages": "store.a = 1; return [sessionStorage.a, sessionStorage.length]",
    "cookies": "document.cookie = 'a=1'; document.cookie = 'b=2; path=/'; return document.cookie",
    "set again": "document.cookie = 'a=1'; document.cookie = 'a=x=y'; return document.cookie",
    "spaces": "document.cookie = ' a =  1  ; path=/'; return document.cookie",
    "without a name": "document.cookie = 'flag'; document.cookie = '=x'; return document.cookie",
    "an empty value": "document.cookie = 'a='; return document.cookie",
    "nothing": "document.cookie = ''; document.cookie = '; path=/'; return document.cookie",
    "max-age=0": "document.cookie = 'a=1'; document.cookie = 'a=; max-age = 0'; return document.cookie",
    "no number": "document.cookie = 'a=1; max-age='; document.cookie = 'b=1; max-age=soon'; return document.cookie",
    "over": "document.cookie = 'a=1; EXPIRES = Thu, 01-Jan-70 00:00:01 GMT'; return document.cookie",
    "no date": "document.cookie = 'a=1; expires=0'; document.cookie = 'b=1; expires=-1'; return document.cookie",
    "max-age wins": "document.cookie = 'a=1; max-age=60; expires=Thu, 1 Jan 1970 00:00 GMT'; return document.cookie",
    "httponly": "document.cookie = 'a=1; httponly'; return document.cookie",
    "ends later": "document.cookie = 'a=1; max-age=1'; await new Promise((done) => setTimeout(done, 1100));"
    " return document.cookie",
}
"""What a widget may do with its storage (`store`) and cookies. The browser's own are the oracle."""


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


@pytest.mark.parametrize("statements", STATEMENTS.values(), ids=STATEMENTS)
def test_page_s_own_storage_and_cookies_behave_as_the_browser_s(tab: Page, statements):
    code = bundle_scripts({"own": "visit/own_storage.ts"}, {})["own.js"].decode()
    tab.route("**/*", lambda route: route.fulfill(content_type="text/html", body="<!doctype html>"))
    seen = []
    for first in (code, ""):  # what the first page stores is not there on the second
        tab.goto("http://localhost/")
        seen.append(tab.evaluate(f"async () => {{ {first}; const store = localStorage; {statements} }}"))
    assert seen[0] == seen[1]
