"""The inventory: the app's own list of instances. The service has no call that returns such a list.

Whoever has an authCode can use the instance, so authCodes leave this module only as a `Secret`. The service never
returns an authCode again, so the inventory keeps a removed instance until it is purged. Until then it can be restored.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal, Self

from sqlalchemy import (
    Connection,
    RowMapping,
    bindparam,
    delete,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from awning.client import Secret
from awning.client.secret import escaped, is_plain
from awning.contract import is_language_code
from awning.diagnostics import did_you_mean
from awning.errors import ConfigurationError
from awning.publish.inventory.codes import encrypt_all, open_with_codes
from awning.publish.state.cipher import seal, unseal
from awning.publish.state.database import Database, storable
from awning.publish.state.store import OpenTables, StateStore
from awning.publish.state.tables.inventory import COMMON_COLUMNS, INSTANCE, REMOVED
from awning.publish.state.tables.probes import PROBE_RESTORE

MOST_AT_ONCE = 500
"""The most values in one SQL statement, and the most instances in one page."""
SUGGESTED = 10_000
"""The most names that an unknown name is compared with, to suggest a similar one."""

STAMP_DIGITS = 16

InstanceChange = Literal["added", "changed", "restored"]

_CODE = re.compile(r"[!-~]{1,512}")
_NAME = re.compile(r"[^\s@](?:[^\n\r\t]{0,98}[^\s])?")
_LABEL = re.compile(r"[^\s,]{1,64}")
_CHANGE = update(INSTANCE).where(INSTANCE.c.key == bindparam("own"))
"""Made once: to make a statement for each row of a large table takes most of the time for which the file is locked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """One installation of the app on one website.

    `key` is the keyed hash of the authCode. The journal and all output but the CSV table (`table`) show it instead of
    the authCode. `languages` are the languages to publish; when empty, those of the website are published.

    `website_url` and `website_languages` are what the service returned last, at the time `refreshed_at`. All three are
    None until then.
    `pinned` is the number of the release at which the instance is held; None for the current build.
    """

    code: Secret
    key: str
    name: str | None = None
    languages: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    website_url: str | None = None
    website_languages: tuple[str, ...] | None = None
    refreshed_at: str | None = None
    pinned: int | None = None

    @property
    def display_name(self) -> str:
        """The name; without one, the keyed hash. Never the authCode."""
        return self.name or self.key

    @property
    def stamp(self) -> str:
        """A hash of the properties that decide what is published to the instance."""
        properties = " ".join((*self.languages, f"@{self.pinned or ''}"))
        return hashlib.sha256(properties.encode()).hexdigest()[:STAMP_DIGITS]


class Inventory(OpenTables):
    """The instances of one app. Methods that read or write the database raise DatabaseUnusable when it fails."""

    def __init__(self, database: Database, state: StateStore) -> None:
        super().__init__(database)
        self._state = state
        adding = database.insert(INSTANCE).on_conflict_do_nothing(index_elements=["key"])
        self._add = adding.returning(INSTANCE.c.id)

    @classmethod
    def open(cls, state: StateStore) -> Self:
        """Open the inventory. When the state store has a cipher, plain authCodes are encrypted.

        Raises ConfigurationError when an authCode is encrypted with a key that the state store does not have, or when
        an authCode that is read here is damaged.
        """
        return cls(open_with_codes(state), state)

    def instance(
        self, code: str, *, name: str | None = None, languages: str = "", labels: str = ""
    ) -> Instance:
        """Return an instance made from the texts of a command line or a table. Nothing is stored.

        Raises ConfigurationError when a text is not valid.
        """
        if not _CODE.fullmatch(code):
            raise ConfigurationError("an authCode is one word of printable ASCII characters")
        if name is not None and not (_NAME.fullmatch(name) and is_plain(name)):
            raise ConfigurationError(
                "a name is up to 100 characters on one line and does not begin with @",
                hint=None
                if is_plain(name)
                else f'it has control or invisible characters: "{escaped(name)[:200]}"',
            )
        for field, text in (("languages", languages), ("labels", labels)):
            if not is_plain(text.replace("\t", " ")):  # split would take a separator of lines for a space
                raise ConfigurationError(
                    f'the {field} have control or invisible characters: "{escaped(text)[:200]}"'
                )
        language_codes = tuple(dict.fromkeys(languages.replace(",", " ").split()))
        for language in language_codes:
            if not is_language_code(language):
                raise ConfigurationError(
                    f'"{language}" is not a language code', hint='such as "lv" or "pt-BR"'
                )
        label_words = tuple(dict.fromkeys(labels.split()))
        for label in label_words:
            if not _LABEL.fullmatch(label):
                raise ConfigurationError(f'"{label}" is not a label: up to 64 characters, no comma')
        return self._instance(Secret(code), name, language_codes, label_words)

    def _instance(
        self, code: Secret, name: str | None, languages: tuple[str, ...], labels: tuple[str, ...]
    ) -> Instance:
        key = self._state.hash_of(code)
        return Instance(code=code, key=key, name=name, languages=languages, labels=labels)

    def add(self, instance: Instance) -> tuple[Instance, InstanceChange]:
        """Add an instance. If it is known or removed, change its name, languages and labels, and restore it.

        A property that is empty in `instance` does not change. Returns the stored instance, and what was done. Raises
        ConfigurationError when the name belongs to another instance, or another authCode has the same keyed hash.
        """
        known = self.find(instance.code)
        removed = None if known else self.find_removed(instance.code)
        before = known or removed
        if before is not None:
            instance = replace(
                before,
                name=instance.name or before.name,
                languages=instance.languages or before.languages,
                labels=instance.labels or before.labels,
            )
        self.put([instance])
        return instance, "changed" if known else "restored" if removed else "added"

    def put(self, instances: Iterable[Instance]) -> tuple[int, int]:
        """Add or change instances, all or none. Returns how many are new and how many existed before.

        A removed instance counts as new, and is no longer removed. Raises ConfigurationError when a name belongs to
        another instance, or when two authCodes have the same keyed hash.
        """
        added = changed = 0
        listed = tuple(instances)
        with self._database.writing() as connection:
            for some in (listed[at : at + MOST_AT_ONCE] for at in range(0, len(listed), MOST_AT_ONCE)):
                self._clear_way(connection, some)
            for row in map(self._row, listed):
                try:
                    new = self._put(connection, row)
                except IntegrityError:
                    if row["name"] is None:
                        raise
                    raise ConfigurationError(
                        f'the name "{row["name"]}" belongs to another instance'
                    ) from None
                added, changed = (added + 1, changed) if new else (added, changed + 1)
        return added, changed

    def _clear_way(self, connection: Connection, instances: Sequence[Instance]) -> None:
        """Delete these instances from the removed ones, and clear their stored names, so that names can be swapped.

        Raises ConfigurationError when another authCode has the same keyed hash as one of these instances.
        """
        codes = {instance.key: instance.code for instance in instances}
        connection.execute(delete(REMOVED).where(REMOVED.c.key.in_(codes)))
        same = INSTANCE.c.key.in_(codes)
        for key, stored in connection.execute(select(INSTANCE.c.key, INSTANCE.c.auth_code).where(same)).all():
            if unseal(self._state.cipher, stored) != codes[key]:
                raise ConfigurationError(
                    f"two authCodes have the keyed hash {key}",
                    hint="by an unlikely chance; keep one of the two in a state store of its own",
                )
        connection.execute(update(INSTANCE).where(same).values(name=None))

    def _put(self, connection: Connection, row: dict[str, Any]) -> bool:
        """Add or change a row, even when another process adds it at the same time. Returns whether it is new."""
        own = {**row, "own": row["key"]}
        if connection.execute(_CHANGE, own).rowcount:
            return False
        if connection.execute(self._add, {**row, "added_at": _now()}).first() is not None:
            return True
        connection.execute(_CHANGE, own)
        return False

    def _row(self, instance: Instance) -> dict[str, Any]:
        cipher = self._state.cipher
        return {
            "auth_code": seal(cipher, instance.code),
            "sealed_by": None if cipher is None else cipher.current,
            "name": instance.name,
            "languages": " ".join(instance.languages),
            "labels": " ".join(instance.labels),
            "key": instance.key,
            **({} if instance.pinned is None else {"pinned": instance.pinned}),
        }

    def rekey(self, *, decrypt: bool = False) -> int:
        """Encrypt every authCode of the state with the first key of the cipher. With `decrypt`, decrypt every authCode.

        Returns how many changed. Raises ConfigurationError without a cipher, or when an authCode cannot be decrypted.
        If it raises, no authCode changes.
        """
        return encrypt_all(self._database, self._state, decrypt=decrypt)

    def all(self) -> tuple[Instance, ...]:
        """Return all instances, in the order in which they were added."""
        return tuple(instance for page in self.pages() for instance in page)

    def last_id(self) -> int:
        """Return the number of the instance that was added last; 0 without instances."""
        return self._database.value(select(func.max(INSTANCE.c.id))) or 0

    def pages(self, labels: Sequence[str] = (), *, last: int | None = None) -> Iterator[Sequence[Instance]]:
        """Yield the instances that have all of `labels`, in pages, in the order in which they were added.

        Instances with a number above `last` are left out. Without `last`, instances that are added while the pages are
        read are left out.
        """
        if last is None:
            last = self.last_id()
        after = 0
        while after < last:
            page = (
                select(INSTANCE)
                .where(INSTANCE.c.id > after, INSTANCE.c.id <= last)
                .order_by(INSTANCE.c.id)
                .limit(MOST_AT_ONCE)
            )
            rows = self._database.rows(page)
            if not rows:
                return
            after = rows[-1]["id"]
            instances = map(self._read, rows)
            yield [instance for instance in instances if set(labels) <= set(instance.labels)]

    def count(self) -> int:
        """Return the number of instances."""
        return self._database.value(select(func.count()).select_from(INSTANCE)) or 0

    def check_known(self) -> None:
        """Raise ConfigurationError when there is no instance, and none was removed: no shop was ever known here.

        Such an inventory is new, or the state store is another than the one that was meant.
        """
        if not any(self._database.rows(select(table.c.id).limit(1)) for table in (INSTANCE, REMOVED)):
            raise ConfigurationError(
                f"the inventory is empty: {self._database.display_name} has no instance",
                hint="AWNING_STATE_DIR or AWNING_DATABASE_URL names another one; "
                "or add the first instance: awning instances add",
            )

    def by_keys(self, keys: Sequence[str]) -> dict[str, Instance]:
        """Return the instances with these keyed hashes, by keyed hash."""
        instances: dict[str, Instance] = {}
        for at in range(0, len(keys), MOST_AT_ONCE):
            some = select(INSTANCE).where(INSTANCE.c.key.in_(keys[at : at + MOST_AT_ONCE]))
            instances |= {row["key"]: self._read(row) for row in self._database.rows(some)}
        return instances

    def websites(self) -> dict[str, str]:
        """Return the known addresses of the instances' websites, by keyed hash."""
        known = select(INSTANCE.c.key, INSTANCE.c.website_url).where(INSTANCE.c.website_url.is_not(None))
        return {row["key"]: row["website_url"] for row in self._database.rows(known)}

    def set_websites(self, instances: Iterable[Instance]) -> None:
        """Store the address and the languages of the websites of these instances, in one transaction.

        Instances that were removed meanwhile are left out.
        """
        with self._database.writing() as connection:
            for instance in instances:
                url, languages = instance.website_url, instance.website_languages or ()
                columns = {
                    "website_url": None if url is None else storable(url),
                    "website_languages": " ".join(languages),
                    "refreshed_at": _now(),
                }
                own = INSTANCE.c.key == instance.key
                connection.execute(update(INSTANCE).where(own).values(**columns))

    def pin(self, instance: Instance, release: int | None) -> None:
        """Hold an instance at a release. With None, it gets the current build again.

        Raises ConfigurationError when the instance is no longer in the inventory.
        """
        with self._database.writing() as connection:
            own = INSTANCE.c.key == instance.key
            if not connection.execute(update(INSTANCE).where(own).values(pinned=release)).rowcount:
                raise ConfigurationError(f"{instance.display_name} is not in the inventory any more")

    def find(self, code: Secret) -> Instance | None:
        """Return the instance with this authCode; None when it is not in the inventory."""
        rows = self._database.rows(select(INSTANCE).where(INSTANCE.c.key == self._state.hash_of(code)))
        return self._read(rows[0]) if rows else None

    def removed(self) -> dict[Instance, str]:
        """Return all removed instances with the time of their removal, in the order in which they were removed."""
        rows = self._database.rows(select(REMOVED).order_by(REMOVED.c.id))
        return {self._read(row): row["removed_at"] for row in rows}

    def removed_named(self) -> tuple[Instance, ...]:
        """Return all removed instances. One comes without its name when another instance has that name now."""
        names = {instance.name for instance in self.all()}
        return tuple(replace(i, name=None) if i.name in names else i for i in self.removed())

    def find_removed(self, code: Secret) -> Instance | None:
        """Return the removed instance with this authCode; None when there is none.

        It comes without its name when another instance has that name now.
        """
        wanted = select(REMOVED).where(REMOVED.c.key == self._state.hash_of(code))
        with self._database.reading() as connection:
            row = connection.execute(wanted).mappings().first()
            if row is None:
                return None
            taken = connection.execute(select(INSTANCE.c.id).where(INSTANCE.c.name == row["name"])).first()
        instance = self._read(row)
        return replace(instance, name=None) if taken else instance

    def chosen(self, names: Sequence[str]) -> tuple[Instance, ...]:
        """Return the instances with these names or keyed hashes; all when `names` is empty.

        Raises ConfigurationError when a name or hash belongs to no instance.
        """
        if not names:
            return self.all()
        own = or_(INSTANCE.c.name.in_(names), INSTANCE.c.key.in_(names))
        rows = self._database.rows(select(INSTANCE).where(own).order_by(INSTANCE.c.id))
        instances = tuple(map(self._read, rows))
        unknown = set(names) - {i.display_name for i in instances} - {i.key for i in instances}
        if unknown:
            known = self._database.rows(select(INSTANCE).order_by(INSTANCE.c.id).limit(SUGGESTED))
            _chosen(tuple(map(self._read, known)), sorted(unknown), "`awning instances list` shows all")
        return instances

    def select_removed(self, names: Sequence[str]) -> tuple[Instance, ...]:
        """Return the removed instances with these names or keyed hashes; all when `names` is empty.

        Raises ConfigurationError when a name or hash belongs to no removed instance.
        """
        return _chosen(tuple(self.removed()), names, "`awning instances list --removed` shows all")

    def _read(self, row: RowMapping) -> Instance:
        code = unseal(self._state.cipher, row["auth_code"])
        own, labels = (tuple(row[column].split()) for column in ("languages", "labels"))
        instance = self._instance(code, row["name"], own, labels)
        url: str | None = row.get("website_url")
        languages: str | None = row.get("website_languages")
        return replace(
            instance,
            website_url=None if url is None else escaped(url),
            website_languages=None if languages is None else tuple(escaped(languages).split()),
            refreshed_at=row.get("refreshed_at"),
            pinned=row["pinned"],
        )

    def remove(self, instance: Instance) -> None:
        """Move an instance to the removed instances if the inventory has it. Nothing is sent to the service."""
        own = INSTANCE.c.key == instance.key
        with self._database.writing() as connection:
            row = connection.execute(select(INSTANCE).where(own)).mappings().first()
            if row is None:
                return
            connection.execute(delete(INSTANCE).where(own))
            columns = {name: row[name] for name in COMMON_COLUMNS}
            add = self._database.insert(REMOVED).values(removed_at=_now(), **columns)
            connection.execute(add.on_conflict_do_nothing(index_elements=["key"]))

    def restore(self, instance: Instance) -> Instance:
        """Restore a removed instance with its properties. If it was not removed, add `instance`.

        Returns the stored instance. Raises ConfigurationError when the name belongs to another instance, or another
        authCode has the same keyed hash.
        """
        back = self.find_removed(instance.code) or instance
        self.put([back])
        return back

    def purge(self, instances: Iterable[Instance]) -> None:
        """Delete removed instances for good, with what a probe would put back there.

        Their authCodes are overwritten in SQLite's files.
        """
        keys = [instance.key for instance in instances]
        columns = (REMOVED.c.key, PROBE_RESTORE.c.key)
        self._database.change(*(delete(own.table).where(own == key) for key in keys for own in columns))
        self._database.scrub()


def _chosen(known: Sequence[Instance], names: Sequence[str], hint: str) -> tuple[Instance, ...]:
    if not names:
        return tuple(known)
    wanted = set(names)
    unknown = wanted - {i.display_name for i in known} - {i.key for i in known}
    for name in sorted(unknown):
        meant = did_you_mean(name, [i.display_name for i in known])
        raise ConfigurationError(f'no instance is called "{escaped(name)}"', hint=meant or hint)
    return tuple(i for i in known if wanted & {i.display_name, i.key})


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
