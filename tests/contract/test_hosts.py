"""Names of hosts in ASCII, as browsers ask for them."""

import pytest

from awning.contract.hosts import ascii_host


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("shop.example", "shop.example"),
        ("Bücher.example", "xn--bcher-kva.example"),
        ("straße.example", "xn--strae-oqa.example"),
        ("σς.example", "xn--3xab.example"),
        ("日本。example", "xn--wgv71a.example"),
        ("\uff45.example", "e.example"),
        ("127.0.0.1", "127.0.0.1"),
        ("::1", "::1"),
        ("", ""),
    ],
)
def test_host_is_written_as_browsers_ask_for_it(host, name):
    assert ascii_host(host) == name


@pytest.mark.parametrize(
    "host", ["a..example", "a" * 64 + ".example", "a b.example", "a\u200db.example", "a/b"]
)
def test_invalid_host_is_refused(host):
    with pytest.raises(ValueError, match=r"idna|cannot contain"):
        ascii_host(host)
