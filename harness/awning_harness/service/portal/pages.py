"""Renders the portal's pages and reads its forms."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from awning_harness.service.envelope import Failure, ServiceResponse
from awning_harness.service.service import Service

if TYPE_CHECKING:
    from jinja2 import Environment

PAGE_HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'none'",
    "referrer-policy": "same-origin",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalCall:
    """One request to the portal of a service."""

    service: Service
    request: Request
    body: bytes = b""

    def form(self) -> dict[str, str]:
        """Return the fields of a posted form. Raises Failure (400) when it is not UTF-8."""
        try:
            return dict(parse_qsl(self.body.decode(), keep_blank_values=True, errors="strict"))
        except ValueError as error:
            raise Failure(400, "The form could not be read") from error


def page(
    call: PortalCall,
    template: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> Response:
    """Return the page that the template renders with `values`."""
    here = call.request.scope["path"]
    text = _environment().get_template(template).render(service=call.service, here=here, **values)
    return ServiceResponse(text.encode(), status, {**PAGE_HEADERS, **(headers or {})}, "text/html")


def redirect(url: str) -> Response:
    """Return a response (303) that makes the browser open `url` with GET."""
    location = quote(url, safe="%/:=&?~#+!$,;'@()*[]")
    return ServiceResponse(status_code=303, headers={"location": location}, media_type="text/plain")


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
