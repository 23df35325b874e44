"""Statements: one function for each kind of node, found in a table."""

from collections.abc import Callable

from awning.check.budget import NESTING
from awning.check.page.conditions import binary, decide
from awning.check.page.functions import closure, make_class
from awning.check.page.joined import either
from awning.check.page.loops import do, for_, for_in, while_
from awning.check.page.patterns import bind, declare_in, declare_var
from awning.check.page.quiet import is_quiet
from awning.check.page.run import Left, Run, Thrown
from awning.check.page.throwing import is_something
from awning.check.page.values import UNDEFINED, UNSET, Obj, Scope, Steps, Sym, Value
from awning.check.script.tree import Node


def execute(run: Run, node: Node, scope: Scope) -> Steps:
    member = STATEMENTS.get(node.type)
    if member is None:
        return (yield from run.evaluate(run, node, scope))
    run.tick()
    run.at = node.start
    nesting = run.nesting
    if nesting >= NESTING:
        return run.too_deep(node)
    run.nesting = nesting + 1
    try:
        return (yield from member(run, node, scope))
    finally:
        run.nesting = nesting


def _all(run: Run, nodes: list[Node], scope: Scope) -> Steps:
    """Statements of one block, its functions first."""
    for kid in nodes:
        for name in lexical_names(kid):
            scope.names[name] = UNSET
    for kid in nodes:
        target = kid.fields.get("declaration", kid) if kid.type == "export_statement" else kid
        if target.type in {"function_declaration", "generator_function_declaration"}:
            scope.names[target.fields["name"].text] = closure(run, target, scope)
    for kid in nodes:
        yield from execute(run, kid, scope)
    return UNDEFINED


_SIMPLE = {"identifier", "type_identifier", "shorthand_property_identifier_pattern"}


def lexical_names(node: Node) -> tuple[str, ...]:
    """The names that `let`, `const` and `class` declare, those deep in patterns left out."""
    if node.lexical is None:
        target = node.fields.get("declaration", node) if node.type == "export_statement" else node
        patterns: list[Node] = []
        if target.type == "lexical_declaration":
            patterns = [kid.fields["name"] for kid in target.kids if "name" in kid.fields]
        elif target.type in {"class_declaration", "abstract_class_declaration"}:
            patterns = [target.fields["name"]]
        names = [
            kid.text
            for pattern in patterns
            for kid in (pattern.kids if pattern.type in {"object_pattern", "array_pattern"} else [pattern])
            if kid.type in _SIMPLE
        ]
        node.lexical = tuple(names)
    return node.lexical


def _block(run: Run, node: Node, scope: Scope) -> Steps:
    return (yield from _all(run, node.kids, Scope(scope)))


def _program(run: Run, node: Node, scope: Scope) -> Steps:
    first = node.kids[0].text[1:11] if node.kids else ""
    if first == "use strict" or any(
        kid.type in {"import_statement", "export_statement"} for kid in node.kids
    ):
        run.strict.append((node.start, node.end))
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
        to = declare_var(run, holder) if _var(node) else declare_in(holder)
        yield from bind(run, name, value, scope, to)
    if not _var(node) and node.fields["kind"].text == "const":
        scope.constants |= set(lexical_names(node))
    return UNDEFINED


def _var(node: Node) -> bool:
    return node.type == "variable_declaration"


def _if(run: Run, node: Node, scope: Scope) -> Steps:
    one, other = node.fields["consequence"], node.fields.get("alternative")
    if either(
        run,
        node,
        lambda: run.evaluate(run, node.fields["condition"], scope),
        lambda: execute(run, one, scope),
        lambda: _all(run, other.kids if other else [], scope),
    ):
        return UNDEFINED
    condition = yield from run.evaluate(run, node.fields["condition"], scope)
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
            run.choices.assume(local, is_something)
        elif kid.type == "import_clause":
            for name in (one for one in kid.kids if one.type == "identifier"):
                scope.names[name.text] = Sym(name.text)
                run.choices.assume(name.text, is_something)
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

__all__ = ["execute"]
