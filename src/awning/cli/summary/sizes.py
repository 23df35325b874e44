"""Compares the sizes of the snippets of two builds."""

from dataclasses import asdict, dataclass
from typing import Any

from awning.build_record import BuildRecord, BuiltSnippet


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeChange:
    """The size of a snippet in bytes, and its size in another build with which it is compared.

    `gzip` and `before` are compressed sizes. `before` is None without another build. A snippet that only one of the
    builds has counts as 0 bytes in the other. `only_stamp` means that nothing but the fingerprint of the build differs,
    which is in each snippet: its digits move the compressed size by some bytes.
    """

    path: str
    unit: str
    language: str | None
    bytes: int
    gzip: int
    before: int | None
    only_stamp: bool = False

    @property
    def difference(self) -> int:
        """The change in gzip bytes; 0 without a build to compare with."""
        return 0 if self.before is None else self.gzip - self.before

    def text(self) -> str:
        """Return the change for a table: `+41`, `=`, `new`, `removed`; empty without a build to compare with."""
        if self.before is None:
            return ""
        if not self.before and self.gzip:
            return "new"
        if self.before and not self.gzip:
            return "removed"
        return f"{self.difference:+d}" if self.difference and not self.only_stamp else "="

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def compare_sizes(record: BuildRecord, base: BuildRecord | None) -> tuple[SizeChange, ...]:
    """Return the sizes of all snippets, except those that are empty or missing in both builds.

    They have the order of `record`, followed by the snippets that only `base` has.
    """
    before = {snippet.path: snippet for snippet in base.snippets} if base else {}
    after = {snippet.path: snippet for snippet in record.snippets}
    changes = (
        _change(after.get(path) or before[path], after.get(path), before.get(path), has_base=base is not None)
        for path in dict.fromkeys((*after, *before))
    )
    return tuple(change for change in changes if change.gzip or change.before)


def _change(
    either: BuiltSnippet, after: BuiltSnippet | None, before: BuiltSnippet | None, *, has_base: bool
) -> SizeChange:
    return SizeChange(
        path=either.path,
        unit=either.unit,
        language=either.language,
        bytes=after.bytes if after else 0,
        gzip=after.gzip if after else 0,
        before=(before.gzip if before else 0) if has_base else None,
        only_stamp=after is not None and before is not None and _differ_in_stamp(after, before),
    )


def _differ_in_stamp(after: BuiltSnippet, before: BuiltSnippet) -> bool:
    """Return whether only the fingerprint differs, which always has the same length and is outside of scripts."""
    are_known = all(element.csp_hash for element in after.inline)
    is_same = (after.bytes, after.script, after.inline) == (before.bytes, before.script, before.inline)
    return are_known and is_same and after.sha256 != before.sha256
