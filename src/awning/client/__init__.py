"""The client of the service: the calls of the Apps API are here, those of the Reseller API in `reseller`.

    apps                        each call of the Apps API, described once as a value (an `Operation`)
    flow, retry                 one call with its retries, as a generator that does no input or output
    sync_client, async_client   send the operations of a flow: over http.client, over aiohttp
    responses                   turns a response's bytes into a typed result or a typed exception
    access, transport           the service's address, headers, limits and proxy
    secret                      values that are never printed, and the places from which they are read
    app_data                    JSON that is safe to insert into a page

    with apps_client("https://service.example/v1", key) as client:
        client.run(apps.set_snippet(code, "<p>hello</p>", "lv"))

Only `reseller.async_client` imports `async_client`, because aiohttp takes a fifth of a second to import. It has
`async_apps_client`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from awning.client import apps
from awning.client.access import Access, Envelope, apps_access
from awning.client.app_data import AppDataTooDeep, decode_app_data, encode_app_data
from awning.client.flow import Calling, call
from awning.client.operation import Flow, NoResponse, Operation, Repeat, Reply, Response, Step, Wait
from awning.client.retry import Retry, RetryBudget
from awning.client.secret import Secret, api_key, find_secret
from awning.client.sync_client import Client, Transport
from awning.client.transport import USUAL, Limits

__all__ = [
    "Access",
    "AppDataTooDeep",
    "Calling",
    "Client",
    "Envelope",
    "Flow",
    "Limits",
    "NoResponse",
    "Operation",
    "Repeat",
    "Reply",
    "Response",
    "Retry",
    "RetryBudget",
    "Secret",
    "Step",
    "Transport",
    "Wait",
    "api_key",
    "apps",
    "apps_access",
    "apps_client",
    "call",
    "decode_app_data",
    "encode_app_data",
    "find_secret",
]


def apps_client(
    base_url: str,
    key: Secret,
    *,
    allow_plain_http: bool = False,
    limits: Limits = USUAL,
    environ: Mapping[str, str] = MappingProxyType({}),
) -> Client:
    """Return a client of the Apps API with the default retries. The proxy is the one that `environ` names.

    Raises ConfigurationError when the key or the address is not valid, when the key must not be sent to the address, or
    when the proxy is not an http proxy. Raises TypeError when the key is not a Secret.
    """
    access = apps_access(base_url, key, allow_plain_http=allow_plain_http)
    return Client(Calling(access=access), Transport(access, limits=limits, environ=environ))
