"""Planted secrets: marks that every secret of a test run carries, and where they turn up.

While tests run, every token of 16 bytes or more from `secrets.token_hex` (API keys, reseller tokens, login links) and
from `secrets.token_urlsafe` (authCodes, sessions) begins with a mark, and secrets that tests choose themselves hold
one. A leak is then found without knowing each secret, in any process, also when it was encoded on its way.
"""

import base64
import gzip
import hashlib
import io
import os
import sqlite3
import zipfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

HEX_MARK = "5ec7e7ca9a7e"
CODE_MARK = "CanaryInTheCode"
CHOSEN_MARK = "planted-canary"
MARKS = {"key or token": HEX_MARK, "authCode or session": CODE_MARK, "chosen secret": CHOSEN_MARK}


@dataclass(frozen=True, slots=True)
class Leak:
    """A planted secret where it should not be. `form` is how it was written there."""

    where: str
    offset: int
    kind: str
    form: str

    def __str__(self) -> str:
        return f"{self.where}, offset {self.offset}: {self.kind} ({self.form})"


def forms_of(mark: str) -> Iterator[tuple[str, bytes]]:
    """Yield the forms in which `mark` may be written: `(name of the form, bytes)`."""
    raw = mark.encode()
    yield "as it is", raw
    yield "upper case", raw.upper()
    yield "hex", raw.hex().encode()
    yield "HEX", raw.hex().upper().encode()
    yield "percent-encoded", "".join(f"%{byte:02X}" for byte in raw).encode()
    yield "URL-encoded", quote(mark, safe="").replace("-", "%2D").encode()
    yield "UTF-16", mark.encode("utf-16-le")
    yield "JSON escapes", "".join(f"\\u{byte:04x}" for byte in raw).encode()
    for shift in range(3):  # base64 depends on the number of bytes before
        text = base64.b64encode(b"\0" * shift + raw)
        whole = text[-(-shift * 8 // 6) : (shift + len(raw)) * 8 // 6]
        yield f"base64, shifted by {shift}", whole


FORMS = [(kind, form, wanted) for kind, mark in MARKS.items() for form, wanted in forms_of(mark)]


def leaks_in(where: str, data: bytes) -> Iterator[Leak]:
    """Yield the first place of each form of each mark in `data`."""
    seen = set()
    for kind, form, wanted in FORMS:
        offset = data.find(wanted)
        if offset >= 0 and (kind, offset) not in seen:
            seen.add((kind, offset))
            yield Leak(where, offset, kind, form)


def leaks_in_tree(root: Path, *, but: Collection[Path] = ()) -> Iterator[Leak]:
    """Yield the leaks in the names and contents of the files under `root`, except in the folders `but`.

    An archive or a database whose bytes show no leak is unpacked and searched again. Tests copy many files: each
    content without a leak is searched once.
    """
    clean: set[bytes] = set()
    for path in sorted(paths_in(root, but)):
        where = os.fsencode(path.relative_to(root)).decode("utf-8", "backslashreplace")
        yield from leaks_in(f"{where} (its name)", os.fsencode(path.name))
        if path.is_symlink() or not path.is_file():
            continue
        try:
            data = path.read_bytes()
        except OSError:  # a program that is still ending deleted the file, or a test made it unreadable
            continue
        digest = hashlib.blake2b(data).digest()
        if digest in clean:
            continue
        leaks = [*leaks_in(where, data)] or [*leaks_in_parts(where, path, data)]
        yield from leaks
        if not leaks:
            clean.add(digest)


def paths_in(root: Path, but: Collection[Path]) -> Iterator[Path]:
    """Yield all files and folders. Unlike `rglob`, this skips a folder that is deleted meanwhile or cannot be read."""
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if Path(folder, name) not in but]
        yield from (Path(folder, name) for name in (*folders, *files))


def leaks_in_parts(where: str, path: Path, data: bytes) -> Iterator[Leak]:
    for name, part in parts_of(path, data):
        yield from leaks_in(f"{where} {name}", part)


def parts_of(path: Path, data: bytes) -> Iterable[tuple[str, bytes]]:
    """Return the parts of a database or an archive, whose content the bytes of the file do not show."""
    try:
        if data.startswith(b"SQLite format 3\0"):
            return [("(dump)", dump_of(path))]
        if data.startswith(b"\x1f\x8b"):
            return [("(unpacked)", gzip.decompress(data))]
        if zipfile.is_zipfile(io.BytesIO(data)):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                return [(f"({name})", archive.read(name)) for name in archive.namelist()]
    except (OSError, EOFError, sqlite3.Error, zipfile.BadZipFile, ValueError, RuntimeError):
        return []  # a test damaged the file on purpose; its bytes were searched
    return []


def dump_of(path: Path) -> bytes:
    """Return a database as SQL. In the file, a long value is spread over several pages; in the dump it is whole."""
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as db:
        return "\n".join(db.iterdump()).encode("utf-8", "surrogateescape")
