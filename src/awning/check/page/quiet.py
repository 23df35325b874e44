"""Code that decides nothing: with a condition on a symbol before it, both ways need not be tried."""

from awning.check.script.tree import Node

_ACTS = frozenset({
    "call_expression", "new_expression", "assignment_expression", "augmented_assignment_expression",
    "update_expression", "return_statement", "throw_statement", "break_statement", "continue_statement",
    "await_expression", "yield_expression", "function_declaration", "variable_declaration",
    "class_declaration", "ERROR",
})  # fmt: skip


def is_quiet(node: Node) -> bool:
    """Whether running it changes no variable, calls nothing and leaves nothing."""
    if node.quiet is None:
        node.quiet = node.type not in _ACTS and all(is_quiet(kid) for kid in node.kids)
    return node.quiet
