"""The cells of an instance, which of them are skipped, and whether a snippet may be replaced.

These snippets are ours: those of the build, those of releases, and those that the journal records as written from a
build. An empty snippet and the manifest's default snippet may also be replaced. Any other snippet is foreign: somebody
else put it there, and a run overwrites it only on request.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from awning.contract import is_language_code
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal import CellRecord
from awning.publish.release.build_files import Build, Snippet, page_hash_of, sha256_of
from awning.publish.stores import Stores

NOT_USED = "the website does not use this language"
NOT_BUILT = "the build has no such language"
STAYS = f"{NOT_BUILT}, and an earlier snippet of ours stays there"
"""The service has no call that deletes a snippet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell: an instance and a language. The language None is the website-wide cell.

    `snippets` are the texts that the cell should hold: the body, and the head when the service has calls for head
    snippets. `skip` is the reason why the cell is not published, or None. `is_own` is whether the snippets come from a
    build; those of a rollback may come from somebody else. `is_undo` is whether the snippets are what the cell held
    before its last write, or before a run. `is_data` is whether it stands for the instance's app data, which are
    written beside the snippets. `record` is what the journal knows of the cell; None when it knows nothing, or when the
    work on the cell does not need it.
    """

    instance: Instance
    language: str | None
    snippets: tuple[Snippet, ...] = ()
    skip: str | None = None
    is_own: bool = True
    is_undo: bool = False
    is_data: bool = False
    record: CellRecord | None = None


def cells_of(instance: Instance, build: Build, website: Sequence[str] | None) -> tuple[Cell, ...]:
    """Return the cells of an instance: the website-wide one (if the build has one), then the languages.

    The build's languages come first, then the other languages of the website and of the inventory.

    `website` lists the languages that the website uses: the cells of other languages are skipped. None when these
    languages are not known: no cell is then skipped for this reason.
    """
    built = build.snippets
    website = None if website is None else [code for code in website if is_language_code(code)]
    cells = [Cell(instance=instance, language=None, snippets=built[None])] if None in built else []
    for language in dict.fromkeys((*build.languages, *(website or ()), *instance.languages)):
        skip = _skip(language, instance, build, website)
        snippets = built[language] if skip is None else ()
        cells.append(Cell(instance=instance, language=language, snippets=snippets, skip=skip))
    return tuple(cells)


def with_records(cells: Sequence[Cell], known: Mapping[str | None, CellRecord]) -> Sequence[Cell]:
    """Return the cells of an instance with what the journal knows of them."""
    return [replace(cell, record=known.get(cell.language)) for cell in cells]


def skip_reason(skip: str, record: CellRecord | None) -> str:
    """Return the reason of a skipped cell. `record` is what the journal knows of it."""
    return STAYS if skip == NOT_BUILT and record is not None and record.has_ours else skip


def _skip(language: str, instance: Instance, build: Build, website: Sequence[str] | None) -> str | None:
    if language not in build.languages:
        return NOT_BUILT
    if website is not None and language not in website:
        return NOT_USED
    if instance.languages and language not in instance.languages:
        return "the inventory does not list this language for the instance"
    return None


FOREIGN = "foreign content"
"""The reason of a cell that is refused because it holds a foreign snippet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ownership:
    """What a run may replace.

    `replaceable` has hashes of our snippets and of the default snippets; some are page hashes (`page_hash_of`). A
    snippet may be replaced if one of its two hashes is in it.
    """

    replaceable: frozenset[str] = frozenset()
    overwrite_foreign: bool = False

    def is_foreign(self, text: str | None) -> bool:
        """Return whether `text` is foreign: not empty, not ours, and no default snippet."""
        if text is None or not text.strip():
            return False
        return not self.has(text)

    def has(self, text: str) -> bool:
        """Return whether `text` is one of `replaceable`."""
        return sha256_of(text) in self.replaceable or page_hash_of(text) in self.replaceable

    def may_replace(self, text: str | None) -> bool:
        return self.overwrite_foreign or not self.is_foreign(text)


def ownership_of(build: Build, stores: Stores, *, overwrite_foreign: bool = False) -> Ownership:
    """Return the ownership of a run: it may replace our snippets and the manifest's default snippets.

    With `overwrite_foreign`, it may replace any snippet.
    """
    own = frozenset(snippet.sha256 for snippets in build.snippets.values() for snippet in snippets)
    return Ownership(
        replaceable=our_snippets(stores).replaceable | build.defaults | own,
        overwrite_foreign=overwrite_foreign,
    )


def our_snippets(stores: Stores) -> Ownership:
    """Return the ownership without a build: the snippets of releases, and those that were written from a build."""
    return Ownership(replaceable=stores.releases.hashes() | stores.journal.own_hashes())
