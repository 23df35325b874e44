"""The handlers of the pages. Each reads the address, and chooses the template and the events' parameters."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode
from zlib import crc32

from jinja2 import Environment
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ExceptionHandler

from awning.contract import Dialect
from awning.contract.slots import CART_TOPIC, SlotPage
from awning.states.assumptions import default_answers
from awning.states.cart import Cart, make_line
from awning.states.money import included_tax
from awning.states.payloads import Contents, event_parameters
from awning.workspace.store.records import EMPTY_CART
from awning.workspace.store.store import Store
from awning.workspace.store.store_files import shipped_store
from awning_harness.storefront.options import BadOption, PageOptions, checkout_cart, read_options
from awning_harness.storefront.origins import asset_origin
from awning_harness.storefront.page import PageRenderer, PageVisit
from awning_harness.storefront.snippet_source import SnippetSource

_MOST_DIGITS = 3
_LEAST_ORDER = 100_000
Links = Sequence[tuple[str, str]]


def no_data(_request: Request) -> None:
    """Return no app data of the page's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Views:
    """The handlers of one storefront."""

    source: SnippetSource
    renderer: PageRenderer
    dialect: Dialect
    csp: str | None = None
    assumed: Callable[[], Mapping[str, str]] = default_answers
    """Returns the answers in force, by assumption. It is called for each page because they may change."""
    store: Callable[[], Store] = shipped_store
    """Returns the present store. It is called for each page because its files may change."""
    allowed_globals: Callable[[], Collection[str]] = tuple
    """Returns the globals that apps may leave on pages. It is called for each page because they may change."""

    page_data: Callable[[Request], Mapping[str, Any] | None] = no_data
    """Returns the app data that an address names for its page; None for the stored ones. Raises BadOption."""

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
            raise NoSuchPage(f"there is no website {request.path_params['website_id']} with a language")
        options = self._options(request)
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
        visit = self._visit(request, "")
        record = visit.store.find_product(name)
        if record is None:
            return self._missing(visit)
        visit = replace(visit, path=f"product/{record.id}")
        first = record.first_variant()
        contents = Contents(product=record, variant=first)
        return await self._page("product", visit, contents, product=record, first=first)

    async def cart(self, request: Request) -> Response:
        visit = self._visit(request, "cart")
        changed = _changed_cart(visit.options.cart, dict(request.query_params))
        if changed is not None:
            return RedirectResponse(visit.url("cart", cart=changed.spec), status_code=303)
        cart = _before_checkout(visit)
        return await self._page("cart", visit, Contents(cart=cart), cart=cart, tax=included_tax(cart.total))

    async def change_cart(self, request: Request) -> Response:
        """Return the changed cart as a page shows it in place: the HTML of cart and side cart, and the event."""
        visit = self._visit(request, "cart")
        changed = _changed_cart(visit.options.cart, dict(request.query_params)) or visit.options.cart
        options = replace(
            visit.options, cart=changed, carried={**visit.options.carried, "cart": changed.spec}
        )
        visit = replace(visit, options=options)
        cart = _before_checkout(visit)
        html = {
            name: self.renderer.render_part(part, visit, cart=cart, tax=included_tax(cart.total))
            for name, part in (("cart", "cart_content"), ("side", "side_cart"))
        }
        return JSONResponse(
            {
                "cart": changed.spec,
                "pieces": changed.pieces,
                "announced": visit.t("updated", total=visit.money(cart.total)),
                "html": html,
                "hosts": [
                    {"container": f".placeholder-{slot}", "event": visit.event(slot), "params": params}
                    for slot, params in event_parameters(visit.shop_page, "cart", Contents(cart=cart)).items()
                    if params is not None
                ],
            },
            headers={"cache-control": "no-store"},
        )

    async def checkout(self, request: Request) -> Response:
        visit = self._visit(request, "checkout")
        if not visit.options.cart.lines:
            return RedirectResponse(visit.url("cart"), status_code=303)
        cart, known = checkout_cart(visit.options.cart, request.query_params)
        wrong = "" if known else request.query_params.get("code", "")
        return await self._page(
            "checkout", visit, Contents(cart=cart), cart=cart, tax=included_tax(cart.total), wrong=wrong
        )

    async def quote(self, request: Request) -> Response:
        """Return the totals of the checkout, which the page loads when the shopper changes the code or the shipping."""
        visit = self._visit(request, "checkout")
        cart, known = checkout_cart(visit.options.cart, request.query_params)
        return JSONResponse(
            {"known": known, "cartData": visit.cart_data(cart), "texts": _quote_texts(visit, cart)},
            headers={"cache-control": "no-store"},
        )

    async def order(self, request: Request) -> Response:
        """Handle `order`: the page after the order. The shopper's next cart is empty."""
        visit = self._visit(request, "order")
        if not visit.options.cart.lines:
            return RedirectResponse(visit.url("cart"), status_code=303)
        cart, _ = checkout_cart(visit.options.cart, request.query_params)
        own = {"cart": cart.spec, "code": cart.code or "", "shipping": cart.shipping or ""}
        carried = {**visit.options.carried, "cart": EMPTY_CART}
        options = replace(visit.options, cart=Cart(store=cart.store), carried=carried)
        return await self._page(
            "order",
            replace(visit, options=options, own_query=own),
            Contents(cart=cart),
            cart=cart,
            tax=included_tax(cart.total),
            number=_order_number(own),
        )

    def plain(self, page: SlotPage) -> Callable[[Request], Awaitable[Response]]:
        """Return the handler of a kind of page that has slots and no design of its own."""

        async def show(request: Request) -> Response:
            name = request.path_params.get("product")
            visit = self._visit(request, page.name if name is None else f"{page.name}/{name}")
            record = visit.store.find_product(str(name)) if name is not None else None
            if name is not None and record is None:
                return self._missing(visit)
            cart, _ = checkout_cart(visit.options.cart, request.query_params)
            first = record.first_variant() if record else None
            of_cart = Contents(cart=cart) if page.topic == CART_TOPIC else Contents()
            contents = Contents(product=record, variant=first) if record else of_cart
            return await self._page("plain", visit, contents, kind=page.name)

        return show

    async def missing(self, request: Request) -> Response:
        return self._missing(self._visit(request, ""))

    def _options(self, request: Request) -> PageOptions:
        options = read_options(request.query_params, store=self.store(), assumed=self.assumed(), csp=self.csp)
        data = self.page_data(request)
        if data is None:
            return options
        carried = {**options.carried, "data": request.query_params["data"]}
        return replace(options, data=data, carried=carried)

    def _visit(self, request: Request, path: str) -> PageVisit:
        website = self.source.website(int(request.path_params["website_id"]))
        language = str(request.path_params["language"])
        if website is None:
            raise NoSuchPage(f"there is no website {request.path_params['website_id']}")
        if language not in website.languages:
            codes = ", ".join(website.languages) or "no language"
            raise NoSuchPage(
                f'the website {website.id} is not in "{language}"; it is in {codes}',
                [("Its home page", f"/{website.id}/")] if website.languages else (),
            )
        options = self._options(request)
        return PageVisit(
            website=website,
            language=language,
            path=path,
            options=options,
            dialect=self.dialect,
            asset_origin=asset_origin(request.url.scheme, request.url.netloc),
        )

    async def _page(
        self, name: str, visit: PageVisit, contents: Contents | None = None, **values: Any
    ) -> Response:
        """Render a page in a thread, because the service may have to fetch a snippet first."""
        payloads = event_parameters(visit.shop_page, values.get("kind", name), contents or Contents())
        return await run_in_threadpool(self._render, name, visit, {**values, "payloads": payloads})

    def _render(self, name: str, visit: PageVisit, values: dict[str, Any]) -> Response:
        has_snippets = name != "order" or visit.options.assumptions["order-page"] == "snippets"
        snippets = (
            self.source.page_snippets(visit.website.id, visit.language, visit.options.data)
            if has_snippets
            else ()
        )
        return self.renderer.respond(name, visit, snippets, allowed_globals=self.allowed_globals(), **values)

    def _missing(self, visit: PageVisit) -> Response:
        return self.renderer.respond("missing", visit, (), status=404)


class NoSuchPage(LookupError):
    """There is no page at the address. The message is the reason; `links` lead to others, as text and address."""

    def __init__(self, reason: str, links: Links = ()) -> None:
        super().__init__(reason)
        self.links = links


def _before_checkout(visit: PageVisit) -> Cart:
    """Return the cart as the cart page shows it: no way of shipping is chosen."""
    return replace(visit.options.cart, shipping=None)


def _query(request: Request) -> str:
    return f"?{request.url.query}" if request.url.query else ""


def refusals(templates: Environment) -> Mapping[int | type[Exception], ExceptionHandler]:
    """Return the handlers of the exceptions for addresses that this shop does not have. `templates` are the shop's."""

    def respond(request: Request, title: str, text: str, *, status: int, links: Links) -> Response:
        """Respond with a page for browsers, which has links to go on, and with the text alone for other clients."""
        if "text/html" not in request.headers.get("accept", ""):
            return Response(text, status, media_type="text/plain")
        page = templates.get_template("refused.html.j2").render(title=title, text=text, links=links)
        return HTMLResponse(page, status)

    async def no_such_page(request: Request, error: Exception) -> Response:
        if not isinstance(error, NoSuchPage):  # no route has this address
            error = NoSuchPage(f"there is no page at {request.url.path}")
        links = [*error.links, ("All pages", "/")]
        return respond(request, "No such page", str(error), status=404, links=links)

    async def bad_option(request: Request, error: Exception) -> Response:
        links = [("This page without options", request.url.path)]
        return respond(request, "No such option", str(error), status=400, links=links)

    return {404: no_such_page, NoSuchPage: no_such_page, BadOption: bad_option}


def _quote_texts(visit: PageVisit, cart: Cart) -> dict[str, Any]:
    """Return the code and the totals as texts for the page."""
    return {
        "code": cart.code,
        "applied": visit.t("code_applied", code=cart.code) if cart.code else "",
        "announced": visit.t("updated", total=visit.money(cart.total)),
        "discount": visit.money(-cart.discount),
        "shipping": visit.money(cart.shipping_price) if cart.shipping_price else visit.t("free"),
        "total": visit.money(cart.total),
        "taxes": visit.money(included_tax(cart.total)),
    }


def _order_number(order: Mapping[str, str]) -> str:
    """Return the number of an order. The same order has the same number, because the server stores nothing."""
    return str(_LEAST_ORDER + crc32(urlencode(order).encode()) % _LEAST_ORDER)


def _changed_cart(cart: Cart, query: dict[str, str]) -> Cart | None:
    """Return the cart after `?add=<product>` or `?set=<line>`; None without either.

    Raises BadOption when the product cannot be bought.
    """
    digits = query.get("quantity", "1")
    quantity = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < _MOST_DIGITS else 1
    if "set" in query:
        return cart.with_quantity(query["set"], quantity)
    if "add" in query:
        added = make_line(cart.store, query["add"], quantity, query.get("variant") or None)
        if added is None:
            raise BadOption(f"there is nothing to buy as {query['add']!r}")
        return cart.with_line(added)
    return None
