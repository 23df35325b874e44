"""JUnit XML: a test case per diagnostic, which fails for an error. Without diagnostics there is one that passes."""

import re
from collections.abc import Sequence
from html import escape

from awning.diagnostics import Diagnostic, Severity

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot represent."""


def as_junit(diagnostics: Sequence[Diagnostic]) -> str:
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
    """The value of an attribute. `xml.sax.saxutils` has this too, but imports much of the network library."""
    return '"' + re.sub("[\t\n\r]", lambda space: f"&#{ord(space[0])};", escape(text)) + '"'
