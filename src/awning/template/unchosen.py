"""What an inline `if` without `else` leaves out: it prints nothing, and in Jinja2 it has no parts; a missing name has.

At run time both are undefined. So where the one may be what an attribute or item is taken of, undefined is an error.
"""

from jinja2 import nodes


def may_be_unchosen(node: nodes.Node) -> bool:
    if isinstance(node, nodes.CondExpr):
        return node.expr2 is None or may_be_unchosen(node.expr1) or may_be_unchosen(node.expr2)
    return any(map(may_be_unchosen, handed_through(node)))


def handed_through(node: nodes.Node) -> list[nodes.Node]:
    """The operands of `and` and `or`, and what `default` puts in: any may be the value of the whole."""
    if isinstance(node, (nodes.And, nodes.Or)):
        return [node.left, node.right]
    if isinstance(node, nodes.Filter) and node.name in {"d", "default"}:
        return [*node.args[:1], *(keyword.value for keyword in node.kwargs)]
    return []
