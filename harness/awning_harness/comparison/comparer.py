"""Serves two versions of a snippet in turn, and compares what they do on the pages of its slots."""

import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Error, Route, sync_playwright

from awning.contract.slots import FIRST_SLOT
from awning.errors import ConfigurationError
from awning.workspace.model import Workspace
from awning.workspace.store.store_files import shipped_store
from awning_harness.browser import ensure_browser, launch_arguments
from awning_harness.comparison.differences import first_difference
from awning_harness.comparison.recording import record
from awning_harness.service import Running, Service, serve
from awning_harness.visit.pages.address import page_address

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
