"""The limit of nesting in a template, and the larger stack on which deeply nested templates are compiled.

Jinja2's parser and the compiler's phases recurse into a template. A template that overflows Python's usual stack is
compiled again on a larger stack. There it is refused if anything is nested more than `DEEPEST` deep: brackets in one
expression, steps of one expression (operators, attributes, filters, calls), or tags in tags. A comparison with
more than `DEEPEST` operators is refused, too. Several `~` or `elif` in a row do not count as nested.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

from jinja2 import nodes

from awning.template.refusals import TemplateRefusal, TemplateSource

DEEPEST = 500
RULE = "template-nesting"

_STACK = 256 * 1024 * 1024
"""The size of the larger stack in bytes. The system allocates only the used part."""
_FRAMES = 40_000
"""The recursion limit. `DEEPEST` tags around an expression of `DEEPEST` steps and brackets need about half of it."""
_ONE_AT_A_TIME = threading.Lock()
"""Held while the stack size and the recursion limit are changed, because they are settings of the whole process."""

_BODIES = frozenset({"autoescape", "block", "call", "filter", "for", "if", "macro", "set", "with"})
_SPLIT_TAGS = "move the inner part into a macro, or into an included template"
_SPLIT_EXPRESSION = "name its parts with {% set %}; join texts with ~"

_WITH_BODIES = (
    nodes.AssignBlock,
    nodes.Block,
    nodes.CallBlock,
    nodes.FilterBlock,
    nodes.For,
    nodes.If,
    nodes.Macro,
    nodes.ScopedEvalContextModifier,
    nodes.With,
)

Token = tuple[int, str, str]
Result = TypeVar("Result")


def on_large_stack(act: Callable[[], Result]) -> Result:
    """Call `act` in a thread with a larger stack, and return its result.

    Raises whatever `act` raises.
    """
    outcome: list[Result] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(act())
        except BaseException as error:  # noqa: BLE001 - it is raised again where it was asked for
            raised.append(error)

    with _ONE_AT_A_TIME:
        frames, stack = sys.getrecursionlimit(), threading.stack_size(_STACK)
        sys.setrecursionlimit(max(frames, _FRAMES))
        try:
            thread = threading.Thread(target=run, name="large stack")
            thread.start()
            thread.join()
        finally:
            threading.stack_size(stack)
            sys.setrecursionlimit(frames)
    if raised:
        raise raised[0]
    return outcome[0]


def within_depth(tokens: Iterator[Token], source: TemplateSource) -> Iterator[Token]:
    """Yield Jinja2's raw tokens unchanged. Raises TemplateRefusal when brackets or tags are nested too deeply."""
    brackets = tags = 0
    begun = setting = False
    for token in tokens:
        at, kind, value = token
        if kind == "operator":
            brackets += (value in {"(", "[", "{"}) - (value in {")", "]", "}"})
            if setting and value == "=" and not brackets:
                tags, setting = tags - 1, False
        elif kind in {"block_begin", "variable_begin"}:
            brackets, begun, setting = 0, kind == "block_begin", False
        elif begun and kind == "name":
            begun, setting = False, value == "set"
            tags += (value in _BODIES) - (value.startswith("end"))
        if brackets > DEEPEST:
            raise _refused("brackets", _SPLIT_EXPRESSION, at, source)
        if tags > DEEPEST:
            raise _refused("tags", _SPLIT_TAGS, at, source)
        yield token


def check_depth(tree: nodes.Template, source: TemplateSource) -> None:
    """Check a tree. Raises TemplateRefusal when tags or expressions are too deep, or a comparison is too long."""
    waiting: list[tuple[nodes.Node, int, int]] = [(tree, 0, 0)]
    while waiting:
        node, tags, steps = waiting.pop()
        if tags > DEEPEST:
            raise _refused("tags", _SPLIT_TAGS, node.lineno, source)
        if steps > DEEPEST or (isinstance(node, nodes.Compare) and len(node.ops) > DEEPEST):
            raise _refused("the steps of an expression", _SPLIT_EXPRESSION, node.lineno, source)
        arms = {id(arm) for arm in node.elif_} if isinstance(node, nodes.If) else ()
        for child in node.iter_child_nodes():
            if isinstance(child, nodes.Stmt):
                deeper = isinstance(child, _WITH_BODIES) and id(child) not in arms
                waiting.append((child, tags + deeper, 0))
            else:
                waiting.append((child, tags, steps + isinstance(child, nodes.Expr)))


def too_deep(source: TemplateSource) -> TemplateRefusal:
    """Return the refusal of a template that is nested too deeply at an unknown place."""
    return _refused("tags or expressions", _SPLIT_TAGS, source.at(0), source)


def _refused(what: str, hint: str, at: int, source: TemplateSource) -> TemplateRefusal:
    return TemplateRefusal(RULE, f"{what} are nested more than {DEEPEST} deep", at=at, hint=hint).inside(
        source
    )
