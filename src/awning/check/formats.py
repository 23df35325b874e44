"""Writes diagnostics as text. Each format is a function from diagnostics to the output of `awning check --format`.

Other tools read JSON and SARIF, so their fields must not change.
"""

import json
import re
from collections.abc import Callable, Sequence
from html import escape
from urllib.parse import quote

from awning import __version__
from awning.check.baseline import fingerprint
from awning.diagnostics import Diagnostic, Severity, printable
from awning.json_document import json_document
from awning.rules import find_rule


def as_text(diagnostics: Sequence[Diagnostic]) -> str:
    return "\n".join(diagnostic.render() for diagnostic in diagnostics)


def as_json(diagnostics: Sequence[Diagnostic]) -> str:
    return json_document({"findings": [diagnostic.as_json() for diagnostic in diagnostics]}, indent=2)


SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_sarif(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the diagnostics as SARIF 2.1.0 (OASIS), a JSON format that code hosts show beside a change."""
    rules = sorted({diagnostic.rule for diagnostic in diagnostics})
    driver = {
        "name": "awning",
        "semanticVersion": __version__,
        "rules": [
            {
                "id": rule,
                "shortDescription": {"text": _meaning(rule)},
                "help": {"text": f"`awning explain {rule}` shows a wrong and a right example."},
            }
            for rule in rules
        ],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostic, rules.index(diagnostic.rule)) for diagnostic in diagnostics],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2)


def _meaning(rule: str) -> str:
    known = find_rule(rule)
    return known.meaning if known else rule


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


_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def as_github(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the diagnostics as GitHub workflow commands, one per line. GitHub shows each at its place in the code."""
    return "\n".join(map(_command, diagnostics))


def _command(diagnostic: Diagnostic) -> str:
    properties: dict[str, object] = {}
    if diagnostic.place:
        properties = {
            "file": diagnostic.place.path,
            "line": diagnostic.place.line,
            "col": diagnostic.place.column,
        }
    properties["title"] = diagnostic.rule
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items() if value)
    text = f"{diagnostic.message}\n{diagnostic.hint}" if diagnostic.hint else diagnostic.message
    return f"::{_LEVELS[str(diagnostic.severity)]} {listed}::{_data(text)}"


def _data(text: str) -> str:
    return printable(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot represent."""


def as_junit(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the diagnostics as JUnit XML. Each is a test case, which fails if the severity is error.

    Without diagnostics there is one test case, which passes.
    """
    failures = sum(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
    cases = (
        "\n".join(map(_case, diagnostics)) or '  <testcase classname="awning.check" name="nothing found"/>'
    )
    head = f'<testsuite name="awning check" tests="{len(diagnostics) or 1}" failures="{failures}">'
    document = f'<?xml version="1.0" encoding="UTF-8"?>\n{head}\n{cases}\n</testsuite>'
    return _FORBIDDEN.sub("\ufffd", document)


def _case(diagnostic: Diagnostic) -> str:
    place = str(diagnostic.place) if diagnostic.place else "workspace"
    element = "failure" if diagnostic.severity is Severity.ERROR else "system-out"
    message = f" message={_quoted(diagnostic.message)}" if element == "failure" else ""
    file = f" file={_quoted(diagnostic.place.path)}" if diagnostic.place else ""
    return (
        f'  <testcase classname="awning.check.{diagnostic.rule}" name={_quoted(place)}{file}>\n'
        f"    <{element}{message}>{escape(diagnostic.render(), quote=False)}</{element}>\n  </testcase>"
    )


def _quoted(text: str) -> str:
    """Return the value of an XML attribute in quotes.

    `xml.sax.saxutils.quoteattr` is not used: its module imports much network code.
    """
    return '"' + re.sub("[\t\n\r]", lambda space: f"&#{ord(space[0])};", escape(text)) + '"'


FORMATS: dict[str, Callable[[Sequence[Diagnostic]], str]] = {
    "text": as_text,
    "json": as_json,
    "sarif": as_sarif,
    "github": as_github,
    "junit": as_junit,
}

__all__ = ["FORMATS"]
