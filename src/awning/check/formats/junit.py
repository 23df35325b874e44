"""JUnit XML: a test case per finding, failed when it is an error; one that passed when there is none."""

import re
from collections.abc import Sequence
from html import escape

from awning.diagnostics import Diagnostic, Severity

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 has no way to write."""


def as_junit(found: Sequence[Diagnostic]) -> str:
    failures = sum(one.severity is Severity.ERROR for one in found)
    cases = "\n".join(map(_case, found)) or '  <testcase classname="awning.check" name="nothing found"/>'
    head = f'<testsuite name="awning check" tests="{len(found) or 1}" failures="{failures}">'
    document = f'<?xml version="1.0" encoding="UTF-8"?>\n{head}\n{cases}\n</testsuite>'
    return _FORBIDDEN.sub("\ufffd", document)


def _case(one: Diagnostic) -> str:
    place = str(one.place) if one.place else "workspace"
    element = "failure" if one.severity is Severity.ERROR else "system-out"
    message = f" message={_quoted(one.message)}" if element == "failure" else ""
    file = f" file={_quoted(one.place.path)}" if one.place else ""
    return (
        f'  <testcase classname="awning.check.{one.rule}" name={_quoted(place)}{file}>\n'
        f"    <{element}{message}>{escape(one.render(), quote=False)}</{element}>\n  </testcase>"
    )


def _quoted(text: str) -> str:
    """As an attribute's value. `xml.sax.saxutils` would do it, and brings half of the network along."""
    return '"' + re.sub("[\t\n\r]", lambda space: f"&#{ord(space[0])};", escape(text)) + '"'
