"""Everything that can be found wrong in a workspace without bundling it: what `awning check` reports."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from awning.check import missing_arguments, missing_messages, script_uses, unused_messages
from awning.check.data_keys import records_with_data, schema_findings
from awning.check.default_export import default_export_findings
from awning.check.imports import import_findings
from awning.check.payload_fields import payload_findings
from awning.check.plain_texts import plain_texts
from awning.check.script.loading import is_broken
from awning.check.script.records import RECORDS
from awning.check.states import unreachable_states
from awning.check.variables import Reads, variable_findings
from awning.contract import Dialect
from awning.data_schema import read_schema
from awning.diagnostics import Diagnostic, has_errors
from awning.errors import Faulty
from awning.pipeline.declarations import write_data_types, write_declarations
from awning.pipeline.editor import write_editor_files
from awning.pipeline.exported import exported
from awning.pipeline.files import TEXT_ENDINGS, SourceFile, by_widget, text_faults, widget_files
from awning.pipeline.style import brace_findings
from awning.pipeline.templates import Module, TemplateCompiler
from awning.pipeline.units import APP
from awning.pipeline.weighed import budgets_as_built
from awning.workspace import TEMPLATE_ENDING, Widget, Workspace, read_workspace

SCRIPT_ENDINGS = (".ts", ".js", ".mts", ".mjs")


def inspect_workspace(
    root: Path, *, only: tuple[str, ...] = (), environ: Mapping[str, str] = os.environ
) -> tuple[Diagnostic, ...]:
    """The findings of a workspace, or of some of its widgets, sorted by place."""
    try:
        workspace = read_workspace(root, environ=environ)
    except Faulty as error:
        return tuple(error.diagnostics)
    files = widget_files(workspace)
    unreadable = text_faults(files.values())
    if unreadable:
        return (*workspace.diagnostics, *unreadable)
    cache = workspace.cache / "templates"
    modules = TemplateCompiler(files=files, cache=cache, dialect=workspace.profile.dialect).compile_all()
    write_data_types(root, workspace.widgets)
    write_declarations(root, modules, all_of_them=True)
    write_editor_files(root)
    found = [*workspace.diagnostics]
    own = by_widget(files)
    reads = {path: module.reads for path, module in modules.items() if module.reads is not None}
    texts = {path: file.text for path, file in files.items() if path.endswith(TEMPLATE_ENDING)}
    for widget in _chosen(workspace, only):
        found += widget_findings(widget, own[widget.name], modules, unused=True)
        found += _calls_of_templates(widget, own[widget.name], workspace.profile.dialect, reads, texts)
        found += _plain_texts(widget, own[widget.name])
        found += _states(widget, own[widget.name])
    units = [widget.name for widget in _chosen(workspace, only)] + ([] if only else [APP])
    found += budgets_as_built(workspace, files, units)
    return tuple(sorted(found, key=lambda one: (one.place is not None, one.place, one.rule)))


def _calls_of_templates(
    widget: Widget, files: Mapping[str, SourceFile], dialect: Dialect, reads: Reads, texts: Mapping[str, str]
) -> Iterable[Diagnostic]:
    """Not a build's matter: a variable or field that is missing is printed as nothing, as in Jinja2."""
    found: dict[Diagnostic, None] = {}
    schema = widget.data_schema
    records = records_with_data(None if schema is None else read_schema(schema)[0])
    for file in files.values():
        if file.path.endswith(SCRIPT_ENDINGS):
            if schema is None and file.path.startswith(f"widgets/{widget.name}/"):
                found |= dict.fromkeys(schema_findings(file.path, file.text))
            own = records if file.path.startswith(f"widgets/{widget.name}/") else RECORDS
            found |= dict.fromkeys(variable_findings(file.path, file.text, reads, texts))
            found |= dict.fromkeys(payload_findings(file.path, file.text, dialect, reads, texts, records=own))
    return found


def _chosen(workspace: Workspace, only: tuple[str, ...]) -> list[Widget]:
    return [widget for widget in workspace.widgets if not only or widget.name in only]


def widget_findings(
    widget: Widget, files: Mapping[str, SourceFile], modules: Mapping[str, Module], *, unused: bool = False
) -> list[Diagnostic]:
    """What the compiler found in a widget's own `files`, and what is wrong with its messages.

    Messages that nothing uses are looked for only when asked for (`unused`), and not in a widget that has errors:
    what it would use cannot be told.
    """
    own = {path: file.text for path, file in files.items() if path.endswith(TEXT_ENDINGS)}
    mine = [modules[path] for path in own if path in modules]
    scripts = {path: text for path, text in own.items() if path.endswith(SCRIPT_ENDINGS)}
    uses = [use for module in mine for use in module.messages]
    uses += [use for path, text in scripts.items() for use in script_uses(path, text)]
    found = [diagnostic for module in mine for diagnostic in module.diagnostics]
    found += missing_messages(widget, uses, own)
    found += missing_arguments(widget, uses, own)
    found += [one for path, text in scripts.items() for one in import_findings(path, text, exported())]
    found += [
        one for path, text in own.items() if path.endswith(".css") for one in brace_findings(path, text)
    ]
    script = f"widgets/{widget.name}/{widget.script.name}"
    found += default_export_findings(script, scripts.get(script, ""))
    if unused and not has_errors(found) and not any(_is_broken(path, text) for path, text in scripts.items()):
        found += unused_messages(widget, uses, scripts.values())
    return found


def _plain_texts(widget: Widget, files: Mapping[str, SourceFile]) -> list[Diagnostic]:
    templates = (file for path, file in files.items() if path.endswith(TEMPLATE_ENDING))
    return [one for file in templates for one in plain_texts(widget, file.path, file.text)]


def _states(widget: Widget, files: Mapping[str, SourceFile]) -> Iterable[Diagnostic]:
    path = f"widgets/{widget.name}/states.toml"
    return unreachable_states(widget, path, files[path].text) if path in files else ()


def _is_broken(path: str, text: str) -> bool:
    return is_broken(text, typed=path.endswith("ts"))
