"""Access to one API of the service: its base URL, the headers of every call, the field names of its errors.

The Apps API and the Reseller API each have their own, so operations do not contain them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from awning.client.secret import Secret, api_key, checked_secret
from awning.contract.hosts import is_loopback
from awning.errors import ConfigurationError, Refused

__all__ = ["Access", "Envelope", "apps_access", "checked_base_url", "is_loopback"]


def unchanged(refused: Refused, _fields: Mapping[str, Any]) -> Refused:
    return refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """The names of the fields of an error body. The defaults are the Apps API's (Apps Integration API, Errors, rule 2).

    `narrowed` returns the exception for a refusal, if the API has exception classes for some of its error codes.
    """

    code: str = "error_code"
    message: str = "error_message"
    narrowed: Callable[[Refused, Mapping[str, Any]], Refused] = unchanged


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """The address of an API, the headers of every call, and the field names of the API's errors.

    `base_url` has no final slash and should end with `ending`, which is empty when any base URL will do. `secrets` are
    removed from error messages. `unauthorized_hint` is the hint of an Unauthorized.
    """

    base_url: str
    headers: tuple[tuple[str, str | Secret], ...] = ()
    secrets: tuple[Secret, ...] = ()
    envelope: Envelope = Envelope()
    ending: str = "/v1"
    unauthorized_hint: str | None = None

    @property
    def versioned(self) -> bool:
        """Whether the base URL ends with `ending`, as the specification requires."""
        return self.base_url.endswith(self.ending)


def apps_access(base_url: str, api_key: Secret, *, allow_plain_http: bool = False) -> Access:
    """Return the access to the Apps API at `base_url`, which may end with a slash.

    Raises ConfigurationError when the key or the address is not valid, or when the key must not be sent to the address
    (Apps Integration API, Authentication, Server-side calls). Raises TypeError when the key is not a Secret.
    """
    key = checked_secret(api_key, "the API key").reveal()
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise ConfigurationError("the API key is empty, or contains a space or another invalid character")
    return Access(
        base_url=checked_base_url(base_url, allow_plain_http=allow_plain_http),
        headers=(("Authorization", Secret(f"ApiKey {key}")), ("Content-Type", "application/json")),
        secrets=(api_key,),
        unauthorized_hint="the API key (AWNING_API_KEY) is wrong, or the app is not installed there",
    )


def find_apps_access(base_url: str | None, environ: Mapping[str, str]) -> Access:
    """Return the access to the Apps API at `base_url`.

    The key is in AWNING_API_KEY (environment, keyring or file). Raises ConfigurationError when the address or the key
    is missing or wrong.
    """
    if not base_url:
        raise ConfigurationError(
            "no service address is configured",
            hint="set AWNING_BASE_URL, or base_url in the profile; `awning service` simulates one",
        )
    return apps_access(base_url, api_key(environ), allow_plain_http=is_plain_http_allowed(environ))


def is_plain_http_allowed(environ: Mapping[str, str]) -> bool:
    """Return whether AWNING_ALLOW_PLAIN_HTTP allows sending secrets unencrypted, for use in a closed network."""
    return is_on("AWNING_ALLOW_PLAIN_HTTP", environ)


def is_on(name: str, environ: Mapping[str, str]) -> bool:
    """Return whether a variable is set, and not to a value that means no to click (0, false, no, off)."""
    return environ.get(name, "").strip().lower() not in {"", "0", "false", "f", "no", "n", "off"}


def checked_base_url(
    text: str,
    *,
    allow_plain_http: bool = False,
    carried: str = "API key",
    example: str = "https://service.example/v1",
) -> str:
    """Return `text` without final slashes and surrounding white space.

    Raises ConfigurationError when `text` is not an http or https address, or contains a user name, a query or a
    fragment. Without `allow_plain_http`, it also raises this error when the key would be sent to another machine
    unencrypted. `carried` is what messages call the key.
    """
    url = text.strip()
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
        (host or "").encode("idna")  # raises for a label that is empty or too long, as a socket does
    except ValueError as error:
        raise ConfigurationError(f"the base URL is not a URL: {error}") from None
    if parts.scheme not in {"http", "https"} or not host or not url.isascii() or not url.isprintable():
        raise ConfigurationError("the base URL is not an http or https address", hint=f"such as {example}")
    if parts.username is not None or "?" in url or "#" in url:  # `?` alone, an empty query, is refused, too
        raise ConfigurationError(
            "the base URL holds a user name, a query or a fragment", hint="leave only the path"
        )
    if parts.scheme == "http" and not allow_plain_http and not is_loopback(host):
        raise ConfigurationError(
            f"the {carried} would be sent to {host} unencrypted",
            hint="use https; inside a closed network, set AWNING_ALLOW_PLAIN_HTTP=1",
        )
    return url.rstrip("/")
