"""The app data of one page: `?data=` of its address, as JSON or as the name of a state.

The page has them in place of the stored data, and its links keep them. They are inserted as the service inserts app
data, which does not escape them. So data as JSON are taken from the address bar and from the dev server's own pages,
but not from a link of another site: it could run its script here. A state's data are files of the workspace.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from starlette.requests import Request

from awning.states.json_values import thaw
from awning.workspace.model import Widget
from awning_harness.service.envelope import Failure, read_json, write_json
from awning_harness.storefront.options import BadOption

OPTION = "data"
_OWN = frozenset({"same-origin", "none"})
"""The values of `Sec-Fetch-Site` of the own pages, and of an address that a person typed (Fetch Metadata)."""


def page_data(request: Request, widgets: Iterable[Widget]) -> dict[str, Any] | None:
    """Return the app data that the request's address names; None when it names none. Raises BadOption."""
    text = request.query_params.get(OPTION)
    if text is None:
        return None
    if not text.lstrip().startswith("{"):
        return _data_of_state(text, widgets)
    if request.headers.get("sec-fetch-site", "none") not in _OWN:
        raise BadOption("data as JSON is not taken from a link of another site: open the address by hand")
    data = json_object(text.encode())
    if data is None:
        raise BadOption(
            'data is a JSON object of widgets, such as {"bar": {"from": 50}}, or a state: bar/empty'
        )
    return data


def json_object(body: bytes) -> dict[str, Any] | None:
    """Return the JSON object in `body`.

    Returns None for any other body, also for one with a lone surrogate or an infinite number.
    """
    try:
        data = read_json(body)
        write_json(data)
    except (Failure, ValueError, OverflowError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def as_option(data: Mapping[str, Any]) -> str:
    """Return app data as the option of an address."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _data_of_state(name: str, widgets: Iterable[Widget]) -> dict[str, Any]:
    states = {f"{widget.name}/{state.name}": (widget, state) for widget in widgets for state in widget.states}
    if name not in states:
        raise BadOption(
            f"there is no state {name!r} to take data from; there are {', '.join(states) or 'none'}"
        )
    widget, state = states[name]
    return {widget.name: thaw(state.data)}
