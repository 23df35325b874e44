"""Which web pages may send requests: those of the same origin.

A browser names a page's origin in every request that page posts elsewhere, so a form or a script of another site
is known by it; scripts outside browsers send no Origin at all.
"""

from urllib.parse import urlsplit

from awning_harness.service.asgi import Request
from awning_harness.service.envelope import Failure


def refuse_other_origins(request: Request) -> None:
    """Raise a Failure (403) for what a page of another origin sent."""
    origin = request.header(b"origin")
    if origin is None or request.method == "GET":
        return
    try:
        same = urlsplit(origin).netloc == request.header(b"host")
    except ValueError:
        same = False
    if not same:
        raise Failure(403, "Requests from other origins are refused")
