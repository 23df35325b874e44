"""Finds calls of initContentHandler that come too late: after the callback has returned, or in an -updated event.

The fix moves the call to where it belongs, if the page stays the same. That is not read from the code: both versions
are run, in all the lives of the check, and the page is compared after each event.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from awning.check.rule import Finding, Fix, Inspected, ScriptRule, observed
from awning.check.rules.observations import SUBSCRIBES
from awning.check.running.behaviour import page_difference
from awning.script.file import ScriptFile
from awning.script.tree import Node

NAMES = ("contentHandler", "ownBlock", "ownContentHandler")
"""The names for the variable with the result of the call. The first that the script does not have is used."""

_UPDATED = "-updated"
_FUNCTIONS = frozenset({"arrow_function", "function_expression"})
_LISTS = frozenset({"program", "statement_block"})
"""What a list of statements is in. Elsewhere, as after `if (x)`, there is only one."""

_SPACE = re.compile(rb"\s*")
_INDENT = re.compile(rb"[^\S\n]*\Z")
_GENERATED = re.compile(rb"[#@] sourceMappingURL=")
_MODERN = (b"=>", b"const ", b"let ")
"""A script that has one of these is for browsers that know `const` and `let`."""


class _NotMoved(Exception):
    """Raised when a call stays where it is. The text says why."""


Move = Callable[[ScriptFile, Sequence[Node], Node, str], Fix]


def _moving(rule: str, hint: str, move: Move) -> Callable[[Inspected], Iterable[Finding]]:
    """Return the check of a rule whose findings get a fix by `move`, or the reason why there is none."""

    def check(file: Inspected) -> Iterable[Finding]:
        for finding in observed(rule)(file):
            try:
                yield replace(finding, fix=_proved(file.source, finding.offset, move))
            except _NotMoved as reason:
                yield replace(finding, hint=f"{hint} (--fix leaves it: {reason})")

    return check


def _proved(source: ScriptFile, offset: int, move: Move) -> Fix:
    """Return the fix for the call at an offset, after both versions were run. Raises _NotMoved."""
    if _GENERATED.search(source.content):
        raise _NotMoved("the file has a source map, so it is generated: change what it is made from")
    path = _path_to(source.tree.root, offset)
    call = next((node for node in reversed(path) if _is_bare_call(node, offset)), None)
    if call is None:
        raise _NotMoved("the call is made elsewhere, by what gets initContentHandler")
    name = next((name for name in NAMES if name.encode() not in source.content), None)
    if name is None:
        raise _NotMoved(f"the script has the names {', '.join(NAMES)} already")
    fix = move(source, path, call, name)
    changed = source.content[: fix.start] + fix.text.encode() + source.content[fix.end :]
    after = ScriptFile(path=source.path, text=changed.decode(), dialect=source.dialect, head=source.head)
    if difference := page_difference(source, after):
        raise _NotMoved(difference)
    return fix


def _to_the_beginning(source: ScriptFile, path: Sequence[Node], call: Node, name: str) -> Fix:
    """Call it in the first statement of the callback. Raises _NotMoved."""
    init = call.fields["function"].text
    callback, _ = _subscribed(path, init)
    body = callback.fields["body"]
    if body.type != "statement_block":
        raise _NotMoved("its callback has no body in braces")
    content, first = source.content, body.kids[0]
    is_directive = first.type == "expression_statement" and first.kids[0].type == "string"
    start = first.end if is_directive else body.start + 1
    space = _SPACE.match(content, start)
    separator = space[0].decode() if space and b"\n" in space[0] else " "
    word = "const" if any(mark in content for mark in _MODERN) else "var"
    statement = f"{separator}{word} {name} = {call.text};"
    return Fix(start=start, end=call.end, text=statement + content[start : call.start].decode() + name)


def _to_the_base_event(source: ScriptFile, path: Sequence[Node], call: Node, name: str) -> Fix:
    """Subscribe to the base event before, and call it there. Raises _NotMoved."""
    init = call.fields["function"].text
    callback, subscription = _subscribed(path, init)
    around, statement = path[path.index(subscription) - 2 : path.index(subscription)]
    event = subscription.fields["arguments"].kids[0]
    is_alone = statement.type == "expression_statement" and around.type in _LISTS
    if not is_alone or event.type != "string" or _UPDATED not in event.text:
        raise _NotMoved("the event's name is not written into a call of subscribeEvent that stands alone")
    content, base = source.content, event.text.replace(_UPDATED, "")
    is_global = around.type == "program"
    indent = _INDENT.search(content, 0, statement.start)
    word = "let" if is_global or any(mark in content for mark in _MODERN) else "var"
    first = "e" if init == "event" else "event"
    lines = (
        f"{word} {name}{_type_of(source, callback)};",
        f"{subscription.fields['function'].text}({base}, function ({first}, {init}) {{ {name} = {call.text}; }});",
        content[statement.start : call.start].decode() + name,
    )
    margin = ("\r\n" if b"\r\n" in content else "\n") + (indent[0].decode() if indent else "")
    text = margin.join(lines)
    if not is_global:
        return Fix(start=statement.start, end=call.end, text=text)
    # All scripts of a page share the names outside of blocks: a second script with the same name would not run.
    rest = content[call.end : statement.end].decode()
    return Fix(start=statement.start, end=statement.end, text=margin.join(("{", text + rest, "}")))


def _type_of(source: ScriptFile, callback: Node) -> str:
    """Return the annotation of the variable: what the second parameter returns; empty in JavaScript."""
    if not source.is_typescript:
        return ""
    annotation = callback.fields["parameters"].kids[1].fields.get("type")
    if annotation is None:
        raise _NotMoved("TypeScript needs a type for the variable that would keep its result")
    return f": ReturnType<{annotation.kids[0].text}>"


def _path_to(root: Node, offset: int) -> Sequence[Node]:
    """Return the nodes around an offset, from the outside in."""
    path: list[Node] = []
    node: Node | None = root
    while node is not None:
        path.append(node)
        node = next((kid for kid in node.kids if kid.start <= offset < kid.end), None)
    return path


def _is_bare_call(node: Node, offset: int) -> bool:
    """Return whether a node is a call such as `init()`, without arguments, that begins at an offset."""
    if node.type != "call_expression" or node.start != offset:
        return False
    arguments = node.fields.get("arguments")
    return node.fields["function"].type == "identifier" and arguments is not None and not arguments.kids


def _subscribed(path: Sequence[Node], init: str) -> tuple[Node, Node]:
    """Return the callback whose second parameter is `init`, and the call of subscribeEvent that it is an argument of.

    Raises _NotMoved when there is none, or when the callback uses `init` more than once.
    """
    for index in range(len(path) - 1, 1, -1):
        callback, caller = path[index], path[index - 2]
        if callback.type not in _FUNCTIONS or init not in (parameters := _parameter_names(callback)):
            continue
        is_caller = caller.type == "call_expression"
        if not is_caller or not caller.fields["function"].text.endswith("subscribeEvent"):
            break
        if parameters[1:2] != [init]:
            break
        if sum(node.type == "identifier" and node.text == init for node in callback.walk()) > 2:  # noqa: PLR2004
            raise _NotMoved(f"{init} is used elsewhere in the callback, too")
        return callback, caller
    raise _NotMoved(f"{init} is not the second parameter of a function that is written into subscribeEvent")


def _parameter_names(function: Node) -> list[str]:
    parameters = function.fields.get("parameters")
    kids = parameters.kids if parameters is not None else ()
    return [(kid.fields.get("pattern") or kid).text for kid in kids]


_EARLY_HINT = "call it first, before anything is awaited; setContent may come later"
_PAIR_HINT = "keep the contentHandler of the base event and call its setContent in the -updated callback"

INIT_EARLY = ScriptRule(
    id="init-early",
    hint=_EARLY_HINT,
    check=_moving("init-early", _EARLY_HINT, _to_the_beginning),
    acts=SUBSCRIBES,
)
"""The source of the rule: Apps Integration API, Client-side events, rules 1 and 2."""

UPDATED_PAIR = ScriptRule(
    id="updated-pair",
    hint=_PAIR_HINT,
    check=_moving("updated-pair", _PAIR_HINT, _to_the_base_event),
    acts=SUBSCRIBES,
)
"""The source of the rule: Apps Integration API, Client-side events, rule 1."""
