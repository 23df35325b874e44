"""Renders the template of a page. The snippets are inserted unescaped where the service inserts them.

The shop's own values are escaped. Under a Content Security Policy, the `<script>` elements in snippets get the page's
nonce, as a service with such a policy would have to do.

A `PageVisit` is one visit of one page: its website, language and options, and the values for templates that follow from
them.
"""

import json
import re
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from starlette.responses import HTMLResponse

from awning.contract import SLOTS, Dialect
from awning.contract.shop import THEMES
from awning.states.cart import Cart, currency
from awning.states.json_values import inline_json
from awning.states.money import display, isolated, isolation
from awning.states.shop_page import ShopPage
from awning.workspace.store.records import ProductRecord, Texts, text
from awning.workspace.store.store import Store
from awning_harness.storefront.options import PageOptions
from awning_harness.storefront.scenarios import in_dialect
from awning_harness.storefront.snippet_source import ForeignDialect, PageSnippets, Website
from awning_harness.storefront.themes import look_style, neighbours, sheet_names

_GRAMS_PER_KG = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class PageVisit:
    """One visit of one page. `path` is the path below the language: `product/1`, or "" for the home page."""

    website: Website
    language: str
    path: str
    options: PageOptions
    dialect: Dialect
    asset_origin: str = ""
    """The origin of the shop's files; empty for the page's own."""
    own_query: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """The part of the query that only the link to the same page in another language keeps."""

    def url(self, path: str, language: str | None = None, **changes: str | None) -> str:
        """Return the address of another page of this website, with the carried options."""
        return f"/{self.website.id}/{language or self.language}/{path}{self.options.query(**changes)}"

    def other_language(self, language: str) -> str:
        """Return the address of this page in another language."""
        return self.url(self.path, language, **self.own_query)

    @property
    def sheets(self) -> tuple[str, ...]:
        """The names of the page's style sheets, in order."""
        return sheet_names(self.options.theme)

    @property
    def look(self) -> str:
        """The style sheet of the store's own look, which a page without a theme has; "" without one."""
        return look_style(self.store.look) if self.options.theme == next(iter(THEMES.values())) else ""

    @property
    def shop_page(self) -> ShopPage:
        """What the payloads of this page depend on."""
        return ShopPage(
            store=self.store,
            language=self.language,
            website_languages=tuple(self.website.languages),
            answers=self.options.assumptions.pages,
            payload=self.options.payload,
        )

    @property
    def store(self) -> Store:
        return self.options.store

    @property
    def direction(self) -> str:
        """The direction of the page: `rtl` if its theme or its language is `rtl`, else `ltr`."""
        directions = (self.options.theme.direction, self.store.direction(self.language))
        return "rtl" if "rtl" in directions else "ltr"

    def money(self, amount: int) -> str:
        """Return an amount in minor units as the page shows it."""
        return display(amount, self.store.currency, self.direction)

    @property
    def money_format(self) -> dict[str, Any]:
        """The format of amounts on this page, for the shop's JavaScript."""
        start, end = isolation(self.store.currency, self.direction)
        return {**currency(self.store), "start": start, "end": end}

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of a text by preference."""
        return self.shop_page.languages

    def text(self, texts: Texts) -> str:
        return text(texts, *self.languages)

    def t(self, key: str, **values: object) -> str:
        """Return the text `key` of the shop in the page's language. `values` replace the names in braces in it."""
        shop_text = self.store.texts(self.language)[key]
        return shop_text.format_map(values) if values else shop_text

    def weight(self, grams: int) -> str:
        """Return a weight as `180 g` or `28.5 kg`, with the language's decimal sign."""
        weight = f"{grams} g" if grams < _GRAMS_PER_KG else f"{grams / _GRAMS_PER_KG:g} kg"
        if self.store.language(self.language).code not in ("en", "ar"):
            weight = weight.replace(".", ",")
        return isolated(weight) if self.direction == "rtl" else weight

    @property
    def products(self) -> tuple[ProductRecord, ...]:
        return self.store.products

    def page(self, kind: str) -> dict[str, str]:
        """Return the `page` of a payload."""
        return self.shop_page.page(kind)

    def cart_data(self, cart: Cart) -> dict[str, Any]:
        return self.shop_page.cart_data(cart)

    def event(self, slot: str) -> str:
        return SLOTS[slot].event(self.dialect)


_SCRIPT = re.compile(r"<script\b", re.IGNORECASE)


def template_environment() -> Environment:
    """Return the Jinja2 environment of the shop's templates, which escapes all values.

    The filter `json` is only for use inside a `<script>`.
    """
    environment = Environment(
        loader=PackageLoader("awning_harness.storefront"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["money"] = _money
    environment.filters["json"] = _markup_json
    return environment


@pass_context
def _money(context: Context, amount: int) -> str:
    visit: PageVisit = context["visit"]
    return visit.money(amount)


def _markup_json(value: Any) -> Markup:
    return Markup(inline_json(value))  # noqa: S704 - inline_json leaves no <, >, & or / unescaped


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertedHtml:
    """The HTML that apps insert into one page."""

    head: Markup
    body: Markup
    foreign_head: Markup
    """The head snippets of other apps, from the scenario and the theme. They follow the storefront's JavaScript."""


def inserted(snippets: Sequence[PageSnippets], visit: PageVisit, nonce: str | None) -> InsertedHtml:
    """Return the snippets of all apps for one page.

    In the body, the website's apps come in the order of installation, between the apps of the scenario and the theme.
    """
    body: Sequence[str] = [s.body for s in snippets]
    others = [s for s in (visit.options.scenario, neighbours(visit.options.theme, body)) if s]
    for scenario in others:
        before, after = (in_dialect(scripts, visit.dialect) for scripts in (scenario.before, scenario.after))
        body = [*before, *body, *after]
    return InsertedHtml(
        head=raw((s.head for s in snippets), nonce),
        body=raw(body, nonce),
        foreign_head=raw(in_dialect((s.head for s in others), visit.dialect), nonce),
    )


def raw(parts: Iterable[str], nonce: str | None) -> Markup:
    """Return HTML that is inserted unescaped, one part per line. With a nonce, each `<script>` gets it."""
    html = "\n".join(part for part in parts if part)
    return Markup(_SCRIPT.sub(f'<script nonce="{nonce}"', html) if nonce else html)  # noqa: S704 - raw on purpose


def nothing(_visit: PageVisit) -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRenderer:
    """Renders the pages of one storefront. `assets` are the addresses of the shop's files by plain name.

    `extra_head` returns HTML that the dev server adds to each `<head>`, after the storefront's JavaScript.
    """

    templates: Environment
    assets: Mapping[str, str]
    extra_head: Callable[[PageVisit], str] = nothing
    foreign: ForeignDialect

    def render_part(self, name: str, visit: PageVisit, **values: Any) -> str:
        """Return the HTML of a part that a page replaces in place."""
        return self.templates.get_template(f"{name}.html.j2").render(visit=visit, t=visit.t, **values)

    def respond(
        self,
        name: str,
        visit: PageVisit,
        snippets: Sequence[PageSnippets],
        *,
        status: int = 200,
        allowed_globals: Collection[str] = (),
        **values: Any,
    ) -> HTMLResponse:
        nonce = secrets.token_urlsafe(12) if visit.options.csp else None
        with_jquery = visit.options.csp != "trusted-types"
        html = self.templates.get_template(f"{name}.html.j2").render(
            visit=visit,
            t=visit.t,
            asset={name: visit.asset_origin + url for name, url in self.assets.items()},
            cors=Markup(" crossorigin") if visit.asset_origin else "",
            extra_head=raw((self.extra_head(visit),), nonce),
            nonce=nonce_attribute(nonce),
            inserted=inserted(snippets, visit, nonce),
            problems=self.foreign.problems(snippets),
            with_jquery=with_jquery,
            # Without jQuery, the shop has nothing that may insert the HTML of a changed cart.
            cart_changes=_cart_changes(name, visit) if with_jquery else "",
            side_cart=name == "cart"
            and visit.options.scenario is not None
            and visit.options.scenario.two_carts,
            allowed_globals=sorted(allowed_globals),
            **values,
        )
        headers = {
            "cache-control": "no-store",
            "content-language": visit.language,
            **policy_header(nonce, visit.options.csp, visit.asset_origin),
        }
        return HTMLResponse(html, status_code=status, headers=headers)


def _cart_changes(name: str, visit: PageVisit) -> str:
    """Return the address that changes the cart in place; empty if each change loads a page."""
    if name not in ("product", "cart") or visit.options.assumptions["cart-changes"] != "in-place":
        return ""
    payload = visit.options.payload if name == "cart" else None
    return visit.url("cart/change", payload=json.dumps(dict(payload)) if payload else None)


def nonce_attribute(nonce: str | None) -> Markup:
    """Return the `nonce` attribute of a `<script>` element with a space before it; empty without a nonce."""
    return Markup(f' nonce="{nonce}"') if nonce else Markup()  # noqa: S704 - URL-safe characters only


def policy_header(nonce: str | None, mode: str | None, asset_origin: str = "") -> dict[str, str]:
    """Return the header with the Content Security Policy for a value of the option `csp`; {} without a nonce."""
    if nonce is None:
        return {}
    trusted_types = mode == "trusted-types"
    return {"content-security-policy": policy(nonce, trusted_types=trusted_types, asset_origin=asset_origin)}


def policy(nonce: str, *, trusted_types: bool, asset_origin: str = "") -> str:
    """Return a Content Security Policy without `unsafe-eval`. The shop's files may come from `asset_origin`.

    With `trusted_types`, only the Trusted Types policy `awning` is allowed. Widgets may connect to any https server,
    and show its pictures: an app may have a server of its own, and the policy of a real shop has to allow that server.
    """
    own = f"'self' {asset_origin}".strip()
    rules = [
        "default-src 'self'",
        f"script-src {own} 'nonce-{nonce}'",
        f"style-src {own} 'unsafe-inline'",
        f"img-src {own} data: https:",
        "connect-src 'self' https:",
    ]
    if trusted_types:
        rules += ["require-trusted-types-for 'script'", "trusted-types awning"]
    return "; ".join(rules)
