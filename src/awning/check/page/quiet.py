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
        for inner in reversed(list(node.walk())):  # what is inside comes before what holds it
            if inner.quiet is None:
                inner.quiet = inner.type not in _ACTS and all(kid.quiet for kid in inner.kids)
    return node.quiet is True
