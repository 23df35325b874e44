"""What a page shows of a form: plain values for its template, in one language. `view` makes them.

It also says which texts the controls of HTML can show. A date and time has two: HTML's `datetime-local` has no offset
from UTC, so a second control has it. Without a script the server cannot know the visitor's own, so none is guessed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from awning.data_schema import FieldKind, ValueProblem
from awning.data_schema.schema_part import Json
from awning.data_schema.value_formats import VALUE_FORMATS, Control
from awning.host.languages import LocalizedText

_LOCAL = r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?"
_MOMENT = re.compile(rf"({_LOCAL})(Z|[+-]\d\d:\d\d|)", re.ASCII)
_SHOWN: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "color": re.compile(r"#[0-9a-fA-F]{6}"),
        "date": re.compile(r"|\d{4}-\d\d-\d\d", re.ASCII),
        "time": re.compile(r"|\d\d:\d\d(?::\d\d)?", re.ASCII),
        "datetime-local": re.compile(rf"|{_MOMENT.pattern}", re.ASCII),
    }
)
"""The texts that a control shows. Every other control shows every text."""
_WHOLE_HOURS = range(-12, 15)
_OTHERS = (
    *("-09:30", "-03:30", "-02:30", "+03:30", "+04:30", "+05:30", "+05:45", "+06:30"),
    *("+08:45", "+09:30", "+10:30", "+12:45", "+13:45"),
)
OFFSETS: Final = tuple(
    sorted(
        ("Z", *(f"{hour:+03d}:00" for hour in _WHOLE_HOURS if hour), *_OTHERS),
        key=lambda text: 0 if text == "Z" else int(text[0] + text[1:3] + text[4:]),
    )
)
"""The offsets from UTC that places on Earth have, from west to east (IANA's database of time zones)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A date and time as two controls show it. `offsets` are those to choose from."""

    local: str = ""
    offset: str = ""

    @property
    def offsets(self) -> tuple[str, ...]:
        return OFFSETS if self.offset in {"", *OFFSETS} else (self.offset, *OFFSETS)

    @classmethod
    def of(cls, entry: str) -> "Moment":
        """Return the parts of a text. The local time is without seconds when they are zero."""
        match = _MOMENT.fullmatch(entry)
        if match is None:
            return cls()
        local, offset = match.groups()
        is_whole = len(local) == len("2026-03-31T10:30:00") and local.endswith(":00")
        return cls(local=local.removesuffix(":00") if is_whole else local, offset=offset)


def is_shown_by(control: Control, entry: str) -> bool:
    """Return whether a control can show a text. It cannot show 30 February."""
    if control not in _SHOWN:
        return True
    is_date = VALUE_FORMATS["date"].fits
    has_day = control in {"date", "datetime-local"} and entry and is_date
    return _SHOWN[control].fullmatch(entry) is not None and (not has_day or has_day(entry[:10]))


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionView:
    key: str
    label: LocalizedText
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit of a field: the key of its sentence, and the words for the sentence's placeholders."""

    key: str
    named: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldView:
    """One field as the page shows it.

    `entry` is the text in the input. `fallback` is the default of the schema as text; None without one, and for a
    secret. `note` is the key of a sentence about the empty input of a secret; None without one. `picture` is the
    address of the picture to show. `rows` are the numbers of the rows around the field, from 1.
    """

    id: str
    name: str
    kind: FieldKind
    label: LocalizedText
    hint: LocalizedText | None
    required: bool
    entry: str = ""
    checked: bool = False
    options: tuple[OptionView, ...] = ()
    input: str = "text"
    multiline: bool = False
    moment: Moment | None = None
    picture: str = ""
    rows: tuple[int, ...] = ()
    limits: tuple[Limit, ...] = ()
    fallback: str | None = None
    note: str | None = None
    problem: ValueProblem | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupView:
    id: str
    label: LocalizedText
    hint: LocalizedText | None
    members: tuple["FieldView | RowsView | GroupView", ...]
    left_out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RowView:
    """One row of a list. `origin` is what its hidden field posts, `summary` the first text that the row shows."""

    name: str
    number: int
    origin: str
    summary: str
    fields: GroupView


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsView:
    """A list of objects. `can_grow` is whether it may have one more row."""

    id: str
    name: str
    label: LocalizedText
    hint: LocalizedText | None
    required: bool
    lines: tuple[RowView, ...]
    limits: tuple[Limit, ...]
    can_grow: bool
    problem: ValueProblem | None
    kind: str = "rows"
    rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FormContents:
    """The contents of a form. `posted` is None when the page shows the stored data.

    `decimal_mark` is the decimal mark of the numbers that the page shows. `fresh` is the name of a row that was just
    added: its fields show their defaults. `room` is how many more rows the outermost list around a field may have, with
    the rows in them; None outside of lists. `key` is that of the marks of rows (`origins`).
    """

    languages: Sequence[str]
    stored: Json
    decimal_mark: str = "."
    posted: Mapping[str, Sequence[str]] | None = None
    problems: Mapping[str, ValueProblem] | None = None
    fresh: str = ""
    room: int | None = None
    key: bytes = b""

    def is_fresh(self, name: str) -> bool:
        return bool(self.fresh) and name.startswith(f"{self.fresh}/")
