"""Which base URLs a key is sent to, and through which proxy."""

import pytest

from awning.client.access import checked_base_url
from awning.client.transport import proxy_for
from awning.errors import ConfigurationError


@pytest.mark.parametrize(
    ("url", "checked"),
    [
        ("https://service.test/v1", "https://service.test/v1"),
        (" https://service.test/v1/ ", "https://service.test/v1"),
        ("http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
        ("http://shop.localhost/v1", "http://shop.localhost/v1"),
    ],
)
def test_base_url_loses_its_final_slash(url, checked):
    assert checked_base_url(url) == checked


@pytest.mark.parametrize(
    "url",
    [
        "",
        "service.test/v1",
        "ftp://service.test/v1",
        "https:///v1",
        "https://a:b@service.test/v1",
        "https://service.test/v1?x=1",
        "https://service.test/v1#x",
        "https://service.test/v1?",
        "https://service.test/v1/?/",
        "https://service.test/v1/#",
        "https://service.test:port/v1",
        "https://[::1/v1",
        "http://service.test/v1",
        "http://127.0.0.1.evil.test/v1",
        "https://šop.test/v1",
        f"https://{'a' * 64}.test/v1",
        "https://service..test/v1",
    ],
)
def test_base_url_that_could_leak_the_key_is_refused(url):
    with pytest.raises(ConfigurationError):
        checked_base_url(url)


def test_plain_http_is_accepted_with_allow_plain_http():
    assert checked_base_url("http://service.test/v1", allow_plain_http=True) == "http://service.test/v1"


HTTPS = {"HTTPS_PROXY": "proxy.test:3128", "http_proxy": "http://plain.test"}


@pytest.mark.parametrize(
    ("url", "environ", "proxy"),
    [
        ("https://service.test/v1", HTTPS, "http://proxy.test:3128"),
        ("http://service.test/v1", HTTPS, "http://plain.test"),
        ("https://service.test/v1", {}, None),
        ("https://127.0.0.1/v1", HTTPS, None),
        ("https://localhost/v1", HTTPS, None),
        ("https://api.service.test/v1", {**HTTPS, "NO_PROXY": "other.test, .service.test"}, None),
        ("https://api.service.test/v1", {**HTTPS, "NO_PROXY": "*.service.test"}, None),
        ("https://service.test/v1", {**HTTPS, "no_proxy": "service.test:443"}, None),
        ("https://myservice.test/v1", {**HTTPS, "no_proxy": "service.test"}, "http://proxy.test:3128"),
        ("https://service.test/v1", {**HTTPS, "no_proxy": "*"}, None),
    ],
)
def test_proxy_is_chosen_by_url_and_environment(url, environ, proxy):
    assert proxy_for(url, environ) == proxy


@pytest.mark.parametrize(
    "proxy",
    [
        "socks5://proxy.test",
        "http://proxy.test:99999",
        "proxy.test:99999",
        "proxy.test:0",
        "http://proxy.test:port",
        "http://[::1",
        "http://",
        f"http://{'a' * 64}.test:3128",
    ],
)
def test_proxy_that_is_not_http_is_refused_by_name(proxy):
    with pytest.raises(ConfigurationError, match="HTTPS_PROXY is not an http proxy"):
        proxy_for("https://service.test/v1", {"https_proxy": proxy})
