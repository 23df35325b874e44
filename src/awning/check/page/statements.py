"""Statements: one function for each kind of node, found in a table."""

from collections.abc import Callable

from awning.check.page.conditions import binary, decide
from awning.check.page.expressions import settled
from awning.check.page.functions import closure, make_class
from awning.check.page.members import elements
from awning.check.page.patterns import assign_from, bind, declare_in
from awning.check.page.quiet import is_quiet
from awning.check.page.run import Left, Run, Thrown
from awning.check.page.values import UNDEFINED, Obj, Scope, Steps, Sym, Value
from awning.check.script.tree import Node

MOST_ROUNDS = 60


def execute(run: Run, node: Node, scope: Scope) -> Steps:
    member = STATEMENTS.get(node.type)
    if member is None:
        return (yield from run.evaluate(run, node, scope))
    run.tick()
    return (yield from member(run, node, scope))


def _all(run: Run, nodes: list[Node], scope: Scope) -> Steps:
    """Statements of one block, its functions first."""
    for kid in nodes:
        target = kid.fields.get("declaration", kid) if kid.type == "export_statement" else kid
        if target.type in {"function_declaration", "generator_function_declaration"}:
            scope.names[target.fields["name"].text] = closure(run, target, scope)
    for kid in nodes:
        yield from execute(run, kid, scope)
    return UNDEFINED


def _block(run: Run, node: Node, scope: Scope) -> Steps:
    return (yield from _all(run, node.kids, Scope(scope)))


def _program(run: Run, node: Node, scope: Scope) -> Steps:
    return (yield from _all(run, node.kids, scope))


def _expression(run: Run, node: Node, scope: Scope) -> Steps:
    for kid in node.kids:
        yield from run.evaluate(run, kid, scope)
    return UNDEFINED


def _declaration(run: Run, node: Node, scope: Scope) -> Steps:
    holder = scope.outer_function() if node.type == "variable_declaration" else scope
    for kid in node.kids:
        given = kid.fields.get("value")
        name = kid.fields.get("name")
        if name is None:
            continue
        if given is None:
            holder.names.setdefault(name.text, UNDEFINED) if holder is not scope else None
            if holder is scope:
                scope.names[name.text] = scope.names.get(name.text, UNDEFINED) if _var(node) else UNDEFINED
            continue
        value = yield from run.evaluate(run, given, scope)
        if hasattr(value, "name") and not value.name and name.type == "identifier":
            value.name = name.text
        yield from bind(run, name, value, scope, declare_in(holder))
    return UNDEFINED


def _var(node: Node) -> bool:
    return node.type == "variable_declaration"


def _if(run: Run, node: Node, scope: Scope) -> Steps:
    condition = yield from run.evaluate(run, node.fields["condition"], scope)
    one, other = node.fields["consequence"], node.fields.get("alternative")
    if isinstance(condition, Sym) and is_quiet(one) and (other is None or is_quiet(other)):
        return UNDEFINED
    if decide(run, condition):
        return (yield from execute(run, one, scope))
    if other is not None:
        yield from _all(run, other.kids, scope)
    return UNDEFINED


def _switch(run: Run, node: Node, scope: Scope) -> Steps:
    value = yield from run.evaluate(run, node.fields["value"], scope)
    cases = node.fields["body"].kids
    inside = Scope(scope)
    entry = next((i for i, case in enumerate(cases) if case.type == "switch_default"), None)
    for index, case in enumerate(cases):
        if case.type == "switch_case":
            wanted = yield from run.evaluate(run, case.fields["value"], inside)
            if decide(run, binary(run, "===", value, wanted)):
                entry = index
                break
    try:
        for case in cases[entry:] if entry is not None else ():
            yield from _all(run, [kid for kid in case.kids if kid is not case.fields.get("value")], inside)
    except Left as left:
        if left.how != "break" or left.label:
            raise
    return UNDEFINED


def _goes_on(left: Left, labels: tuple[str, ...]) -> bool:
    """Whether the loop continues; a break or return out of it is passed on."""
    if left.label and left.label not in labels:
        raise left
    if left.how == "continue":
        return True
    if left.how == "break":
        return False
    raise left


def _round(run: Run, node: Node, scope: Scope) -> Steps:
    """One time through a loop's body: whether it goes on."""
    try:
        yield from execute(run, node.fields["body"], scope)
    except Left as left:
        return _goes_on(left, _labels(node, scope))
    return True


def _labels(node: Node, scope: Scope) -> tuple[str, ...]:
    holder = scope.holder(" label")
    label = holder.names[" label"] if holder else None
    return (label[1],) if label and label[0] is node else ()


def _for(run: Run, node: Node, scope: Scope) -> Steps:
    inside = Scope(scope)
    if "initializer" in node.fields:
        yield from execute(run, node.fields["initializer"], inside)
    return (yield from _while(run, node, inside))


def _while(run: Run, node: Node, scope: Scope) -> Steps:
    """`for(;;)`, `while`: a condition on a symbol is a choice for two rounds, then false."""
    condition = node.fields.get("condition")
    if condition is not None and condition.type.endswith("_statement"):
        condition = condition.kids[0] if condition.kids else None
    unknown = 0
    for _ in range(MOST_ROUNDS):
        if condition is not None:
            value = yield from run.evaluate(run, condition, scope)
            unknown += isinstance(value, Sym)
            if unknown > 2 or not decide(run, value):
                break
        if not (yield from _round(run, node, scope)):
            break
        if "increment" in node.fields:
            yield from run.evaluate(run, node.fields["increment"], scope)
    return UNDEFINED


def _do(run: Run, node: Node, scope: Scope) -> Steps:
    if (yield from _round(run, node, scope)):
        yield from _while(run, node, scope)
    return UNDEFINED


def _for_in(run: Run, node: Node, scope: Scope) -> Steps:
    value = yield from run.evaluate(run, node.fields["right"], scope)
    if any(kid.type == "await" for kid in node.kids) or "for await" in node.text[:12]:
        yield
        value = settled(run, value)
    for item in _items(run, node, value):
        inside = Scope(scope)
        if isinstance(item, _Maybe):
            if not item.comes(run):
                break
            item = item.value  # noqa: PLW2901 - the element itself
        declares = "kind" in node.fields
        to = declare_in(inside) if declares else assign_from(scope)
        yield from bind(run, node.fields["left"], item, inside, to)
        if not (yield from _round(run, node, inside)):
            break
    return UNDEFINED


class _Maybe:
    """An element that may be there: the first or second of a list that is not known."""

    def __init__(self, symbol: Sym, index: int) -> None:
        self.symbol = symbol
        self.index = index
        self.value = Sym(f"{symbol.key}[{index}]"[:300], taint=symbol.taint)

    def comes(self, run: Run) -> bool:
        return at_least(run, self.symbol, self.index + 1)


def at_least(run: Run, symbol: Sym, count: int) -> bool:
    """Whether a list that is not known has that many elements."""
    length = Sym(f"{symbol.key}.length"[:300])
    return run.choices.holds(length, lambda n: isinstance(n, (int, float)) and n >= count, (count,))


def _items(run: Run, node: Node, value: Value) -> list[Value]:
    if node.fields["operator"].type == "in":
        known = elements(value)
        if known is not None:
            return [str(index) for index in range(len(known))]
        if isinstance(value, Obj):
            return list(value.props)
    else:
        known = elements(value)
        if known is not None:
            return list(known[:MOST_ROUNDS])
    keys = node.fields["operator"].type == "in"
    symbol = (
        Sym(value.key, taint=value.taint and not keys)
        if isinstance(value, Sym)
        else Sym(f"items:{node.start}")
    )
    return [_Maybe(symbol, 0), _Maybe(symbol, 1)]


def _try(run: Run, node: Node, scope: Scope) -> Steps:
    handler, last = node.fields.get("handler"), node.fields.get("finalizer")
    run.guarded += handler is not None
    guarded = handler is not None
    try:
        try:
            yield from execute(run, node.fields["body"], scope)
        finally:
            run.guarded -= guarded
    except Thrown as thrown:
        if handler is None:
            raise
        inside = Scope(scope)
        if "parameter" in handler.fields:
            yield from bind(run, handler.fields["parameter"], thrown.value, inside, declare_in(inside))
        yield from execute(run, handler.fields["body"], inside)
    finally:
        if last is not None:
            yield from execute(run, last.fields["body"], scope)
    return UNDEFINED


def _return(run: Run, node: Node, scope: Scope) -> Steps:
    value = (yield from run.evaluate(run, node.kids[0], scope)) if node.kids else UNDEFINED
    raise Left("return", value=value)


def _throw(run: Run, node: Node, scope: Scope) -> Steps:
    raise Thrown((yield from run.evaluate(run, node.kids[0], scope)))


def _leave(_run: Run, node: Node, _scope: Scope) -> Steps:
    label = node.fields["label"].text if "label" in node.fields else ""
    raise Left(node.type.removesuffix("_statement"), label=label)
    yield


def _labeled(run: Run, node: Node, scope: Scope) -> Steps:
    label = node.fields["label"].text
    inside = Scope(scope, names={" label": (node.fields["body"], label)})
    try:
        yield from execute(run, node.fields["body"], inside)
    except Left as left:
        if left.how != "break" or left.label != label:
            raise
    return UNDEFINED


def _class(run: Run, node: Node, scope: Scope) -> Steps:
    scope.names[node.fields["name"].text] = yield from make_class(run, node, scope)
    return UNDEFINED


def _enum(run: Run, node: Node, scope: Scope) -> Steps:
    made = Obj()
    for index, kid in enumerate(node.fields["body"].kids):
        if kid.type == "enum_assignment":
            made.props[kid.fields["name"].text] = yield from run.evaluate(run, kid.fields["value"], scope)
        else:
            made.props[kid.text] = index
    scope.names[node.fields["name"].text] = made
    return UNDEFINED


def _import(run: Run, node: Node, scope: Scope) -> Steps:
    source = node.fields["source"].text.strip("\"'") if "source" in node.fields else ""
    for kid in node.walk():
        if kid.type == "import_specifier":
            local = kid.fields.get("alias", kid.fields["name"]).text
            scope.names[local] = imported(run, source, kid.fields["name"].text, local)
        elif kid.type == "import_clause":
            for name in (one for one in kid.kids if one.type == "identifier"):
                scope.names[name.text] = Sym(name.text)
    return UNDEFINED
    yield


def imported(run: Run, source: str, name: str, local: str) -> Value:
    return run.page.names.get(f"import {source} {name}", Sym(local))


def _export(run: Run, node: Node, scope: Scope) -> Steps:
    inner = node.fields.get("declaration") or node.fields.get("value")
    if inner is not None:
        yield from execute(run, inner, scope)
    return UNDEFINED


def _nothing(_run: Run, _node: Node, _scope: Scope) -> Steps:
    return UNDEFINED
    yield


Member = Callable[[Run, Node, Scope], Steps]

STATEMENTS: dict[str, Member] = {
    **dict.fromkeys(("statement_block", "else_clause"), _block),
    **dict.fromkeys(("class_declaration", "abstract_class_declaration"), _class),
    **dict.fromkeys(("lexical_declaration", "variable_declaration"), _declaration),
    **dict.fromkeys(("break_statement", "continue_statement"), _leave),
    **dict.fromkeys(
        (
            "function_declaration",
            "generator_function_declaration",
            "empty_statement",
            "interface_declaration",
            "type_alias_declaration",
            "ambient_declaration",
            "function_signature",
        ),
        _nothing,
    ),
    "program": _program,
    "expression_statement": _expression,
    "if_statement": _if,
    "switch_statement": _switch,
    "for_statement": _for,
    "for_in_statement": _for_in,
    "while_statement": _while,
    "do_statement": _do,
    "try_statement": _try,
    "return_statement": _return,
    "throw_statement": _throw,
    "labeled_statement": _labeled,
    "enum_declaration": _enum,
    "import_statement": _import,
    "export_statement": _export,
}

__all__ = ["at_least", "execute"]
