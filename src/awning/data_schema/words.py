"""Describes misfits in English: the field, the reason, and which values would fit."""

import json
from collections.abc import Iterable
from datetime import date, datetime, time

from awning.data_schema.keywords import bounds_of, is_number, range_of
from awning.data_schema.limits import MATCHED, shown_number
from awning.data_schema.misfits import Misfit
from awning.data_schema.schema_part import ABSENT, Absent, Json, Path, SchemaPart
from awning.data_schema.value_formats import format_of
from awning.diagnostics import did_you_mean

LONGEST = 40
"""The maximum number of characters of a value that are shown."""
MOST_NAMES = 12

_ANYTHING = "any JSON"

_SENTENCES = {
    "unknown": "nothing reads {where}",
    "required": "{where} is missing, and must be {fitting}",
    "deep": "{where} nests too deeply",
    "twice": "{where} has the same entry twice (entry {line}), but entries must differ",
    "slow": "{where} is {value}, and comparing it with its pattern takes too long",
    "too-large": "{where} is {value}, which is larger than a browser's numbers can be",
}
_UNITS = {"string": "characters", "array": "entries", "object": "keys"}
"""What the length of a value is counted in."""


def sentence_for(misfit: Misfit, *, of: str = "the data", hidden: bool = False) -> str:
    """Return a sentence such as `"a.days" is "three", and must be a whole number from 0 to 60`.

    `of` is the subject when the whole value does not fit. With `hidden`, a value that is neither a number nor a boolean
    is replaced by its type and length. The value of a secret, and a text that is too long, are always replaced.
    """
    where = f'"{shown_path(misfit.path)}"' if misfit.path else of
    sentence = _SENTENCES.get(misfit.problem.code, "{where} is {value}, and must be {fitting}")
    if misfit.problem.named.get("limit") == str(MATCHED) and "pattern" in misfit.part.schema:
        sentence = (
            "{where} is {value}, and only texts of up to {matched} characters are compared with a pattern"
        )
    harmless = isinstance(misfit.value, bool) or is_number(misfit.value)
    is_hidden = misfit.part.secret or misfit.problem.code == "long" or (hidden and not harmless)
    return sentence.format(
        where=where,
        value=kind_of(misfit.value) if is_hidden else shown(misfit.value),
        fitting=fitting(misfit.part),
        line=misfit.problem.line,
        matched=MATCHED,
    )


def hint_for(misfit: Misfit) -> str | None:
    """Return a hint: the key or choice that was probably meant, or the known keys. None when there is no hint."""
    if misfit.problem.code == "unknown":
        name, known = str(misfit.path[-1]), sorted(misfit.known)
        return did_you_mean(name, known) or f"known here: {_listed(known)}"
    if misfit.problem.code == "choice" and isinstance(misfit.value, str) and not misfit.part.secret:
        return did_you_mean(misfit.value, [str(option.value) for option in misfit.part.options or ()])
    return None


def fitting(part: SchemaPart) -> str:
    """Return the values that fit a part, in words: `a whole number from 0 to 60`, `one of "s", "m"`."""
    if part.options is not None:
        values = [json.dumps(option.value, ensure_ascii=False) for option in part.options]
        wanted = f"one of {_listed(values)}" if len(values) > 1 else "".join(values)
    else:
        wanted = " or ".join(_kind(name, part) for name in part.types) or _ANYTHING
    return " or ".join(filter(None, (wanted, "null" if part.nullable and wanted != _ANYTHING else "")))


def shown_path(path: Path) -> str:
    """Return a path as `rows[2].title`. Entries of a list count from 0, as in JavaScript."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def shown(value: Json | Absent) -> str:
    """Return a value as JSON, cut to `LONGEST` characters.

    A list, an object and ABSENT are described by `kind_of`. A date or a time of TOML is in ISO form, with a note.
    """
    if isinstance(value, date | datetime | time):
        return f"{value.isoformat()} (TOML's date, which JSON does not have)"
    if isinstance(value, dict | list) or value is ABSENT:
        return kind_of(value)
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def kind_of(value: Json | Absent) -> str:
    """Return the type of a value, and the length of a text or a list, without the content."""
    match value:
        case None:
            return "null"
        case bool():
            return "a truth value"
        case str():
            return f"a text of {len(value)} character{'s' * (len(value) != 1)}"
        case dict():
            return "an object"
        case list():
            return f"a list of {len(value)} {'entry' if len(value) == 1 else 'entries'}"
    return "a number" if is_number(value) else "no JSON"


def _kind(name: str, part: SchemaPart) -> str:
    match name:
        case "integer" | "number":
            return ("a whole number" if name == "integer" else "a number") + _range(part)
        case "string":
            return _text(part)
        case "array":
            of = f" of {_plural(part.items)}" if part.items is not None else ""
            return f"a list{of}" + _sizes(part, name)
        case "boolean":
            return "true or false"
    return "an object" + _sizes(part, name)


def _plural(part: SchemaPart) -> str:
    names = {"integer": "whole numbers", "number": "numbers", "string": "texts", "object": "objects"}
    if part.options is not None:
        return f"values out of {_listed([json.dumps(option.value, ensure_ascii=False) for option in part.options])}"
    return names.get(part.type or "", "values")


def _text(part: SchemaPart) -> str:
    row = format_of(part.schema)
    text = (row.fitting if row else "a text") + _sizes(part, "string")
    pattern = part.schema.get("pattern")
    return f"{text} that matches {pattern}" if isinstance(pattern, str) else text


def _range(part: SchemaPart) -> str:
    low, high = range_of(part.schema, "number")
    limits = f" from {shown_number(low.value)}" if low else ""
    if high:
        limits += f" {'to' if low else 'up to'} {shown_number(high.value)}"
    others = bounds_of(part.schema, "number")
    return limits + "".join(
        bound.limit.words.format(limit=shown_number(bound.value)) for bound in others if not bound.limit.side
    )


def _sizes(part: SchemaPart, kind: str) -> str:
    low, high = range_of(part.schema, kind)
    least, unit = low.value if low else 0, _UNITS[kind]
    if least and high and high.value:
        return f" of {least} {unit}" if least == high.value else f" of {least} to {high.value} {unit}"
    if least:
        return f" of at least {least} {unit}"
    return f" of at most {high.value} {unit}" if high else ""


def _listed(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join([*listed[:MOST_NAMES], *(["…"] if len(listed) > MOST_NAMES else [])])
