"""Calls: what is called, as whose method, with what."""

from awning.check.page import foreign, methods
from awning.check.page.literals import items_of, literal_part
from awning.check.page.members import get
from awning.check.page.run import Run
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


def reference(run: Run, node: Node, scope: Scope) -> Steps:
    """`(owner, value)` of something that may be called as a method."""
    while node.type in {"parenthesized_expression", "non_null_expression"} and node.kids:
        node = node.kids[0]
    if node.type not in {"member_expression", "subscript_expression"}:
        return UNDEFINED, (yield from run.evaluate(run, node, scope))
    owner = yield from run.evaluate(run, node.fields["object"], scope)
    if "optional_chain" in node.fields and (owner is None or owner is UNDEFINED):
        return UNDEFINED, UNDEFINED
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


def call(run: Run, node: Node, scope: Scope) -> Steps:
    target = node.fields["function"]
    if target.type == "super":
        return (yield from _super(run, node, scope))
    owner, callee = yield from reference(run, target, scope)
    given = node.fields.get("arguments")
    asked = "optional_chain" in node.fields or "?." in node.marks
    if asked and (callee is None or callee is UNDEFINED):
        return UNDEFINED
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
