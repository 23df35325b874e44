"""SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format): code hosts show it beside the lines of a change."""

import json
from collections.abc import Sequence
from urllib.parse import quote

from awning import __version__
from awning.check.baseline import fingerprint
from awning.diagnostics import Diagnostic
from awning.rule_pages import first_sentence

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_sarif(found: Sequence[Diagnostic]) -> str:
    rules = sorted({one.rule for one in found})
    driver = {"name": "awning", "semanticVersion": __version__, "rules": [_rule(rule) for rule in rules]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, rules.index(one.rule)) for one in found],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2)


def _rule(rule: str) -> dict[str, object]:
    return {
        "id": rule,
        "shortDescription": {"text": first_sentence(rule)},
        "help": {"text": f"`awning explain {rule}` shows a wrong and a right example."},
    }


def _result(one: Diagnostic, index: int) -> dict[str, object]:
    text = f"{one.message} ({one.hint})" if one.hint else one.message
    return {
        "ruleId": one.rule,
        "ruleIndex": index,
        "level": str(one.severity),
        "message": {"text": text},
        "partialFingerprints": {"awning/v1": fingerprint(one)},
        **({"locations": [_location(one)]} if one.place else {}),
    }


def _location(one: Diagnostic) -> dict[str, object]:
    assert one.place is not None  # noqa: S101 - asked by the caller
    place: dict[str, object] = {"artifactLocation": {"uri": quote(one.place.path)}}
    if one.place.line:
        column = {"startColumn": one.place.column} if one.place.column else {}
        place["region"] = {"startLine": one.place.line, **column}
    return {"physicalLocation": place}
