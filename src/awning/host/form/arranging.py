"""Adds, removes and moves the rows of a posted form. Nothing is stored: the page shows the form again.

A button posts its action and the JSON Pointer that it is about, such as `up:/bar/steps/1`. So rows need no script.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from awning.data_schema import Field, Group, Rows
from awning.data_schema.fields import pointer
from awning.data_schema.keywords import range_of
from awning.host.form.filling import LIST, MOST_ROWS, NEW

Posted = Mapping[str, Sequence[str]]
ACTIONS = ("add", "remove", "up", "down", "show")


@dataclass(frozen=True, slots=True, kw_only=True)
class Arranged:
    """The texts of a form after an action. `action` is the key of the sentence about it.

    `focus` is the action of a button, or the name of a field. `fresh` is the name of the new row; empty without one.
    """

    posted: Posted
    action: str
    focus: str
    fresh: str = ""


def arrange(form: Group, posted: Posted, button: str) -> Arranged | None:
    """Return the posted form after the action of a button; None when the form has no such action."""
    action, _, name = button.partition(":")
    if action == "show":
        return Arranged(posted=posted, action="picture-shown", focus=button)
    list_name, _, step = (name, "", "") if action == "add" else name.rpartition("/")
    rows = _rows_named(form, list_name, posted)
    if rows is None or action not in ACTIONS:
        return None
    count = len(_origins(rows, posted))
    if action == "add":
        return _added(rows, posted, count)
    place = _place(step, count)
    if place is None:
        return None
    return (
        _removed(rows, posted, place, count)
        if action == "remove"
        else _moved(rows, posted, place, action, count)
    )


def most_rows(rows: Rows) -> int:
    """Return how many rows a list may have: what its schema allows, and what a page shows."""
    high = range_of(rows.part.schema, "array")[1]
    return min(int(high.value), MOST_ROWS) if high else MOST_ROWS


def posted_rows(rows: Rows, posted: Posted) -> int:
    """Return how many rows were posted of the outermost list around `rows`, with the rows in them."""
    outermost = pointer(tuple(takewhile(lambda step: isinstance(step, str), rows.path)))
    inside = f"{outermost}/"
    return sum(
        len(texts) - 1
        for name, texts in posted.items()
        if (name == outermost or name.startswith(inside)) and texts and texts[0] == LIST
    )


def has_too_many_rows(form: Group, posted: Posted) -> bool:
    """Return whether a list has more rows than any page shows. To work on thousands would hold up every visitor."""
    return any(
        has_too_many_rows(member, posted)
        if isinstance(member, Group)
        else isinstance(member, Rows) and posted_rows(member, posted) > MOST_ROWS
        for member in form.members
    )


def without_rows_around(form: Group, posted: Posted, names: Sequence[str]) -> Posted | None:
    """Return the posted form without the rows that hold these fields; None when one of them is in no row."""
    around = {_row_around(form, posted, name) for name in names}
    lists: dict[str, set[str]] = {}
    for name in around:
        if name is None:
            return None
        list_name, _, step = name.rpartition("/")
        lists.setdefault(list_name, set()).add(step)
    # Inner lists before outer ones, so that the names of the others stay right. All rows of a list at once: a hostile
    # form has thousands of wrong entries.
    for list_name in sorted(lists, key=lambda name: name.count("/"), reverse=True):
        if rows := _rows_named(form, list_name, posted):
            order = [old for old in range(len(_origins(rows, posted))) if str(old) not in lists[list_name]]
            posted = _in_order(rows, posted, order)
    return posted


def _row_around(form: Group, posted: Posted, name: str) -> str | None:
    """Return the name of the innermost row that holds a field."""
    while "/" in name:
        name = name.rpartition("/")[0]
        list_name, _, step = name.rpartition("/")
        rows = _rows_named(form, list_name, posted)
        if rows and _place(step, len(_origins(rows, posted))) is not None:
            return name
    return None


def _added(rows: Rows, posted: Posted, count: int) -> Arranged | None:
    if count >= most_rows(rows) or posted_rows(rows, posted) >= MOST_ROWS:
        return None
    return Arranged(
        posted=_in_order(rows, posted, [*range(count), None]),
        action="row-added",
        focus=_first_control(rows.row(count)),
        fresh=f"{rows.name}/{count}",
    )


def _removed(rows: Rows, posted: Posted, place: int, count: int) -> Arranged:
    """Remove a row. The focus goes to the row in its place, else to the one before, else to the button that adds."""
    left = count - 1
    focus = f"remove:{rows.name}/{min(place, left - 1)}" if left else f"add:{rows.name}"
    order = [old for old in range(count) if old != place]
    return Arranged(posted=_in_order(rows, posted, order), action="row-removed", focus=focus)


def _moved(rows: Rows, posted: Posted, place: int, action: str, count: int) -> Arranged | None:
    """Move a row by one place. The focus stays on its button, or goes to the other one at the end of the list."""
    other = place + (1 if action == "down" else -1)
    if not 0 <= other < count:
        return None
    order: list[int | None] = list(range(count))
    order[place], order[other] = other, place
    at_end = {"up": 0, "down": count - 1}[action] == other
    button = {"up": "down", "down": "up"}[action] if at_end else action
    return Arranged(
        posted=_in_order(rows, posted, order), action="row-moved", focus=f"{button}:{rows.name}/{other}"
    )


def _in_order(rows: Rows, posted: Posted, order: Sequence[int | None]) -> Posted:
    """Return the texts with the rows in another order: the old place of each row, None for a new one."""
    own, origins = rows.name, _origins(rows, posted)
    inside = f"{own}/"
    listed = [LIST, *(NEW if old is None else origins[old] for old in order)]
    places = {old: place for place, old in enumerate(order) if old is not None}
    result: dict[str, Sequence[str]] = {}
    for name, texts in posted.items():
        if not name.startswith(inside):
            result[name] = listed if name == own else texts
            continue
        step, slash, rest = name.removeprefix(inside).partition("/")
        old = _place(step, len(origins))
        if old in places:
            result[f"{inside}{places[old]}{slash}{rest}"] = texts
    return result


def _origins(rows: Rows, posted: Posted) -> Sequence[str]:
    return posted.get(rows.name, ())[1:]


def _place(step: str, count: int) -> int | None:
    """Return the place that a step of a pointer names; None when the list has no such place."""
    place = int(step) if len(step) <= len(str(MOST_ROWS)) and step.isascii() and step.isdigit() else count
    return place if place < count and str(place) == step else None


def _rows_named(group: Group, name: str, posted: Posted) -> Rows | None:
    for member in group.members:
        if isinstance(member, Group) and (inner := _rows_named(member, name, posted)):
            return inner
        if not isinstance(member, Rows):
            continue
        if member.name == name:
            return member if name in posted else None
        if name.startswith(f"{member.name}/"):
            step = name.removeprefix(f"{member.name}/").partition("/")[0]
            place = _place(step, len(_origins(member, posted)))
            if place is not None and (inner := _rows_named(member.row(place), name, posted)):
                return inner
    return None


def _first_control(group: Group) -> str:
    """Return the name of the first field, or the action of the button that adds a row, if that is first."""
    first: Field | Rows | Group = group
    while isinstance(first, Group):
        first = first.members[0]
    return f"add:{first.name}" if isinstance(first, Rows) else first.name
