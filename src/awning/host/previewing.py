"""The preview in the settings form: the app's snippet on a page of a shop, with the data that the form would store.

    GET  settings/<session>/preview   with the stored data
    POST settings/<session>/preview   with the entries of the form, checked as they are when they are stored. Rows with
                                      wrong entries are left out; other wrong entries are listed instead of a page

The page is for a frame of the settings page. A sandbox makes it another origin, without cookies, and a policy forbids
it all requests but those for the pictures among the data. Secrets are hidden. So what runs in it, be it the app or
hostile data, reaches neither the form nor the session. Its address has the id of the session, which is worth nothing
without the cookie.

Nothing is stored. What the service has stored is read from memory while the form is about that (`RecentData`), because
an entry is typed faster than the service may be asked.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup
from msgspec import to_builtins
from starlette.requests import Request
from starlette.responses import Response

from awning.build_record import Place
from awning.client import encode_app_data
from awning.data_schema import with_new_versions
from awning.data_schema.schema_part import with_hidden_secrets
from awning.errors import ConfigurationError, ServiceError
from awning.host.form.arranging import has_too_many_rows, without_rows_around
from awning.host.form.filling import fill
from awning.host.form.shown import FieldView, FormContents, RowsView
from awning.host.form.view import view_of
from awning.host.guard import picture_origins
from awning.host.host import Host, ServedBuild
from awning.host.installing import read_data
from awning.host.languages import language_chain, sentences
from awning.host.log import LOG, with_hint
from awning.host.pages import Pages, language_of, pictures_in, wrong_fields
from awning.host.sessions import (
    DIGEST_DIGITS,
    BadForm,
    Posted,
    SettingsRequest,
    digest_of,
    find_visit,
    first_text,
    foreign_reason,
    read_posted,
)
from awning.host.visits import failure_code, failure_status
from awning.preview_record import Preview, PreviewRecord, PreviewState, with_files_of_other_hosts

STATE, LANGUAGE, WIDTH = "preview-state", "preview-language", "preview-width"
"""The names of the form's choices, as they are posted and in the address of the page after saving."""


@dataclass(slots=True)
class RecentData:
    """The app data that settings forms are about, in memory: the newest ones, by instance and digest.

    `most_of_one` keeps one shop from filling the memory alone.
    """

    most: int = 100
    most_of_one: int = 4
    _data: OrderedDict[tuple[str, str], Any] = field(default_factory=OrderedDict)

    def put(self, key: str, digest: str, data: Any) -> None:
        self._data[key, digest] = data
        self._data.move_to_end((key, digest))
        own = [each for each in self._data if each[0] == key]
        for earlier in own[: -self.most_of_one]:
            del self._data[earlier]
        while len(self._data) > self.most:
            self._data.popitem(last=False)

    def has(self, key: str, digest: str) -> bool:
        return (key, digest) in self._data

    def get(self, key: str, digest: str) -> Any:
        return self._data[key, digest]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewChoice:
    """What the preview shows: a state, in a language of its widget."""

    state: PreviewState
    language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewView:
    """What the settings page shows of the preview: its choices. `unsaved`: the form has entries that are not stored."""

    choice: PreviewChoice
    groups: tuple[tuple[str, tuple[PreviewState, ...]], ...]
    """The states by the title of their widget."""
    languages: tuple[str, ...]
    script: Markup
    unsaved: bool
    width: str


def view_preview(preview: Preview, language: str, chosen: Posted, *, unsaved: bool) -> PreviewView:
    """Return what the settings page shows of a preview, for a visitor with this language and these choices."""
    groups: dict[str, list[PreviewState]] = {}
    for state in preview.record.states:
        groups.setdefault(state.widget_title, []).append(state)
    return PreviewView(
        choice=choose(preview.record, language, chosen),
        groups=tuple((title, tuple(states)) for title, states in groups.items()),
        languages=preview.record.languages,
        script=Markup(preview.form),  # noqa: S704 - awning's own script, which the page's policy names by its hash
        unsaved=unsaved,
        width=_width(chosen),
    )


def query_of_choice(preview: Preview | None, language: str, posted: Posted) -> str:
    """Return the posted choices as the end of a query, so that the page after saving has them too."""
    if preview is None or STATE not in posted:
        return ""
    choice = choose(preview.record, language, posted)
    return "&" + urlencode({STATE: choice.state.id, LANGUAGE: choice.language, WIDTH: _width(posted)})


def _width(chosen: Posted) -> str:
    return "phone" if first_text(chosen, WIDTH) == "phone" else "desktop"


def choose(record: PreviewRecord, language: str, posted: Posted) -> PreviewChoice:
    """Return the posted choice; else the first state, and the visitor's language where the state has it."""
    wanted = first_text(posted, STATE)
    state = next((state for state in record.states if state.id == wanted), record.states[0])
    languages = (first_text(posted, LANGUAGE), *language_chain(language), *state.events)
    return PreviewChoice(state=state, language=next(name for name in languages if name in state.events))


class PreviewPage:
    """The handlers of the preview, and of its script."""

    def __init__(self, host: Host, pages: Pages, recent: RecentData) -> None:
        self._host = host
        self._pages = pages
        self._recent = recent
        self._script = f"{host.settings.origin}{host.settings.prefix}/preview.js"

    async def script(self, request: Request) -> Response:
        preview = (await self._host.run_blocking(self._host.current.build)).preview
        if preview is None:
            return Response("no preview\n", HTTPStatus.NOT_FOUND, media_type="text/plain")
        headers = {
            "Cross-Origin-Resource-Policy": "cross-origin"
        }  # the sandbox makes the page another origin
        if (
            request.url.query == preview.mark
        ):  # else the page is of another build, and its address must not keep this
            headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return Response(preview.frame, media_type="text/javascript", headers=headers)

    async def show(self, request: Request) -> Response:
        return await self._respond(request, posted=None)

    async def change(self, request: Request) -> Response:
        try:
            posted = await read_posted(request)
        except BadForm:
            return self._message("incomplete", language_of(request), HTTPStatus.BAD_REQUEST)
        return await self._respond(request, posted=posted)

    async def _respond(self, request: Request, *, posted: Posted | None) -> Response:
        visit = await find_visit(self._host, request)
        if visit is None:
            return self._message("session-over", language_of(request), HTTPStatus.FORBIDDEN)
        language, preview = visit.session.language, visit.served.preview
        if preview is None:
            return self._message("not-found", language, HTTPStatus.NOT_FOUND)
        if posted is None:
            named: Posted = {name: [request.query_params.get(name, "")] for name in (STATE, LANGUAGE, "base")}
        else:
            named = posted
            if reason := foreign_reason(self._host, request, first_text(posted, "token")):
                LOG.warning("refused a preview of %s: %s", visit.installation.key, reason)
                return self._message("foreign-form", language, HTTPStatus.FORBIDDEN)
            if has_too_many_rows(visit.served.form, posted):
                return self._message("incomplete", language, HTTPStatus.BAD_REQUEST)
        try:
            stored = await self._read_data(visit, first_text(named, "base"))
        except ServiceError as problem:
            LOG.warning("preview of %s: %s", visit.installation.key, with_hint(problem))
            return self._message(failure_code(problem), language, failure_status(problem, self._host))
        choice = choose(preview.record, language, named)
        # In a thread, as the form itself is made and checked.
        return await asyncio.to_thread(self._page, visit, preview, choice, stored, posted)

    async def _read_data(self, visit: SettingsRequest, base: str) -> Any:
        """Return the stored data that the form is about. Raises ServiceError when they must be read, and cannot be."""
        key = visit.installation.key
        if self._recent.has(key, base):
            return self._recent.get(key, base)
        stored = await read_data(self._host, visit.installation.code)
        self._recent.put(key, digest_of(stored, self._host.state.key), stored)
        if len(base) <= DIGEST_DIGITS:
            # Another worker showed the form, and the data have changed since: the next entry asks for it again.
            self._recent.put(key, base, stored)
        return stored

    def _page(
        self,
        visit: SettingsRequest,
        preview: Preview,
        choice: PreviewChoice,
        stored: Any,
        posted: Posted | None,
    ) -> Response:
        """Return the page of a state with the data; when entries are wrong, a page that lists their problems."""
        language, form = visit.session.language, visit.served.form
        contents = FormContents(
            languages=language_chain(language),
            stored=stored,
            decimal_mark=sentences(language)("decimal-mark"),
            posted=posted,
        )
        data = stored
        wrong: tuple[FieldView | RowsView, ...] = ()
        if posted is not None:
            filled = fill(form, posted, stored, key=self._host.state.key)
            if filled.problems:
                wrong = tuple(wrong_fields(view_of(form, replace(contents, problems=filled.problems))))
                # A row that is not finished yet is left out, so that the others are shown.
                finished = without_rows_around(form, posted, tuple(filled.problems))
                if finished is not None:
                    filled = fill(form, finished, stored, key=self._host.state.key)
            if filled.problems:
                return self._message("preview-errors", language, HTTPStatus.UNPROCESSABLE_ENTITY, wrong)
            data = with_new_versions(filled.data, stored, form.part)
        try:
            encoded = encode_app_data(with_hidden_secrets(form.part, data))
        except ConfigurationError:  # the data has no JSON form
            return self._message("bad-answer", language, HTTPStatus.BAD_GATEWAY)
        pictures = picture_origins(pictures_in(view_of(form, contents)))
        values = page_values(visit.served, preview, choice, encoded, self._script)
        return self._send(language, HTTPStatus.OK, pictures, wrong=wrong, **values)

    def _message(self, code: str, language: str, status: int, wrong: Any = ()) -> Response:
        return self._send(language, status, (), state=None, code=code, wrong=wrong)

    def _send(self, language: str, status: int, pictures: Any, **named: Any) -> Response:
        response = self._pages.page("preview.html", language=language, status=status, **named)
        response.headers["Content-Security-Policy"] = _policy(self._script, pictures)
        response.headers["X-Frame-Options"] = "SAMEORIGIN"
        return response


def page_values(
    served: ServedBuild, preview: Preview, choice: PreviewChoice, encoded: str, script: str
) -> dict[str, Any]:
    """Return the values of the template for a state. `encoded` are the app data, `script` is the script's address."""
    return {
        "state": choice.state,
        "page_language": choice.language,
        "direction": choice.state.events[choice.language].direction,
        "script": f"{script}?{preview.mark}",
        "visit": _visit_json(choice),
        "answers": _as_json(choice.state.answers),
        **dict(_snippets(served, preview.record, choice, encoded)),
    }


def _policy(script: str, pictures: Any) -> str:
    """Return the policy of the page in the frame. The app's snippet has inline scripts and styles."""
    return (
        "sandbox allow-scripts allow-forms; default-src 'none'; "
        f"script-src 'unsafe-inline' data: {script}; style-src 'unsafe-inline' data:; "
        f"{' '.join(('img-src data: blob:', *pictures))}; font-src data:; media-src data: blob:; "
        "form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
    )


def _snippets(
    served: ServedBuild, record: PreviewRecord, choice: PreviewChoice, encoded: str
) -> Iterator[tuple[Place, Markup]]:
    """Yield the app's snippets in the language, filled in as the service does."""
    for place in ("head", "body"):
        build = served.files.record
        snippet = build.snippet(place, choice.language) or build.snippet(place)
        html = served.files.texts[snippet.path] if snippet else ""
        html = html.replace(record.app_data_placeholder, encoded)
        html = html.replace(record.language_placeholder, choice.language)
        yield place, Markup(with_files_of_other_hosts(html, choice.state.answers))  # noqa: S704 - see the module


def _visit_json(choice: PreviewChoice) -> str:
    events = choice.state.events[choice.language]
    fallback = {"language": choice.language, "page": "catalog"}
    return _as_json(
        {
            "events": events,
            "page": events.params.get("page", fallback),
            "now": choice.state.now,
            "whole": choice.state.whole,
        }
    )


def _as_json(value: Any) -> str:
    return json.dumps(to_builtins(value))
