"""The files of snapshots: `widgets/<name>/snapshots/<state>.<language>.txt`, and `.png` beside it."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from awning_harness.checks.snapshots.appearance import Appearance
from awning_harness.checks.snapshots.aria import HEADING, AriaTree, read_aria_tree
from awning_harness.checks.snapshots.pictures import are_equal, browser_of, sign_picture
from awning_harness.checks.snapshots.structure import Structure, read_structure, write_structure

FOLDER = "snapshots"


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotText:
    """The text of a stored snapshot. `aria` is None when it was stored without an accessibility tree."""

    structure: Structure
    aria: AriaTree | None


def read_snapshot(text: str) -> SnapshotText:
    """Return the snapshot that `write_snapshot` wrote. Raises Unreadable for any other text."""
    upper, heading, lower = text.partition(f"\n{HEADING}\n")
    structure = read_structure(upper)
    if not heading:
        return SnapshotText(structure=structure, aria=None)
    lines = lower.removesuffix("\n").split("\n") if lower.strip() else []
    return SnapshotText(structure=structure, aria=read_aria_tree(lines, first=upper.count("\n") + 3))


def write_snapshot(appearance: Appearance, *, state: str, language: str) -> str:
    """Return the text of a snapshot: the structure, and below it the accessibility tree."""
    structure = write_structure(appearance.structure, state=state, language=language)
    return structure + "\n".join([HEADING, *appearance.aria, ""])


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotFiles:
    """The files of one state in one language. `folder` is the widget's folder."""

    folder: Path
    state: str
    language: str

    @property
    def text(self) -> Path:
        return self.folder / FOLDER / f"{self.state}.{self.language}.txt"

    @property
    def picture(self) -> Path:
        return self.text.with_suffix(".png")

    def write(self, appearance: Appearance) -> bool:
        """Store the appearance. Returns whether a file changed.

        Without a picture, the picture file is deleted. A stored picture of the same browser with the same pixels is not
        written again.
        """
        self.text.parent.mkdir(exist_ok=True)
        text = write_snapshot(appearance, state=self.state, language=self.language)
        changed = _write(self.text, text.encode())
        if appearance.picture is None:
            return _delete(self.picture) or changed
        stored = self.picture.read_bytes() if self.picture.is_file() else None
        if stored and browser_of(stored) == appearance.browser and are_equal(stored, appearance.picture):
            return changed
        return _write(self.picture, sign_picture(appearance.picture, appearance.browser)) or changed


def delete_others(folder: Path, names: Collection[str]) -> tuple[str, ...]:
    """Delete the snapshots of a widget whose `<state>.<language>` is not in `names`.

    Returns the names of the deleted files.
    """
    stored = sorted((folder / FOLDER).glob("*.*"))
    gone = [file for file in stored if file.suffix in {".txt", ".png"} and file.stem not in names]
    return tuple(file.name for file in gone if _delete(file))


def _write(file: Path, content: bytes) -> bool:
    if file.is_file() and file.read_bytes() == content:
        return False
    file.write_bytes(content)
    return True


def _delete(file: Path) -> bool:
    """Delete a file. Returns False when it does not exist, because another process may have deleted it."""
    try:
        file.unlink()
    except FileNotFoundError:
        return False
    return True
