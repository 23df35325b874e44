"""What the tools say of findings and failures: the first ones in full, shortened, and how many were left out."""

from collections.abc import Mapping, Sequence
from typing import Any

MOST_FINDINGS = 100
MOST_FAILURES = 20
LONGEST_TEXT = 4000
"""The most characters of a failure's text. Its end says most, and its beginning where it was."""


def shortened(text: str) -> str:
    """Return a text with its middle left out if it is long."""
    if len(text) <= LONGEST_TEXT:
        return text
    half = LONGEST_TEXT // 2
    return f"{text[:half]}\n[{len(text) - 2 * half} characters are left out]\n{text[-half:]}"


def all_shortened(value: Any) -> Any:
    """Return a value of JSON with all its texts shortened."""
    if isinstance(value, str):
        return shortened(value)
    if isinstance(value, Mapping):
        return {name: all_shortened(each) for name, each in value.items()}
    return [all_shortened(each) for each in value] if isinstance(value, (list, tuple)) else value


def check_result(findings: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    errors = sum(finding["severity"] == "error" for finding in findings)
    first = all_shortened(findings[:MOST_FINDINGS])
    return {"ok": not errors, "errors": errors, "findings": first, "left_out": len(findings) - len(first)}


def run_result(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document of `awning test --json` with the first failures, and their texts shortened."""
    failures = document.get("failures", [])
    first = {
        "failures": failures[:MOST_FAILURES],
        "unread": document.get("unread", [])[:MOST_FAILURES],
    }
    return {**document, **all_shortened(first), "left_out": len(failures) - len(first["failures"])}
