"""Rules about calls that can be found by their name: document.write, synchronous requests, text that is run as code.

A running script shows such calls too, also under another name. Each place is reported once.
"""

import re
from collections.abc import Iterable, Iterator

from awning.check.rule import Finding, Fix, Inspected, ScriptRule, observed
from awning.script.tree import Node

_VERB = re.compile(r"""["'`](get|post|put|delete|patch|head|options)["'`]""", re.IGNORECASE)
_REQUEST = re.compile("xhr|request|req$", re.IGNORECASE)
_TEXT = {"string", "template_string"}
_RUN_AS_CODE = "text is run as code"


def _one_per_place(findings: Iterable[Finding]) -> Iterator[Finding]:
    offsets: set[int] = set()
    for finding in findings:
        if finding.offset not in offsets:
            offsets.add(finding.offset)
            yield finding


def _document_write(file: Inspected) -> Iterator[Finding]:
    yield from observed("document-write")(file)
    for call in file.calls("write"):
        if call.name in {"document.write", "document.writeln"}:
            yield Finding(offset=call.node.start, message="document.write replaces or blocks the page")


DOCUMENT_WRITE = ScriptRule(
    id="document-write",
    hint="pass the HTML to setContent, or create elements",
    check=lambda file: _one_per_place(_document_write(file)),
    acts=re.compile(rb"\bwrite|\bdocument\b[\s\S]*[\[\\]"),
)
"""After the page has loaded, document.write replaces the whole page. Before that, it blocks the parser."""


def _sync_xhr(file: Inspected) -> Iterator[Finding]:
    yield from observed("sync-xhr")(file)
    for call in file.calls("open"):
        flag = [argument.text for argument in call.arguments[2:3]]
        if not call.name.endswith(".open") or flag not in (["false"], ["!1"]):
            continue
        if _VERB.fullmatch(call.arguments[0].text) or _REQUEST.search(call.name):
            message = "a synchronous request stops the whole page until it is answered"
            yield Finding(offset=call.node.start, message=message)


SYNC_XHR = ScriptRule(
    id="sync-xhr",
    hint="use fetch, or open(method, url) and onload; setContent may be called later",
    check=lambda file: _one_per_place(_sync_xhr(file)),
    acts=re.compile(rb"XMLHttpRequest|ajax|\.open\("),
)


def _no_eval(file: Inspected) -> Iterator[Finding]:
    yield from _global_object(file)
    yield from observed("no-eval")(file)
    for call in file.calls("eval", "Function", "setTimeout", "setInterval"):
        if call.name in {"eval", "Function"}:
            yield Finding(offset=call.node.start, message=_RUN_AS_CODE)
        elif (
            call.name in {"setTimeout", "setInterval"} and call.arguments and call.arguments[0].type in _TEXT
        ):
            message = "a timer that is given text runs it as code"
            yield Finding(offset=call.node.start, message=message)


def _global_object(file: Inspected) -> Iterator[Finding]:
    """Find `new Function("return this")()`, which is the global object. The fix is `globalThis`."""
    for call in file.calls("return this"):
        target = call.node.fields.get("function")
        if not call.arguments and target is not None and _makes_global(target):
            fix = Fix(start=call.node.start, end=call.node.end, text="globalThis")
            yield Finding(offset=call.node.start, message=_RUN_AS_CODE, fix=fix)


def _makes_global(target: Node) -> bool:
    while target.type == "parenthesized_expression":
        target = target.kids[0]
    return target.text.replace(" ", "").replace("'", '"').rstrip(";") in {
        'newFunction("returnthis")',
        'Function("returnthis")',
        'newFunction("returnthis;")',
        'Function("returnthis;")',
    }


NO_EVAL = ScriptRule(
    id="no-eval",
    hint="write the code as a function; for data use JSON.parse",
    check=lambda file: _one_per_place(_no_eval(file)),
    acts=re.compile(rb"\beval\b|\bFunction\b|constructor|window\[|globalThis|setTimeout|setInterval"),
)
"""A content security policy of the page may forbid running text as code."""
