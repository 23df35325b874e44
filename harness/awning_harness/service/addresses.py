"""Where a running service can be reached."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    """The five addresses, without a final slash. The storefront is an origin of its own: it runs foreign scripts.

    `apps_url` ends with `/v1`; `reseller_url` is what `/api/...` is appended to.
    """

    apps_url: str = "http://127.0.0.1/v1"
    reseller_url: str = "http://127.0.0.1"
    portal_url: str = "http://127.0.0.1"
    control_url: str = "http://127.0.0.1"
    storefront_url: str = "http://127.0.0.1"
