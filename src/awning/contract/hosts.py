"""Recognises hosts that are this machine. Plain http is safe there."""

import ipaddress


def is_loopback(host: str) -> bool:
    """Whether `host` is this machine, by name or by address."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
