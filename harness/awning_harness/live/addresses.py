"""Which addresses of live pages are opened."""

import socket
from urllib.parse import urlsplit

from awning.errors import ConfigurationError
from awning.publish.verify.page_address import HostRefused, check_host


def require_allowed(url: str, *, allow_private: bool) -> None:
    """Raise ConfigurationError for an address that is not opened."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        host = ""
    if not host or parts.scheme not in ("http", "https"):
        hint = "name the page as the browser shows it: https://shop.example/en/product/1"
        raise ConfigurationError(f"{url} is not the address of a page", hint=hint)
    if parts.username or parts.password:
        raise ConfigurationError("the address holds a user name or a password", hint="leave them out")
    if allow_private:
        return
    try:
        check_host(host, allow_loopback=False)
    except HostRefused as refused:
        if not _has_address(host):
            hint = "is the address written correctly, and is there a network?"
            raise ConfigurationError(f"no address is known of the host {host}", hint=hint) from None
        hint = "for a shop on this machine or in your network: --allow-private"
        raise ConfigurationError(str(refused), hint=hint) from None


def _has_address(host: str) -> bool:
    try:
        return bool(socket.getaddrinfo(host, None, type=socket.SOCK_STREAM))
    except (OSError, UnicodeError):
        return False
