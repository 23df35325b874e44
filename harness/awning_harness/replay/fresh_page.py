"""A fresh page for a visit that is played again: a browser context of its own, with the same website and answers."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from playwright.sync_api import Error

from awning_harness.testing import Storefront
from awning_harness.visit.frames.widget import WidgetBench
from awning_harness.visit.hosts.other_hosts import OtherHosts
from awning_harness.visit.pages.console_errors import collect_errors
from awning_harness.visit.pages.tabs import VIEWPORT, Tab, open_page


@contextmanager
def open_again(
    opened: Storefront | WidgetBench, *, width: int, media: Mapping[str, Any]
) -> Iterator[Storefront]:
    """Yield a storefront with the website, app data and answers of `opened`, in a new browser context.

    `media` are the shopper's preferences.

    Raises Playwright's Error when the browser is gone.
    """
    browser = opened.tab.page.context.browser
    if browser is None:
        raise Error("the browser is gone")
    page = open_page(browser)
    tab = Tab(page=page, devtools=page.context.new_cdp_session(page))
    page.set_viewport_size({"width": width, "height": VIEWPORT["height"]})
    page.emulate_media(**media)
    tab.other_hosts = OtherHosts(
        context=page.context,
        folder=opened.other_hosts.folder,
        beacon=opened.other_hosts.beacon,
        report=lambda text: storefront.add_error(text),  # noqa: PLW0108 - there is no storefront yet
        responses=dict(opened.other_hosts.responses),
    )
    storefront = Storefront(
        shop=opened.shop,
        unit=opened.unit,
        installed_app=opened.installed_app,
        tab=tab,
        other_hosts=tab.other_hosts,
        globals_without_apps=opened.globals_without_apps,
    )
    try:
        with collect_errors(page, tab.other_hosts, storefront.add_error):
            yield storefront
    finally:
        with suppress(Error):  # a script never ended, so the context is closed already
            page.context.close()
