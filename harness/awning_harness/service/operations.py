"""The calls of the Apps API. Each is a function that takes a `Call` and returns the fields of the response.

`OPERATIONS` lists them by the names of `awning.contract.endpoints.ENDPOINTS`; a test checks that none is missing.
"""

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from awning.contract import is_language_code
from awning_harness.service.assumptions import Assumptions
from awning_harness.service.envelope import Failure, read_object, write_json
from awning_harness.service.store import apps, instances, websites
from awning_harness.service.store.instances import EVERY_LANGUAGE, Instance, InstanceState
from awning_harness.service.store.websites import Website


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One authenticated call. For a POST, the database is in a transaction.

    `language` is the language in the path, None when the path has none.
    """

    db: sqlite3.Connection
    instance: Instance
    assumptions: Assumptions
    now: datetime
    language: str | None
    body: bytes
    website_url: Callable[[int], str]

    def payload(self, *names: str) -> dict[str, Any]:
        """Return the JSON object in the body; {} for an empty body or list. `names` are the keys of the operation.

        Raises Failure (400) for any other body, and for a key that the operation does not have, if the assumption
        `unknown-body-keys` is `refused`.
        """
        payload = read_object(self.body)
        if self.assumptions["unknown-body-keys"] == "refused" and (more := payload.keys() - {*names}):
            raise Failure(400, f"The body has an unknown key: {min(more)[:40]}")
        return payload

    def website(self) -> Website:
        """Return the website of the instance. Raises Failure (404) when it does not exist."""
        website = websites.find(self.db, self.instance.website_id)
        if website is None:
            raise Failure(404, "The website does not exist")
        return website


def installed(call: Call) -> dict[str, Any]:
    """Finish the installation.

    Raises Failure (409) when it is already finished and the assumption `second-installed` is `refused`.
    """
    call.payload()
    if call.instance.state is InstanceState.INSTALLED:
        if call.assumptions["second-installed"] == "refused":
            raise Failure(409, "The app is already installed")
        return {}
    instances.move(call.db, call.instance.id, InstanceState.INSTALLED, call.now)
    return {}


def delete(call: Call) -> dict[str, Any]:
    """Uninstall: clear all snippets and data of the instance. Its authCode is no longer valid."""
    call.payload()
    instances.uninstall(call.db, call.instance.id, call.now)
    return {}


LIMIT = 65_535


def set_snippet(call: Call, place: str = "body") -> dict[str, Any]:
    payload = call.payload("snippet", "language")
    if payload.get("language", ...) is None and call.assumptions["null-language"] == "refused":
        raise Failure(400, "language must be a string")
    language = _language(call, payload.get("language"))
    text = payload.get("snippet", ...)
    if text is ...:
        raise Failure(400, "snippet is required")
    clears = text is None and call.assumptions["null-snippet"] == "clears"
    if not clears and not isinstance(text, str):
        raise Failure(400, "snippet must be a string")
    if clears or (text == "" and call.assumptions["empty-snippet"] == "clears"):
        instances.remove_snippet(call.db, call.instance.id, place, language)
    else:
        instances.put_snippet(call.db, call.instance.id, place, language, _normalized(call, text))
    return {}


def get_snippet(call: Call, place: str = "body") -> dict[str, Any]:
    language = EVERY_LANGUAGE if call.language is None else _language(call, call.language)
    text = instances.find_snippet(call.db, call.instance.id, place, language)
    if text is None and language and call.assumptions["language-fallback"] == "website":
        text = instances.find_snippet(call.db, call.instance.id, place, EVERY_LANGUAGE)
    return {"snippet": text} if text is not None else _unset_snippet(call)


def _unset_snippet(call: Call) -> dict[str, Any]:
    match call.assumptions["unset-snippet"]:
        case "not-found":
            raise Failure(404, "No snippet was set")
        case "absent":
            return {}
        case "empty":
            return {"snippet": ""}
        case _:
            return {"snippet": None}


def _language(call: Call, language: Any) -> str:
    """Return the language in the payload or path; EVERY_LANGUAGE if it is null or missing.

    Raises Failure (400) when it is not a language code, or when the website does not have it and the assumption
    `unknown-language` is `refused`.
    """
    if language is None:
        return EVERY_LANGUAGE
    if not isinstance(language, str) or not is_language_code(language):
        raise Failure(400, "language must be a language code")
    if call.assumptions["unknown-language"] == "refused" and language not in call.website().languages:
        raise Failure(400, "The website does not use this language")
    return language


def _normalized(call: Call, text: str) -> str:
    """Return `text` in the form in which it is stored. Raises Failure (400) when it is too long.

    The assumptions decide about the form, and whether a text can be too long.
    """
    size = call.assumptions["snippet-size"]
    if size != "unlimited" and len(text.encode()) > LIMIT:
        if size != "truncated":
            raise Failure(400, f"snippet must not be longer than {LIMIT} bytes")
        text = text.encode()[:LIMIT].decode("utf-8", "ignore")
    match call.assumptions["snippet-storage"]:
        case "trimmed":
            return text.strip()
        case "crlf":
            return text.replace("\r\n", "\n").replace("\n", "\r\n")
        case _:
            return text


def set_data(call: Call) -> dict[str, Any]:
    """Store the app data. Raises Failure (400) when `data` is missing, or is neither a string nor an object.

    A list is also accepted when the assumption `data-list` is `accepted`.
    """
    payload = call.payload("data")
    if "data" not in payload:
        raise Failure(400, "data is required")
    value = payload["data"]
    listed = isinstance(value, list) and call.assumptions["data-list"] == "accepted"
    if not isinstance(value, str | dict) and not listed:
        raise Failure(400, "data must be a string or an object")
    instances.put_app_data(call.db, call.instance.id, write_json(value))
    return {}


def get_data(call: Call) -> dict[str, Any]:
    data = instances.find_app_data(call.db, call.instance.id)
    if data is not None:
        return {"data": _returned_data(call, data[0])}
    answers: dict[str, dict[str, Any]] = {
        "null": {"data": None},
        "empty": {"data": ""},
        "list": {"data": []},
        "absent": {},
    }
    return answers[call.assumptions["unset-data"]]


def _returned_data(call: Call, value: Any) -> Any:
    if isinstance(value, str):
        return value
    match call.assumptions["data-form"]:
        case "text":
            return write_json(value)
        case "php":
            return value or []
        case _:
            return value


def user(call: Call) -> dict[str, Any]:
    website_ = call.website()
    return {"user": {"email": website_.owner_email, "email_confirmed": website_.owner_email_confirmed}}


def website(call: Call) -> dict[str, Any]:
    website_ = call.website()
    return {"website": {"url": call.website_url(website_.id), "brandname": website_.brandname}}


def languages(call: Call) -> dict[str, Any]:
    return {"languages": list(call.website().languages)}


def app_info(call: Call) -> dict[str, Any]:
    """Return the manifest without its secret. `app_display_title` is an object with a title by language (observed).

    Raises Failure (404) when the app or its website does not exist.
    """
    app = apps.find(call.db, call.instance.app_id)
    if app is None:
        raise Failure(404, "The app does not exist")
    title = app.manifest.get("app_display_title") or app.title
    if isinstance(title, str):
        title = dict.fromkeys(call.website().languages, title)
    return {"info": {**app.manifest, "app_display_title": title}}


Operation = Callable[[Call], dict[str, Any]]

OPERATIONS: Mapping[str, Operation] = {
    "installed": installed,
    "delete": delete,
    "set_snippet": set_snippet,
    "get_snippet": get_snippet,
    "set_head_snippet": partial(set_snippet, place="head"),
    "get_head_snippet": partial(get_snippet, place="head"),
    "set_data": set_data,
    "get_data": get_data,
    "user": user,
    "website": website,
    "languages": languages,
    "app_info": app_info,
}
