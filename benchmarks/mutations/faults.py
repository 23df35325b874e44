"""The seeded faults: read from `faults/`, a file for each widget, and made in a copy of the widget.

`python -m benchmarks.mutations.faults` prints how many there are of each kind and widget. It fails when a fault no
longer fits its widget.
"""

import random
import re
import shutil
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLES = Path(__file__).with_name("faults")
NAME_BYTES = 64
"""The most bytes, after gzip, by which the name of a copy is longer in its snippet."""
_BUDGET = re.compile(r"^budget = (\d+)$", re.MULTILINE)
BALLAST = "@20 kB@"
"""Stands for a text that no compression makes smaller than 20 kB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault: the texts to replace in each file, and the files that are replaced by another file of the widget."""

    widget: str
    name: str
    kind: str
    changes: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    copies: Mapping[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        """The name of the copy with the fault."""
        return f"{self.widget}-{self.name}"


def read_faults(widget: str = "*") -> list[Fault]:
    """Return the faults of the widget with this name, by default those of all widgets."""
    return [
        Fault(widget=file.stem, **table)
        for file in sorted(TABLES.glob(f"{widget}.toml"))
        for table in tomllib.loads(file.read_text(encoding="utf-8"))["fault"]
    ]


def copy_widget(widget: str, folder: Path) -> None:
    """Copy a widget of the repository, without the tests that were written by hand.

    Its budget grows by what the longer name may take, so that `weight` does not catch the copy before another check.
    """
    shutil.copytree(ROOT / "widgets" / widget, folder, ignore=shutil.ignore_patterns("test_*", "__pycache__"))
    file = folder / "widget.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(
        _BUDGET.sub(lambda match: f"budget = {int(match[1]) + NAME_BYTES}", text), encoding="utf-8"
    )


def seed(fault: Fault, folder: Path) -> None:
    """Make a copy of a widget with its fault. Raises ValueError when a text to replace is not there exactly once."""
    copy_widget(fault.widget, folder)
    for name, text in faulty_files(fault).items():
        (folder / name).write_text(text, encoding="utf-8")


def faulty_files(fault: Fault) -> dict[str, str]:
    """Return the new texts of the files that a fault changes, by name.

    Raises ValueError when a text to replace is not there exactly once.
    """
    folder = ROOT / "widgets" / fault.widget
    texts = {name: (folder / other).read_text(encoding="utf-8") for name, other in fault.copies.items()}
    for name, changes in fault.changes.items():
        text = (folder / name).read_text(encoding="utf-8")
        for old, new in changes:
            if text.count(old) != 1:
                raise ValueError(f"{fault.folder}: {name} has {old!r} {text.count(old)} times")
            text = text.replace(old, new.replace(BALLAST, ballast()))
        texts[name] = text
    return texts


def ballast() -> str:
    source = random.Random(1)
    return "".join(f"{source.getrandbits(32):08x}" for _ in range(6000))


def main() -> None:
    faults = read_faults()
    for fault in faults:
        faulty_files(fault)
    lines = [f"{len(faults)} faults"]
    for names in ([fault.kind for fault in faults], [fault.widget for fault in faults]):
        lines += ["", *(f"{number:4} {name}" for name, number in sorted(Counter(names).items()))]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
