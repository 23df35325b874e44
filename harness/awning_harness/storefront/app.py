"""The storefront as an ASGI app: its routes, and the responses to exceptions."""

import sys
from collections.abc import Callable, Collection, Mapping

from starlette.applications import Starlette
from starlette.routing import BaseRoute, Route

from awning.bundle.emulator import dialect_defines
from awning.contract import Dialect
from awning.contract.slots import PRODUCT_TOPIC, SLOTS
from awning.states.assumptions import default_answers
from awning.workspace.store.store import Store
from awning.workspace.store.store_files import shipped_store
from awning_harness.path_numbers import accept_numbers
from awning_harness.storefront.assets import Assets, shop_assets
from awning_harness.storefront.page import PageRenderer, template_environment
from awning_harness.storefront.snippet_source import ForeignDialect, SnippetSource
from awning_harness.storefront.views import Views, refusals


def print_warning(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def storefront_app(
    source: SnippetSource,
    *,
    dialect: Dialect | None = None,
    csp: str | None = None,
    assets: Assets | None = None,
    assumed: Callable[[], Mapping[str, str]] = default_answers,
    store: Callable[[], Store] | None = None,
    allowed_globals: Callable[[], Collection[str]] = tuple,
    say: Callable[[str], None] = print_warning,
) -> Starlette:
    """Return the simulated storefront of all websites of `source`.

    It answers requests to any host name: whoever serves it checks the name (`awning_harness.service.hosts`). `csp`
    is the default Content Security Policy of the pages: "nonce", "trusted-types" or None. `assets` are the shop's
    files; without them, they are bundled here. `assumed` returns the present answers of assumptions, and `store`
    the present store, by default the shipped one. `allowed_globals` returns the globals that apps may leave on
    pages. `say` gets warnings for the developer about snippets of another dialect.
    """
    dialect = dialect or Dialect()
    assets = assets or shop_assets(dialect_defines(dialect))
    renderer = PageRenderer(
        templates=template_environment(), assets=assets.urls, foreign=ForeignDialect(dialect, say)
    )
    views = Views(
        source=source,
        renderer=renderer,
        dialect=dialect,
        csp=csp,
        assumed=assumed,
        store=store or shipped_store,
        allowed_globals=allowed_globals,
    )
    return Starlette(
        routes=storefront_routes(views, assets),
        exception_handlers=refusals(renderer.templates),
    )


def storefront_routes(views: Views, assets: Assets) -> list[BaseRoute]:
    accept_numbers()
    page = "/{website_id:number}/{language}"
    return [
        Route("/", views.list_websites),
        Route("/assets/{name}", assets.respond),
        Route("/{website_id:number}/", views.enter_website),
        Route(f"{page}/", views.home),
        Route(f"{page}/product/{{product}}", views.product),
        Route(f"{page}/cart", views.cart),
        Route(f"{page}/cart/change", views.change_cart),
        Route(f"{page}/checkout", views.checkout),
        Route(f"{page}/checkout/quote", views.quote),
        Route(f"{page}/order", views.order),
        *(
            Route(
                f"{page}/{slot.page.name}{'/{product}' if slot.topic == PRODUCT_TOPIC else ''}",
                views.plain(slot.page),
            )
            for slot in SLOTS.values()  # the pages above, which have a design of their own, come first
        ),
        Route(f"{page}/{{rest:path}}", views.missing),
    ]
