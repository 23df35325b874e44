"""What a page shows of a form: plain values for its template, in one language. `view` makes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from awning.data_schema import FieldKind, ValueProblem
from awning.data_schema.schema_part import Json
from awning.host.form.moments import Moment
from awning.host.languages import LocalizedText


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
