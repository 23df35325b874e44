"""Calls: what is called, as whose method, with what."""

from awning.check.budget import NESTING
from awning.check.page import early, foreign, methods
from awning.check.page.literals import items_of, literal_part
from awning.check.page.members import get
from awning.check.page.run import Run
from awning.check.page.throwing import is_present
from awning.check.page.values import (
    UNDEFINED,
    Arr,
    Obj,
    Scope,
    Steps,
    Sym,
    Value,
)
from awning.check.script.tree import Node

LINKS = {"member_expression", "subscript_expression", "call_expression"}


class CutShort(Exception):
    """`?.` has found nothing: the rest of its chain, `a?.b.c()`, is not run."""


def reference(run: Run, node: Node, scope: Scope) -> Steps:
    """`(owner, value)` of something that may be called as a method. Raises CutShort."""
    while node.type in {"parenthesized_expression", "non_null_expression"} and node.kids:
        node = node.kids[0]
    if node.type not in {"member_expression", "subscript_expression"}:
        return UNDEFINED, (yield from _link(run, node, scope))
    owner = yield from _link(run, node.fields["object"], scope)
    if "optional_chain" in node.fields and (early.is_null(run, owner) or not is_present(run, owner)):
        raise CutShort
    name: Value
    if node.type == "member_expression":
        name = node.fields["property"].text
    else:
        name = yield from run.evaluate(run, node.fields["index"], scope)
    if node.fields["object"].type == "super" and isinstance(owner, Obj):
        value = yield from get(run, owner, name, node)
        holder = scope.holder("this")
        return (holder.names["this"] if holder else UNDEFINED), value
    return owner, (yield from get(run, owner, name, node))


def _link(run: Run, node: Node, scope: Scope) -> Steps:
    """What stands before a `.`, `[` or `(`: a link of the same chain, or its beginning. Raises CutShort."""
    if node.type not in LINKS:
        return (yield from run.evaluate(run, node, scope))
    run.tick()
    nesting = run.nesting
    if nesting >= NESTING:
        return run.too_deep(node)
    run.nesting = nesting + 1
    try:
        if node.type == "call_expression":
            return (yield from _call(run, node, scope))
        return (yield from reference(run, node, scope))[1]
    finally:
        run.nesting = nesting


def member(run: Run, node: Node, scope: Scope) -> Steps:
    try:
        return (yield from reference(run, node, scope))[1]
    except CutShort:
        return UNDEFINED


def call(run: Run, node: Node, scope: Scope) -> Steps:
    try:
        return (yield from _call(run, node, scope))
    except CutShort:
        return UNDEFINED


def _call(run: Run, node: Node, scope: Scope) -> Steps:
    target = node.fields["function"]
    if target.type == "super":
        return (yield from _super(run, node, scope))
    owner, callee = yield from reference(run, target, scope)
    given = node.fields.get("arguments")
    asked = "optional_chain" in node.fields or "?." in node.marks
    if asked and not is_present(run, callee):
        raise CutShort
    if given is None or given.type == "template_string":
        args = (yield from _tagged(run, given, scope)) if given else []
    else:
        args = yield from items_of(run, given.kids, scope)
    if isinstance(callee, Sym) and isinstance(owner, Obj) and owner.kind in {"window", "document"}:
        owner = Sym(owner.kind)
    if isinstance(callee, Sym) and isinstance(owner, Sym) and target.type != "identifier":
        return (yield from methods.method(run, owner, callee, args, node))
    return (yield from run.call(run, callee, owner, args, node))


def _tagged(run: Run, node: Node, scope: Scope) -> Steps:
    """The arguments of a tag: the texts between, and the values."""
    texts, values = [""], []
    for kid in node.kids:
        if kid.type == "template_substitution":
            values.append((yield from run.evaluate(run, kid.kids[0], scope)))
            texts.append("")
        else:
            texts[-1] += literal_part(kid)
    return [Arr(list(texts)), *values]


def _super(run: Run, node: Node, scope: Scope) -> Steps:
    args = yield from items_of(run, node.fields["arguments"].kids, scope)
    holder = scope.holder("super")
    this = scope.holder("this")
    if holder is not None and this is not None:
        base = holder.names["super"]
        if isinstance(base, Obj) and "constructor" in base.props:
            yield from foreign.construct(run, base.props["constructor"], args, node, this.names["this"])
    return UNDEFINED


def new(run: Run, node: Node, scope: Scope) -> Steps:
    callee = yield from run.evaluate(run, node.fields["constructor"], scope)
    given = node.fields.get("arguments")
    args = (yield from items_of(run, given.kids, scope)) if given else []
    return (yield from foreign.construct(run, callee, args, node))
