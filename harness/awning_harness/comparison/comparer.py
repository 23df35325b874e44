"""Serves two versions of a snippet in turn, and compares what they do on the pages of its slots.

It finds the values that differ between two recordings of a page, and says the first of them in words.
"""

import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import takewhile
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Error, Route, sync_playwright

from awning.contract.slots import FIRST_SLOT
from awning.errors import ConfigurationError
from awning.workspace.model import Workspace
from awning.workspace.store.store_files import shipped_store
from awning_harness.browser import ensure_browser, launch_arguments
from awning_harness.comparison.recording import record
from awning_harness.service import Running, Service, serve
from awning_harness.visit.pages.address import page_address

_SHOWN = 80
"""The most characters of a value that a sentence shows."""
_WHEN = {"before": " when the page is parsed", "after": " after the events"}
_WHAT = {
    "elements": "the elements",
    "rules": "the rules of styles, as the build writes them,",
    "shadows": "the shadow roots",
    "stored": "cookies, storage or the address",
    "styles": "the number of elements",
    "said": "the messages of the console",
    "trace": "the events",
}
_OF_OWN_ELEMENTS = frozenset({"html", "functions"})
"""The values of a look that show the elements of styles and scripts themselves."""


class Difference(NamedTuple):
    """A value that differs, and its path in the recording. `actual` and `expected` begin before the difference."""

    path: tuple[str, ...]
    actual: str
    expected: str


def differences(actual: Any, expected: Any, path: tuple[str, ...] = ()) -> Iterator[Difference]:
    """Yield each value that differs, with its path and the first place of a text where it differs."""
    if type(actual) is type(expected) is dict:
        for key in dict.fromkeys((*expected, *actual)):
            yield from differences(actual.get(key), expected.get(key), (*path, key))
    elif type(actual) is type(expected) is list and len(actual) == len(expected):
        for index, pair in enumerate(zip(actual, expected, strict=True)):
            yield from differences(*pair, (*path, str(index)))
    elif actual != expected:
        texts = [
            value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for value in (actual, expected)
        ]
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*texts, strict=False)))
        yield Difference(path, *(text[max(0, same - 40) :][:_SHOWN] for text in texts))


def first_difference(actual: Any, expected: Any) -> str | None:
    """Return the first difference in words; None when there is none.

    The elements of styles and scripts may differ themselves: what they do may not.
    """
    for recording in (expected, actual):
        if recording["scripts"]["seen"]["left"]:
            return f"the page goes to {recording['scripts']['seen']['left']}"
    for difference in differences(_without_stacks(actual), _without_stacks(expected)):
        place = _place(difference.path)
        if place.what not in _OF_OWN_ELEMENTS:
            return _sentence(difference, place, expected)
    return None


def _without_stacks(recording: Any) -> Any:
    """Return a recording whose messages have no call stacks: a moved line has another number there."""
    return {
        scripts: visit | {"said": [[kind, _without_stack(text)] for kind, text in visit["said"]]}
        for scripts, visit in recording.items()
    }


def _without_stack(text: str) -> str:
    return " ".join(line for line in text.split("\n") if not line.lstrip().startswith("at "))


class _Place(NamedTuple):
    """Where in a recording a difference is. `keys` lead from the value `what` to the difference."""

    when: str
    what: str
    keys: tuple[str, ...]
    look: tuple[str, ...]


def _place(path: tuple[str, ...]) -> _Place:
    """Return the place of a path. It begins with `scripts`, `seen`, `before` (or `after`), or `no scripts`, `seen`."""
    when = "" if path[0] == "scripts" else " without JavaScript"
    at = 2 if path[1] == "seen" else 1
    if path[at] in _WHEN and path[0] == "scripts" and path[1] == "seen":
        when, at = _WHEN[path[at]], at + 1
    what = path[at] if at < len(path) else ""
    return _Place(when, what, path[at + 1 :], path[:at])


def _sentence(difference: Difference, place: _Place, expected: Any) -> str:
    change = f"{difference.actual} instead of {difference.expected}"
    if place.what == "names" and place.keys:
        return f"window.{place.keys[0]} differs{place.when}: {change}"
    if place.what == "requests" and place.keys:
        return f"the request {place.keys[0]} is made {change} times{place.when}"
    if place.what == "styles" and len(place.keys) > 1:
        look = expected
        for key in place.look:
            look = look[key]
        name, element = place.keys[-1], look["styles"][int(place.keys[0])][0]
        return f"{name} of <{element}> differs{place.when}"
    detail = "" if place.what == "rules" else f": {change}"
    return f"{_WHAT.get(place.what, 'what is shown')} differ{place.when}{detail}"


_TYPES = {"stylesheet": "text/css", "script": "text/javascript", "document": "text/html"}

Html = Mapping[str, str]
"""The HTML of a snippet by place (head, body)."""


@contextmanager
def open_comparison(
    say: Callable[[str], None], workspace: Workspace, slots: Sequence[str]
) -> Iterator[Callable[[Html, Html], str | None]]:
    """Start Chromium and a simulated shop, and yield a function that compares two versions of a snippet.

    The function returns the first difference in words, or None. The pages are those of `slots`, or that of a product,
    in the app's first language. Other hosts answer with empty files. `say` gets messages about an installation of
    Chromium.

    Raises ConfigurationError when there is no Chromium and none can be installed, or when a page cannot be opened.
    """
    chromium = ensure_browser(say, os.environ)
    service = Service.of_profile(workspace.profile)
    try:
        with serve(service) as running, sync_playwright() as playwright:
            try:
                browser = playwright.chromium.launch(
                    executable_path=str(chromium.path), args=launch_arguments()
                )
                yield Comparison(browser, running, workspace, slots).first_difference
            except Error as failure:
                reason = failure.message.splitlines()[0]
                raise ConfigurationError(
                    f"Chromium could not show a page: {reason}", hint="nothing was written; leave --split out"
                ) from failure
    finally:
        service.close()


class Comparison:
    """The pages of one website. `_expected` has what they do with the snippets that others are compared with."""

    def __init__(
        self, browser: Browser, running: Running, workspace: Workspace, slots: Sequence[str]
    ) -> None:
        self._browser, self._service = browser, running.service
        manifest = {**workspace.manifest, "app_secret": secrets.token_hex(16)}
        self._app, _ = self._service.register_app(manifest)
        website = self._service.create_website(languages=workspace.languages)
        self._service.install(self._app, website.id)
        url, language = self._service.website_url(website.id).rstrip("/"), workspace.languages[0]
        store = shipped_store()
        self._addresses = [
            f"{url}/{page_address(store, slot, None, language, {}).path}" for slot in slots or (FIRST_SLOT,)
        ]
        self._expected: dict[tuple[str, str], list[Any]] = {}

    def first_difference(self, actual: Html, expected: Html) -> str | None:
        """Return the first difference between what two versions do, in words; None when none is found.

        The recordings of `expected` are kept. `actual` is recorded anew, so that a page that differs each time is seen.
        """
        key = expected.get("head", ""), expected.get("body", "")
        if key not in self._expected:
            self._expected[key] = self._recordings(expected)
        pairs = zip(self._recordings(actual), self._expected[key], strict=True)
        return next((words for pair in pairs if (words := first_difference(*pair))), None)

    def _recordings(self, html: Html) -> list[Any]:
        self._service.set_default_snippets(self._app, head=html.get("head", ""), body=html.get("body", ""))
        return [record(self._browser, address, _answer) for address in self._addresses]


def _answer(route: Route) -> None:
    """Answer with an empty file, as the states of a new verbatim widget do."""
    kind = _TYPES.get(route.request.resource_type, "text/plain")
    route.fulfill(status=200, body="", content_type=kind, headers={"access-control-allow-origin": "*"})
