"""The simulated service as one object. Its HTTP applications share it; tests and the dev server call it directly.

Its database has websites, apps, instances, snippets, data, resellers, the clock and the present assumptions. With a
file, they survive a restart. Faults and the request log do not.
"""

import secrets
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from awning.contract import Dialect, is_language_code
from awning.contract.manifest_fields import SECRET_FIELD
from awning_harness.service.addresses import Addresses
from awning_harness.service.defaults import Defaults
from awning_harness.service.envelope import Failure, write_json
from awning_harness.service.faults.faults import Faults
from awning_harness.service.log import LoggedRequest, RequestLog
from awning_harness.service.persistence import load_assumptions, load_clock
from awning_harness.service.reseller.resellers import Resellers
from awning_harness.service.snippets import PageSnippets, Placeholders, applicable
from awning_harness.service.store import apps, instances, websites
from awning_harness.service.store.apps import App, Default
from awning_harness.service.store.database import Database
from awning_harness.service.store.instances import EVERY_LANGUAGE, Instance, InstanceState
from awning_harness.service.store.websites import Website
from awning_harness.service.vault import Vault, digest

WINDOWS = ((timedelta(seconds=1), 5), (timedelta(minutes=1), 300))


class RateLimit:
    """Counts the accepted calls of each app, and refuses further calls over the limit with HTTP 403 (observed).

    It applies if the assumption `rate-limit` is `store-api`.
    """

    def __init__(self) -> None:
        self._calls: defaultdict[int, deque[datetime]] = defaultdict(deque)

    def count(self, app_id: int, now: datetime) -> None:
        """Count one call. Raises Failure (403) when the app has called too often."""
        calls = self._calls[app_id]
        while calls and not now - WINDOWS[-1][0] < calls[0] <= now:
            calls.popleft()
        for window, most in WINDOWS:
            if sum(call > now - window for call in calls) >= most:
                raise Failure(403, "Too many requests")
        calls.append(now)

    def clear(self) -> None:
        """Forget all counted calls."""
        self._calls.clear()


DEFAULT_LANGUAGES = ("lv", "en", "de")
DEFAULT_EMAIL = "owner@example.com"


class PlayedProfile(Protocol):
    """What the service plays of a profile of the workspace, which it does not import."""

    @property
    def dialect(self) -> Dialect: ...

    @property
    def answers(self) -> Mapping[str, str]: ...


class Service:
    """A simulated service. It is thread-safe.

    Methods raise LookupError when there is no such app, website or instance, and ValueError for an invalid
    value. For an unknown website, `website` returns None, `page_snippets` an empty tuple and `website_url` an address.
    """

    def __init__(
        self,
        state: Path | None = None,
        *,
        assumptions: str | None = None,
        settled: Mapping[str, str] = MappingProxyType({}),
        dialect: Dialect | None = None,
    ) -> None:
        """`state` is the SQLite file; None means in memory.

        `assumptions` names an assumption set; None keeps the file's assumptions, changed by the answers in `settled`.
        """
        self.dialect = dialect or Dialect()
        self.database = Database(state)
        try:
            self._read(state, assumptions)
            for id_, answer in settled.items() if assumptions is None else ():
                self.assumptions.set(id_, answer)
        except BaseException:
            self.database.close()
            raise

    @classmethod
    def of_profile(
        cls, profile: PlayedProfile, state: Path | None = None, *, assumptions: str | None = None
    ) -> "Service":
        """Make the service that a profile describes: its names, and the answers that are settled there."""
        return cls(state, assumptions=assumptions, settled=profile.answers, dialect=profile.dialect)

    def _read(self, state: Path | None, assumption_set: str | None) -> None:
        """Make the other parts of the service, with the settings that the database holds."""
        self.vault = Vault.beside(state)
        self.addresses = Addresses()
        self.allowed_hosts: tuple[str, ...] = ()
        self.store: Callable[[], Any] | None = None
        """A function that returns the storefront's store; with None, the storefront uses the shipped store."""
        self.allowed_globals: Collection[str] = ()
        """The globals that apps may leave on the pages of the storefront."""
        self.log = RequestLog()
        self.faults = Faults()
        self.rate_limit = RateLimit()
        self.clock = load_clock(self.database)
        self.assumptions = load_assumptions(self.database, assumption_set)
        self.defaults = Defaults(self.database, self.clock, self.assumptions)
        self.resellers = Resellers(self.database, self.clock, self.assumptions)

    def create_website(
        self,
        *,
        languages: Sequence[str] = DEFAULT_LANGUAGES,
        brandname: str | None = None,
        owner_email: str = DEFAULT_EMAIL,
        owner_email_confirmed: bool = True,
    ) -> Website:
        """Make a website. The first of `languages` is its main language."""
        codes = tuple(dict.fromkeys(languages))
        if not codes or not all(is_language_code(code) for code in codes):
            raise ValueError("languages must hold at least one language code, and only language codes")
        with self.database.writing() as db:
            return websites.add(
                db,
                languages=codes,
                brandname=brandname,
                owner_email=owner_email,
                owner_email_confirmed=owner_email_confirmed,
                now=self.clock.now(),
            )

    def website(self, website_id: int) -> Website | None:
        with self.database.reading() as db:
            return websites.find(db, website_id)

    def websites(self) -> tuple[Website, ...]:
        with self.database.reading() as db:
            return websites.find_all(db)

    def website_url(self, website_id: int) -> str:
        """Return the address of the website's main page, as `GET /apps/website/` returns it."""
        return f"{self.addresses.storefront_url}/{website_id}/"

    def register_app(self, manifest: Mapping[str, Any], *, approved: bool = True) -> tuple[int, str]:
        """Add an app to the catalogue; returns its number and its API key. Only a digest of the key is stored.

        A default snippet in the manifest must be a string. Only the portal checks the rest.
        """
        key = self.dialect.key_prefix + secrets.token_hex(16)
        public, sealed = self._sealed(manifest)
        with self.database.writing() as db:
            app_id = apps.add(
                db,
                manifest=public,
                sealed_secret=sealed,
                key_digest=digest(key),
                approved=approved,
                now=self.clock.now(),
            )
        return app_id, key

    def resubmit_app(self, app_id: int, manifest: Mapping[str, Any]) -> None:
        """Replace an app's manifest, keep its approval, and delete a version that waits for approval.

        Pages show new default snippets when their cache expires.
        """
        self.app(app_id)
        public, sealed = self._sealed(manifest)
        with self.database.writing() as db:
            apps.resubmit(db, app_id, manifest=public, sealed_secret=sealed)

    def submit_version(self, app_id: int, manifest: Mapping[str, Any]) -> None:
        """Submit a new version as a developer does. It waits for approval.

        If an approved version is live, the assumption `unapproved-version` decides whether pages show the new version
        meanwhile. Otherwise, they show it.
        """
        app = self.app(app_id)
        public, sealed = self._sealed(manifest)
        approved_once = app.approved or app.waiting is not None
        with self.database.writing() as db:
            if approved_once and self.assumptions["unapproved-version"] == "waits":
                apps.store_pending(db, app_id, manifest=public, sealed_secret=sealed)
            else:
                apps.resubmit(db, app_id, manifest=public, sealed_secret=sealed)
                apps.approve(db, app_id, approved=False)

    def app(self, app_id: int) -> App:
        """Return the app with this number."""
        with self.database.reading() as db:
            app = apps.find(db, app_id)
        if app is None:
            raise LookupError(f"there is no app {app_id}")
        return app

    def apps(self) -> tuple[App, ...]:
        with self.database.reading() as db:
            return apps.find_all(db)

    def approve_app(self, app_id: int, *, approved: bool = True) -> None:
        """Approve an app, or withdraw the approval. A version that waits goes live when it is approved."""
        self.app(app_id)
        with self.database.writing() as db:
            apps.approve(db, app_id, approved=approved)

    def set_default_snippets(self, app_id: int, *, head: str = "", body: str = "") -> None:
        """Change an app's default snippets and show them at once.

        They override the manifest's snippets and source URLs until the app gets a new manifest.
        """
        self.app(app_id)
        with self.database.writing() as db:
            apps.set_defaults(db, app_id, head=Default(text=head), body=Default(text=body))
        self.defaults.purge_app(app_id)

    def install(self, app_id: int, website_id: int, *, state: str = "installed") -> str:
        """Install an app on a website; returns the authCode. `state` is `installed` or `installing`."""
        if state not in {InstanceState.INSTALLED, InstanceState.INSTALLING}:
            raise ValueError('state must be "installed" or "installing"')
        self.app(app_id)
        if self.website(website_id) is None:
            raise LookupError(f"there is no website {website_id}")
        code = secrets.token_urlsafe(24)
        with self.database.writing() as db:
            instances.add(
                db,
                app_id=app_id,
                website_id=website_id,
                code_digest=digest(code),
                sealed_code=self.vault.seal(code),
                state=InstanceState(state),
                now=self.clock.now(),
            )
        return code

    def instance(self, auth_code: str) -> Instance:
        """Return the instance of an authCode, in any state."""
        with self.database.reading() as db:
            installation = instances.find_by_code(db, digest(auth_code))
        if installation is None:
            raise LookupError("there is no instance with this authCode")
        return installation[0]

    def set_snippet(
        self, auth_code: str, snippet: str | None, *, language: str | None = None, place: str = "body"
    ) -> None:
        """Set an instance's snippet, without the checks and changes of the API; None removes it.

        `place` is `body` or `head`.
        """
        _check_place(place)
        instance_id, language = self.instance(auth_code).id, language or EVERY_LANGUAGE
        with self.database.writing() as db:
            if snippet is None:
                instances.remove_snippet(db, instance_id, place, language)
            else:
                instances.put_snippet(db, instance_id, place, language, snippet)

    def snippet(self, auth_code: str, *, language: str | None = None, place: str = "body") -> str | None:
        """Return the snippet of an instance for `language`; the one for every language if `language` is None.

        Returns None when this snippet is not set, even if the instance has another one. `place` is `body` or `head`.
        """
        _check_place(place)
        instance_id = self.instance(auth_code).id
        with self.database.reading() as db:
            return instances.find_snippet(db, instance_id, place, language or EVERY_LANGUAGE)

    def set_data(self, auth_code: str, data: Any) -> None:
        """Set an instance's app data: a string or another JSON value."""
        instance_id = self.instance(auth_code).id
        with self.database.writing() as db:
            instances.put_app_data(db, instance_id, write_json(data))

    def filled(self, auth_code: str, snippet: str, language: str) -> str:
        """Return a snippet of an instance as it is on a page in `language`, with its placeholders replaced."""
        instance = self.instance(auth_code)
        with self.database.reading() as db:
            return Placeholders.of(db, instance.id, language, self.dialect, self.assumptions).fill(snippet)

    def page_snippets(
        self, website_id: int, language: str, data: Mapping[str, Any] | None = None
    ) -> tuple[PageSnippets, ...]:
        """Return the snippets of each app on the website for a page in `language`, in the order of installation.

        `data` are the app data of this page; None for the stored ones.

        If the assumption `installing-snippets` is `hidden`, this leaves out apps whose installation is not finished. If
        `unapproved-version` is `waits`, it leaves out apps that were never approved.

        It may wait while default snippets are fetched (at most 5 s each), so call it in a separate thread.
        """
        with self.database.reading() as db:
            on_website = instances.on_website(db, website_id)
        hidden = self.assumptions["installing-snippets"] == "hidden"
        visible = [i for i in on_website if i.state is InstanceState.INSTALLED or not hidden]
        return tuple(
            self._on_page(instance, language, data) for instance in visible if self._is_live(instance.app_id)
        )

    def requests(self) -> tuple[LoggedRequest, ...]:
        """Return the logged calls, oldest first."""
        return self.log.all()

    def reset(self) -> None:
        """Delete all websites, apps, instances, resellers, faults and logged calls. The assumptions do not change.

        The clock returns to the real time, and the rate limit counts from zero.
        """
        assumption_set, values = self.assumptions.assumption_set, self.assumptions.values()
        self.database.clear()
        self.clock.release()
        self.assumptions.take_set(assumption_set)
        for assumption_id, value in values.items():
            self.assumptions.set(assumption_id, value)
        self.log.clear()
        self.rate_limit.clear()
        self.faults.put((), ())

    def close(self) -> None:
        self.database.close()

    def _sealed(self, manifest: Mapping[str, Any]) -> tuple[dict[str, Any], bytes | None]:
        """Return the manifest without its secret, and the sealed secret."""
        secret = manifest.get(SECRET_FIELD)
        public = {name: value for name, value in manifest.items() if name != SECRET_FIELD}
        return public, self.vault.seal(secret) if isinstance(secret, str) and secret else None

    def _is_live(self, app_id: int) -> bool:
        app = self.app(app_id)
        return app.approved or app.waiting is not None or self.assumptions["unapproved-version"] == "live"

    def _on_page(self, instance: Instance, language: str, data: Mapping[str, Any] | None) -> PageSnippets:
        app = self.app(instance.app_id)
        default = self.defaults.shown(instance.website_id, app)
        with self.database.reading() as db:
            stored = Placeholders.of(db, instance.id, language, self.dialect, self.assumptions)
            fill = (stored if data is None else replace(stored, data=(data,))).fill
            head = applicable(db, instance.id, "head", language, default.head)
            body = applicable(db, instance.id, "body", language, default.body)
        return PageSnippets(app_id=app.id, app_title=app.title, head=fill(head), body=fill(body))


def _check_place(place: str) -> None:
    """Raise ValueError when snippets have no such place."""
    if place not in {"body", "head"}:
        raise ValueError('place must be "body" or "head"')
