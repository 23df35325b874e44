"""What both drivers need to know to put an operation on the wire: its URL, its headers, their limits."""

from dataclasses import dataclass
from urllib.parse import quote

from awning import __version__
from awning.client.access import Access
from awning.client.operation import Operation
from awning.client.secret import Secret

USER_AGENT = f"awning/{__version__}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Seconds to connect and for the whole call; most bytes of an answer; most connections held."""

    connect_s: float = 10.0
    total_s: float = 30.0
    answer_bytes: int = 32 * 1024 * 1024
    connections: int = 64


USUAL = Limits()


def url_of(operation: Operation[object], access: Access) -> str:
    """The whole URL, with the authCode in it: for the wire only, never for a message."""
    query = "&".join(f"{name}={quote(_text(value), safe='-._~')}" for name, value in operation.query)
    return f"{access.base_url}{operation.path}?{query}" if query else f"{access.base_url}{operation.path}"


def headers_of(access: Access) -> dict[str, str]:
    """The headers of every call, secrets included: for the wire only."""
    return {name: _text(value) for name, value in access.headers} | {
        "Accept": "application/json",
        "User-Agent": USER_AGENT,
    }


def _text(value: str | Secret) -> str:
    return value.reveal() if isinstance(value, Secret) else value
