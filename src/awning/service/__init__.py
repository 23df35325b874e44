"""The wire as its client sees it.

    apps          each call described once, as a value
    flow, retry   one call with its repetitions, as a generator without input or output
    aio, sync     two drivers: aiohttp, http.client
    answers       envelope, typed results, typed exceptions
    access, wire  where the service is and what every call carries
    secret, keys  values that do not print, and where they come from
    app_data      data that no substitution can break out of
    verification  is this request from the service?

    with sync_client("https://service.example/v1", key) as client:
        client.run(apps.set_snippet(code, "<p>hello</p>", "lv"))

The aiohttp driver is in `awning.service.aio`: importing it costs a fifth of a second, so nothing here does.
"""

from awning.service import apps
from awning.service.access import Access, Envelope, apps_access
from awning.service.app_data import decode_app_data, encode_app_data
from awning.service.flow import Calling, call
from awning.service.keys import api_key, find_secret
from awning.service.operation import Answer, Broken, Flow, Operation, Repeat, Reply, Step, Wait
from awning.service.retry import Retry, RetryBudget
from awning.service.secret import Secret
from awning.service.sync import Client, Wire
from awning.service.verification import Verdict, verify_request
from awning.service.wire import Limits

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
    "Verdict",
    "Wait",
    "Wire",
    "api_key",
    "apps",
    "apps_access",
    "call",
    "decode_app_data",
    "encode_app_data",
    "find_secret",
    "sync_client",
    "verify_request",
]


def sync_client(base_url: str, key: Secret, *, allow_plain_http: bool = False) -> Client:
    """A client of the Apps API with the usual time-outs and retries."""
    access = apps_access(base_url, key, allow_plain_http=allow_plain_http)
    return Client(Calling(access=access), Wire(access))
