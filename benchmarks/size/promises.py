"""The promises of awning's runtime for every widget. They are checked for our price widget and for one by hand.

Each promise is a scene in a page of its own. `handwritten.html` is written with care for the usual cases, and breaks
some promises; `measure.py` prints them below the weights. The list has only promises that this widget can show.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from playwright.sync_api import Browser, Page, Route

ADDRESS = "http://saving.test/"
TRUSTED = "require-trusted-types-for 'script'; trusted-types awning"
STAGE = (Path(__file__).parent / "promises.js").read_text(encoding="utf-8")

HOSTILE = "<img src=x> & \"q\" 'a' {{svc_app_data}}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """A scene and its expected result. `act` runs in the page after the widget's script, and must return `expected`.
    `before` runs before the script. `policy` is the page's Content-Security-Policy, none if it is empty.
    """

    act: str
    expected: Any
    before: str = ""
    policy: str = ""
    data: str = ""
    """The text that replaces the placeholder of the app data."""
    language: str = "lv"
    """The text that replaces the placeholder of the language."""


PROMISES: Mapping[str, Promise] = MappingProxyType(
    {
        "a page without the service": Promise(before="delete self.svcPlugins", act="logged", expected=[]),
        "a page that says nothing of itself": Promise(
            act="fire(box, { item: PARAMS.item }), [shown(), logged.length]", expected=["€20.00", 0]
        ),
        "an update before its event counts": Promise(
            act="update(variant(70)), fire(), shown()", expected="€30.00"
        ),
        "a host that comes again has its own content, of no variant": Promise(
            act="fire(), update(variant(70)), fire(second), [shown(), shown(second)]",
            expected=["€30.00", "€20.00"],
        ),
        "an update is the newest host's": Promise(
            act="fire(), fire(second), update(variant(70)), [shown(), shown(second)]",
            expected=["€20.00", "€30.00"],
        ),
        "the same HTML is not written again": Promise(
            act="fire(), update(null), update(variant(70)), update(variant(70)), writes", expected=2
        ),
        "nothing to show leaves no DOM": Promise(
            act="fire(box, { item: { ...PARAMS.item, price: 100 } }), [writes, box.innerHTML]",
            expected=[0, ""],
        ),
        "a failing render keeps the last good content, says so once with its name, and recovers": Promise(
            act="fire(), update(BROKEN), update(BROKEN), later = shown(), update(variant(70)), "
            "[later, shown(), logged.length, logged[0][0], thrown]",
            expected=["€20.00", "€30.00", 1, "saving", 0],
        ),
        "a failing setContent is said, not thrown": Promise(
            act="refuse = true, fire(), [logged.length, `${logged[0][1]}`, thrown]",
            expected=[1, "Error: refused", 0],
        ),
        "a failing initContentHandler is said, not thrown": Promise(
            act="absent = true, fire(), update(variant(70)), [logged.length, thrown]", expected=[1, 0]
        ),
        "text is text": Promise(
            act=f"fire(), update(variant(70, {json.dumps(HOSTILE)})), "
            "[box.querySelector('span').textContent, box.querySelectorAll('img').length]",
            expected=[HOSTILE, 0],
        ),
        "text never spells a placeholder in HTML": Promise(
            act=f"fire(), update(variant(70, {json.dumps(HOSTILE)})), written.includes('{{svc_')",
            expected=False,
        ),
        "a page that requires trusted types": Promise(
            act="fire(), update(variant(70)), [shown(), box.children.length, logged.length]",
            expected=["€30.00", 1, 0],
            policy=TRUSTED,
        ),
        "no name is left on the window": Promise(act="fire(), named()", expected=[]),
    }
)


def broken(snippet: str, browser: Browser, promises: Mapping[str, Promise] = PROMISES) -> dict[str, Any]:
    """Return the promises that a snippet breaks, each with the result of its scene."""
    answers = {name: answer(snippet, promise, browser) for name, promise in promises.items()}
    return {name: result for name, result in answers.items() if result != promises[name].expected}


def answer(snippet: str, promise: Promise, browser: Browser) -> Any:
    page = staged(snippet, promise, browser)
    result = page.evaluate(f"() => ({promise.act})")
    page.close()
    return result


def staged(snippet: str, promise: Promise, browser: Browser) -> Page:
    """Open a page with the scene and the snippet, served with the promise's policy.

    The time is ten o'clock on a Wednesday in Riga.
    """
    placed = snippet.replace("{{svc_app_data}}", promise.data).replace("{{svc_language}}", promise.language)
    scripts = "".join(f"<script>{part}</script>" for part in (STAGE, f"{promise.before};mark();"))
    body = scripts + placed
    headers = {"content-type": "text/html; charset=utf-8"}
    if promise.policy:
        headers["content-security-policy"] = promise.policy

    def serve(route: Route) -> None:
        hosts = "".join(f'<div id="{name}"></div>' for name in ("box", "second", "basket"))
        route.fulfill(body=f"<!doctype html>{hosts}{body}", headers=headers)

    page = browser.new_page(timezone_id="Europe/Riga")
    page.clock.set_fixed_time("2026-03-04T10:00:00+02:00")
    page.route(f"{ADDRESS}**", serve)
    page.goto(ADDRESS)
    return page
