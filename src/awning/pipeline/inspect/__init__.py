"""Phase 3: the problems of the widgets that are built. Nothing is written.

findings   what the check's rules report for each widget and each script
"""

from collections.abc import Mapping
from dataclasses import dataclass

from awning.diagnostics import Diagnostic
from awning.pipeline.cache.memory import Memory
from awning.pipeline.inspect.findings import Inspector
from awning.pipeline.read import NEVER_CANCELLED, Checkpoint, SourceSet
from awning.template.compiled_template import CompiledTemplate

__all__ = ["Inspection", "inspect_sources"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """The diagnostics of the phase.

    `refused` are those of the templates that were refused. If there are any, nothing can be built.
    """

    refused: tuple[Diagnostic, ...]
    findings: tuple[Diagnostic, ...]


def inspect_sources(
    sources: SourceSet,
    modules: Mapping[str, CompiledTemplate],
    memory: Memory,
    checkpoint: Checkpoint = NEVER_CANCELLED,
    *,
    all_rules: bool,
) -> Inspection:
    """Return the problems of the sources and of their compiled templates.

    Without `all_rules`, only the rules of `Inspector.disagreements` run.
    """
    inspector = Inspector(sources, modules, memory, checkpoint)
    findings = inspector.all_findings() if all_rules else inspector.disagreements()
    return Inspection(refused=refusals(modules), findings=tuple(findings))


def refusals(modules: Mapping[str, CompiledTemplate]) -> tuple[Diagnostic, ...]:
    """Return all diagnostics of the templates that were refused."""
    refused = [module for module in modules.values() if module.is_refused]
    return tuple(diagnostic for module in refused for diagnostic in module.diagnostics)
