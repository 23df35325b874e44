"""The handlers of the pages. Each reads the address, and chooses the template and the events' parameters."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from awning.contract import Dialect
from awning_harness.storefront.assumptions import default_answers
from awning_harness.storefront.cart import SHIPPING, Cart, make_line
from awning_harness.storefront.catalogue import find_product
from awning_harness.storefront.money import display, included_tax
from awning_harness.storefront.options import BadOption, checkout_cart, read_options
from awning_harness.storefront.page import PageRenderer
from awning_harness.storefront.page_visit import PageVisit
from awning_harness.storefront.snippet_source import SnippetSource

_MOST_DIGITS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Views:
    """The handlers of one storefront."""

    source: SnippetSource
    renderer: PageRenderer
    dialect: Dialect
    csp: str | None = None
    assumed: Callable[[], Mapping[str, str]] = default_answers
    """Returns the answers in force, by assumption. It is called for each page because they may change."""

    async def list_websites(self, _request: Request) -> Response:
        """Handle `/`: list all websites."""
        websites = await run_in_threadpool(self.source.websites)
        return HTMLResponse(
            self.renderer.templates.get_template("websites.html.j2").render(websites=websites)
        )

    async def enter_website(self, request: Request) -> Response:
        """Handle `/<website>/`: show the home page in the website's first language, or redirect to it."""
        website = self.source.website(int(request.path_params["website_id"]))
        if website is None or not website.languages:
            return Response("there is no such website", status_code=404, media_type="text/plain")
        options = read_options(request.query_params, assumed=self.assumed(), csp=self.csp)
        if options.assumptions["page-address"] == "first-at-root":
            visit = PageVisit(
                website=website, language=website.languages[0], path="", options=options, dialect=self.dialect
            )
            return await self._page("home", visit)
        return RedirectResponse(f"/{website.id}/{website.languages[0]}/{_query(request)}")

    async def home(self, request: Request) -> Response:
        visit = self._visit(request, "")
        is_first = visit.language == visit.website.languages[0]
        if is_first and visit.options.assumptions["page-address"] == "first-at-root":
            return RedirectResponse(f"/{visit.website.id}/{_query(request)}")
        return await self._page("home", visit)

    async def product(self, request: Request) -> Response:
        name = str(request.path_params["product"])
        record = find_product(name)
        if record is None:
            return self._missing(self._visit(request, ""))
        visit = self._visit(request, f"product/{record.id}")
        params = visit.params("after-price", item=visit.item(record)) if record.priced else None
        return await self._page("product", visit, product=record, first=record.first_variant(), params=params)

    async def cart(self, request: Request) -> Response:
        visit = self._visit(request, "cart")
        changed = _changed_cart(visit.options.cart, dict(request.query_params))
        if changed is not None:
            return RedirectResponse(visit.url("cart", cart=changed.spec), status_code=303)
        cart = replace(visit.options.cart, shipping=None)
        fires = bool(cart.lines) or visit.options.assumptions["empty-cart"] == "event"
        params = visit.params("after-cart", cartData=visit.cart_data(cart)) if fires else None
        return await self._page("cart", visit, cart=cart, tax=included_tax(cart.total), params=params)

    async def checkout(self, request: Request) -> Response:
        visit = self._visit(request, "checkout")
        if not visit.options.cart.lines:
            return RedirectResponse(visit.url("cart"), status_code=303)
        cart, known = checkout_cart(visit.options.cart, request.query_params)
        params = visit.params("after-checkout", cartData=visit.cart_data(cart))
        wrong = "" if known else request.query_params.get("code", "")
        return await self._page(
            "checkout",
            visit,
            cart=cart,
            tax=included_tax(cart.total),
            ways=SHIPPING,
            wrong=wrong,
            params=params,
        )

    async def quote(self, request: Request) -> Response:
        """Return the totals of the checkout, which the page loads when the shopper changes the code or the shipping."""
        visit = self._visit(request, "checkout")
        cart, known = checkout_cart(visit.options.cart, request.query_params)
        return JSONResponse(
            {"known": known, "cartData": visit.cart_data(cart), "shown": _quote_texts(visit, cart)},
            headers={"cache-control": "no-store"},
        )

    async def missing(self, request: Request) -> Response:
        return self._missing(self._visit(request, ""))

    def _visit(self, request: Request, path: str) -> PageVisit:
        website = self.source.website(int(request.path_params["website_id"]))
        language = str(request.path_params["language"])
        if website is None or language not in website.languages:
            raise NotOnThisWebsite
        options = read_options(request.query_params, assumed=self.assumed(), csp=self.csp)
        return PageVisit(website=website, language=language, path=path, options=options, dialect=self.dialect)

    async def _page(self, name: str, visit: PageVisit, **values: Any) -> Response:
        """Render a page in a thread, because the service may have to fetch a snippet first."""
        return await run_in_threadpool(self._render, name, visit, values)

    def _render(self, name: str, visit: PageVisit, values: dict[str, Any]) -> Response:
        snippets = self.source.page_snippets(visit.website.id, visit.language)
        return self.renderer.respond(name, visit, snippets, **values)

    def _missing(self, visit: PageVisit) -> Response:
        return self.renderer.respond("missing", visit, (), status=404)


class NotOnThisWebsite(LookupError):
    """The website does not exist, or does not have the page's language."""


async def not_on_this_website(_request: Request, _error: Exception) -> Response:
    return Response(
        "there is no such website, or it does not have this language", 404, media_type="text/plain"
    )


def _query(request: Request) -> str:
    return f"?{request.url.query}" if request.url.query else ""


async def bad_option(_request: Request, error: Exception) -> Response:
    assert isinstance(error, BadOption)  # noqa: S101 - Starlette passes only the registered exception
    return Response(str(error), status_code=400, media_type="text/plain")


def _quote_texts(visit: PageVisit, cart: Cart) -> dict[str, Any]:
    """Return the code and the totals as texts for the page."""
    return {
        "code": cart.code,
        "applied": visit.t("code_applied", code=cart.code) if cart.code else "",
        "announced": visit.t("updated", total=display(cart.total)),
        "discount": f"−{display(cart.discount)}",  # noqa: RUF001 - the minus sign is the right one here
        "shipping": display(cart.shipping_price) if cart.shipping_price else visit.t("free"),
        "total": display(cart.total),
        "taxes": display(included_tax(cart.total)),
    }


def _changed_cart(cart: Cart, query: dict[str, str]) -> Cart | None:
    """Return the cart after `?add=<product>` or `?set=<line>`; None when the address changes nothing."""
    digits = query.get("quantity", "1")
    quantity = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < _MOST_DIGITS else 1
    if "set" in query:
        return cart.with_quantity(query["set"], quantity)
    if "add" in query:
        added = make_line(query["add"], quantity, query.get("variant") or None)
        if added is None:
            raise BadOption(f"there is nothing to buy as {query['add']!r}")
        return cart.with_line(added)
    return None
