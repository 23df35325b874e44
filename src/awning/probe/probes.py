"""The probes. Each settles one assumption about the Apps API by calls of one instance, some with its page.

`ask` returns an answer of the assumption, or `Other` with what came when no answer fits. It raises Unseen when this
instance cannot show the answer.
"""

import html
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from awning.client import Response, Secret
from awning.client.retry import throttled
from awning.contract.endpoints import AUTH_CODE_PARAMETER
from awning.probe.reply import ABSENT, Reply
from awning.probe.shop import DATA, MARK, NAME, SNIPPET, NotDone, Shop, Target, Unseen

_BEGIN, _END = f"{NAME}(", ")"
LIMIT = 65_535
LARGE = 1_048_576
"""The bytes of the largest snippet that a probe writes. Whether a snippet may be longer, it does not try."""
BURST, PER_SECOND = 8, 5
NOT_FOUND, BAD_REQUEST, FORBIDDEN = 404, 400, 403

NOTHING = "awning_probe"
"""The name of a call that no service has."""


@dataclass(frozen=True, slots=True)
class Other:
    """What came, in words, where no answer of the assumption fits."""

    came: str


Answer = str | Other
Ask = Callable[[Shop], Answer]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A probe, as `_settles` adds it to PROBES.

    calls     what is called, in words
    changes   what is changed and put back
    leaves    what stays, so that the probe runs only with --throwaway
    last      whether the probe disturbs those that follow, so that it runs after them
    """

    assumption: str
    calls: str
    ask: Ask
    changes: tuple[Target, ...] = ()
    leaves: str | None = None
    last: bool = False


_PROBES: dict[str, Probe] = {}


def _settles(
    assumption: str,
    *,
    calls: str,
    changes: tuple[Target, ...] = (),
    leaves: str | None = None,
    last: bool = False,
) -> Callable[[Ask], Ask]:
    """Add the function below to the probes, with what `Probe` says of it."""

    def add(ask: Ask) -> Ask:
        _PROBES[assumption] = Probe(
            assumption=assumption, calls=calls, ask=ask, changes=changes, leaves=leaves, last=last
        )
        return ask

    return add


@_settles(
    "unset-snippet",
    calls="get_snippet of a language without one; set_snippet before, where all read as empty",
    changes=(SNIPPET,),
)
def _unset_snippet(shop: Shop) -> Answer:
    answer = _answer_of_unset(shop)
    if answer is None and shop.read(SNIPPET) == "":
        # An empty answer for a language may be the website-wide snippet, until that is another text.
        with shop.changing(SNIPPET):
            _require(shop.write(SNIPPET, MARK))
            answer = _answer_of_unset(shop)
    if answer is not None:
        return answer
    raise Unseen(
        "each language has a snippet here, or is answered with the website-wide one: name an instance to which nothing "
        "was ever published. If this is unseen there, too, the profile needs "
        'unset-snippet = { answer = "empty", by = "hand" }'
    )


def _answer_of_unset(shop: Shop) -> Answer | None:
    """Return what the service answers for a language without a snippet; None when this instance does not tell.

    A language of the website may have an empty snippet of its own. An empty answer for another language may be the
    website-wide snippet, unless that reads as something else. And a service may refuse such a language.
    """
    website = shop.read(SNIPPET)
    for language in (*shop.languages, shop.unused_languages()[0]):
        is_used = language in shop.languages
        reply = shop.get("get_snippet", language)
        value = reply.value("snippet")
        if reply.status == NOT_FOUND and is_used:
            return "not-found"
        if not reply.is_success:
            continue
        if value in (None, ABSENT):
            return "null" if value is None else "absent"
        if value == "" and not is_used and website != "":
            return "empty"
        if not isinstance(value, str):
            return Other(reply.shown("snippet"))
    return None


@_settles("empty-snippet", calls="set_snippet with an empty text, get_snippet", changes=(SNIPPET,))
def _empty_snippet(shop: Shop) -> Answer:
    with shop.changing(SNIPPET) as before:
        _require(shop.write(SNIPPET, MARK))
        unset = "" if before in (None, ABSENT) else _answer_of_unset(shop)
        _require(shop.write(SNIPPET, ""))
        value = shop.read(SNIPPET)
    if value in (None, ABSENT):
        return "clears"
    if value != "":
        return Other("another text reads back than the empty one")
    if unset in {None, "empty"}:
        raise Unseen("it reads back as empty, and so may a snippet that was never set")
    return "overrides"


@_settles("language-fallback", calls="set_snippet, get_snippet of a language without one", changes=(SNIPPET,))
def _language_fallback(shop: Shop) -> Answer:
    with shop.changing(SNIPPET):
        _require(shop.write(SNIPPET, MARK))
        unused = shop.get("get_snippet", shop.unused_languages()[0])
        used = [shop.get("get_snippet", language) for language in shop.languages]
    values = [reply.value("snippet") for reply in (unused, *used)]
    if any(isinstance(value, str) and MARK in value for value in values):
        return "website"
    for reply in used:
        is_unset = reply.status == NOT_FOUND or (
            reply.is_success and reply.value("snippet") in (None, ABSENT)
        )
        # Otherwise it may be an empty snippet that the language has of its own.
        is_like_unused = reply.is_success and unused.is_success and values[0] == reply.value("snippet") == ""
        if is_unset or is_like_unused:
            return "none"
    raise Unseen("each language has a snippet of its own here")


@_settles(
    "unknown-language",
    calls="set_snippet of a language that the website does not use",
    leaves="an empty snippet for that language",
    last=True,
)
def _unknown_language(shop: Shop) -> Answer:
    shop.leave(
        "an empty snippet for a language that the website does not use", because="it sets such a snippet"
    )
    return _accepted(shop.write(SNIPPET, "", language=shop.unused_languages()[1]))


@_settles("null-snippet", calls="set_snippet with null, get_snippet", changes=(SNIPPET,))
def _null_snippet(shop: Shop) -> Answer:
    with shop.changing(SNIPPET) as before:
        reply = shop.write(SNIPPET, None)
        value = shop.read(SNIPPET)
    if reply.is_refusal:
        return "refused"
    if reply.is_success and value in (None, ABSENT, ""):
        return "clears"
    return Other(f"{reply.shown()}, and {'the old' if value == before else 'another'} text reads back")


@_settles(
    "snippet-storage", calls="set_snippet with white space at its ends, get_snippet", changes=(SNIPPET,)
)
def _snippet_storage(shop: Shop) -> Answer:
    text = f" {MARK}\n<!-- a -->\n "
    with shop.changing(SNIPPET):
        _require(shop.write(SNIPPET, text))
        value = shop.read(SNIPPET)
    forms = {text: "verbatim", text.strip(): "trimmed", text.replace("\n", "\r\n"): "crlf"}
    return forms.get(value) or Other("it reads back in another form")


@_settles(
    "snippet-size", calls=f"set_snippet with {LIMIT:,} to {LARGE:,} bytes, get_snippet", changes=(SNIPPET,)
)
def _snippet_size(shop: Shop) -> Answer:
    with shop.changing(SNIPPET):
        above, read = _written(shop, LIMIT + 1)
        if above.is_success and isinstance(read, str) and 0 < len(read) <= LIMIT:
            return "truncated" if len(read) == LIMIT else Other(f"cut after {len(read):,} bytes")
        if above.is_success:
            most, read = _written(shop, LARGE)
            if most.is_success and isinstance(read, str) and len(read) == LARGE:
                return "unlimited"
            return Other(f"{LIMIT + 1:,} bytes are stored, {LARGE:,} are not ({most.shown()})")
        within, read = _written(shop, LIMIT)
        if within.is_success and above.status == BAD_REQUEST and isinstance(read, str) and len(read) == LIMIT:
            return "65535"
        return Other(f"{LIMIT + 1:,} bytes: {above.shown()}; {LIMIT:,} bytes: {within.shown()}")


def _written(shop: Shop, size: int) -> tuple[Reply, Any]:
    """Write a snippet of `size` bytes. Returns the response, and what reads back."""
    reply = shop.write(SNIPPET, MARK + f"<!--{'x' * (size - len(MARK) - len('<!---->'))}-->")
    return reply, shop.read(SNIPPET)


@_settles("null-language", calls="set_snippet with the language null, get_snippet", changes=(SNIPPET,))
def _null_language(shop: Shop) -> Answer:
    with shop.changing(SNIPPET):
        reply = shop.write(SNIPPET, MARK, language=None)
        value = shop.read(SNIPPET)
    if reply.is_refusal:
        return "refused"
    is_there = isinstance(value, str) and MARK in value
    return "website" if is_there else Other(f"{reply.shown()}, but the website-wide snippet stays")


@_settles("unknown-body-keys", calls="set_snippet with a further key", changes=(SNIPPET,))
def _unknown_keys(shop: Shop) -> Answer:
    with shop.changing(SNIPPET):
        reply = shop.write(SNIPPET, MARK, awning_probe=1)
    return _accepted(reply, "ignored")


@_settles("unset-data", calls="get_data of an instance without app data")
def _unset_data(shop: Shop) -> Answer:
    reply = shop.get("get_data")
    value = reply.value("data")
    if not reply.is_success:
        return Other(reply.shown())
    for unset, answer in (("", "empty"), ([], "list")):
        if value == unset:
            return answer
    if value in (None, ABSENT):
        return "null" if value is None else "absent"
    raise Unseen("app data are set here: name an instance to which none were ever written")


@_settles(
    "unset-data-insertion",
    calls="set_snippet with the placeholder, a page of an instance without app data",
    changes=(SNIPPET,),
)
def _unset_data_insertion(shop: Shop) -> Answer:
    if not DATA.is_unset(shop.read(DATA)):
        raise Unseen("app data are set here: name an instance to which none were ever written")
    placeholder = shop.dialect.app_data_placeholder
    text = _on_page(shop, placeholder)
    answers = {"": "empty", "null": "null", placeholder: "left"}
    return answers.get(text) or Other(f"another text of {len(text)} characters")


@_settles("data-form", calls="set_data with objects, get_data", changes=(DATA,))
def _data_form(shop: Shop) -> Answer:
    filled = {"awning": MARK}
    with shop.changing(DATA):
        _require(shop.write(DATA, filled))
        full = shop.read(DATA)
        _require(shop.write(DATA, {}))
        empty = shop.read(DATA)
    if isinstance(full, str) and isinstance(empty, str):
        return "text"
    if full == filled and empty in ({}, []):
        return "php" if empty == [] else "kept"
    return Other("an object reads back in another form")


@_settles("data-list", calls="set_data with an empty list", changes=(DATA,))
def _data_list(shop: Shop) -> Answer:
    with shop.changing(DATA):
        return _accepted(shop.write(DATA, []))


@_settles(
    "data-insertion", calls="set_data, set_snippet with the placeholder, a page", changes=(DATA, SNIPPET)
)
def _data_insertion(shop: Shop) -> Answer:
    return _inserted_data(shop)[0]


@_settles(
    "placeholder-order",
    calls="set_data with a placeholder in it, set_snippet, a page",
    changes=(DATA, SNIPPET),
)
def _placeholder_order(shop: Shop) -> Answer:
    return _inserted_data(shop)[1]


def _inserted_data(shop: Shop) -> tuple[Answer, Answer]:
    """Return in which form a page has a text of app data, and whether a placeholder in it is replaced, too."""
    placeholder, language = shop.dialect.language_placeholder, _language(shop)
    data = f'"{NAME}" & {placeholder}'
    with shop.changing(DATA):
        _require(shop.write(DATA, data))
        text = _on_page(shop, shop.dialect.app_data_placeholder)
    for order, plain in (("one-pass", data), ("data-first", data.replace(placeholder, language))):
        if text == plain:
            return "raw", order
        if text in {json.dumps(plain), json.dumps(plain, ensure_ascii=False).replace("/", "\\/")}:
            return "json", order
        if html.unescape(text) == plain:
            return "html-escaped", order
    came = Other(f"another form of {len(text)} characters")
    return came, came


@_settles(
    "unknown-placeholder", calls="set_snippet with an undocumented placeholder, a page", changes=(SNIPPET,)
)
def _unknown_placeholder(shop: Shop) -> Answer:
    placeholder = f"{{{{{shop.dialect.placeholder_prefix}awning_probe}}}}"
    text = _on_page(shop, placeholder)
    answers = {"": "emptied", placeholder: "left"}
    return answers.get(text) or Other(f"another text of {len(text)} characters")


def _language(shop: Shop) -> str:
    """Return the language of the page that is looked at. Raises Unseen when the website has none."""
    if not shop.languages:
        raise Unseen("the website has no language")
    return shop.languages[0]


def _on_page(shop: Shop, text: str) -> str:
    """Return how a page shows a text of a snippet. Raises Unseen when the page does not show the snippet."""
    language = _language(shop)
    snippet = f'{MARK}<script type="application/json">{_BEGIN}{text}{_END}</script>'
    with shop.changing(SNIPPET):
        _require(shop.write(SNIPPET, snippet))
        own = shop.read(SNIPPET, language)
        if not isinstance(own, str) or not own or MARK in own:
            scripts = shop.scripts_of_page(language)
        else:
            with shop.changing(SNIPPET, language):
                _require(shop.write(SNIPPET, snippet, language=language))
                scripts = shop.scripts_of_page(language)
    for script in scripts:
        if script.startswith(_BEGIN) and script.endswith(_END):
            return script.removeprefix(_BEGIN).removesuffix(_END)
    raise Unseen(f"the page in {language} does not show the snippet: a cache may hold an older page")


@_settles("second-installed", calls="installed, twice", leaves="a finished installation")
def _second_installed(shop: Shop) -> Answer:
    shop.leave("the installation finished, if it was not", because="it calls `installed` again")
    shop.post("installed")
    return _accepted(shop.post("installed"))


@_settles("auth-code-case", calls="languages with `authcode`")
def _auth_code_case(shop: Shop) -> Answer:
    parameter = AUTH_CODE_PARAMETER.lower()
    return _authorized(shop.send("GET", "/apps/languages/", codes=((parameter, shop.code),)), "any", "exact")


@_settles("auth-code-twice", calls="languages with two authCodes")
def _auth_code_twice(shop: Shop) -> Answer:
    other = (AUTH_CODE_PARAMETER, Secret("awning-probe"))
    own = (AUTH_CODE_PARAMETER, shop.code)
    if shop.send("GET", "/apps/languages/", codes=(own, other)).is_success:
        return Other("the first one counts")
    return _authorized(shop.send("GET", "/apps/languages/", codes=(other, own)), "last", "refused")


@_settles("auth-scheme-case", calls="languages with `apikey`")
def _auth_scheme_case(shop: Shop) -> Answer:
    return _authorized(shop.get("languages", other_scheme=True), "any", "exact")


@_settles("final-slash", calls="languages without the final slash")
def _final_slash(shop: Shop) -> Answer:
    reply = shop.send("GET", "/apps/languages")
    if reply.is_success:
        return "optional"
    return "required" if reply.status == NOT_FOUND else Other(reply.shown())


@_settles("error-code", calls="a call that does not exist, a wrong method")
def _error_code(shop: Shop) -> Answer:
    replies = [reply for reply in (_nothing(shop), shop.get("set_snippet")) if reply.is_refusal]
    for reply in replies:
        if reply.status == BAD_REQUEST or reply.is_unauthorized or reply.status in range(200, 300):
            continue  # its code does not tell the status from a fixed code
        answers = {reply.status: "status", BAD_REQUEST: "generic", 0: "zero"}
        if type(reply.code) is int and reply.code in answers:
            return answers[reply.code]
        return Other(reply.shown())
    raise Unseen("no refusal came whose code tells it")


def _nothing(shop: Shop) -> Reply:
    """Return the response to a call that no service has."""
    return shop.get(NOTHING)


def _exists(shop: Shop, call: str) -> Answer:
    """Return whether a call exists. Its HTTP 404 may also say that there is nothing to give."""
    unknown = _refusal(_nothing(shop), NOTHING)
    reply = shop.get(call)
    if reply.is_success:
        return "present"
    if reply.status != NOT_FOUND:
        return Other(reply.shown())
    own = _refusal(reply, call)
    if own == unknown:
        return "absent"
    is_stable = _refusal(_nothing(shop), NOTHING) == unknown
    if is_stable or own[0] != unknown[0]:
        return "present"
    raise Unseen("the service words each refusal in another way")


@_settles("head-calls", calls="get_head_snippet")
def _head_calls(shop: Shop) -> Answer:
    return _exists(shop, "get_head_snippet")


@_settles("app-info-call", calls="app_info")
def _app_info_call(shop: Shop) -> Answer:
    return _exists(shop, "app_info")


def _refusal(reply: Reply, call: str) -> tuple[Any, str]:
    """Return the code of a refusal, and its message without the name of the call."""
    return (reply.status, reply.code), str(reply.value("error_message")).replace(call, "")


@_settles("rate-limit", calls=f"languages, {BURST} times at once", last=True)
def _rate_limit(shop: Shop) -> Answer:
    """Send calls as fast as they are answered. A limit of calls in a minute is not tried."""
    began = shop.channel.clock()
    for taken in range(BURST):
        response = shop.channel.send(shop.operation("GET", "/apps/languages/"))
        if throttled(response) and isinstance(response, Response):
            is_known = response.status == FORBIDDEN and taken <= PER_SECOND
            return "store-api" if is_known else Other(f"HTTP {response.status} after {taken} calls")
        if not isinstance(response, Response):
            raise NotDone(response.why)
    if shop.channel.clock() - began > 1:
        raise Unseen(f"the service needs more than a second for {BURST} calls")
    return "none"


def _authorized(reply: Reply, if_so: str, if_not: str) -> Answer:
    if reply.is_success:
        return if_so
    return if_not if reply.is_unauthorized else Other(reply.shown())


def _accepted(reply: Reply, accepted: str = "accepted") -> Answer:
    if reply.is_success:
        return accepted
    return "refused" if reply.is_refusal and not reply.is_unauthorized else Other(reply.shown())


def _require(reply: Reply) -> None:
    """Raise NotDone when a write that the probe needs was refused."""
    if not reply.is_success:
        raise NotDone(f"the service refuses what the probe has to write: {reply.shown()}")


PROBES: Mapping[str, Probe] = MappingProxyType(_PROBES)
"""The probes by the assumptions that they settle, in the order in which they run."""
