"""Prints many cells as lines, or as a list in one JSON document, without holding them all in memory."""

import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import click

from awning.cli.report import cut_line, plural, say
from awning.client.secret import escaped
from awning.contract import Exit
from awning.json_document import json_document_with_rows
from awning.publish.cell_outcome import by_release, unread_hint
from awning.publish.manifest_head import UnwrittenHead
from awning.publish.release.difference import difference_lines
from awning.publish.text_difference import Differences, TextDifference

SPOOL_BYTES = 4_000_000
"""The maximum number of bytes that are held in memory. With more, all rows go to a temporary file."""

NAMED_CELLS = 4
"""The most cells of an instance that one line names."""

NAMED_INSTANCES = 5
"""The most instances of a run, or of cells that ended alike, that one line names; so many have a line each."""

NO_CELLS = "no cells: nothing was published there from here"
"""The result of a verb that looks at the cells of the journal and finds none."""


class Spool:
    """Holds rows until it is certain that the whole document can be printed.

    Use it as a context manager.
    """

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(SPOOL_BYTES, "w+", encoding="utf-8")  # noqa: SIM115

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._file.close()

    def add(self, row: dict[str, Any]) -> None:
        self._file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def rows(self) -> Iterator[dict[str, Any]]:
        self._file.seek(0)
        for line in self._file:
            yield json.loads(line)


def print_document(document: Mapping[str, Any], name: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """Print one JSON document whose last field is a list. Each row is printed as soon as it is read."""
    for part in json_document_with_rows(document, name, rows):
        click.echo(part, nl=False)
    click.echo()


def print_releases(releases: Mapping[int | None, int]) -> None:
    """Print how many cells of a rollback go back, or are back, to which release."""
    for number, count in by_release(releases):
        what = "a snippet of no release" if number is None else f"release {number}"
        click.echo(f"to {what}: {plural(count, 'cell')}")


def say_head(head: UnwrittenHead | None, *, is_rollback: bool) -> None:
    """Print the sentence about a head snippet that the publish does not write, on stderr."""
    if head is not None:
        say(head.sentence(is_rollback=is_rollback))


def say_unread(code: Exit) -> None:
    """Print what to do when a run that only reads could read nothing, on stderr. `code` is its exit code."""
    hint = unread_hint(code)
    if hint is not None:
        say(hint)


def say_not_built(count: int) -> None:
    """Print how many cells keep an earlier snippet, because the build lacks their language, on stderr."""
    if count:
        keep, their = ("keeps", "its language") if count == 1 else ("keep", "their languages")
        say(
            f"{plural(count, 'cell')} {keep} an earlier snippet, because the build lacks {their}: to replace it, "
            "add the language again, build and apply"
        )


def head_fields(head: UnwrittenHead | None) -> dict[str, Any]:
    """Return the field of a JSON document about a head snippet that the publish does not write."""
    return {} if head is None else {"head_snippet": head.as_json()}


def print_difference(differences: Sequence[TextDifference] | None) -> None:
    """Print how the places of a cell differ. Each line is safe for the terminal, and cut."""
    for difference in differences or ():
        for line in difference.lines():
            click.echo(f"    {cut_line(line)}")


def print_release_differences(differences: Differences) -> None:
    """Print how releases that cells hold differ from those that they should hold, by the author's files."""
    for (there, wanted), count in sorted(differences.releases.items(), key=str):
        what = "this build" if wanted is None else f"release {wanted}"
        click.echo(f"release {there} -> {what}, {plural(count, 'place')}:")
        for line in difference_lines(differences.compare(there, wanted)):
            click.echo(f"  {cut_line(line)}")


def release_differences(differences: Differences) -> list[dict[str, Any]]:
    """Return what `print_release_differences` prints, for JSON documents."""
    return [
        {"there": there, "wanted": wanted, "places": count, **differences.compare(there, wanted)}
        for (there, wanted), count in sorted(differences.releases.items(), key=str)
    ]


def cell_line(
    word: str, instance: str, language: str | None, reason: str | None, *, is_data: bool = False
) -> str:
    """Return one line about a cell, or with `is_data` about the app data of its instance.

    It is safe for a terminal: a reason may have words of an author's function, which may have read them in app data.
    """
    place = f"{instance} (app data)" if is_data else place_name(instance, language)
    return escaped(f"{word:<9}  {place}" + (f"  - {reason}" if reason else ""))


def cells_line(word: str, instance: str, languages: Sequence[str | None], reason: str) -> str:
    """Return one line about the cells of an instance that ended alike, such as those whose app data do not migrate."""
    places = ", ".join(language or "(website)" for language in languages)
    if len(languages) > NAMED_CELLS:
        places = f"({len(languages):,} cells)"
    return escaped(f"{word:<9}  {instance} {places}  - {reason}")


@dataclass(slots=True)
class AlikeCells:
    """Cells that ended alike, for one reason: their number, and the first instances with their languages."""

    count: int = 0
    first: dict[str, list[str | None]] = field(default_factory=dict)

    def add(self, instance: str, language: str | None) -> None:
        self.count += 1
        if instance in self.first or len(self.first) <= NAMED_INSTANCES:
            self.first.setdefault(instance, []).append(language)

    def lines(self, word: str, reason: str | None, *, is_data: bool = False) -> Iterator[str]:
        """Yield a line about each instance; of more than `NAMED_INSTANCES` one line, with the first of them."""
        if len(self.first) > NAMED_INSTANCES:
            yield many_line(word, self.count, reason, list(self.first), is_data=is_data)
            return
        for instance, languages in self.first.items():
            if reason is not None and not is_data:
                yield cells_line(word, instance, languages, reason)
                continue
            for language in languages:
                yield cell_line(word, instance, language, reason, is_data=is_data)


def many_line(
    word: str, count: int, reason: str | None, names: Sequence[str], *, is_data: bool = False
) -> str:
    """Return one line about many cells with one reason. It names the first of `names`."""
    cells = f"the app data of {plural(count, 'instance')}" if is_data else plural(count, "cell")
    which = ", ".join(names[:NAMED_INSTANCES]) + (", ..." if len(names) > NAMED_INSTANCES else "")
    return escaped(f"{word:<9}  {cells}{f'  - {reason}' if reason else ''}{f': {which}' if which else ''}")


def natural_order(name: str) -> tuple[str | tuple[int, str], ...]:
    """Return the key by which names are listed: numbers in them count as numbers, so "shop-2" is before "shop-10"."""
    parts = re.split(r"([0-9]+)", name)
    digits = (part.lstrip("0") for part in parts[1::2])
    numbers = [*((len(number), number) for number in digits), (-1, "")]
    return (*(each for pair in zip(parts[::2], numbers, strict=True) for each in pair), name)


def place_name(instance: str, language: str | None) -> str:
    """Return the name of a cell."""
    return f"{instance} {language or '(website)'}"
