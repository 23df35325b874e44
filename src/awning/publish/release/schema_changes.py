"""Finds which instances have a release whose data schema differs from a build's, where no migration runs."""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice

from awning.data_schema import SchemaPart, read_app_schema, shown_path, unversioned_changes
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.writes import PublishedBody, published_bodies
from awning.publish.notices import SchemaChange
from awning.publish.release.build_files import SCHEMA, BuildFiles, sha256_of
from awning.publish.stores import Stores

PAGE = 400
"""How many instances are looked up in the journal at once."""


def find_schema_change(
    files: BuildFiles, instances: Iterable[Instance], stores: Stores
) -> SchemaChange | None:
    """Return what a publish of the build to these instances changes without a migration; None for nothing.

    Instances that are held at a release are left out. Nothing is read from the service.
    """
    schemas, text = stores.releases.schemas(), files.texts.get(SCHEMA, "{}")
    if set(schemas.values()) <= {sha256_of(text)}:
        return None
    wanted = read_app_schema(json.loads(text))

    @cache
    def changes(schema: str | None) -> frozenset[str]:
        earlier = SchemaPart() if schema is None else _schema(stores, schema)
        return frozenset(shown_path(path) for path in unversioned_changes(earlier, wanted))

    @cache
    def release_of(sha256: str, run: int | None) -> int | None:
        task = None if run is None else stores.journal.task(run)
        having = stores.releases.with_file(sha256)
        published = None if task is None else task.release
        return published if published in having else max(having, default=None)

    touched: set[str] = set()
    releases: set[int] = set()
    settings: set[str] = set()
    for body in _bodies(instances, stores):
        number = release_of(body.sha256, body.run)
        if number is not None and (paths := changes(schemas.get(number))):
            touched.add(body.instance)
            releases.add(number)
            settings |= paths
    if not touched:
        return None
    return SchemaChange(
        instances=len(touched), releases=tuple(sorted(releases)), settings=tuple(sorted(settings))
    )


def _bodies(instances: Iterable[Instance], stores: Stores) -> Iterator[PublishedBody]:
    keys = (instance.key for instance in instances if instance.pinned is None)
    while page := list(islice(keys, PAGE)):
        yield from published_bodies(stores.journal, page)


def _schema(stores: Stores, sha256: str) -> SchemaPart:
    return read_app_schema(json.loads(stores.releases.text(sha256) or "{}"))
