"""Checks the icon of a manifest, which must be square and at least 80 x 80 px (Apps Integration API, App manifest).

The image at a URL is fetched and measured only on request, because a check must work without a network. A local file is
always measured. It also gets a warning, because it must be uploaded before the manifest is submitted.
"""

from collections.abc import Iterator
from http.client import HTTPMessage
from pathlib import Path
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from awning.client.access import is_loopback
from awning.contract.manifest_fields import ICON_MINIMUM_PX
from awning.contract.manifest_rules import Finding
from awning.manifest.image_size import image_size

FIELD = "app_icon"
LARGEST = 5 * 1024 * 1024
WITHIN_S = 15
NOT_AN_IMAGE = "is not a PNG, JPEG, GIF, WebP or SVG image whose size can be read"


class _NotFetched(Exception):  # its message becomes a finding
    pass


def icon_file(text: str, folder: Path) -> Path | None:
    """Return the local file that an icon's text names (`icon.png`, `file:///...`); None for any other text."""
    try:
        parts = urlsplit(text)
        if parts.scheme == "file":
            path = Path(unquote(parts.path))
        elif "://" in text or not text:
            return None
        else:
            path = folder / text
        return path if path.is_file() else None
    except (ValueError, OSError):
        return None


def local_icon_findings(path: Path) -> Iterator[Finding]:
    """Yield the findings of an icon that is a local file."""
    try:
        with path.open("rb") as file:
            yield from size_findings(file.read(LARGEST))
    except OSError as error:
        yield Finding(field=FIELD, message=f"cannot be read ({error.strerror})")
    message = "is a local file: upload it and put its https address here before submitting"
    yield Finding(field=FIELD, message=message, severity="warning")


def fetched_icon_findings(url: str, *, allow_loopback: bool = False) -> Iterator[Finding]:
    """Yield the findings of the icon at a URL."""
    try:
        data = _fetch(url, allow_loopback=allow_loopback)
    except _NotFetched as error:
        yield Finding(field=FIELD, message=str(error))
    else:
        yield from size_findings(data)


def size_findings(data: bytes) -> Iterator[Finding]:
    """Yield the findings of an icon's image data."""
    size = image_size(data)
    if size is None:
        yield Finding(field=FIELD, message=NOT_AN_IMAGE)
        return
    if size.width != size.height:
        yield Finding(field=FIELD, message=f"must be square, not {size}")
    if not size.scales and min(size.width, size.height) < ICON_MINIMUM_PX:
        smallest = f"{ICON_MINIMUM_PX} x {ICON_MINIMUM_PX}"
        yield Finding(field=FIELD, message=f"must be at least {smallest} px, not {size}")


class _SafeRedirects(HTTPRedirectHandler):
    """Follows redirects only to addresses that the manifest itself may name."""

    def __init__(self, *, allow_loopback: bool) -> None:
        self._allow_loopback = allow_loopback

    def redirect_request(  # noqa: PLR0917 - urllib's signature
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        parts = urlsplit(newurl)
        plain = parts.scheme == "http" and self._allow_loopback and is_loopback(parts.hostname or "")
        if parts.scheme != "https" and not plain:
            raise _NotFetched("is redirected to an address that is not https")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _fetch(url: str, *, allow_loopback: bool) -> bytes:
    opener = build_opener(_SafeRedirects(allow_loopback=allow_loopback))
    request = Request(url, headers={"Accept": "image/*", "User-Agent": "awning"})  # noqa: S310 - its scheme is checked before
    try:
        with opener.open(request, timeout=WITHIN_S) as answer:
            data: bytes = answer.read(LARGEST + 1)
    except HTTPError as error:
        error.close()
        raise _NotFetched(f"cannot be fetched: HTTP {error.code}") from None
    except (URLError, OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise _NotFetched(f"cannot be fetched: {getattr(reason, 'strerror', None) or reason}") from None
    if len(data) > LARGEST:
        raise _NotFetched(f"is larger than {LARGEST // 1024 // 1024} MB")
    return data
