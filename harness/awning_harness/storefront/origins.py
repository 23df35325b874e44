"""Origins of one storefront: `t1.shop.localhost`, `t2.shop.localhost` and so on. They share only cookies of a domain.

A browser resolves every name below `localhost` to this machine (RFC 6761), and no site outside can have one. Each test
has an origin of its own. Their pages take the shop's files from `shop.localhost`, so that the browser's cache has them.
"""

from urllib.parse import urlsplit

SHARED = "shop.localhost"
SUFFIX = f".{SHARED}"


def own_origin(storefront_url: str, name: str) -> str:
    """Return the origin `name` of the storefront at this address: `http://t1.shop.localhost:40000`."""
    address = urlsplit(storefront_url)
    return f"{address.scheme}://{name}{SUFFIX}:{address.port}"


def asset_origin(scheme: str, host: str) -> str:
    """Return the origin of the shop's files for a page at `host`, a name with its port. Empty for its own."""
    name, _, port = host.partition(":")
    return f"{scheme}://{SHARED}:{port}" if name.endswith(SUFFIX) else ""
