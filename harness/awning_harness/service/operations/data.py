"""Setting and reading app data: a string, an object, or (an assumption) the list that PHP apps write first."""

from typing import Any

from awning_harness.service.envelope import Failure, write_json
from awning_harness.service.operations.call import Call
from awning_harness.service.store import app_data


def set_data(call: Call) -> dict[str, Any]:
    payload = call.payload()
    if "data" not in payload:
        raise Failure(400, "data is required")
    value = payload["data"]
    listed = isinstance(value, list) and call.assumptions["data-list"] == "accepted"
    if not isinstance(value, str | dict) and not listed:
        raise Failure(400, "data must be a string or an object")
    app_data.put(call.db, call.instance.id, write_json(value))
    return {}


def get_data(call: Call) -> dict[str, Any]:
    found = app_data.find(call.db, call.instance.id)
    return _unset(call) if found is None else {"data": _returned(call, found[0])}


def _unset(call: Call) -> dict[str, Any]:
    answers: dict[str, dict[str, Any]] = {
        "null": {"data": None},
        "empty": {"data": ""},
        "list": {"data": []},
        "absent": {},
    }
    return answers[call.assumptions["unset-data"]]


def _returned(call: Call, value: Any) -> Any:
    if isinstance(value, str):
        return value
    match call.assumptions["data-form"]:
        case "text":
            return write_json(value)
        case "php":
            return value or []
        case _:
            return value
