"""Expressions: one function for each kind of node, found in a table."""

import re
from collections.abc import Callable

from awning.check.page import foreign
from awning.check.page.conditions import added, binary, decide, decide_nullish, negated, typed
from awning.check.page.functions import closure, make_class
from awning.check.page.members import elements, get
from awning.check.page.patterns import assign_from, assign_member, bind, property_name
from awning.check.page.quiet import is_quiet
from awning.check.page.run import Run, Thrown, is_tainted
from awning.check.page.values import (
    UNDEFINED,
    Arr,
    Obj,
    Promise,
    Scope,
    Steps,
    Sym,
    Value,
    is_primitive,
    show,
)
from awning.check.script.tree import Node

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}


def evaluate(run: Run, node: Node, scope: Scope) -> Steps:
    run.tick()
    member = EXPRESSIONS.get(node.type)
    if member is not None:
        return (yield from member(run, node, scope))
    for kid in node.kids:
        yield from run.execute(run, kid, scope)
    return run.symbol(f"{node.type}:{node.start}")


def _inner(run: Run, node: Node, scope: Scope) -> Steps:
    """Parentheses, casts, `x!`."""
    return (yield from evaluate(run, node.kids[0], scope)) if node.kids else UNDEFINED


def _name(run: Run, node: Node, scope: Scope) -> Steps:
    holder = scope.holder(node.text)
    return holder.names[node.text] if holder is not None else Sym(node.text)
    yield


def _number(_run: Run, node: Node, _scope: Scope) -> Steps:
    text = node.text.replace("_", "").rstrip("n")
    try:
        return int(text, 0) if re.fullmatch(r"0[xXoObB]\w+|\d+", text) else float(text)
    except ValueError:
        return float("nan")
    yield


def _string(_run: Run, node: Node, _scope: Scope) -> Steps:
    return "".join(literal_part(kid) for kid in node.kids)
    yield


def literal_part(kid: Node) -> str:
    if kid.type != "escape_sequence":
        return kid.text
    code = kid.text[1:]
    if found := re.fullmatch(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}", code):
        return chr(min(int(next(filter(None, found.groups())), 16), 0x10FFFF))
    return _ESCAPES.get(code, code)


def _template(run: Run, node: Node, scope: Scope) -> Steps:
    text: Value = ""
    for kid in node.kids:
        part: Value = literal_part(kid)
        if kid.type == "template_substitution":
            part = yield from evaluate(run, kid.kids[0], scope)
        text = added(run, text, part)
    return text


def _object(run: Run, node: Node, scope: Scope) -> Steps:
    made = Obj()
    for kid in node.kids:
        if kid.type == "spread_element":
            other = yield from evaluate(run, kid.kids[0], scope)
            made.props.update(other.props if isinstance(other, Obj) else {})
        elif kid.type == "shorthand_property_identifier":
            made.props[kid.text] = yield from _name(run, kid, scope)
        elif kid.type == "method_definition":
            yield from _method(run, kid, scope, made)
        elif kid.type == "pair":
            name = yield from property_name(run, kid.fields["key"], scope)
            made.props[show(name) if isinstance(name, Sym) else str(name)] = yield from evaluate(
                run, kid.fields["value"], scope
            )
    return made


def _method(run: Run, node: Node, scope: Scope, made: Obj) -> Steps:
    name = yield from property_name(run, node.fields["name"], scope)
    function = closure(run, node, scope)
    if "get" in node.marks:
        made.getters[str(name)] = function
    elif "set" not in node.marks:
        made.props[str(name)] = function
    return UNDEFINED


def items_of(run: Run, nodes: list[Node], scope: Scope) -> Steps:
    """Values of array elements or arguments, with what is spread among them."""
    items: list[Value] = []
    for kid in nodes:
        if kid.type == "spread_element":
            inner = yield from evaluate(run, kid.kids[0], scope)
            known = elements(inner)
            items += known if known is not None else [run.symbol(f"{show(inner)}[]", inner)]
        elif kid.type == "hole":
            items.append(UNDEFINED)
        else:
            items.append((yield from evaluate(run, kid, scope)))
    return items


def _array(run: Run, node: Node, scope: Scope) -> Steps:
    return Arr((yield from items_of(run, node.kids, scope)))


def _function(run: Run, node: Node, scope: Scope) -> Steps:
    return closure(run, node, scope)
    yield


def _class(run: Run, node: Node, scope: Scope) -> Steps:
    return (yield from make_class(run, node, scope))


def _member(run: Run, node: Node, scope: Scope) -> Steps:
    _, value = yield from reference(run, node, scope)
    return value


def reference(run: Run, node: Node, scope: Scope) -> Steps:
    """`(owner, value)` of something that may be called as a method."""
    while node.type in {"parenthesized_expression", "non_null_expression"} and node.kids:
        node = node.kids[0]
    if node.type not in {"member_expression", "subscript_expression"}:
        return UNDEFINED, (yield from evaluate(run, node, scope))
    owner = yield from evaluate(run, node.fields["object"], scope)
    if "optional_chain" in node.fields and (owner is None or owner is UNDEFINED):
        return UNDEFINED, UNDEFINED
    name: Value
    if node.type == "member_expression":
        name = node.fields["property"].text
    else:
        name = yield from evaluate(run, node.fields["index"], scope)
    if node.fields["object"].type == "super" and isinstance(owner, Obj):
        value = yield from get(run, owner, name, node)
        holder = scope.holder("this")
        return (holder.names["this"] if holder else UNDEFINED), value
    return owner, (yield from get(run, owner, name, node))


def _call(run: Run, node: Node, scope: Scope) -> Steps:
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
        return (yield from foreign.method(run, owner, callee, args, node))
    return (yield from run.call(run, callee, owner, args, node))


def _tagged(run: Run, node: Node, scope: Scope) -> Steps:
    """The arguments of a tag: the texts between, and the values."""
    texts, values = [""], []
    for kid in node.kids:
        if kid.type == "template_substitution":
            values.append((yield from evaluate(run, kid.kids[0], scope)))
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


def _new(run: Run, node: Node, scope: Scope) -> Steps:
    callee = yield from evaluate(run, node.fields["constructor"], scope)
    given = node.fields.get("arguments")
    args = (yield from items_of(run, given.kids, scope)) if given else []
    return (yield from foreign.construct(run, callee, args, node))


def _assignment(run: Run, node: Node, scope: Scope) -> Steps:
    left, right = node.fields["left"], node.fields["right"]
    value = yield from evaluate(run, right, scope)
    yield from store(run, left, value, scope)
    return value


def store(run: Run, left: Node, value: Value, scope: Scope) -> Steps:
    if left.type in {"member_expression", "subscript_expression"}:
        return (yield from assign_member(run, left, value, scope))
    return (yield from bind(run, left, value, scope, assign_from(scope)))


def _augmented(run: Run, node: Node, scope: Scope) -> Steps:
    left, sign = node.fields["left"], node.fields["operator"].type[:-1]
    old = yield from evaluate(run, left, scope)
    if sign in {"||", "&&", "??"}:
        if not _goes_on(run, sign, old):
            return old
        value = yield from evaluate(run, node.fields["right"], scope)
    else:
        value = binary(run, sign, old, (yield from evaluate(run, node.fields["right"], scope)))
    yield from store(run, left, value, scope)
    return value


def _goes_on(run: Run, sign: str, left: Value) -> bool:
    """Whether `&&`, `||` or `??` looks at its right side."""
    if sign == "??":
        return decide_nullish(run, left)
    return decide(run, left) is (sign == "&&")


def _update(run: Run, node: Node, scope: Scope) -> Steps:
    target = node.fields["argument"]
    old = yield from evaluate(run, target, scope)
    value = binary(run, "-", old, -1 if node.fields["operator"].type == "++" else 1)
    yield from store(run, target, value, scope)
    return old if node.start == target.start else value


def _unary(run: Run, node: Node, scope: Scope) -> Steps:
    sign, argument = node.fields["operator"].type, node.fields["argument"]
    value = yield from evaluate(run, argument, scope)
    if sign == "!":
        return negated(value)
    if sign == "typeof":
        return typed(value)
    if sign in {"void", "delete"}:
        if sign == "delete" and argument.type == "member_expression":
            yield from store(run, argument, UNDEFINED, scope)
        return UNDEFINED
    if sign in "+-" and isinstance(value, (int, float)):
        return -value if sign == "-" else value
    return Sym(f"{sign}{show(value)}"[:300])


def _binary(run: Run, node: Node, scope: Scope) -> Steps:
    sign = node.fields["operator"].type
    left = yield from evaluate(run, node.fields["left"], scope)
    if sign in {"&&", "||", "??"}:
        if sign != "&&" and isinstance(left, Sym) and _plain_text(run, node.fields["right"]):
            return run.symbol(f"({left.key}{sign}{node.fields['right'].text})", left)
        return (yield from evaluate(run, node.fields["right"], scope)) if _goes_on(run, sign, left) else left
    right = yield from evaluate(run, node.fields["right"], scope)
    return binary(run, sign, left, right)


def _plain_text(run: Run, node: Node) -> bool:
    """A default that decides nothing: `item.name || "?"`."""
    quoted = node.type == "string" and run.dialect.event_prefix not in node.text
    return quoted or node.type == "number"


def _ternary(run: Run, node: Node, scope: Scope) -> Steps:
    condition = yield from evaluate(run, node.fields["condition"], scope)
    one, other = node.fields["consequence"], node.fields["alternative"]
    if isinstance(condition, Sym) and is_quiet(one) and is_quiet(other):
        first = yield from evaluate(run, one, scope)
        second = yield from evaluate(run, other, scope)
        if _joins(run, first) and _joins(run, second):
            return Sym(
                f"({condition.key}?{show(first)}:{show(second)})"[:300],
                taint=is_tainted(first) or is_tainted(second),
            )
        return first if decide(run, condition) else second
    return (yield from evaluate(run, one if decide(run, condition) else other, scope))


def _joins(run: Run, value: Value) -> bool:
    if isinstance(value, str):
        return not value.startswith(run.dialect.event_prefix) and "updated" not in value
    return isinstance(value, Sym) or (is_primitive(value) and not isinstance(value, bool))


def _await(run: Run, node: Node, scope: Scope) -> Steps:
    value = yield from evaluate(run, node.kids[0], scope)
    yield
    return settled(run, value)


def settled(run: Run, value: Value) -> Value:
    """What `await` gives."""
    if isinstance(value, Promise):
        if value.rejected and run.guarded:
            raise Thrown(value.value)
        return value.value
    if isinstance(value, Sym):
        if run.guarded and not run.choices.choose(f"kept {value.key}"):
            raise Thrown(run.symbol("error"))
        return run.symbol(f"await {value.key}", value)
    return value


def _yield(run: Run, node: Node, scope: Scope) -> Steps:
    value = (yield from evaluate(run, node.kids[0], scope)) if node.kids else UNDEFINED
    if run.collected:
        known = elements(value) if "*" in node.marks else None
        run.collected[-1].extend(known if known is not None else [value])
    return run.symbol(f"yield:{node.start}")


def _sequence(run: Run, node: Node, scope: Scope) -> Steps:
    value: Value = UNDEFINED
    for kid in node.kids:
        value = yield from evaluate(run, kid, scope)
    return value


def _constant(value: Value) -> "Member":
    def constant(_run: Run, _node: Node, _scope: Scope) -> Steps:
        return value
        yield

    return constant


def _type(run: Run, node: Node, _scope: Scope) -> Steps:
    return run.symbol(f"{node.type}:{node.text}")
    yield


Member = Callable[[Run, Node, Scope], Steps]

EXPRESSIONS: dict[str, Member] = {
    **dict.fromkeys(
        (
            "parenthesized_expression",
            "as_expression",
            "satisfies_expression",
            "non_null_expression",
            "spread_element",
            "instantiation_expression",
        ),
        _inner,
    ),
    **dict.fromkeys(("identifier", "this", "super", "property_identifier"), _name),
    **dict.fromkeys(("function_expression", "arrow_function", "generator_function", "function"), _function),
    **dict.fromkeys(("member_expression", "subscript_expression"), _member),
    **dict.fromkeys(("regex", "meta_property", "import", "predefined_type"), _type),
    "type_assertion": lambda run, node, scope: evaluate(run, node.kids[-1], scope),
    "number": _number,
    "string": _string,
    "template_string": _template,
    "object": _object,
    "array": _array,
    "class": _class,
    "call_expression": _call,
    "new_expression": _new,
    "assignment_expression": _assignment,
    "augmented_assignment_expression": _augmented,
    "update_expression": _update,
    "unary_expression": _unary,
    "binary_expression": _binary,
    "ternary_expression": _ternary,
    "await_expression": _await,
    "yield_expression": _yield,
    "sequence_expression": _sequence,
    "undefined": _constant(UNDEFINED),
    "null": _constant(None),
    "true": _constant(True),
    "false": _constant(False),
}

__all__ = ["evaluate"]
