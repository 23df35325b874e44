"""Origins of one storefront: `t1.shop.localhost`, `t2.shop.localhost` and so on.

They share no storage except the cookies that a page sets for the whole domain. A browser resolves every name below
`localhost` to this machine (RFC 6761), and no public site can have such a name. Each test that opens whole pages has an
origin of its own, except in the browser of a Playwright server, which cannot reach these origins. Tests that open pages
in frames use the storefront's own address. The pages of all these origins load the shop's files from `shop.localhost`,
so that the browser caches them once.
"""

from urllib.parse import urlsplit

SHARED = "shop.localhost"
SUFFIX = f".{SHARED}"


def own_origin(storefront_url: str, name: str) -> str:
    """Return the origin `name` of the storefront at this address: `http://t1.shop.localhost:40000`."""
    address = urlsplit(storefront_url)
    return f"{address.scheme}://{name}{SUFFIX}:{address.port}"


def asset_origin(scheme: str, host: str) -> str:
    """Return the origin of the shop's files for a page at `host`, a name with its port; "" if it is the page's own."""
    name, _, port = host.partition(":")
    return f"{scheme}://{SHARED}:{port}" if name.endswith(SUFFIX) else ""
