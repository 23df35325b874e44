"""Budgets without building: what the last build weighed, as its record says.

Where the sources are what they were then, a snippet over its budget is an error; where they have changed since, a note.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from awning.build_record import BuildRecord, read_build_record
from awning.diagnostics import Diagnostic, Place, Severity
from awning.errors import ConfigurationError
from awning.pipeline.assemble import budget_place
from awning.pipeline.files import SourceFile
from awning.pipeline.units import APP
from awning.snippet import Weight, over_budget
from awning.workspace import Workspace

DIST = "dist"


def budgets_as_built(
    workspace: Workspace, files: Mapping[str, SourceFile], units: Collection[str]
) -> Iterator[Diagnostic]:
    """Of the `units`, widgets and the app; nothing is said of what was never built."""
    allowed = {widget.name: widget.budget for widget in workspace.widgets} | {APP: workspace.budget}
    limited = [unit for unit in units if allowed.get(unit) is not None]
    try:
        record = read_build_record(workspace.root / DIST) if limited else None
    except ConfigurationError:
        return
    for unit in limited:
        built = record.snippet("body", unit=unit) if record else None
        over = over_budget(unit, Weight(built.bytes, built.gzip), allowed[unit]) if built else None
        if record and over:
            place = budget_place(unit, workspace.root)
            yield (
                replace(over, place=place)
                if _is_current(record, unit, files)
                else _as_last_built(over, place)
            )


def _as_last_built(over: Diagnostic, place: Place) -> Diagnostic:
    message = f"{over.message}, as it was last built"
    return replace(over, place=place, message=message, severity=Severity.NOTE, hint="run: awning build")


def _is_current(record: BuildRecord, unit: str, files: Mapping[str, SourceFile]) -> bool:
    """Whether the sources are those of the build; the file with the budget is not asked."""
    for widget in record.widgets:
        if unit in {APP, widget.name}:
            built = {path: digest for path, digest in widget.sources if not path.endswith("/widget.toml")}
            if any(path not in files or files[path].sha256 != digest for path, digest in built.items()):
                return False
    return True
