"""The check with missing and with hostile app data. `rules` has the check with the app data of other apps.

The docstring of a check says what is wrong when the check fails.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from awning.client import encode_app_data
from awning_harness.conformance.checks import looks_at
from awning_harness.conformance.checks.payloads import require_harmless
from awning_harness.conformance.hostile_texts import PLANTING
from awning_harness.conformance.situation import each_slot
from awning_harness.conformance.subject import Subject

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
def test_hostile_app_data(subject: Subject) -> None:
    """A text of the app data runs or becomes a part of the page, or missing app data makes errors."""
    schema = subject.widget.data_schema or {}
    unit = subject.laboratory.unit
    texts = [encode_app_data({unit: _filled(schema, text)}) for text in PLANTING]
    wrong = encode_app_data({unit: _filled(schema, None)})
    missing, empty, *hostile = subject.observe(
        subject.trial(data=""),
        subject.trial(data={unit: {}}),
        *(subject.trial(data=data) for data in (*texts, wrong)),
    )
    subject.require_no_problems(missing, "without app data")
    subject.require_no_problems(empty, "with empty app data")
    for observed in hostile:
        require_harmless(subject, observed, "with a hostile text in the app data")
        subject.require_no_problems(observed, "with hostile app data", may_report=True)


def _filled(schema: Mapping[str, Any], text: str | None) -> Any:
    """Return data of the schema's types with `text` as each string, without the key `enabled`.

    If `text` is None, each value that is no object has a wrong type.
    """
    kind = str(schema.get("type", "object"))
    if text is None and kind != "object":
        return WRONG_TYPES.get(kind)
    if kind == "object":
        return dict(_filled_properties(schema.get("properties") or {}, text))
    if kind == "array":
        return [_filled(schema.get("items") or {"type": "string"}, text)] * 2
    return text if kind == "string" else schema.get("default", 1)


def _filled_properties(properties: Mapping[str, Any], text: str | None) -> Iterator[tuple[str, Any]]:
    for name, inner in properties.items():
        if name != "enabled" and isinstance(inner, Mapping):
            yield name, _filled(inner, text)
