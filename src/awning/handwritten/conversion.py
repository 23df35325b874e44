"""One conversion of a snippet: its parts, and the files and remarks that are made of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from awning.contract import Dialect
from awning.handwritten.page import PartKind, SnippetPart


@dataclass(slots=True, kw_only=True)
class Conversion:
    """The state of one conversion. `name` is the file name of the snippet, which remarks show."""

    name: str
    dialect: Dialect
    parts: Sequence[SnippetPart]
    files: dict[str, str] = field(default_factory=dict)
    globals: dict[str, str] = field(default_factory=dict)
    """The reason for each global that the widget leaves on the page."""
    remarks: list[tuple[int, str]] = field(default_factory=list)

    def remark(self, line: int, sentence: str) -> None:
        self.remarks.append((line, sentence))

    def of(self, *kinds: PartKind, head: bool | None = None) -> list[SnippetPart]:
        return [part for part in self.parts if part.kind in kinds and head in (None, part.head)]
