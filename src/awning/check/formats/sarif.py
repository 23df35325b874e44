"""SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format). Code hosts show it beside the lines of a change."""

import json
from collections.abc import Sequence
from urllib.parse import quote

from awning import __version__
from awning.check.baseline import fingerprint
from awning.diagnostics import Diagnostic
from awning.rule_pages import first_sentence

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_sarif(diagnostics: Sequence[Diagnostic]) -> str:
    rules = sorted({diagnostic.rule for diagnostic in diagnostics})
    driver = {"name": "awning", "semanticVersion": __version__, "rules": [_rule(rule) for rule in rules]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostic, rules.index(diagnostic.rule)) for diagnostic in diagnostics],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2)


def _rule(rule: str) -> dict[str, object]:
    return {
        "id": rule,
        "shortDescription": {"text": first_sentence(rule)},
        "help": {"text": f"`awning explain {rule}` shows a wrong and a right example."},
    }


def _result(diagnostic: Diagnostic, index: int) -> dict[str, object]:
    text = f"{diagnostic.message} ({diagnostic.hint})" if diagnostic.hint else diagnostic.message
    return {
        "ruleId": diagnostic.rule,
        "ruleIndex": index,
        "level": str(diagnostic.severity),
        "message": {"text": text},
        "partialFingerprints": {"awning/v1": fingerprint(diagnostic)},
        **({"locations": [_location(diagnostic)]} if diagnostic.place else {}),
    }


def _location(diagnostic: Diagnostic) -> dict[str, object]:
    assert diagnostic.place is not None  # noqa: S101 - asked by the caller
    place: dict[str, object] = {"artifactLocation": {"uri": quote(diagnostic.place.path)}}
    if diagnostic.place.line:
        column = {"startColumn": diagnostic.place.column} if diagnostic.place.column else {}
        place["region"] = {"startLine": diagnostic.place.line, **column}
    return {"physicalLocation": place}
