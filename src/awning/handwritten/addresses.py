"""The addresses that a browser requests by itself for markup and styles.

A state has an answer for each, so they are written as the browser requests them: normalised, without a query.
"""

import re
from urllib.parse import quote, urljoin, urlsplit

JQUERY = re.compile(r"(?:^|/)jquery(?:[.-]\d[\w.-]*?)?(?:\.slim)?(?:\.min)?\.js(?:[?#].*)?$", re.IGNORECASE)
"""Matches the address of jQuery itself, not of a plug-in."""
_OTHER_HOST = re.compile(r"(?:https?:)?//[^/?#]", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_IN_STYLE = re.compile(
    r"""(?:\burl\(|@import(?!\s*url\())\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'()]+))""",
    re.IGNORECASE,
)
_CANDIDATE = re.compile(r"([^\s,]\S*[^\s,])(?:\s+[\d.]+[wxh])*\s*(?:,|$)")
"""Matches an address of a `srcset` with its descriptors."""
_SOURCES = ("img", "iframe", "frame", "embed", "source", "track", "video", "audio", "input")
_REQUESTED = {
    **dict.fromkeys(_SOURCES, ("src",)),
    "video": ("src", "poster"),
    "object": ("data",),
    "image": ("href", "xlink:href"),
}
"""The attributes with an address that the browser requests, by element."""
_PLAIN = "!$%&'()*+,-./:;=@[]^_|~"
"""The punctuation that browsers do not encode in a path."""
_PORTS = {"http": 80, "https": 443}


def is_of_other_host(address: str) -> bool:
    return _OTHER_HOST.match(address.strip()) is not None


def addresses_in_style(css: str) -> list[str]:
    """Return the addresses of `url(...)` and `@import` outside of comments."""
    matches = _IN_STYLE.finditer(_COMMENT.sub(" ", css))
    return [match[1] or match[2] or match[3] or "" for match in matches]


def addresses_in_markup(html: str) -> list[str]:
    """Return the addresses that the elements of the markup request, also those of `style` attributes."""
    from bs4 import BeautifulSoup  # noqa: PLC0415 - only one verb needs it

    addresses: list[str] = []
    for tag in BeautifulSoup(html, "html.parser").find_all(True):
        attributes = {name: str(value) for name, value in tag.attrs.items()}
        addresses += [attributes[name] for name in _REQUESTED.get(tag.name, ()) if name in attributes]
        if tag.name in {"img", "source"}:
            addresses += _CANDIDATE.findall(attributes.get("srcset", ""))
        addresses += addresses_in_style(attributes.get("style", ""))
    return addresses


def requested_address(written: str) -> str | None:
    """Return the address of another host as a browser requests it, without query; None if it is not valid.

    An address without a scheme gets `http`, the scheme of the simulated shop.
    """
    address = re.split(r"[?#]", written.strip())[0].replace("\\", "/")
    try:
        parts = urlsplit(f"http:{address}" if address.startswith("//") else address)
        host = (parts.hostname or "").encode("idna").decode()
        port = parts.port
    except ValueError:
        return None
    shown_port = "" if port in (None, _PORTS[parts.scheme]) else f":{port}"
    origin = f"{parts.scheme}://{host}{shown_port}/"
    path = quote(parts.path, safe=_PLAIN)
    return urljoin(origin, path) if path and not path.startswith("//") else origin + path[1:]
