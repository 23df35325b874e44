"""A synchronous request: the page stands still until the answer comes."""

import re
from collections.abc import Iterator

from awning.check.rule import Finding, Inspected, Rule, page_of, seen
from awning.check.rules.syntax import calls, merged
from awning.diagnostics import Severity

MESSAGE = "a synchronous request stops the whole page until it is answered"
_VERB = re.compile(r"""["'`](get|post|put|delete|patch|head|options)["'`]""", re.IGNORECASE)
_NAME = re.compile("xhr|request|req$", re.IGNORECASE)


def _opened(file: Inspected) -> Iterator[Finding]:
    for name, given, node in calls(file, rb"open"):
        synchronous = name.endswith(".open") and [one.text for one in given[2:3]] in (["false"], ["!1"])
        if synchronous and (_VERB.fullmatch(given[0].text) or _NAME.search(name)):
            yield Finding(offset=node.start, message=MESSAGE)


def _check(file: Inspected) -> Iterator[Finding]:
    return merged(iter(seen("sync-xhr")(file)), _opened(file))


RULE = Rule(
    id="sync-xhr",
    title="A synchronous request stops the page",
    severity=Severity.ERROR,
    documentation=page_of("sync-xhr"),
    hint="use fetch, or open(method, url) and onload; setContent may be called later",
    check=_check,
)
