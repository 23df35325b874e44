"""The head snippet of a service that has no calls for head snippets: its pages show that of the submitted manifest.

No publish writes it. So the functions here find a head snippet that a publish leaves as it is, and a page that shows
the head snippet of another release.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from awning.build_record import DEFAULT_FIELDS
from awning.publish.release.build_files import MANIFEST
from awning.publish.verify.page_content import MarkupPart, wanted_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from awning.publish.release.build_files import BuildFiles
    from awning.publish.release.releases import Releases  # imports SQLAlchemy
    from awning.publish.verify.page_content import PageContent

SHOWN = "pages show that of the submitted manifest"
COMMAND = "awning manifest submit"
SUBMIT = f"Submit the manifest: {COMMAND}"
SUBMIT_EARLIER = f"build the earlier sources and submit their manifest: {COMMAND}"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnwrittenHead:
    """A head snippet that a publish does not write.

    `is_built` is whether the build has one. `differs_from` is the number of the newest other release, when its head
    snippet differs from the build's. `is_current` is whether `awning manifest submit` submits the manifest of this
    build.
    """

    is_built: bool
    differs_from: int | None
    is_current: bool = True

    def sentence(self, *, is_rollback: bool) -> str:
        """Return what is not written, and which manifest to submit when the head snippets differ."""
        if is_rollback:
            purpose = (
                "If the earlier release had another one" if self.differs_from is None else "To take it back"
            )
            return f"the head snippet is not taken back: {SHOWN}. {purpose}, {SUBMIT_EARLIER}"
        if self.differs_from is None:
            return f"the head snippet is not written: {SHOWN}"
        other = f"that of release {self.differs_from}"
        advice = f". {SUBMIT}" if self.is_current else ""
        if not self.is_built:
            return f"the build has no head snippet, and {other} is not taken away: {SHOWN}{advice}"
        return f"the head snippet differs from {other}, and is not written: {SHOWN}{advice}"

    def as_json(self) -> dict[str, Any]:
        return {"written": False, "differs_from_release": self.differs_from}


def find_unwritten_head(files: BuildFiles, releases: Releases) -> UnwrittenHead | None:
    """Return the head snippet that a publish of this build does not write, to a service without calls for it.

    Returns None when neither the build nor the newest other release has a head snippet.
    """
    own = releases.of_files(files)
    others = [release.number for release in releases.all() if own is None or release.number != own.number]
    before = head_of(_texts_of(releases, others[-1])) if others else None
    head = head_of(files.texts.get)
    if not head and not before:
        return None
    differs = bool(others) and not _is_same(head, before)
    return UnwrittenHead(
        is_built=bool(head),
        differs_from=others[-1] if differs else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadDifference:
    """On a page, the body snippet of release `release` and the head snippet of release `other`."""

    release: int
    other: int

    def sentence(self) -> str:
        return f"the head snippet is that of release {self.other}, not of release {self.release}"

    def advice(self, *, is_current: bool) -> str:
        """Return which manifest to submit. `is_current` is whether the workspace has the build of `release`."""
        if is_current:
            return SUBMIT
        return f"Build the sources of release {self.release} and submit their manifest: {COMMAND}"


class ManifestHeads:
    """The head snippets of the releases' manifests. Each is read when it is first needed, and parsed once."""

    def __init__(self, releases: Releases) -> None:
        self._releases = releases
        self._heads: dict[int, tuple[MarkupPart, ...]] = {}
        self._newest: dict[tuple[MarkupPart, ...], int] | None = None

    def difference(self, number: int, page: PageContent) -> HeadDifference | None:
        """Return the difference when a page that shows release `number` shows the head snippet of another release.

        Returns None when it shows the release's own, or none of ours.
        """
        if page.has(self._head(number)):
            return None
        other = next((release for head, release in self._distinct().items() if page.has(head)), None)
        return None if other is None else HeadDifference(release=number, other=other)

    def _distinct(self) -> Mapping[tuple[MarkupPart, ...], int]:
        """Return the newest release with each head snippet, newest first.

        Most releases have the same head snippet, and looking for one in a long page takes a millisecond.
        """
        if self._newest is None:
            self._newest = {}
            for release in reversed(self._releases.all()):
                self._newest.setdefault(self._head(release.number), release.number)
        return self._newest

    def _head(self, number: int) -> tuple[MarkupPart, ...]:
        if number not in self._heads:
            self._heads[number] = tuple(_parts(head_of(_texts_of(self._releases, number))))
        return self._heads[number]


def head_of(text_at: Callable[[str], str | None]) -> str | None:
    """Return the head snippet in the manifest of a build; None when it has none, or names an address for it.

    `text_at` returns the text of the build's file at a path.
    """
    manifest = json.loads(text_at(MANIFEST) or "{}")
    head = manifest.get(DEFAULT_FIELDS["head"])
    return head if isinstance(head, str) and head.strip() else None


def _texts_of(releases: Releases, number: int) -> Callable[[str], str | None]:
    return lambda path: releases.text_at(number, path)


def _is_same(head: str | None, other: str | None) -> bool:
    """Return whether two head snippets are the same, apart from the stamp of the build."""
    return _parts(head) == _parts(other)


def _parts(head: str | None) -> Sequence[MarkupPart]:
    return wanted_parts(head) if head else ()
