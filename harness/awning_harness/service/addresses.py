"""The addresses of a running simulated service."""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    """The five addresses, without a final slash. The storefront has an origin of its own, because apps run code there.

    `apps_url` ends with `/v1`; `/api/...` is appended to `reseller_url`. With TLS, all five are https and `ca_file`
    names the certificate to trust. The Reseller API and the storefront then also have an http address.
    """

    apps_url: str = "http://127.0.0.1/v1"
    reseller_url: str = "http://127.0.0.1"
    portal_url: str = "http://127.0.0.1"
    control_url: str = "http://127.0.0.1"
    storefront_url: str = "http://127.0.0.1"
    reseller_http_url: str | None = None
    storefront_http_url: str | None = None
    ca_file: str | None = None

    def as_json(self) -> dict[str, str]:
        """Return the addresses that are set, by name."""
        values = {field.name: getattr(self, field.name) for field in fields(Addresses)}
        return {name: value for name, value in values.items() if value is not None}
