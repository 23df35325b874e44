"""Rendering the portal's pages, and reading its forms."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote

import msgspec

from awning_harness.service.asgi import Request
from awning_harness.service.envelope import Answer, Failure
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
class Visit:
    """A request to the portal of a service."""

    service: Service
    request: Request

    def form(self) -> dict[str, str]:
        """The fields of a posted form. Raises a Failure (400) for what is no UTF-8."""
        try:
            return dict(parse_qsl(self.request.body.decode(), keep_blank_values=True, errors="strict"))
        except ValueError as error:
            raise Failure(400, "The form could not be read") from error


def page(visit: Visit, template: str, *, status: int = 200, headers: Headers = (), **values: Any) -> Answer:
    """A page, made of the template and `values`."""
    text = (
        _environment().get_template(template).render(service=visit.service, here=visit.request.path, **values)
    )
    return Answer(
        status=status,
        body=text.encode(),
        content_type=b"text/html; charset=utf-8",
        headers=(*PAGE_HEADERS, *headers),
    )


def redirect(url: str) -> Answer:
    """Send the browser elsewhere with GET."""
    url = quote(url, safe="%/:=&?~#+!$,;'@()*[]")
    return Answer(status=303, content_type=b"text/plain", headers=((b"location", url.encode()),))


def wants_json(request: Request) -> bool:
    """Whether a script asks: it sends JSON."""
    return (request.header(b"content-type") or "").partition(";")[0].strip().lower() == "application/json"


@cache
def _environment() -> "Environment":
    """Jinja2 is imported with the first page: the service starts without it."""
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
