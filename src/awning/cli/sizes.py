"""The table of sizes after a build: raw, gzip, and the difference to the build before."""

from collections.abc import Iterator

from awning.build_record import BuildRecord, BuiltSnippet

_HEAD = ("snippet", "raw", "gzip", "change")


def size_table(record: BuildRecord, previous: BuildRecord | None) -> Iterator[str]:
    """The app's snippets, and each widget's default one. Empty ones are left out."""
    before = {snippet.path: snippet.gzip for snippet in previous.snippets} if previous else {}
    rows = [_row(snippet, before) for snippet in record.snippets if _shown(snippet)]
    widths = [max(len(row[column]) for row in (_HEAD, *rows)) for column in range(len(_HEAD))]
    for row in (_HEAD, *rows):
        first, *numbers = (
            cell.ljust(width) if not i else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join((first, *numbers)).rstrip()


def _shown(snippet: BuiltSnippet) -> bool:
    return snippet.bytes > 0 and (snippet.unit == "app" or snippet.language is None)


def _row(snippet: BuiltSnippet, before: dict[str, int]) -> tuple[str, str, str, str]:
    return (snippet.path, str(snippet.bytes), str(snippet.gzip), _change(snippet, before))


def _change(snippet: BuiltSnippet, before: dict[str, int]) -> str:
    """In gzip bytes; `new` when there was none."""
    if not before:
        return ""
    if snippet.path not in before:
        return "new"
    difference = snippet.gzip - before[snippet.path]
    return f"{difference:+d}" if difference else "="
