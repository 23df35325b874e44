"""Which proxy leads to a base URL: HTTP_PROXY, HTTPS_PROXY and NO_PROXY, read once, for both drivers.

Explicit rather than left to the HTTP libraries, whose trust in the environment also covers netrc files. A
service on this machine is never reached through a proxy.
"""

from collections.abc import Mapping
from urllib.parse import urlsplit

from awning.client.access import is_loopback
from awning.errors import ConfigurationError


def proxy_for(base_url: str, environ: Mapping[str, str]) -> str | None:
    """The proxy's URL, or None for a direct connection."""
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    name = f"{parts.scheme}_proxy"
    proxy = environ.get(name) or environ.get(name.upper())
    if (
        not proxy
        or is_loopback(host)
        or _excepted(host, environ.get("no_proxy") or environ.get("NO_PROXY") or "")
    ):
        return None
    url = proxy if "://" in proxy else f"http://{proxy}"
    if not _is_http_proxy(url):
        raise ConfigurationError(
            f"{name.upper()} is not an http proxy", hint="such as http://proxy.example:3128"
        )
    return url


def _is_http_proxy(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme == "http" and bool(parts.hostname) and parts.port != 0  # a wrong port raises
    except ValueError:
        return False


def _excepted(host: str, no_proxy: str) -> bool:
    """Whether NO_PROXY names `host`, one of its parent domains, or everything (`*`)."""
    for entry in no_proxy.split(","):
        domain = entry.strip().partition(":")[0].lstrip(".").lower()
        if domain == "*" or (domain and (host == domain or host.endswith(f".{domain}"))):
            return True
    return False
