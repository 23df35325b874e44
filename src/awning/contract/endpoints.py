"""The server-side calls of an app, one row each (Apps Integration API, Endpoints).

The simulated service and the OpenAPI description are made from this table. The client does not read it; tests run the
client against the simulated service. A row with `observed` is not in the specification, but public clients use the
call. A profile tells whether its service has the calls for head snippets.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One call. Two rows may have the same `operation`, such as the two forms of `get_snippet`.

    `path` is appended to the base address. In it, `<language>` stands for a language code. `request` has the names of
    the fields of the request's JSON body, `required` the names of the mandatory ones among them. `response` has the
    names of the response's fields besides `error`.
    """

    operation: str
    method: str
    path: str
    request: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    response: tuple[str, ...] = ()
    observed: bool = False


ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(operation="installed", method="POST", path="/apps/installed/"),
    Endpoint(operation="delete", method="POST", path="/apps/delete/"),
    Endpoint(
        operation="set_snippet",
        method="POST",
        path="/apps/set_snippet/",
        request=("snippet", "language"),
        required=("snippet",),
    ),
    Endpoint(operation="get_snippet", method="GET", path="/apps/get_snippet/", response=("snippet",)),
    Endpoint(
        operation="get_snippet", method="GET", path="/apps/get_snippet/<language>/", response=("snippet",)
    ),
    Endpoint(
        operation="set_data", method="POST", path="/apps/set_data/", request=("data",), required=("data",)
    ),
    Endpoint(operation="get_data", method="GET", path="/apps/get_data/", response=("data",)),
    Endpoint(operation="user", method="GET", path="/apps/user/", response=("user",)),
    Endpoint(operation="website", method="GET", path="/apps/website/", response=("website",)),
    Endpoint(operation="languages", method="GET", path="/apps/languages/", response=("languages",)),
    Endpoint(operation="app_info", method="GET", path="/apps/app_info/", response=("info",), observed=True),
    Endpoint(
        operation="set_head_snippet",
        method="POST",
        path="/apps/set_head_snippet/",
        request=("snippet", "language"),
        required=("snippet",),
        observed=True,
    ),
    Endpoint(
        operation="get_head_snippet",
        method="GET",
        path="/apps/get_head_snippet/",
        response=("snippet",),
        observed=True,
    ),
    Endpoint(
        operation="get_head_snippet",
        method="GET",
        path="/apps/get_head_snippet/<language>/",
        response=("snippet",),
        observed=True,
    ),
)

UNAUTHORIZED_CODE = 401
"""The error_code of an unauthorized call (Apps Integration API, Errors, rule 2).

The specification names no other code.
"""

UNAUTHORIZED_MESSAGE = "Unauthorized"

AUTH_SCHEME = "ApiKey"
"""The word before the key in the Authorization header (Apps Integration API, Server-side calls, 2)."""

AUTH_CODE_PARAMETER = "authCode"
