"""Statements and loops: a table with one function for each type of node.

A loop over a symbolic list has zero, one or two rounds.
"""

from collections.abc import Callable

from awning.check.budget import NESTING, ROUNDS
from awning.check.interpreter import early_dom
from awning.check.interpreter.exceptions import is_not_nullish, require_iterable
from awning.check.interpreter.execution import AbruptCompletion, Execution, ThrownException, part_of
from awning.check.interpreter.functions import await_value, make_class, make_function
from awning.check.interpreter.joins import at_least, is_quiet, join_branches, join_loop
from awning.check.interpreter.operators import binary, decide
from awning.check.interpreter.patterns import assign_from, bind, declare_in, declare_var
from awning.check.interpreter.properties import elements
from awning.check.interpreter.values import UNDEFINED, UNSET, Environment, ObjectValue, Steps, Symbolic, Value
from awning.script.tree import Node


def _round(run: Execution, node: Node, scope: Environment) -> Steps:
    """Execute a loop's body once. Return whether the loop continues.

    Raises AbruptCompletion when the body leaves more than the loop: by `return`, or by a `break` or `continue` with the
    label of another statement.
    """
    try:
        yield from run.execute(run, node.fields["body"], scope)
    except AbruptCompletion as left:
        if left.label and left.label not in _labels(node, scope):
            raise
        if left.how == "continue":
            return True
        if left.how == "break":
            return False
        raise
    return True


def _labels(node: Node, scope: Environment) -> tuple[str, ...]:
    holder = scope.holder(" label")
    label = holder.names[" label"] if holder else None
    return (label[1],) if label and label[0] is node else ()


def for_(run: Execution, node: Node, scope: Environment) -> Steps:
    inside = Environment(scope)
    if "initializer" in node.fields:
        yield from run.execute(run, node.fields["initializer"], inside)
    return (yield from while_(run, node, inside))


def while_(run: Execution, node: Node, scope: Environment) -> Steps:
    """Execute `for(;;)` or `while`. A symbolic condition is a decision the first two times, and then false."""
    condition = node.fields.get("condition")
    if condition is not None and condition.type.endswith("_statement"):
        condition = condition.kids[0] if condition.kids else None
    first = node.fields.get("initializer")
    own = tuple(scope.names) if first is not None and first.type == "lexical_declaration" else ()
    unknown = 0
    for _ in range(ROUNDS):
        if condition is not None:
            value = yield from run.evaluate(run, condition, scope)
            unknown += isinstance(value, Symbolic)
            if unknown > 2 or not decide(run, value):
                break
        inside = Environment(scope, names={name: scope.names[name] for name in own})
        goes_on = yield from _round(run, node, inside)
        scope.names.update({name: inside.names[name] for name in own})
        if not goes_on:
            break
        if "increment" in node.fields:
            yield from run.evaluate(run, node.fields["increment"], scope)
    return UNDEFINED


def do(run: Execution, node: Node, scope: Environment) -> Steps:
    if (yield from _round(run, node, scope)):
        yield from while_(run, node, scope)
    return UNDEFINED


def for_in(run: Execution, node: Node, scope: Environment) -> Steps:
    value = yield from run.evaluate(run, node.fields["right"], scope)
    if any(kid.type == "await" for kid in node.kids) or "for await" in node.text[:12]:
        run.awaited = value
        yield
        value = await_value(run, value)
    if node.fields["operator"].type == "of":
        require_iterable(run, value)
        if early_dom.iterate(run, value, node):
            return UNDEFINED
    items = _elements_of(run, node, value)
    if items and isinstance(items[0], _PossibleElement):
        values = [item.value for item in items]
        if join_loop(run, node, items[0].symbol, lambda count: _rounds(run, node, values[:count], scope)):
            return UNDEFINED
    yield from _rounds(run, node, items, scope)
    return UNDEFINED


def _rounds(run: Execution, node: Node, items: list[Value], scope: Environment) -> Steps:
    for item in items:
        inside = Environment(scope)
        if isinstance(item, _PossibleElement):
            if not item.comes(run):
                break
            item = item.value  # noqa: PLW2901 - the element itself
        declares = "kind" in node.fields
        to = declare_in(inside) if declares else assign_from(run, scope)
        yield from bind(run, node.fields["left"], item, inside, to)
        if not (yield from _round(run, node, inside)):
            break
    return UNDEFINED


class _PossibleElement:
    """The first or second element of a symbolic list, which may be absent."""

    def __init__(self, symbol: Symbolic, index: int) -> None:
        self.symbol = symbol
        self.index = index
        self.value = part_of(symbol, f"{symbol.key}[{index}]")

    def comes(self, run: Execution) -> bool:
        return at_least(run, self.symbol, self.index + 1)


def _elements_of(run: Execution, node: Node, value: Value) -> list[Value]:
    if node.fields["operator"].type == "in":
        known = elements(value)
        if known is not None:
            return [str(index) for index in range(len(known))]
        if isinstance(value, ObjectValue):
            return list(value.props)
    else:
        known = elements(value)
        if known is not None:
            return list(known[:ROUNDS])
    keys = node.fields["operator"].type == "in"
    symbol = (
        Symbolic(value.key, taint="" if keys else value.taint)
        if isinstance(value, Symbolic)
        else Symbolic(f"items:{node.start}")
    )
    return [_PossibleElement(symbol, 0), _PossibleElement(symbol, 1)]


def execute(run: Execution, node: Node, scope: Environment) -> Steps:
    member = STATEMENTS.get(node.type)
    if member is None:
        return (yield from run.evaluate(run, node, scope))
    run.tick()
    run.offset = node.start
    nesting = run.nesting
    if nesting >= NESTING:
        return run.too_deep(node)
    run.nesting = nesting + 1
    try:
        return (yield from member(run, node, scope))
    finally:
        run.nesting = nesting


def _all(run: Execution, nodes: list[Node], scope: Environment) -> Steps:
    """Execute the statements of one block. Its functions are declared first."""
    for kid in nodes:
        for name in lexical_names(kid):
            scope.names[name] = UNSET
    for kid in nodes:
        target = kid.fields.get("declaration", kid) if kid.type == "export_statement" else kid
        if target.type in {"function_declaration", "generator_function_declaration"}:
            scope.names[target.fields["name"].text] = make_function(run, target, scope)
    for kid in nodes:
        yield from execute(run, kid, scope)
    return UNDEFINED


_SIMPLE = {"identifier", "type_identifier", "shorthand_property_identifier_pattern"}


def lexical_names(node: Node) -> tuple[str, ...]:
    """Return the names that a statement declares with `let`, `const` or `class`."""
    if node.lexical is None:
        target = node.fields.get("declaration", node) if node.type == "export_statement" else node
        patterns: list[Node] = []
        if target.type == "lexical_declaration":
            patterns = [kid.fields["name"] for kid in target.kids if "name" in kid.fields]
        elif target.type in {"class_declaration", "abstract_class_declaration"}:
            patterns = [target.fields["name"]]
        node.lexical = tuple(name for pattern in patterns for name in _bound_names(pattern))
    return node.lexical


def _bound_names(pattern: Node) -> list[str]:
    """Return the names that a pattern binds, at any depth, without its defaults and keys."""
    names: list[str] = []
    rest = [pattern]
    while rest:
        node = rest.pop()
        if node.type in _SIMPLE:
            names.append(node.text)
        elif node.type in {"object_pattern", "array_pattern", "rest_pattern"}:
            rest += node.kids
        elif (inner := node.fields.get("value" if node.type == "pair_pattern" else "left")) is not None:
            rest.append(inner)
    return names


def _block(run: Execution, node: Node, scope: Environment) -> Steps:
    return (yield from _all(run, node.kids, Environment(scope)))


def _program(run: Execution, node: Node, scope: Environment) -> Steps:
    first = node.kids[0].text[1:11] if node.kids else ""
    if first == "use strict" or any(
        kid.type in {"import_statement", "export_statement"} for kid in node.kids
    ):
        run.strict_ranges.append((node.start, node.end))
    return (yield from _all(run, node.kids, scope))


def _expression(run: Execution, node: Node, scope: Environment) -> Steps:
    for kid in node.kids:
        yield from run.evaluate(run, kid, scope)
    return UNDEFINED


def _declaration(run: Execution, node: Node, scope: Environment) -> Steps:
    holder = scope.outer_function() if node.type == "variable_declaration" else scope
    for kid in node.kids:
        initializer = kid.fields.get("value")
        name = kid.fields.get("name")
        if name is None:
            continue
        if initializer is None:
            holder.names.setdefault(name.text, UNDEFINED) if holder is not scope else None
            if holder is scope:
                scope.names[name.text] = scope.names.get(name.text, UNDEFINED) if _var(node) else UNDEFINED
            continue
        value = yield from run.evaluate(run, initializer, scope)
        if hasattr(value, "name") and not value.name and name.type == "identifier":
            value.name = name.text
        to = declare_var(run, holder) if _var(node) else declare_in(holder)
        yield from bind(run, name, value, scope, to)
    if not _var(node) and node.fields["kind"].text == "const":
        scope.constants |= set(lexical_names(node))
    return UNDEFINED


def _var(node: Node) -> bool:
    return node.type == "variable_declaration"


def _if(run: Execution, node: Node, scope: Environment) -> Steps:
    then, else_ = node.fields["consequence"], node.fields.get("alternative")
    if join_branches(
        run,
        node,
        lambda: run.evaluate(run, node.fields["condition"], scope),
        lambda: execute(run, then, scope),
        lambda: _all(run, else_.kids if else_ else [], scope),
    ):
        return UNDEFINED
    condition = yield from run.evaluate(run, node.fields["condition"], scope)
    if isinstance(condition, Symbolic) and is_quiet(then) and (else_ is None or is_quiet(else_)):
        return UNDEFINED
    if decide(run, condition):
        return (yield from execute(run, then, scope))
    if else_ is not None:
        yield from _all(run, else_.kids, scope)
    return UNDEFINED


def _switch(run: Execution, node: Node, scope: Environment) -> Steps:
    value = yield from run.evaluate(run, node.fields["value"], scope)
    cases = node.fields["body"].kids
    inside = Environment(scope)
    entry = next((i for i, case in enumerate(cases) if case.type == "switch_default"), None)
    for index, case in enumerate(cases):
        if case.type == "switch_case":
            case_value = yield from run.evaluate(run, case.fields["value"], inside)
            if decide(run, binary(run, "===", value, case_value)):
                entry = index
                break
    try:
        for case in cases[entry:] if entry is not None else ():
            yield from _all(run, [kid for kid in case.kids if kid is not case.fields.get("value")], inside)
    except AbruptCompletion as left:
        if left.how != "break" or left.label:
            raise
    return UNDEFINED


def _try(run: Execution, node: Node, scope: Environment) -> Steps:
    handler, last = node.fields.get("handler"), node.fields.get("finalizer")
    run.try_depth += handler is not None
    guarded = handler is not None
    try:
        try:
            yield from execute(run, node.fields["body"], scope)
        finally:
            run.try_depth -= guarded
    except ThrownException as thrown:
        if handler is None:
            raise
        inside = Environment(scope)
        if "parameter" in handler.fields:
            yield from bind(run, handler.fields["parameter"], thrown.value, inside, declare_in(inside))
        yield from execute(run, handler.fields["body"], inside)
    finally:
        if last is not None:
            yield from execute(run, last.fields["body"], scope)
    return UNDEFINED


def _return(run: Execution, node: Node, scope: Environment) -> Steps:
    value = (yield from run.evaluate(run, node.kids[0], scope)) if node.kids else UNDEFINED
    raise AbruptCompletion("return", value=value)


def _throw(run: Execution, node: Node, scope: Environment) -> Steps:
    raise ThrownException((yield from run.evaluate(run, node.kids[0], scope)))


def _break_or_continue(_run: Execution, node: Node, _scope: Environment) -> Steps:
    label = node.fields["label"].text if "label" in node.fields else ""
    raise AbruptCompletion(node.type.removesuffix("_statement"), label=label)
    yield


def _labeled(run: Execution, node: Node, scope: Environment) -> Steps:
    label = node.fields["label"].text
    inside = Environment(scope, names={" label": (node.fields["body"], label)})
    try:
        yield from execute(run, node.fields["body"], inside)
    except AbruptCompletion as left:
        if left.how != "break" or left.label != label:
            raise
    return UNDEFINED


def _class(run: Execution, node: Node, scope: Environment) -> Steps:
    scope.names[node.fields["name"].text] = yield from make_class(run, node, scope)
    return UNDEFINED


def _enum(run: Execution, node: Node, scope: Environment) -> Steps:
    members = ObjectValue()
    for index, kid in enumerate(node.fields["body"].kids):
        if kid.type == "enum_assignment":
            members.props[kid.fields["name"].text] = yield from run.evaluate(run, kid.fields["value"], scope)
        else:
            members.props[kid.text] = index
    scope.names[node.fields["name"].text] = members
    return UNDEFINED


def _import(run: Execution, node: Node, scope: Environment) -> Steps:
    source = node.fields["source"].text.strip("\"'") if "source" in node.fields else ""
    for kid in node.walk():
        if kid.type == "import_specifier":
            local = kid.fields.get("alias", kid.fields["name"]).text
            scope.names[local] = imported(run, source, kid.fields["name"].text, local)
            run.path.assume(local, is_not_nullish)
        elif kid.type == "import_clause":
            for name in (child for child in kid.kids if child.type == "identifier"):
                scope.names[name.text] = Symbolic(name.text)
                run.path.assume(name.text, is_not_nullish)
    return UNDEFINED
    yield


def imported(run: Execution, source: str, name: str, local: str) -> Value:
    return run.page.names.get(f"import {source} {name}", Symbolic(local))


def _export(run: Execution, node: Node, scope: Environment) -> Steps:
    inner = node.fields.get("declaration") or node.fields.get("value")
    if inner is not None:
        yield from execute(run, inner, scope)
    return UNDEFINED


def _nothing(_run: Execution, _node: Node, _scope: Environment) -> Steps:
    return UNDEFINED
    yield


Member = Callable[[Execution, Node, Environment], Steps]

STATEMENTS: dict[str, Member] = {
    **dict.fromkeys(("statement_block", "else_clause"), _block),
    **dict.fromkeys(("class_declaration", "abstract_class_declaration"), _class),
    **dict.fromkeys(("lexical_declaration", "variable_declaration"), _declaration),
    **dict.fromkeys(("break_statement", "continue_statement"), _break_or_continue),
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
    "for_statement": for_,
    "for_in_statement": for_in,
    "while_statement": while_,
    "do_statement": do,
    "try_statement": _try,
    "return_statement": _return,
    "throw_statement": _throw,
    "labeled_statement": _labeled,
    "enum_declaration": _enum,
    "import_statement": _import,
    "export_statement": _export,
}
