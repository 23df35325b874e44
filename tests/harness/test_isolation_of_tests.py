"""What one test leaves behind does not reach the next. Each case tries to leak something, then looks for it.

The case `service_worker` cannot leak at all: the shop has no script that runs in a service worker, and a frame cannot
register one.
"""

import re
from dataclasses import dataclass

import pytest
from nested_runs import run_pytest

from awning.workspace.scaffolding import make_workspace


@dataclass(frozen=True, kw_only=True)
class Leak:
    """`leave` is a script that tries to leak. The value of the script `look` is truthy if the leak has reached a page.

    If `action` is set, this method call on Playwright's page or frame replaces `leave`.
    """

    leave: str = ""
    look: str
    action: str = ""


REPLY = "new BroadcastChannel('leak')"
WORKER = "new URL(document.querySelector('script[src*=\"/shop.\"]').src).pathname"
LEAKS = {
    "global": Leak(leave="globalThis.leak = 1", look="globalThis.leak"),
    "timer": Leak(
        leave="setInterval(() => { localStorage.leak = 1; }, 0)",
        look="new Promise((done) => setTimeout(() => done(localStorage.leak), 20))",
    ),
    "local_storage": Leak(leave="localStorage.leak = 1", look="localStorage.leak"),
    "session_storage": Leak(leave="sessionStorage.leak = 1", look="sessionStorage.leak"),
    "cookie": Leak(leave="document.cookie = 'leak=1; path=/'", look="document.cookie"),
    "cookie_of_the_path": Leak(leave="document.cookie = 'leak=1'", look="document.cookie"),
    "cookie_of_the_domain": Leak(
        leave="document.cookie = 'leak=1; path=/; domain=shop.localhost'", look="document.cookie"
    ),
    "indexed_db": Leak(
        leave="new Promise((done) => { indexedDB.open('leak').onsuccess = () => done(1); })",
        look="indexedDB.databases().then((names) => names.length)",
    ),
    "cache": Leak(
        leave="caches.open('leak').then(() => 1)", look="caches.keys().then((names) => names.length)"
    ),
    "service_worker": Leak(
        leave=f"navigator.serviceWorker.register({WORKER}).catch(() => 1)",
        look="navigator.serviceWorker.getRegistrations().then((all) => all.length, () => 0)",
    ),
    "lock": Leak(
        leave="void navigator.locks.request('leak', () => new Promise(() => {}))",
        look="navigator.locks.query().then(({ held }) => held.length)",
    ),
    "broadcast_channel": Leak(
        leave=f"{REPLY}.onmessage = ({{ target }}) => target.postMessage('leak')",
        look=f"new Promise((done) => {{ const channel = {REPLY}; channel.onmessage = () => done(1);"
        " channel.postMessage(''); setTimeout(() => done(0), 20); })",
    ),
    "window_name": Leak(leave="window.name = 'leak'", look="window.name"),
    "pagehide_writer": Leak(
        leave="addEventListener('pagehide', () => { localStorage.leak = 1; document.cookie = 'leak=1; path=/';"
        " document.cookie = 'leak=1; path=/; domain=shop.localhost'; })",
        look="localStorage.leak || document.cookie",
    ),
    "visibility_writer": Leak(
        leave="document.addEventListener('visibilitychange', () => { document.cookie = 'leak=1; path=/'; })",
        look="document.cookie",
    ),
    "address": Leak(leave="history.pushState(1, '', '#leak')", look="history.state || location.hash"),
}

OF_A_TAB = {
    "history": Leak(leave="history.pushState(1, '', '#leak')", look="history.length > 2"),
}
"""Leaks that a new tab prevents and a new frame cannot prevent."""

OF_A_FRAME = {
    "parents_global": Leak(leave="parent.leak = 1", look="parent.leak"),
    "pointer": Leak(action="locator('body').hover()", look="document.querySelector('main:hover')"),
}
"""Leaks that are possible only between frames of one tab. A hover is one, because a navigation of the tab ends it."""

ALLOWED = "@pytest.mark.allow_problems('leak', reason='the test of the isolation')"
OPENERS = {
    "storefront": ("storefront.product('P1').page.evaluate", LEAKS | OF_A_TAB),
    "widget": ("widget.show('P1').frame.evaluate", LEAKS | OF_A_FRAME),
}
ISOLATIONS = {"storefront": ("origin", "context"), "widget": ("",)}
BY_THE_BROWSER = ("global", "local_storage", "cookie", "history")
"""The leaks that are tried with a context for each test, which the browser itself keeps apart."""


def leaks_of(kind: str, isolation: str) -> dict[str, Leak]:
    leaks = OPENERS[kind][1]
    return {name: leaks[name] for name in (BY_THE_BROWSER if isolation == "context" else leaks)}


def pairs(kind: str):
    """The cases of a kind, in their order, each with its two tests: one that leaks, and one that looks."""
    opener = OPENERS[kind][0]
    if kind == "storefront":
        opener = "storefront.product('P1').tab.page.evaluate"
    for isolation in ISOLATIONS[kind]:
        marker = f"@pytest.mark.isolation('{isolation}')\n" if isolation else ""
        for name, leak in leaks_of(kind, isolation).items():
            suffix = f"{kind}_{isolation}_{name}"
            leave, look = (f"async () => {{ return {script}; }}" for script in (leak.leave, leak.look))
            action = (
                f"{opener.removesuffix('evaluate')}{leak.action}" if leak.action else f"{opener}({leave!r})"
            )
            yield (
                suffix,
                f"{marker}{ALLOWED}\ndef test_leave_{suffix}({kind}):\n    {action}\n",
                f"{marker}def test_look_{suffix}({kind}):\n    assert not {opener}({look!r})\n",
            )


@pytest.fixture(scope="module")
def report(processes, tmp_path_factory) -> str:
    """pytest's output for tests that leak, each followed by a test that looks for the leak."""
    root = tmp_path_factory.mktemp("isolation") / "app"
    make_workspace(root, slot="after-price")
    tests = [test for kind in OPENERS for _, *pair in pairs(kind) for test in pair]
    (root / "widgets" / "stock-note" / "test_own.py").write_text("\n\n".join(["import pytest\n", *tests]))
    return run_pytest(root, "-q", "-rA", "-k", "test_own")[1]


CASES = [
    f"{kind}_{isolation}_{name}"
    for kind in OPENERS
    for isolation in ISOLATIONS[kind]
    for name in leaks_of(kind, isolation)
]


@pytest.mark.parametrize("case", CASES)
def test_leak_does_not_reach_the_next_test(report, case):
    for step in ("leave", "look"):
        assert re.search(rf"^PASSED \S+::test_{step}_{case}\[", report, re.MULTILINE), re.findall(
            rf"test_{step}_{case}\b.*", report
        )
