"""Collects the errors that the console of a page reports: messages, uncaught exceptions, unhandled rejections."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import ConsoleMessage, Error, Page

from awning_harness.storefront.scenarios import NEIGHBOUR_FAILURE
from awning_harness.visit.hosts.other_hosts import PROBE, OtherHosts
from awning_harness.visit.pages.stacks import with_stack

EXPECTED = (NEIGHBOUR_FAILURE, "This document requires 'TrustedHTML' assignment")
"""Parts of console messages that are no error of the widget: the exception of another app in the theme `crowded`, and
Chromium's note about a refused string, after which the runtime inserts an element."""

OF_THE_SHOP = re.compile(r"\n +at [^\n]*/assets/[\w.-]+\.js:\d+:\d+\)?(?=\n|\Z)")
"""Matches the lines of a stack trace that are in the shop's own JavaScript. They only show who calls the widget."""


def is_expected(text: str) -> bool:
    return any(part in text for part in EXPECTED)


def is_of_the_page(message: ConsoleMessage, other_hosts: OtherHosts) -> bool:
    """Whether a message is an error, but none about a request to another host: `other_hosts` answers or reports it."""
    return message.type == "error" and message.location["url"] not in (*other_hosts.requested, PROBE)


@contextmanager
def collect_errors(page: Page, other_hosts: OtherHosts, report: Callable[[str], None]) -> Iterator[None]:
    """Pass each error of the page to `report` while the block runs."""

    def on_console(message: ConsoleMessage) -> None:
        if is_of_the_page(message, other_hosts):
            on_text(message.text)

    def on_exception(error: Error) -> None:
        text = f"{error.name}: {error.message}" if error.name else error.message
        on_text(with_stack(text, error.stack))

    def on_text(text: str) -> None:
        if not is_expected(text):
            report(OF_THE_SHOP.sub("", text))

    page.on("console", on_console)
    page.on("pageerror", on_exception)
    other_hosts.listen()
    try:
        yield
    finally:
        other_hosts.stop_listening()
        page.remove_listener("console", on_console)
        page.remove_listener("pageerror", on_exception)
