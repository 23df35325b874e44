"""Recognises hosts that are this machine. Plain http is safe there."""

import ipaddress
from urllib.parse import urlsplit


def is_loopback(host: str) -> bool:
    """Return whether `host` is this machine, by name or by address."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_loopback_url(url: str | None) -> bool:
    """Return whether the host of `url` is this machine. False for None and for a text that is not a URL."""
    try:
        return is_loopback(urlsplit(url or "").hostname or "")
    except ValueError:
        return False
