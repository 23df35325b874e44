"""Values written out in a script: numbers, texts, objects, arrays."""

import math
import re

from awning.check.budget import ITEMS
from awning.check.page.conditions import added
from awning.check.page.functions import closure
from awning.check.page.members import elements
from awning.check.page.patterns import property_name
from awning.check.page.run import Run
from awning.check.page.throwing import require_iterable
from awning.check.page.values import (
    UNDEFINED,
    Arr,
    Obj,
    Scope,
    Steps,
    Sym,
    Value,
    as_number,
    show,
)
from awning.check.script.tree import Node

LONGEST_NUMBER = 200
"""Digits of a literal. A longer one is no number that a script means."""
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}


def number(_run: Run, node: Node, _scope: Scope) -> Steps:
    return literal_number(node.text.replace("_", "").rstrip("n"))
    yield


def literal_number(text: str) -> int | float:
    """Of a literal of JavaScript. A big integer is taken for a number."""
    if len(text) > LONGEST_NUMBER:
        return math.inf
    if re.fullmatch(r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+", text):
        return as_number(float(int(text, 0)))
    try:
        return as_number(float(text))
    except ValueError:  # of a script that cannot be read
        return math.nan


def string(run: Run, node: Node, _scope: Scope) -> Steps:
    return run.known_text("".join(literal_part(kid) for kid in node.kids))
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
            if isinstance(other, Obj):
                run.budget.spend(len(other.props) // 8)
                made.props.update(other.props)
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
            require_iterable(run, inner)
            known = elements(inner)
            run.budget.spend(len(known or ()) // 16)
            if known is None or len(items) + len(known) > max(ITEMS, len(nodes)):
                known = [run.symbol(f"{show(inner)}[]", inner, *(known or ()))]
            items += known
        elif kid.type == "hole":
            items.append(UNDEFINED)
        else:
            items.append((yield from run.evaluate(run, kid, scope)))
    return items


def array(run: Run, node: Node, scope: Scope) -> Steps:
    """A copy of a list that is not known, `[...list]`, is as long as that list, and not one element."""
    if [kid.type for kid in node.kids] == ["spread_element"]:
        inner = yield from run.evaluate(run, node.kids[0].kids[0], scope)
        require_iterable(run, inner)
        known = elements(inner)
        return run.known_list(list(known)) if known is not None else run.symbol(show(inner), inner)
    return Arr((yield from items_of(run, node.kids, scope)))
