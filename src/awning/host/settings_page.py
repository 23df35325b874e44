"""The settings page: shows the stored app data, stores new data, and uninstalls the app.

    GET  settings/<session>/            shows the form with the stored data
    POST settings/<session>/            checks and stores the data, and redirects to the form. After an error, the form
                                        shows the posted values again, except secrets. With the action of a button, such
                                        as `add:/bar/steps`, nothing is stored: the form has one more row
    POST settings/<session>/uninstall   uninstalls at the service, then in the records

The stored data are read again before they are replaced. If somebody else has changed them since the form was shown,
they are not replaced, and the form is shown again. The form has a digest of the data, which shows that.
"""

import asyncio
import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from awning.client import apps, encode_app_data
from awning.data_schema import earlier_parts, later_parts, with_new_versions
from awning.errors import ConfigurationError, ServiceError
from awning.host.form.arranging import Arranged, arrange, has_too_many_rows
from awning.host.form.filling import fill
from awning.host.form.shown import FormContents
from awning.host.form.view import unshown, view_of
from awning.host.guard import page_policy
from awning.host.hooks import call_hook
from awning.host.host import Host, ServedBuild, hosted_instance
from awning.host.host_records import Installation
from awning.host.installing import read_data, uninstall
from awning.host.languages import isolated, language_chain, sentences
from awning.host.log import LOG, with_hint
from awning.host.pages import Pages, language_of, pictures_in, wrong_fields
from awning.host.previewing import RecentData, query_of_choice, view_preview
from awning.host.sessions import (
    BadForm,
    Posted,
    SettingsRequest,
    digest_of,
    find_visit,
    first_text,
    foreign_reason,
    read_posted,
)
from awning.host.visits import failure_code, failure_status, titles_of

NOTICES = ("saved", "installed", "installed-late")
OTHER_VERSION = "other-version"


class SettingsPage:
    """The handlers of a session's settings page."""

    def __init__(self, host: Host, pages: Pages, recent: RecentData) -> None:
        self._host = host
        self._pages = pages
        self._recent = recent

    async def show(self, request: Request) -> Response:
        visit = await find_visit(self._host, request)
        if visit is None:
            return await self._session_over(request)
        try:
            stored = await read_data(self._host, visit.installation.code)
        except ServiceError as problem:
            return await self._failed(visit, problem)
        notice = next((name for name in NOTICES if request.query_params.get("notice") == name), None)
        chosen = {name: [text] for name, text in request.query_params.items()}
        return await self._form(visit, stored, base=self._digest_of(stored), notice=notice, chosen=chosen)

    async def save(self, request: Request) -> Response:
        visit = await find_visit(self._host, request)
        if visit is None:
            return await self._session_over(request)
        try:
            posted = await read_posted(request)
        except BadForm:
            LOG.warning("refused a form of %s: it is not a form, or too large", visit.installation.key)
            return self._pages.message("incomplete", language=visit.session.language, status=400)
        reason = foreign_reason(self._host, request, first_text(posted, "token"))
        if reason is not None:
            # The posted values may come from another site, so they are not shown.
            return await self._foreign(visit, reason)
        if has_too_many_rows(visit.served.form, posted):
            LOG.warning("refused a form of %s: it has too many rows", visit.installation.key)
            return self._pages.message("incomplete", language=visit.session.language, status=400)
        if act := first_text(posted, "act"):
            return await self._arranged(visit, posted, arrange(visit.served.form, posted, act))
        async with self._host.turn(visit.installation.key):
            return await self._save(visit, posted)

    async def _arranged(self, visit: SettingsRequest, posted: Posted, arranged: Arranged | None) -> Response:
        """Return the form after the action of a button; with an alert when the form has no such action.

        Nothing is stored.
        """
        try:
            stored = await read_data(self._host, visit.installation.code)
        except ServiceError as problem:
            return await self._failed(visit, problem)
        base = first_text(posted, "base")
        if arranged is None:
            LOG.warning("refused a form of %s: it has no such action", visit.installation.key)
            alert, status = "no-such-action", HTTPStatus.BAD_REQUEST
            return await self._form(visit, stored, base=base, posted=posted, alert=alert, status=status)
        return await self._form(visit, stored, base=base, posted=arranged.posted, arranged=arranged)

    async def _save(self, visit: SettingsRequest, posted: Posted) -> Response:
        base, stored = first_text(posted, "base"), {}
        try:
            async with self._host.app_data_locks.holding_async(visit.installation.key):
                stored = await read_data(self._host, visit.installation.code)
                if _has_other_version(stored, visit.served):
                    return await self._form(visit, stored, base=base, posted=posted, status=409)
                # In a thread, because comparing texts with patterns may take half a second.
                filled = await asyncio.to_thread(
                    fill, visit.served.form, posted, stored, key=self._host.state.key
                )
                if filled.problems:
                    return await self._form(visit, stored, base=base, posted=posted, problems=filled.problems)
                if self._digest_of(stored) not in {base, self._digest_of(filled.data)}:
                    return await self._form(
                        visit, stored, base=self._digest_of(stored), posted=posted, alert="changed"
                    )
                data = with_new_versions(filled.data, stored, visit.served.form.part)
                await self._store(visit.installation, data)
        except (ServiceError, ConfigurationError) as problem:  # ConfigurationError: the data has no JSON form
            LOG.warning("settings of %s were not saved: %s", visit.installation.key, with_hint(problem))
            failure, status = "bad-answer", int(HTTPStatus.BAD_GATEWAY)
            if isinstance(problem, ServiceError):
                failure, status = failure_code(problem), failure_status(problem, self._host)
            alert = f"not-saved-{failure}"
            return await self._form(visit, stored, base=base, posted=posted, alert=alert, status=status)
        LOG.info("settings saved: %s", visit.installation.key)
        await call_hook(self._host.hooks.on_settings_saved, hosted_instance(visit.installation), data)
        choice = query_of_choice(visit.served.preview, visit.session.language, posted)
        page = f"{self._host.settings.prefix}/settings/{visit.session.id}/"
        return RedirectResponse(f"{page}?notice=saved{choice}", 303)

    async def _store(self, installation: Installation, data: Any) -> None:
        """Store the data. When the effect of the call is not clear, read the data back.

        Raises ServiceError when the data are not stored or cannot be read back, ConfigurationError when they have no
        JSON form.
        """
        encoded = encode_app_data(data)
        try:
            await self._host.run(apps.set_data(installation.code, encoded))
        except ServiceError as problem:
            if not problem.unclear or await read_data(self._host, installation.code) != json.loads(encoded):
                raise

    async def uninstall(self, request: Request) -> Response:
        visit = await find_visit(self._host, request)
        if visit is None:
            return await self._session_over(request)
        try:
            posted = await read_posted(request)
        except BadForm:
            posted = {}
        reason = foreign_reason(self._host, request, first_text(posted, "token"))
        if reason is not None:
            return await self._foreign(visit, reason)
        try:
            await uninstall(self._host, visit.installation)
        except ServiceError as problem:
            LOG.warning("%s was not uninstalled: %s", visit.installation.key, with_hint(problem))
            alert, status = f"not-uninstalled-{failure_code(problem)}", failure_status(problem, self._host)
            return await self._form_with_alert(visit, alert, status=status)
        return self._pages.message(
            "uninstalled",
            language=visit.session.language,
            status=HTTPStatus.OK,
            titles=visit.served.titles,
            website=visit.installation.display_name,
            return_link=visit.session.return_link,
        )

    def _digest_of(self, data: Any) -> str:
        return digest_of(data, self._host.state.key)

    async def _foreign(self, visit: SettingsRequest, reason: str) -> Response:
        LOG.warning("refused a form of %s: %s", visit.installation.key, reason)
        return await self._form_with_alert(visit, "foreign-form", status=HTTPStatus.FORBIDDEN)

    async def _form_with_alert(self, visit: SettingsRequest, alert: str, *, status: int) -> Response:
        """Return the form with the stored data and an alert; an error page when the data cannot be read."""
        try:
            stored = await read_data(self._host, visit.installation.code)
        except ServiceError as problem:
            return await self._failed(visit, problem)
        return await self._form(visit, stored, base=self._digest_of(stored), alert=alert, status=status)

    async def _form(
        self,
        visit: SettingsRequest,
        stored: Any,
        *,
        base: str,
        posted: Posted | None = None,
        problems: Mapping[str, Any] | None = None,
        alert: str | None = None,
        notice: str | None = None,
        status: int | None = None,
        arranged: Arranged | None = None,
        chosen: Posted | None = None,
    ) -> Response:
        language = visit.session.language
        contents = FormContents(
            languages=language_chain(language),
            stored=stored,
            decimal_mark=sentences(language)("decimal-mark"),
            posted=posted,
            problems=problems,
            fresh=arranged.fresh if arranged else "",
            key=self._host.state.key,
        )
        self._recent.put(visit.installation.key, self._digest_of(stored), stored)
        status = status or _status(alert, problems)
        is_other = _has_other_version(stored, visit.served)
        if is_other:
            LOG.warning(
                "settings of %s cannot be changed: the stored data are of another version than this build. "
                "`awning publish apply` migrates them, and says why it cannot",
                visit.installation.key,
            )
            alert = alert or (OTHER_VERSION if posted is None else f"{OTHER_VERSION}-entries")
        elif alert is None and stored and not isinstance(stored, dict):
            alert = "foreign-data"

        def render() -> Response:
            return self._render(
                visit,
                contents,
                status=status,
                alert=alert,
                is_other=is_other,
                base=base,
                chosen=chosen or posted or {},
                notice=arranged.action if arranged else notice,
                focus=arranged.focus if arranged else "",
            )

        # In a thread, because a form of thousands of fields takes a second, and other visitors would wait.
        return await asyncio.to_thread(render)

    def _render(
        self,
        visit: SettingsRequest,
        contents: FormContents,
        *,
        status: int,
        alert: str | None,
        is_other: bool,
        chosen: Posted,
        **named: Any,
    ) -> Response:
        view = view_of(visit.served.form, contents)
        served = visit.served.preview if view.members and not is_other else None
        unsaved = contents.posted is not None
        preview = view_preview(served, visit.session.language, chosen, unsaved=unsaved) if served else None
        replaced = ", ".join(map(isolated, unshown(visit.served.form, contents)))
        if alert is None and contents.posted is None and replaced:
            alert = "foreign-values"
        response = self._pages.page(
            "settings.html",
            language=visit.session.language,
            titles=visit.served.titles,
            status=status,
            website=visit.installation.display_name,
            return_link=visit.session.return_link,
            view=view,
            wrong=tuple(wrong_fields(view)),
            token=visit.token,
            alert=alert,
            replaced=replaced,
            preview=preview,
            # Data of another version do not fit the form: it would show defaults as if they were stored. Entries that
            # were sent are kept, and can be sent again.
            locked=is_other and not unsaved,
            send="try-again" if is_other else "save",
            **named,
        )
        script = str(preview.script) if preview else None
        response.headers["Content-Security-Policy"] = page_policy(pictures_in(view), script)
        return response

    async def _session_over(self, request: Request) -> Response:
        titles = await titles_of(self._host)
        language = language_of(request)
        return self._pages.message(
            "session-over", language=language, status=HTTPStatus.FORBIDDEN, titles=titles
        )

    async def _failed(self, visit: SettingsRequest, problem: ServiceError) -> Response:
        LOG.warning("settings of %s: %s", visit.installation.key, with_hint(problem))
        return self._pages.message(
            failure_code(problem),
            language=visit.session.language,
            status=failure_status(problem, self._host),
            titles=visit.served.titles,
            return_link=visit.session.return_link,
            again=True,
        )


def _status(alert: str | None, problems: Mapping[str, Any] | None) -> int:
    if problems:
        return HTTPStatus.UNPROCESSABLE_ENTITY
    return HTTPStatus.CONFLICT if alert == "changed" else HTTPStatus.OK


def _has_other_version(stored: Any, served: ServedBuild) -> bool:
    """Return whether the stored data must be migrated before this build's form may change them."""
    part = served.form.part
    return bool(earlier_parts(stored, part) or later_parts(stored, part))
