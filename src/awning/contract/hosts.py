"""Recognises hosts that are this machine, where plain http is safe, and writes the names of hosts in ASCII."""

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


def ascii_host(host: str) -> str:
    """Return the name of a host as browsers ask for it: `xn--strae-oqa.de` for `straße.de`.

    Python's codec has the rules of 2003, by which that is `strasse.de`, another site. Raises ValueError for an invalid
    name.
    """
    from yarl import URL  # noqa: PLC0415 - takes longer to import than all who import this module need

    name = URL.build(scheme="https", host=host).raw_host or "" if host else ""
    name.encode("idna")  # raises for a label that is empty or too long, as a socket does
    return name
