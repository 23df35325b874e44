"""Renders the portal's pages and reads its forms."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote

import msgspec

from awning_harness.service.asgi import Request
from awning_harness.service.envelope import Failure, Response
from awning_harness.service.service import Service

if TYPE_CHECKING:
    from jinja2 import Environment

Headers = Sequence[tuple[bytes, bytes]]

PAGE_HEADERS: Headers = (
    (
        b"content-security-policy",
        b"default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'none'",
    ),
    (b"referrer-policy", b"same-origin"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalCall:
    """One request to the portal of a service."""

    service: Service
    request: Request

    def form(self) -> dict[str, str]:
        """Return the fields of a posted form. Raises Failure (400) when it is not UTF-8."""
        try:
            return dict(parse_qsl(self.request.body.decode(), keep_blank_values=True, errors="strict"))
        except ValueError as error:
            raise Failure(400, "The form could not be read") from error


def page(
    call: PortalCall, template: str, *, status: int = 200, headers: Headers = (), **values: Any
) -> Response:
    """Return the page that the template renders with `values`."""
    text = (
        _environment().get_template(template).render(service=call.service, here=call.request.path, **values)
    )
    return Response(
        status=status,
        body=text.encode(),
        content_type=b"text/html; charset=utf-8",
        headers=(*PAGE_HEADERS, *headers),
    )


def redirect(url: str) -> Response:
    """Return a response (303) that makes the browser open `url` with GET."""
    url = quote(url, safe="%/:=&?~#+!$,;'@()*[]")
    return Response(status=303, content_type=b"text/plain", headers=((b"location", url.encode()),))


def wants_json(request: Request) -> bool:
    """Return whether a program sent the request. Programs send JSON; browsers send forms."""
    return (request.header(b"content-type") or "").partition(";")[0].strip().lower() == "application/json"


@cache
def _environment() -> "Environment":
    """Return the templates' environment. Jinja2 is imported for the first page, so that the service starts faster."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415

    environment = Environment(
        loader=PackageLoader("awning_harness.service.portal"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["pretty"] = lambda value: msgspec.json.format(msgspec.json.encode(value)).decode()
    return environment
