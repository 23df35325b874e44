"""Setting and reading the snippets of an instance, in the body and (an observed extension) in the head."""

from typing import Any

from awning.contract import is_language_code
from awning_harness.service.envelope import Failure
from awning_harness.service.operations.call import Call
from awning_harness.service.store import snippets
from awning_harness.service.store.snippets import EVERY_LANGUAGE

LIMIT = 65_535


def set_snippet(call: Call) -> dict[str, Any]:
    return _set(call, "body")


def get_snippet(call: Call) -> dict[str, Any]:
    return _get(call, "body")


def set_head_snippet(call: Call) -> dict[str, Any]:
    return _set(call, "head")


def get_head_snippet(call: Call) -> dict[str, Any]:
    return _get(call, "head")


def _set(call: Call, place: str) -> dict[str, Any]:
    payload = call.payload()
    language = _language(call, payload.get("language"))
    text = _text(call, payload)
    if text is None or (text == "" and call.assumptions["empty-snippet"] == "clears"):
        snippets.remove(call.db, call.instance.id, place, language)
    else:
        snippets.put(call.db, call.instance.id, place, language, _stored(call, text))
    return {}


def _get(call: Call, place: str) -> dict[str, Any]:
    language = EVERY_LANGUAGE if call.language is None else _language(call, call.language)
    text = snippets.find(call.db, call.instance.id, place, language)
    if text is None and language and call.assumptions["language-fallback"] == "website":
        text = snippets.find(call.db, call.instance.id, place, EVERY_LANGUAGE)
    return {"snippet": text} if text is not None else _unset(call)


def _unset(call: Call) -> dict[str, Any]:
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
    """The language of the payload or path; null and absent mean every language."""
    if language is None:
        return EVERY_LANGUAGE
    if not isinstance(language, str) or not is_language_code(language):
        raise Failure(400, "language must be a language code")
    if call.assumptions["unknown-language"] == "refused" and language not in call.website().languages:
        raise Failure(400, "The website does not use this language")
    return language


def _text(call: Call, payload: dict[str, Any]) -> str | None:
    """The snippet, or None when it is to be removed."""
    text = payload.get("snippet", ...)
    if text is ...:
        raise Failure(400, "snippet is required")
    if text is None and call.assumptions["null-snippet"] == "clears":
        return None
    if not isinstance(text, str):
        raise Failure(400, "snippet must be a string")
    return text


def _stored(call: Call, text: str) -> str:
    """`text` as the service keeps it."""
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
