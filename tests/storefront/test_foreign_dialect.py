"""A snippet that was built for another dialect shows nothing: page and terminal have a warning."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from awning.contract import Dialect
from awning_harness.storefront import FixedSnippets
from awning_harness.storefront.snippet_source import ForeignDialect, foreign_names

ACME = Dialect(global_object="acmePlugins", event_prefix="acme-", placeholder_prefix="acme_")
OWN = '<script>svcPlugins.subscribeEvent("svc-content-after-price", function () {});</script>'
FOREIGN = OWN.replace("svcPlugins", "acmePlugins").replace("svc-", "acme-")


@pytest.mark.parametrize(
    ("html", "phrases"),
    [
        ("", []),
        ("<b>svc-content-after-price is only a text</b>", []),
        (OWN, []),
        ("<script>with (window) svcPlugins?.subscribeEvent(`svc-content-after-cart-updated`)</script>", []),
        ('<p lang="{{svc_language}}">{{svc_app_data}}</p>', []),
        (
            FOREIGN,
            [
                'it subscribes to "acme-..." events, which are "svc-..." here',
                "it subscribes, but never uses svcPlugins, the global object here",
            ],
        ),
        (
            OWN.replace("svc-content-after-price", "acme-content-after-checkout-updated"),
            ['it subscribes to "acme-..." events, which are "svc-..." here'],
        ),
        (
            "<p>{{acme_app_data}}</p>",
            ["it holds {{acme_...}} placeholders, which are {{svc_...}} here"],
        ),
        (
            "<script>const p = window.acmePlugins; p.subscribeEvent(name, f)</script>",
            ["it subscribes, but never uses svcPlugins, the global object here"],
        ),
    ],
)
def test_names_of_another_dialect_are_reported(html, phrases):
    assert list(foreign_names(html, Dialect())) == phrases


def test_the_specifications_names_are_foreign_in_another_dialect():
    assert list(foreign_names(FOREIGN, ACME)) == []
    assert len(list(foreign_names(OWN, ACME))) == 2


def test_the_page_shows_the_warning_and_the_terminal_gets_it_once(app_with, ask):
    warnings: list[str] = []
    app = app_with(FixedSnippets(app_title="Deliveries", body=FOREIGN), say=warnings.append)
    (notice,) = ask(app, "/1/en/product/1").soup.select("body > .shop-problem[role=alert]")
    assert notice.get_text().startswith("Deliveries is built for another dialect and cannot work here: ")
    assert "awning service --dialect NAME" in notice.get_text()
    ask(app, "/1/en/cart")
    assert warnings == [f"warning: {notice.get_text()}"]


def test_a_snippet_of_the_right_dialect_gets_no_warning(app_with, ask):
    warnings: list[str] = []
    app = app_with(FixedSnippets(body=OWN), say=warnings.append)
    assert not ask(app, "/1/en/product/1").soup.select("[role=alert]")
    assert warnings == []


class SlowSet(set):
    """A set during whose look-ups other threads run."""

    def __contains__(self, item):
        is_in = super().__contains__(item)
        time.sleep(0.1)
        return is_in


def test_pages_that_are_rendered_at_once_warn_once():
    warnings: list[str] = []
    foreign = ForeignDialect(Dialect(), warnings.append)
    foreign._printed = SlowSet()
    snippets = [FixedSnippets(app_title="Deliveries", body=FOREIGN)]
    with ThreadPoolExecutor() as threads:
        pages = list(threads.map(foreign.problems, [snippets] * 2))
    assert [len(problems) for problems in pages] == [1, 1]
    assert len(warnings) == 1
