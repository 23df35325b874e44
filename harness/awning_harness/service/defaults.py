"""The default snippets of an app as one website shows them. They are cached, and the cache expires.

Source: Apps Integration API, Code snippet. A changed default snippet appears on a published website when the website's
cache expires. A manifest's `*_source_url` overrides the snippet in the manifest. The URL is fetched when the cache is
filled. If the fetch fails, the page keeps the previous snippet, or shows the manifest's if there is no previous one.
"""

from datetime import timedelta

from awning_harness.service.assumptions import Assumptions
from awning_harness.service.clock import Clock
from awning_harness.service.source_url import fetch
from awning_harness.service.store import Database, websites
from awning_harness.service.store.apps import App, Default
from awning_harness.service.store.websites import CachedDefault


class Defaults:
    """The cache of the default snippets, which is filled when it is read."""

    def __init__(self, database: Database, clock: Clock, assumptions: Assumptions) -> None:
        self._database = database
        self._clock = clock
        self._assumptions = assumptions

    def shown(self, website_id: int, app: App) -> CachedDefault:
        """Return the default snippets of `app` that the website shows now.

        If the cache is empty or expired and the app has a source URL, this waits for the fetch.
        """
        with self._database.reading() as db:
            cached = websites.find_cached_default(db, website_id, app.id)
        if cached is not None and self._fresh(cached):
            return cached
        current = CachedDefault(
            head=_current(app.head, cached.head if cached else None),
            body=_current(app.body, cached.body if cached else None),
            since=self._clock.now(),
        )
        with self._database.writing() as db:
            websites.put_cached_default(db, website_id, app.id, current)
        return current

    def purge_website(self, website_id: int) -> None:
        with self._database.writing() as db:
            websites.purge_website(db, website_id)

    def purge_app(self, app_id: int) -> None:
        with self._database.writing() as db:
            websites.purge_app(db, app_id)

    def _fresh(self, cached: CachedDefault) -> bool:
        age = self._clock.now() - cached.since
        return timedelta() <= age < timedelta(seconds=self._assumptions.seconds("default-cache"))


def _current(default: Default, before: str | None) -> str:
    fetched = fetch(default.url) if default.url else default.text
    if fetched is not None:
        return fetched
    return default.text if before is None else before
