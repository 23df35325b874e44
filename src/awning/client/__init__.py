"""Calls of the service: the Apps API here, the Reseller API in `reseller`.

    apps                          each call of the Apps API, described once as a value (an `Operation`)
    flow, retry                   one call and its repetitions, as a generator that does no input or output
    sync_driver, async_driver     send what a flow yields: over http.client, over aiohttp
    answers                       envelope to typed result or typed exception
    access, wire, proxies         where the service is, and what every call carries
    secret, keys                  values that do not print, and where they are read from
    app_data                      JSON that is safe to insert into a page

    with apps_client("https://service.example/v1", key) as client:
        client.run(apps.set_snippet(code, "<p>hello</p>", "lv"))

Nothing here imports `async_driver`: aiohttp takes a fifth of a second to import.
"""

from awning.client import apps
from awning.client.access import Access, Envelope, apps_access
from awning.client.app_data import decode_app_data, encode_app_data
from awning.client.flow import Calling, call
from awning.client.keys import api_key, find_secret
from awning.client.operation import Answer, Broken, Flow, Operation, Repeat, Reply, Step, Wait
from awning.client.retry import Retry, RetryBudget
from awning.client.secret import Secret
from awning.client.sync_driver import Client, Wire
from awning.client.wire import Limits

__all__ = [
    "Access",
    "Answer",
    "Broken",
    "Calling",
    "Client",
    "Envelope",
    "Flow",
    "Limits",
    "Operation",
    "Repeat",
    "Reply",
    "Retry",
    "RetryBudget",
    "Secret",
    "Step",
    "Wait",
    "Wire",
    "api_key",
    "apps",
    "apps_access",
    "apps_client",
    "call",
    "decode_app_data",
    "encode_app_data",
    "find_secret",
]


def apps_client(base_url: str, key: Secret, *, allow_plain_http: bool = False) -> Client:
    """A client of the Apps API with the usual time-outs and retries."""
    access = apps_access(base_url, key, allow_plain_http=allow_plain_http)
    return Client(Calling(access=access), Wire(access))
