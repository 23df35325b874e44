"""Makes the address of the public page that shows a cell. The form of the address is an assumption (`page-address`)."""

import re
from urllib.parse import urlsplit

from awning.errors import ConfigurationError

USUAL = "{url}{language}/"
"""The usual pattern. For the website-wide cell the address is `{url}` alone."""
NAMES = frozenset({"url", "website", "language"})
_NAME = re.compile(r"\{([^{}]*)\}")
_FIRST = "en"


def checked_page_pattern(pattern: str) -> str:
    """Return `pattern`, the page pattern of a profile.

    Raises ConfigurationError when it has an unknown name in braces, or does not give an http or https address.
    """
    unknown = sorted(set(_NAME.findall(pattern)) - NAMES)
    if unknown:
        raise ConfigurationError(
            f'the profile\'s page has the unknown name "{{{unknown[0]}}}"',
            hint="there are {url}, {website} and {language}",
        )
    example = page_address(pattern, "https://shop.example/", _FIRST)
    if example is None or "{" in example or "}" in example:
        raise ConfigurationError(
            f'the profile\'s page "{pattern}" makes no http or https address',
            hint='such as page = "https://{website}/{language}/shop/"',
        )
    return pattern


def page_address(pattern: str, website_url: str, language: str | None) -> str | None:
    """Return the address of a page; None when it is not an http or https address.

    `{url}` is the website's address with a final slash. `{website}` is that address without scheme and final slash.
    `{language}` is the language code; empty for the website-wide page.
    """
    url = website_url.rstrip("/") + "/"
    website = url.partition("://")[2].rstrip("/")
    if language is None and pattern == USUAL:
        address = url
    else:
        values = {"url": url, "website": website, "language": language or ""}
        address = _NAME.sub(lambda match: values.get(match[1], match[0]), pattern)
        if language is None:
            address = re.sub(r"(?<!:)//+", "/", address)
    return address if is_fetchable(address) else None


def is_fetchable(address: str) -> bool:
    """Return whether `address` is an http or https address without user name, white space and control characters."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return False
    printable = address.isprintable() and not any(map(str.isspace, address))
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.username is None and printable
