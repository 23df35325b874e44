"""Values written out in a script: numbers, texts, objects, arrays."""

import re

from awning.check.page.conditions import added
from awning.check.page.functions import closure
from awning.check.page.members import elements
from awning.check.page.patterns import property_name
from awning.check.page.run import Run
from awning.check.page.values import (
    UNDEFINED,
    Arr,
    Obj,
    Scope,
    Steps,
    Sym,
    Value,
    show,
)
from awning.check.script.tree import Node

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}


def number(_run: Run, node: Node, _scope: Scope) -> Steps:
    text = node.text.replace("_", "").rstrip("n")
    try:
        return int(text, 0) if re.fullmatch(r"0[xXoObB]\w+|\d+", text) else float(text)
    except ValueError:
        return float("nan")
    yield


def string(_run: Run, node: Node, _scope: Scope) -> Steps:
    return "".join(literal_part(kid) for kid in node.kids)
    yield


def literal_part(kid: Node) -> str:
    if kid.type != "escape_sequence":
        return kid.text
    code = kid.text[1:]
    if found := re.fullmatch(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}", code):
        return chr(min(int(next(filter(None, found.groups())), 16), 0x10FFFF))
    return _ESCAPES.get(code, code)


def template(run: Run, node: Node, scope: Scope) -> Steps:
    text: Value = ""
    for kid in node.kids:
        part: Value = literal_part(kid)
        if kid.type == "template_substitution":
            part = yield from run.evaluate(run, kid.kids[0], scope)
        text = added(run, text, part)
    return text


def object_(run: Run, node: Node, scope: Scope) -> Steps:
    made = Obj()
    for kid in node.kids:
        if kid.type == "spread_element":
            other = yield from run.evaluate(run, kid.kids[0], scope)
            made.props.update(other.props if isinstance(other, Obj) else {})
        elif kid.type == "shorthand_property_identifier":
            made.props[kid.text] = yield from run.evaluate(run, kid, scope)
        elif kid.type == "method_definition":
            yield from _method(run, kid, scope, made)
        elif kid.type == "pair":
            name = yield from property_name(run, kid.fields["key"], scope)
            made.props[show(name) if isinstance(name, Sym) else str(name)] = yield from run.evaluate(
                run, kid.fields["value"], scope
            )
    return made


def _method(run: Run, node: Node, scope: Scope, made: Obj) -> Steps:
    name = yield from property_name(run, node.fields["name"], scope)
    function = closure(run, node, scope)
    if "get" in node.marks:
        made.getters[str(name)] = function
    elif "set" in node.marks:
        made.setters[str(name)] = function
    else:
        made.props[str(name)] = function
    return UNDEFINED


def items_of(run: Run, nodes: list[Node], scope: Scope) -> Steps:
    """Values of array elements or arguments, with what is spread among them."""
    items: list[Value] = []
    for kid in nodes:
        if kid.type == "spread_element":
            inner = yield from run.evaluate(run, kid.kids[0], scope)
            known = elements(inner)
            items += known if known is not None else [run.symbol(f"{show(inner)}[]", inner)]
        elif kid.type == "hole":
            items.append(UNDEFINED)
        else:
            items.append((yield from run.evaluate(run, kid, scope)))
    return items


def array(run: Run, node: Node, scope: Scope) -> Steps:
    """A copy of a list that is not known, `[...list]`, is as long as that list, and not one element."""
    if [kid.type for kid in node.kids] == ["spread_element"]:
        inner = yield from run.evaluate(run, node.kids[0].kids[0], scope)
        known = elements(inner)
        return Arr(list(known)) if known is not None else run.symbol(show(inner), inner)
    return Arr((yield from items_of(run, node.kids, scope)))
