"""The check with missing and with hostile app data. `rules` has the check with the app data of other apps.

The docstring of a check says what is wrong when the check fails.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from awning.client import encode_app_data
from awning_harness.checks.families import looks_at
from awning_harness.checks.families.payloads import is_harmful, require_harmless
from awning_harness.checks.hostile_texts import PLANTING
from awning_harness.checks.situation import each_slot
from awning_harness.checks.subject import Subject

WRONG_TYPES: Mapping[str, Any] = {
    "boolean": "no",
    "string": 7,
    "array": "none",
    "object": [],
    "number": "many",
    "integer": "many",
}
"""For each type of the schema, a value that has another type."""


@looks_at(each_slot)
async def test_hostile_app_data(subject: Subject) -> None:
    """A text of the app data runs or becomes a part of the page, or missing app data makes errors."""
    schema = subject.widget.data_schema or {}
    unit = subject.laboratory.unit
    texts = [encode_app_data({unit: _filled(schema, text)}) for text in PLANTING]
    wrong = encode_app_data({unit: _filled(schema, None)})
    missing, empty, *hostile = await subject.observe(
        subject.trial(data=""),
        subject.trial(data={unit: {}}),
        *(subject.trial(data=data) for data in (*texts, wrong)),
    )
    subject.require_no_problems(missing, "without app data")
    subject.require_no_problems(empty, "with empty app data")
    for text, observed in zip([*PLANTING, None], hostile, strict=True):
        if text is not None and is_harmful(observed):
            await _fail_for_a_field(subject, schema, text)
        require_harmless(subject, observed, "with a hostile text in the app data")
        subject.require_no_problems(observed, "with hostile app data", may_report=True)


async def _fail_for_a_field(subject: Subject, schema: Mapping[str, Any], text: str) -> None:
    """Try the text in one field at a time, and fail the test for the first field in which it does harm."""
    unit = subject.laboratory.unit
    fields = list(_text_fields(schema))
    trials = [subject.trial(data=encode_app_data({unit: _filled(schema, text, only=own)})) for own in fields]
    for field, observed in zip(fields, await subject.observe(*trials) if trials else [], strict=True):
        require_harmless(subject, observed, f'with a hostile text in the app data\'s "{field}"')


def _text_fields(schema: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Yield the paths of the strings that `_filled` replaces: `terms.note`, `items[].note`."""
    kind = str(schema.get("type", "object"))
    if kind == "string":
        yield path
    elif kind == "array":
        yield from _text_fields(schema.get("items") or {"type": "string"}, f"{path}[]")
    elif kind == "object":
        for name, inner in _fields(schema):
            yield from _text_fields(inner, _joined(path, name))


def _filled(schema: Mapping[str, Any], text: str | None, path: str = "", *, only: str | None = None) -> Any:
    """Return app data with values of the schema's types, and with `text` as each string. The key `enabled` is left out.

    `only` is the path of the only field that gets the text; None for all fields. If `text` is None, each value that is
    no object has a wrong type.
    """
    kind = str(schema.get("type", "object"))
    if text is None and kind != "object":
        return WRONG_TYPES.get(kind)
    if kind == "object":
        return {name: _filled(inner, text, _joined(path, name), only=only) for name, inner in _fields(schema)}
    if kind == "array":
        return [_filled(schema.get("items") or {"type": "string"}, text, f"{path}[]", only=only)] * 2
    if kind == "string":
        return text if only in (None, path) else schema.get("default", "text")
    return schema.get("default", 1)


def _fields(schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, inner in (schema.get("properties") or {}).items():
        if name != "enabled" and isinstance(inner, Mapping):
            yield name, inner


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
