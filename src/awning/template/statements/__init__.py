"""Phase 4b: statements, one family a file; this table is the whole list.

A test walks the concrete subclasses of `jinja2.nodes.Stmt`: each one is in `TABLE` or refused by name in `REFUSED`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from jinja2 import nodes

from awning.template.emit import Statement
from awning.template.frame import Frame, StatementCompiler
from awning.template.statements import (
    assign,
    blocks,
    conditions,
    filter_block,
    includes,
    loops,
    macros,
    output,
    scoping,
)

TABLE: Mapping[type[nodes.Node], StatementCompiler] = MappingProxyType(
    {
        nodes.Assign: assign.assign,
        nodes.AssignBlock: assign.assign_block,
        nodes.Block: blocks.block,
        nodes.CallBlock: macros.call_block,
        nodes.Extends: blocks.extends,
        nodes.FilterBlock: filter_block.filter_block,
        nodes.For: loops.for_loop,
        nodes.FromImport: includes.from_import,
        nodes.If: conditions.condition_statement,
        nodes.Import: includes.import_,
        nodes.Include: includes.include,
        nodes.Macro: macros.macro,
        nodes.Output: output.output,
        nodes.ScopedEvalContextModifier: scoping.autoescape,
        nodes.Scope: scoping.scope,
        nodes.With: scoping.with_,
    }
)

REFUSED: Mapping[type[nodes.Node], str] = MappingProxyType(
    {
        nodes.Break: "it needs the loopcontrols extension",
        nodes.Continue: "it needs the loopcontrols extension",
        nodes.EvalContextModifier: "only extensions make it",
        nodes.ExprStmt: "it needs the do extension",
        nodes.OverlayScope: "only extensions make it",
        nodes.Template: "a template is compiled by its include, import or extends",
    }
)


def statement(node: nodes.Node, frame: Frame) -> list[Statement]:
    """Compile one statement."""
    found = TABLE.get(type(node))
    if found is None:
        reason = REFUSED.get(type(node), "it is not known to the compiler")
        raise frame.refuse(
            "template-unsupported", f"{type(node).__name__} cannot be compiled: {reason}", node
        )
    return found(node, frame)
