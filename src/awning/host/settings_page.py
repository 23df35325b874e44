"""The settings page: shows what is stored, stores what is entered, uninstalls.

    GET  settings/<session>/            the form, with what the service has stored
    POST settings/<session>/            checked, then stored; back to the form. Nothing typed is ever lost: whatever
                                        goes wrong, the form comes back as it was sent
    POST settings/<session>/uninstall   the service first, then our own memory

What is stored is read again before it is written over: a change that somebody else made since is shown first.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from awning.client import apps, encode_app_data
from awning.errors import ConfigurationError, ServiceError, Unreachable
from awning.host.current import Release
from awning.host.form import fill, view_of
from awning.host.form.view import Shown
from awning.host.hooks import tell
from awning.host.host import Host, hosted
from awning.host.installing import read_data
from awning.host.languages import spoken, wanted
from awning.host.log import LOG
from awning.host.pages import Pages, wrong_fields
from awning.host.posted import BadForm, Posted, digest_of, one, read_posted
from awning.host.records import Installation, Session
from awning.host.removing import uninstall
from awning.host.sessions import form_token, is_own_form, session_of
from awning.host.visits import failure_code, failure_status, titles_of

NOTICES = ("saved", "installed", "installed-late")


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One request for a settings page: whose session, which instance, which release, which form token."""

    session: Session
    installation: Installation
    release: Release
    token: str


class SettingsPage:
    """Handlers of the page of a session."""

    def __init__(self, host: Host, pages: Pages) -> None:
        self._host = host
        self._pages = pages

    async def show(self, request: Request) -> Response:
        visit = await self._visit(request)
        if visit is None:
            return await self._over(request)
        try:
            stored = await read_data(self._host, visit.installation.code)
        except ServiceError as problem:
            return await self._failed(visit, problem)
        notice = next((name for name in NOTICES if name in request.query_params), None)
        return self._form(visit, stored, base=digest_of(stored), notice=notice)

    async def save(self, request: Request) -> Response:
        visit = await self._visit(request)
        if visit is None:
            return await self._over(request)
        try:
            posted = await read_posted(request)
        except BadForm:
            return self._pages.message("incomplete", language=visit.session.language, status=400)
        if not is_own_form(self._host, request, one(posted, "token")):
            # The entries of another site are not shown as if they were the visitor's.
            return await self._foreign(visit)
        async with self._host.turn(visit.installation.key):
            return await self._save(visit, posted)

    async def _save(self, visit: Visit, posted: Posted) -> Response:
        base = one(posted, "base")
        try:
            stored = await read_data(self._host, visit.installation.code)
            filled = fill(visit.release.form, posted, stored)
            if filled.problems:
                return self._form(visit, stored, base=base, posted=posted, problems=filled.problems)
            if digest_of(stored) not in {base, digest_of(filled.data)}:
                return self._form(visit, stored, base=digest_of(stored), posted=posted, alert="changed")
            await self._store(visit.installation, filled.data)
        except (ServiceError, ConfigurationError) as problem:  # the latter: data that has no JSON form
            LOG.warning("settings of %s were not saved: %s", visit.installation.key, problem.message)
            alert = "unreachable" if isinstance(problem, Unreachable) else "refused"
            return self._form(visit, {}, base=base, posted=posted, alert=f"not-saved-{alert}")
        LOG.info("settings saved: %s", visit.installation.key)
        await tell(self._host.hooks.on_settings_saved, hosted(visit.installation), filled.data)
        return RedirectResponse(f"{self._host.settings.prefix}/settings/{visit.session.id}/?saved", 303)

    async def _store(self, found: Installation, data: Any) -> None:
        """Where the answer was lost, reading back tells whether it is stored."""
        encoded = encode_app_data(data)
        try:
            await self._host.run(apps.set_data(found.code, encoded))
        except ServiceError as problem:
            if not problem.unclear or await read_data(self._host, found.code) != json.loads(encoded):
                raise

    async def uninstall(self, request: Request) -> Response:
        visit = await self._visit(request)
        if visit is None:
            return await self._over(request)
        try:
            posted = await read_posted(request)
        except BadForm:
            posted = {}
        if not is_own_form(self._host, request, one(posted, "token")):
            return await self._foreign(visit)
        try:
            await uninstall(self._host, visit.installation)
        except ServiceError as problem:
            LOG.warning("%s was not uninstalled: %s", visit.installation.key, problem.message)
            return await self._not_uninstalled(visit, problem)
        return self._pages.message(
            "uninstalled",
            language=visit.session.language,
            status=HTTPStatus.OK,
            titles=visit.release.titles,
            website=visit.installation.shown,
            return_link=visit.session.return_link,
        )

    async def _not_uninstalled(self, visit: Visit, problem: ServiceError) -> Response:
        refused = failure_code(problem) == "unknown-instance"
        alert = "not-uninstalled-refused" if refused else "not-uninstalled"
        return await self._with_stored(visit, alert, status=failure_status(problem))

    async def _foreign(self, visit: Visit) -> Response:
        return await self._with_stored(visit, "foreign-form", status=HTTPStatus.FORBIDDEN)

    async def _with_stored(self, visit: Visit, alert: str, *, status: int) -> Response:
        """The page with what is stored, where that can be read, and an alert."""
        try:
            stored = await read_data(self._host, visit.installation.code)
        except ServiceError as problem:
            return await self._failed(visit, problem)
        return self._form(visit, stored, base=digest_of(stored), alert=alert, status=status)

    def _form(
        self,
        visit: Visit,
        stored: Any,
        *,
        base: str,
        posted: Posted | None = None,
        problems: Mapping[str, Any] | None = None,
        alert: str | None = None,
        notice: str | None = None,
        status: int | None = None,
    ) -> Response:
        language = visit.session.language
        shown = Shown(languages=wanted(language), stored=stored, posted=posted, problems=problems)
        view = view_of(visit.release.form, shown)
        if alert is None and stored and not isinstance(stored, dict):
            alert = "foreign-data"
        return self._pages.page(
            "settings.html",
            language=language,
            titles=visit.release.titles,
            status=status or _status(alert, problems),
            website=visit.installation.shown,
            return_link=visit.session.return_link,
            view=view,
            wrong=tuple(wrong_fields(view)),
            base=base,
            token=visit.token,
            alert=alert,
            notice=notice,
        )

    async def _visit(self, request: Request) -> Visit | None:
        """None where nobody has this page open."""
        session = await session_of(self._host, request)
        if session is None:
            return None
        found = await self._host.kept(self._host.records.installation, session.key)
        if found is None or found.removed_at is not None:
            return None
        release = await self._host.kept(self._host.current.release)
        token = form_token(self._host, request)
        return Visit(session=session, installation=found, release=release, token=token)

    async def _over(self, request: Request) -> Response:
        titles = await titles_of(self._host)
        language = spoken(request.headers.get("accept-language", ""))
        return self._pages.message(
            "session-over", language=language, status=HTTPStatus.FORBIDDEN, titles=titles
        )

    async def _failed(self, visit: Visit, problem: ServiceError) -> Response:
        LOG.warning("settings of %s: %s", visit.installation.key, problem.message)
        return self._pages.message(
            failure_code(problem),
            language=visit.session.language,
            status=failure_status(problem),
            titles=visit.release.titles,
            return_link=visit.session.return_link,
            again=True,
        )


def _status(alert: str | None, problems: Mapping[str, Any] | None) -> int:
    if problems:
        return HTTPStatus.UNPROCESSABLE_ENTITY
    return {
        "changed": HTTPStatus.CONFLICT,
        "not-saved-unreachable": HTTPStatus.SERVICE_UNAVAILABLE,
        "not-saved-refused": HTTPStatus.BAD_GATEWAY,
    }.get(alert or "", HTTPStatus.OK)
