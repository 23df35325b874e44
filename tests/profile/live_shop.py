"""A second shop, which shares no code with the simulated one: other markup, its own svcPlugins, a foreign app.

It is served on loopback as "the live shop". Its pages come in the ways of real servers: compressed, in chunks, with an
ETag, behind a redirect, under a Content Security Policy with nonces. Further pages fight a preview.

`add_busy_page` adds a page as old themes make them: jQuery, two apps without a stamp, and a cart at the side that is
loaded, and replaced, by AJAX. Which cart that is, a cookie says.
"""

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar
from urllib.parse import urlsplit

ITEM = {
    "id": "77",
    "name": "Wool blanket",
    "sku": "WB",
    "brand": "",
    "category": "Home",
    "price": 59.9,
    "price_undiscounted": 59.9,
    "currency": "EUR",
    "weight": 900,
    "stock": 3,
    "variants": [],
}

VARIANTS = [
    {
        "id": str(number),
        "options": [{"title": size}],
        "price": 59.9 + number,
        "price_undiscounted": 59.9 + number,
        "sku": size,
        "stock": number,
        "weight": 900,
    }
    for number, size in enumerate(("S", "M"), 771)
]

PAGE = {"language": "en", "page": "catalog"}

CART = {
    "items": [
        {
            "id": "77",
            "variant_id": None,
            "name": "Wool blanket",
            "sku": "WB",
            "options": [],
            "quantity": 1,
            "price": 59.9,
            "price_undiscounted": 59.9,
            "weight": 900,
        }
    ],
    "total": 59.9,
    "total_no_discount": 59.9,
    "discount_code": "",
    "discount_amount": 0,
    "shipping_price": None,
    "taxes": 10.4,
    "weight": 900,
}
CURRENCY = {
    "code": "EUR",
    "symbol": "€",
    "position": "after",
    "decimals": 2,
    "decimal_separator": ",",
    "thousands_separator": " ",
}
CHECKOUT = {"cartData": CART, "currency": CURRENCY, "page": PAGE}

PLUGINS = """
window.svcPlugins = (() => {
  const last = {}, subscribers = {};
  const deliver = (name, args) => {
    last[name] = args;
    for (const call of subscribers[name] || []) {
      try { call({ type: name }, ...args); } catch (error) { console.error(error); }
    }
  };
  return {
    subscribeEvent(name, call) {
      (subscribers[name] ||= []).push(call);
      if (last[name]) call({ type: name }, ...last[name]);
    },
    _deliver: deliver,
    _host(selector, name, params) {
      let order = 0;
      const init = () => {
        const block = document.createElement("div");
        block.dataset.order = ++order;
        const setContent = (html) => {
          if (!block.isConnected) document.querySelector(selector).append(block);
          block.replaceChildren(document.createRange().createContextualFragment(html));
        };
        return { setContent, params };
      };
      if (document.readyState == "loading") addEventListener("DOMContentLoaded", () => deliver(name, [init, params]));
      else deliver(name, [init, params]);
    },
  };
})();
"""

TRUSTING = """const own = trustedTypes.createPolicy("shop", { createHTML: String });
const trusted = (html) => typeof html == "string" ? own.createHTML(html) : html;
"""
"""What a shop that requires Trusted Types adds to PLUGINS."""

STYLE = """
body { font: 17px/1.6 Georgia, serif; color: #3b2f2f; background: #faf5ec; margin: 0 }
header { background: #6b4f3a; color: #fff; padding: 1rem 3rem; font-size: 1.4rem }
main { display: grid; grid-template-columns: 1fr 1fr; gap: 3rem; padding: 2rem 3rem; max-width: 70rem }
.photo { background: linear-gradient(135deg, #c8a27a, #8d6b4a); aspect-ratio: 1; border-radius: .5rem }
.cost { font-size: 2rem; color: #8a3b12 }
.slot:empty { display: none }
.buy { font: inherit; background: #8a3b12; color: #fff; border: 0; padding: .8rem 2rem; border-radius: 2rem }
footer { padding: 2rem 3rem; color: #8d7b6a; font-size: .9rem }
"""

FOREIGN = """<script{nonce}>svcPlugins.subscribeEvent("svc-content-after-price", (_, init) => {{
  init().setContent('<p class="foreign">Rated 4.8 of 5</p>');
}});</script>"""
"""Another app's snippet, without a stamp."""

STAMPED = """<!--awning 00112233aabb-->\
<script type="application/json" data-awning="Other app" lang="en">{{}}</script><script{nonce}>
document.documentElement.dataset.other = "runs"; void "aw-ffffff";</script>"""
"""Another app's snippet that was also made with awning."""


def product_page(
    head: str = "",
    body: str = "",
    *,
    nonce: str = "",
    slot: str = "after-price",
    item: Mapping[str, Any] = ITEM,
    page: Mapping[str, Any] = PAGE,
    params: Mapping[str, Any] | None = None,
) -> str:
    mark = f' nonce="{nonce}"' if nonce else ""
    param = json.dumps(params or {"item": item, "page": page})
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Wool blanket</title><link rel="icon" href="data:,">
<style{mark}>{STYLE}</style><script{mark}>{PLUGINS}</script>{head}</head>
<body><header>The Loom House</header>
<main><div class="photo"></div><article><h1>Wool blanket</h1><p class="cost">59,90 €</p>
<section class="slot placeholder-{slot}"></section>
<script{mark}>svcPlugins._host(".slot", "svc-content-{slot}", {param})</script>
<p>Woven in a small mill from the wool of mountain sheep. Warm in winter, cool in summer.</p>
<form method="post" action="/order"><button class="buy">Order now</button></form></article></main>
<footer>Shipping within the EU</footer>
{FOREIGN.format(nonce=mark)}{STAMPED.format(nonce=mark)}{body}
</body></html>"""


def trusting_page(policy: str, body: str = "") -> "Reply":
    """Return a page of a shop that requires Trusted Types, and allows the policies that are named, or any for ""."""
    html = product_page(body=body).replace("window.svcPlugins = ", f"{TRUSTING}window.svcPlugins = ", 1)
    html = html.replace("createContextualFragment(html)", "createContextualFragment(trusted(html))")
    named = f"; trusted-types {policy}" if policy else ""
    return Reply(html, headers={"Content-Security-Policy": f"require-trusted-types-for 'script'{named}"})


JQUERIES = {
    "2.2.4": Path(__file__).parents[2] / "jsrc/vendor/jquery-2.2.4.min.js",
    "3.7.1": Path(__file__).with_name("jquery-3.7.1.min.js"),
}
"""jQuery as it was published (tests/live/test_preview.py has the hashes): that of the service, and a newer one."""
SIDE_CART = """<aside class="side-cart"></aside><button class="add">Add</button><script>
jQuery(function ($) {
  var load = function () { $(".side-cart").load("/side-cart"); };
  $(".add").on("click", function () { $.get("/add-to-cart").done(load); });
  load();
});
</script>"""
CART_PART = """<h2>{count} blankets</h2><section class="placeholder-after-cart"></section>
<script>svcPlugins._host(".placeholder-after-cart", "svc-content-after-cart", {params})</script>"""
SECOND_APP = """<script>jQuery(function ($) {
  svcPlugins.subscribeEvent("svc-content-after-cart", function (_, init) {
    init().setContent($("<div>").append($('<p class="wrap">').text("Gift wrap for 2 euros")).html());
  });
});</script>"""
"""Another app's snippet, without a stamp. It uses the shop's jQuery."""


def on_load(script: str) -> str:
    """Return the HTML of a script that runs when the page is loaded."""
    return f"<script>addEventListener('load', () => {{ {script} }})</script>"


def fires(event: str, *arguments: Any) -> str:
    """Return a script that delivers an event, as the shop does after a change in place."""
    words = ", ".join(json.dumps(argument) for argument in arguments)
    return f"svcPlugins._deliver('svc-content-{event}', [() => ({{}}), {words}]);"


@dataclass
class Reply:
    body: str | bytes = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    chunked: bool = False
    compressed: bool = False


@dataclass
class LiveShop:
    """The pages by path, and the requests that came: method and path."""

    url: str
    pages: dict[str, Reply | Callable[[], Reply]] = field(default_factory=dict)
    requests: list[tuple[str, str]] = field(default_factory=list)
    visited: dict[str, Callable[[str], Reply]] = field(default_factory=dict)
    """The replies that depend on the cookie `visitor`."""
    carts: dict[str, int] = field(default_factory=dict)
    """How much each cart holds, by the cookie of its visitor."""

    def add(self, path: str, reply: Reply | Callable[[], Reply] | str) -> str:
        """Add a page. Returns its address."""
        self.pages[path] = Reply(reply) if isinstance(reply, str) else reply
        return self.url + path

    def add_busy_page(
        self,
        path: str,
        params: Mapping[str, Any] | Callable[[int], Mapping[str, Any]],
        body: str = "",
        *,
        item: Mapping[str, Any] = ITEM,
        jquery: str = "2.2.4",
    ) -> str:
        """Add a page with a cart at its side. Returns its address.

        The cart's event has `params`, or what they return for a count of pieces.
        """
        script = JQUERIES[jquery].read_bytes()
        self.add("/jquery.js", Reply(script, headers={"Content-Type": "text/javascript"}))

        def part(visitor: str) -> Reply:
            count = self.carts.get(visitor, 0)
            own = params(count) if callable(params) else params
            return Reply(CART_PART.format(count=count, params=json.dumps(own)))

        def add(visitor: str) -> Reply:
            self.carts[visitor] = self.carts.get(visitor, 0) + 1
            return Reply("{}", headers={"Content-Type": "application/json"})

        self.visited |= {"/side-cart": part, "/add-to-cart": add}
        parts = ('<script src="/jquery.js"></script>', SIDE_CART + SECOND_APP + body)
        html = product_page(*parts, item=item)
        return self.add(
            path, Reply(html, headers={"Set-Cookie": "visitor=planted-visitor-77; Path=/; HttpOnly"})
        )


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    shop: ClassVar[LiveShop]

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        path = urlsplit(self.path).path
        self.shop.requests.append((self.command, path))
        page = self.shop.pages.get(path, Reply("not here", 404))
        reply = page() if callable(page) else page
        if visited := self.shop.visited.get(path):
            cookie = SimpleCookie(self.headers.get("Cookie", "")).get("visitor")
            reply = visited(cookie.value) if cookie else Reply("no cookie", 403)
        if reply.headers.get("ETag") and self.headers.get("If-None-Match") == reply.headers["ETag"]:
            reply = Reply("", 304, reply.headers)
        self._send(reply)

    def do_POST(self) -> None:
        self.do_GET()

    def do_OPTIONS(self) -> None:
        self.do_GET()

    def _send(self, reply: Reply) -> None:
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        headers = {"Content-Type": "text/html; charset=utf-8", **reply.headers}
        if reply.compressed:
            body, headers["Content-Encoding"] = gzip.compress(body), "gzip"
        length = {"Transfer-Encoding": "chunked"} if reply.chunked else {"Content-Length": str(len(body))}
        self.send_response(reply.status)
        for name, value in (headers | length).items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(in_chunks(body) if reply.chunked else body)
        except OSError:  # the browser has closed the connection
            self.close_connection = True


def in_chunks(body: bytes) -> bytes:
    parts = [body[start : start + 700] for start in range(0, len(body), 700)]
    return b"".join(f"{len(part):x}\r\n".encode() + part + b"\r\n" for part in [*parts, b""])


@contextmanager
def live_shop() -> Iterator[LiveShop]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("OwnHandler", (Handler,), {}))
    server.daemon_threads = True
    shop = LiveShop(url=f"http://127.0.0.1:{server.server_address[1]}")
    server.RequestHandlerClass.shop = shop
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield shop
    server.shutdown()
    server.server_close()
    thread.join(5)
