"""Decides whether a snippet may be replaced.

These snippets are ours: those of the build, those of releases, and those that the journal records as written from a
build. An empty snippet and the manifest's default snippet may also be replaced. Any other snippet is foreign: somebody
else put it there, and a run overwrites it only on request.
"""

from dataclasses import dataclass

from awning.publish.release.build_files import Build, page_hash_of, sha256_of
from awning.publish.stores import Stores

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
