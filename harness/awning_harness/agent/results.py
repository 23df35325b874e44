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


def check_result(findings: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    errors = sum(finding["severity"] == "error" for finding in findings)
    first = findings[:MOST_FINDINGS]
    return {"ok": not errors, "errors": errors, "findings": first, "left_out": len(findings) - len(first)}


def run_result(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document of `awning test --json` with the first failures, and their texts shortened."""
    failures = document.get("failures", [])
    first = [{**failure, "text": shortened(failure["text"])} for failure in failures[:MOST_FAILURES]]
    unread = [
        {**each, "text": shortened(each["text"])} for each in document.get("unread", [])[:MOST_FAILURES]
    ]
    return {**document, "failures": first, "unread": unread, "left_out": len(failures) - len(first)}
