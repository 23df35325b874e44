"""Phase 4b: lowering of statements, one family per file. `TABLE` has the function for each type of node.

A test walks the concrete subclasses of `jinja2.nodes.Stmt`: each one is in `TABLE` or refused by name in `REFUSED`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from jinja2 import nodes

from awning.template.emit import Statement
from awning.template.frame import Frame, StatementCompiler
from awning.template.statements import (
    assignments,
    control,
    macros,
    output,
    templates,
)

TABLE: Mapping[type[nodes.Node], StatementCompiler] = MappingProxyType(
    {
        nodes.Assign: assignments.assign,
        nodes.AssignBlock: assignments.assign_block,
        nodes.Block: templates.block,
        nodes.CallBlock: macros.call_block,
        nodes.Extends: templates.extends,
        nodes.FilterBlock: assignments.filter_block,
        nodes.For: control.for_loop,
        nodes.FromImport: templates.from_import,
        nodes.If: control.condition_statement,
        nodes.Import: templates.import_,
        nodes.Include: templates.include,
        nodes.Macro: macros.macro,
        nodes.Output: output.output,
        nodes.ScopedEvalContextModifier: control.autoescape,
        nodes.Scope: control.scope,
        nodes.With: control.with_,
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
    """Lower one statement.

    Raises TemplateRefusal when its kind is not supported, or the function for its kind refuses it.
    """
    lower = TABLE.get(type(node))
    if lower is None:
        reason = REFUSED.get(type(node), "it is not known to the compiler")
        raise frame.refuse(
            "template-unsupported", f"{type(node).__name__} cannot be compiled: {reason}", node
        )
    return lower(node, frame)
