"""Text run as code: eval, new Function, timers with text. A page with a content security policy refuses it."""

from collections.abc import Iterator

from awning.check.rule import Finding, Fix, Inspected, Rule, page_of, seen
from awning.check.rules.syntax import calls, merged
from awning.diagnostics import Severity
from awning.script.tree import Node

MESSAGE = "text is run as code"
_TEXT = {"string", "template_string"}


def _run(file: Inspected) -> Iterator[Finding]:
    for name, given, node in calls(file, rb"eval|Function|setTimeout|setInterval"):
        if name in {"eval", "Function"}:
            yield Finding(offset=node.start, message=MESSAGE)
        elif name in {"setTimeout", "setInterval"} and given and given[0].type in _TEXT:
            yield Finding(offset=node.start, message="a timer that is given text runs it as code")


def _global_object(file: Inspected) -> Iterator[Finding]:
    """`new Function("return this")()` is the global object, and has been a name for years."""
    for _, given, node in calls(file, rb"return this"):
        target = node.fields.get("function")
        if not given and target is not None and _makes_global(target):
            fix = Fix(start=node.start, end=node.end, text="globalThis")
            yield Finding(offset=node.start, message=MESSAGE, fix=fix)


def _makes_global(target: Node) -> bool:
    while target.type == "parenthesized_expression":
        target = target.kids[0]
    return target.text.replace(" ", "").replace("'", '"').rstrip(";") in {
        'newFunction("returnthis")',
        'Function("returnthis")',
        'newFunction("returnthis;")',
        'Function("returnthis;")',
    }


def _check(file: Inspected) -> Iterator[Finding]:
    return merged(_global_object(file), iter(seen("no-eval")(file)), _run(file))


RULE = Rule(
    id="no-eval",
    title="A text is run as if it were code",
    severity=Severity.ERROR,
    documentation=page_of("no-eval"),
    hint="write the code as a function; for data use JSON.parse",
    check=_check,
)
