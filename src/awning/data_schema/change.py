"""What a write of app data changes. The service stores one text or object for each shop, with all widgets' settings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from awning.data_schema.defaults import merge_values
from awning.data_schema.reserved_key import without_reserved
from awning.data_schema.schema_part import Json, Path


@dataclass(frozen=True, slots=True, kw_only=True)
class DataChange:
    """`wanted` is what is stored after the change. `checked` is the part of it that the change is about.

    `lost` are the paths of stored settings that are then gone, `staying` of those that the change does not name. The
    empty path is that of a text.
    """

    wanted: Json
    checked: Json
    lost: tuple[Path, ...]
    staying: tuple[Path, ...]


def change_of(stored: Json, data: Json, *, alone: bool) -> DataChange:
    """Return the change from `stored` to `data`. Two objects are merged, unless `data` are stored alone.

    A merge is about the widgets that `data` names.
    """
    if alone or not isinstance(data, Mapping) or not isinstance(stored, Mapping):
        return DataChange(wanted=data, checked=data, lost=tuple(_lost(stored, data)), staying=())
    wanted = merge_values(stored, data)
    return DataChange(
        wanted=wanted,
        checked={widget: wanted[widget] for widget in data},
        lost=tuple(_lost(stored, wanted)),
        staying=tuple(_lost(stored, data)),
    )


def _lost(stored: Json, wanted: Json) -> Iterator[Path]:
    """Yield the paths of the stored settings that `wanted` lacks. Settings of the reserved key are nobody's."""
    stored = without_reserved(stored)
    if isinstance(stored, Mapping):
        yield from _missing(stored, wanted, ())
    elif isinstance(wanted, Mapping) and stored not in ("", None, []):
        yield ()


def _missing(stored: Mapping[str, Json], wanted: Json, path: Path) -> Iterator[Path]:
    """Yield the paths of an object's values that `wanted` lacks. A value that becomes another one is not missing."""
    for name, value in stored.items():
        at = (*path, name)
        if not isinstance(wanted, Mapping) or name not in wanted:
            yield at
        elif isinstance(value, Mapping):
            yield from _missing(value, wanted[name], at)
