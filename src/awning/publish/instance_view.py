"""What one shop holds now: each cell with whose it is, its user and its website. Reads the service and the journal.

Whose a snippet is, by the words of a plan:

    ours       the journal wrote it, or a release holds it
    nobody     empty, or the manifest's default snippet
    conflict   anything else: somebody else's, also a snippet of ours that was changed by hand
    unread     the service did not give it
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from typing import Any, TypeVar

from awning.build_record import Place
from awning.client import Client, Operation, apps
from awning.client.apps import User, Website
from awning.contract import Exit, is_language_code
from awning.errors import Refused, ServiceError, Unauthorized, Unreachable
from awning.publish.cell_flow import same_in_page
from awning.publish.cells import NOT_BUILT, NOT_USED, Ownership, our_snippets
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal import CellRecord
from awning.publish.journal.writes import CellWrite, writes_of
from awning.publish.release.build_files import Build, page_hash_of, sha256_of
from awning.publish.release.releases import Releases
from awning.publish.stores import Stores
from awning.publish.text_difference import difference

T = TypeVar("T")


class Owner(StrEnum):
    OURS = "ours"
    NOBODY = "nobody"
    CONFLICT = "conflict"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True, kw_only=True)
class CellView:
    """What one place of a cell holds. `language` is None for the website-wide cell.

    `text` is the snippet; None when none is set or it was not read. `release` is the newest release that holds it.
    `run` is the last run that wrote it there; when that run is a rollback, `restored` is the run that wrote it before.
    `is_wanted` is whether it is that of the release that it is compared with; None when that has none for the cell.
    `detail` is a sentence about whose it is. `difference` has the lines of a diff from the release to the shop.
    """

    language: str | None
    place: Place
    owner: Owner
    detail: str
    text: str | None = field(default=None, repr=False)
    release: int | None = None
    run: int | None = None
    restored: int | None = None
    is_wanted: bool | None = None
    difference: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "language": self.language,
            "place": self.place,
            "owner": self.owner.value,
            "detail": self.detail,
            "release": self.release,
            "run": self.run,
            "restored": self.restored,
            "is_wanted": self.is_wanted,
            "bytes": None if self.text is None else len(self.text.encode("utf-8", "surrogatepass")),
            "sha256": None if self.text is None else sha256_of(self.text),
            "text": self.text,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceView:
    """What one shop holds. `problems` are the calls that failed, with their reasons. `release` is compared with."""

    instance: Instance
    release: int | None
    user: User | None
    website: Website | None
    languages: tuple[str, ...] | None
    cells: Sequence[CellView]
    problems: Mapping[str, str]

    @property
    def exit_code(self) -> Exit:
        return Exit.PARTLY if self.problems else Exit.DONE


def view_instance(
    instance: Instance,
    client: Client,
    stores: Stores,
    build: Build | None,
    *,
    heads: bool,
    diff: bool = False,
) -> InstanceView:
    """Return what a shop holds, compared with `build`, the release that it should have; None without a release.

    `heads` is whether the service has calls for head snippets. Raises ServiceError when the service is unreachable, or
    refuses the API key or the authCode; other failed calls are part of the result.
    """
    problems: dict[str, str] = {}

    def ask(operation: Operation[T]) -> T | None:
        try:
            return client.run(operation)
        except (Unreachable, Unauthorized):
            raise
        except ServiceError as problem:
            problems[operation.name] = problem.message
            return None

    code = instance.code
    website, user, languages = ask(apps.website(code)), ask(apps.user(code)), ask(apps.languages(code))
    known = stores.journal.cells(instance.key)
    judge = _Judge(instance=instance, stores=stores, build=build, known=known, used=languages, diff=diff)
    places: tuple[Place, ...] = ("body", "head") if heads else ("body",)
    cells = [
        _read_cell(client, judge, language, place, problems)
        for language in _languages(instance, build, known, languages)
        for place in places
    ]
    return InstanceView(
        instance=instance,
        release=build.release if build else None,
        user=user,
        website=website,
        languages=languages,
        cells=cells,
        problems=problems,
    )


def _languages(
    instance: Instance,
    build: Build | None,
    known: Mapping[str | None, CellRecord],
    used: Sequence[str] | None,
) -> Sequence[str | None]:
    """Return the cells that may hold something, the website-wide one first."""
    listed = (*(build.languages if build else ()), *(used or ()), *instance.languages, *known)
    return list(dict.fromkeys((None, *filter(is_language_code, filter(None, listed)))))


def _read_cell(
    client: Client, judge: "_Judge", language: str | None, place: Place, problems: dict[str, str]
) -> CellView:
    reading = apps.get_snippet if place == "body" else apps.get_head_snippet
    try:
        text = client.run(reading(judge.instance.code, language))
    except (Unreachable, Unauthorized):
        raise
    except ServiceError as problem:
        if not (isinstance(problem, Refused) and problem.status == HTTPStatus.NOT_FOUND):
            problems[f"{place} of {language or 'the website'}"] = problem.message
            return CellView(language=language, place=place, owner=Owner.UNREAD, detail=problem.message)
        text = None  # assumed: HTTP 404 means that no snippet is set
    return judge.view(language, place, text)


@dataclass(slots=True, kw_only=True)
class _Judge:
    """Says whose each snippet of an instance is. `used` are the languages of its website, if they are known."""

    instance: Instance
    stores: Stores
    build: Build | None
    known: Mapping[str | None, CellRecord]
    used: Sequence[str] | None
    diff: bool
    _page_hashes: dict[str, str | None] = field(default_factory=dict, init=False)
    _websites: dict[Place, str | None] = field(default_factory=dict, init=False)
    _writes: Mapping[tuple[str | None, Place], Sequence[CellWrite]] = field(init=False)
    _ours: Ownership = field(init=False)

    def __post_init__(self) -> None:
        self._writes = writes_of(self.stores.journal, self.instance.key)
        self._ours = our_snippets(self.stores)

    def view(self, language: str | None, place: Place, text: str | None) -> CellView:
        """Return one place of a cell. The website-wide cell comes before the languages."""
        if language is None:
            self._websites[place] = text
        origin = None if text is None else self._origin(language, place, text)
        owner, detail = self._whose(text, origin)
        snippets = self.build.snippets.get(language, ()) if self.build else ()
        wanted = next((snippet.text for snippet in snippets if snippet.place == place), None)
        remarks = [detail, *self._remarks(language, place, owner, text)]
        return CellView(
            language=language,
            place=place,
            owner=owner,
            detail="; ".join(filter(None, remarks)),
            text=text,
            release=self.stores.newest_release_with(text) if text else None,
            run=origin.write.run if origin else None,
            restored=origin.restored if origin else None,
            is_wanted=None if wanted is None else text is not None and same_in_page(text, wanted),
            difference=tuple(difference(wanted, text or "")) if self.diff and wanted is not None else (),
        )

    def _whose(self, text: str | None, origin: "_Origin | None") -> tuple[Owner, str]:
        if text is None or not text.strip():
            return Owner.NOBODY, "nothing is set" if text is None else "empty"
        hashes = {sha256_of(text), page_hash_of(text)}
        is_default = self.build is not None and bool(hashes & self.build.defaults)
        if is_default and (origin is None or origin.is_back):
            return Owner.NOBODY, "the manifest's default" + (f"; {origin.sentence}" if origin else "")
        if self._ours.has(text):
            return Owner.OURS, origin.sentence if origin else self._without_write(hashes)
        if origin is not None:
            return Owner.CONFLICT, f"somebody else's text; {origin.sentence}"
        return Owner.CONFLICT, "neither the journal nor a release has this text"

    def _without_write(self, hashes: AbstractSet[str]) -> str:
        """Return why a text is ours although the journal has no write of it to this place."""
        if hashes & self.stores.releases.hashes():
            return "a release holds it"
        return "the journal has it, of another cell or of a run that was pruned"

    def _origin(self, language: str | None, place: Place, text: str) -> "_Origin | None":
        """Return the last write of this text to this place; None when the journal has none."""
        writes = self._writes.get((language, place), ())
        page = page_hash_of(text)
        index = next((i for i, write in enumerate(writes) if self._page_hash(write.after) == page), None)
        if index is None:
            return None
        write, earlier = writes[index], writes[index + 1 :]
        first = write.task.before_run if write.task else None
        before = (w for w in earlier if w.run < (first or write.run) and not w.is_back)
        restored = next((w.run for w in before if self._page_hash(w.after) == page), None)
        return _Origin(
            write=write,
            restored=restored if write.is_back else None,
            later=next((w.run for w in writes[:index] if w.run != write.run), None),
        )

    def _page_hash(self, sha256: str | None) -> str | None:
        """Return the page hash of a text of the journal. `sha256` is its hash."""
        if sha256 is not None and sha256 not in self._page_hashes:
            text = self.stores.journal.snippet(sha256)
            self._page_hashes[sha256] = None if text is None else page_hash_of(text)
        return None if sha256 is None else self._page_hashes[sha256]

    def _remarks(self, language: str | None, place: Place, owner: Owner, text: str | None) -> Iterator[str]:
        record = self.known.get(language)
        content = record.contents.get(place) if record else None
        if language is not None and text and text == self._websites.get(place) and content is None:
            yield "the same as the website's: some services answer so where a language has none of its own"
        if content is not None and not content.is_known:
            yield "the last write had no known outcome"
        if language is not None and self.used is not None and language not in self.used:
            yield NOT_USED
        if language is not None and self.build is not None and language not in self.build.languages:
            yield NOT_BUILT
        accepted = self.stores.acknowledgements.covering(self.instance.key, language)
        if owner is Owner.CONFLICT and accepted is not None:
            yield accepted.acceptance


@dataclass(frozen=True, slots=True, kw_only=True)
class _Origin:
    """The last write of the text that a cell holds.

    `restored` is the run that wrote the text before, when the write is of a rollback; None when the journal has no such
    run. `later` is a later run that wrote another text, which was then replaced by somebody else; None without one.
    """

    write: CellWrite
    restored: int | None
    later: int | None

    @property
    def is_back(self) -> bool:
        return self.write.is_back

    @property
    def sentence(self) -> str:
        later = f"; run {self.later} sent another text since" if self.later else ""
        return f"{self._wrote}{later}"

    @property
    def _wrote(self) -> str:
        run, task = self.write.run, self.write.task
        if task is None or not self.is_back:
            return f"run {run} wrote it"
        if self.restored is not None:
            return f"run {run} rolled it back to what run {self.restored} wrote"
        if task.release is not None:
            return f"run {run} rolled it back to release {task.release}"
        if task.before_run is not None:
            return f"run {run} rolled it back to what was there before run {task.before_run}"
        return f"run {run} rolled it back to what was there before"


def build_to_compare(
    instance: Instance, releases: Releases, *, number: int | None, heads: bool
) -> Build | None:
    """Return release `number`, else that at which the instance is held, else the newest; None without a release.

    Raises ConfigurationError when there is no such release.
    """
    chosen = number or instance.pinned
    if chosen is None:
        released = releases.all()
        chosen = released[-1].number if released else None
    return None if chosen is None else releases.files(chosen).build(heads=heads, release=chosen)
