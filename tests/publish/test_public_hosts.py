"""A shop's address that leads into our own network is refused, by number, by name and after a redirect."""

import asyncio
import socket

import pytest

from awning.publish.verify.page_address import HostRefused, check_host, is_allowed
from awning.publish.verify.page_fetcher import PageFetcher, PageLimits, PageUnreadable

ADDRESSES = {
    "8.8.8.8": True,
    "2606:4700::1111": True,
    "169.254.169.254": False,
    "10.1.2.3": False,
    "172.16.0.1": False,
    "192.168.1.1": False,
    "100.64.0.1": False,
    "0.0.0.0": False,
    "224.0.0.1": False,
    "127.0.0.1": False,
    "::1": False,
    "fe80::1%eth0": False,
    "fd00::1": False,
    "::ffff:10.0.0.1": False,
    "64:ff9b::a00:1": False,
    "2002:a00:1::": False,
}


@pytest.mark.parametrize("address", ADDRESSES)
def test_only_public_addresses_are_allowed(address):
    assert is_allowed(address, allow_loopback=False) == ADDRESSES[address]


@pytest.mark.parametrize(("address", "allowed"), [("127.0.0.1", True), ("::1", True), ("10.0.0.1", False)])
def test_this_machine_is_allowed_beside_a_service_on_it(address, allowed):
    assert is_allowed(address, allow_loopback=True) == allowed


def fetch(address, *, allow_loopback=False):
    async def main():
        async with PageFetcher(PageLimits(), environ={}, allow_loopback=allow_loopback) as pages:
            await pages.fetch(address)

    asyncio.run(main())


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "169.254.169.254"])
def test_fetcher_refuses_it_before_it_connects(host):
    with pytest.raises(PageUnreadable, match="is not at a public address"):
        fetch(f"http://{host}:9/")


@pytest.fixture
def private_name(monkeypatch):
    """A host name of a shop that resolves to an address in a private network."""
    answer = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.1", 80))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answer)
    return "shop.example"


def test_name_that_leads_to_a_private_network_is_refused(private_name):
    with pytest.raises(PageUnreadable, match=r"its host shop\.example is not at a public address"):
        fetch(f"http://{private_name}/", allow_loopback=True)


def test_name_is_checked_before_a_browser_opens_it(private_name):
    with pytest.raises(HostRefused):
        check_host(private_name, allow_loopback=True)


@pytest.mark.parametrize("host", ["2130706433", "localhost", "169.254.169.254", "no-such-host.invalid"])
def test_browser_opens_no_other_form_of_it(host):
    with pytest.raises(HostRefused):
        check_host(host, allow_loopback=False)
