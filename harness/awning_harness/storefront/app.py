"""The storefront as an ASGI app: routes, and the check that a request came to a loopback name."""

import sys
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.routing import BaseRoute, Route

from awning.contract import Dialect
from awning_harness.storefront.assets import Assets, shop_assets
from awning_harness.storefront.assumptions import usual_answers
from awning_harness.storefront.foreign_dialect import ForeignDialect
from awning_harness.storefront.options import BadOption
from awning_harness.storefront.page import Shop, environment
from awning_harness.storefront.scripts import dialect_defines
from awning_harness.storefront.source import SnippetSource
from awning_harness.storefront.views import NotOnThisWebsite, Views, bad_option, not_on_this_website

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def say_on_stderr(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def storefront_app(
    source: SnippetSource,
    *,
    base_url: str,
    dialect: Dialect | None = None,
    csp: str | None = None,
    assets: Assets | None = None,
    assumed: Callable[[], Mapping[str, str]] = usual_answers,
    say: Callable[[str], None] = say_on_stderr,
    allowed_hosts: Iterable[str] = (),
) -> Starlette:
    """The simulated storefront of every website that `source` knows.

    `base_url` is where it is reached; other host names than its own, `allowed_hosts` and loopback ones are refused.
    `csp` is the Content Security Policy of every page: "nonce", "trusted-types" or none. `assets` are taken instead of
    bundling.
    `assumed` gives the answers in force, by assumption: those of the service whose storefront it is.
    `say` gets what a developer has to know and a page alone may not show: snippets of another dialect.
    """
    dialect = dialect or Dialect()
    assets = assets or shop_assets(dialect_defines(dialect))
    shop = Shop(templates=environment(), assets=assets.urls, foreign=ForeignDialect(dialect, say))
    views = Views(source=source, shop=shop, dialect=dialect, csp=csp, assumed=assumed)
    return Starlette(
        routes=storefront_routes(views, assets),
        middleware=[
            Middleware(
                TrustedHostMiddleware, allowed_hosts=[*hosts(base_url), *allowed_hosts], www_redirect=False
            )
        ],
        exception_handlers={NotOnThisWebsite: not_on_this_website, BadOption: bad_option},
    )


def hosts(base_url: str) -> list[str]:
    """Host names a request may come to: a page of another site must not reach us under its own name."""
    own = urlsplit(base_url).hostname or ""
    return [*dict.fromkeys((*LOOPBACK, own))]


def storefront_routes(views: Views, assets: Assets) -> list[BaseRoute]:
    page = "/{website_id:int}/{language}"
    return [
        Route("/", views.street),
        Route("/assets/{name}", assets.respond),
        Route("/{website_id:int}/", views.door),
        Route(f"{page}/", views.home),
        Route(f"{page}/product/{{product}}", views.product),
        Route(f"{page}/cart", views.cart),
        Route(f"{page}/checkout", views.checkout),
        Route(f"{page}/checkout/quote", views.quote),
        Route(f"{page}/{{rest:path}}", views.missing),
    ]
