"""What is wrong with the widgets that are built, beside what keeps them from being built at all.

One list for `check`, `build` and `dev`. What is found in a widget is kept in `.awning/cache` under a hash of everything
it depends on, so that only a widget that has changed is looked at again.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from awning.check.data_keys import records_with_data, schema_findings
from awning.check.default_export import default_export_findings
from awning.check.files import ENDINGS, check_file
from awning.check.imports import import_findings
from awning.check.messages import (
    MessageUse,
    missing_arguments,
    missing_messages,
    script_uses,
    unused_messages,
)
from awning.check.payload_fields import payload_findings
from awning.check.plain_texts import plain_texts
from awning.check.states import unreachable_states
from awning.check.suppressions import without_ignored
from awning.check.variables import variable_findings
from awning.data_schema import read_schema
from awning.diagnostics import Diagnostic, has_errors
from awning.pipeline.context import BuildContext
from awning.pipeline.exported import exported
from awning.pipeline.files import TEXT_ENDINGS, SourceFile, by_widget
from awning.pipeline.kept import Kept, digest
from awning.pipeline.reach import reaching
from awning.pipeline.style import brace_findings
from awning.pipeline.templates import Module
from awning.script import ScriptFile
from awning.workspace import TEMPLATE_ENDING, Widget

_MISUSE = "placeholder-misuse"
_REFUSED = ("template-placeholder", "placeholder-literal")
"""Rules that say of a placeholder what `_MISUSE` says, and more exactly."""


def refusals(modules: Iterable[Module]) -> list[Diagnostic]:
    """Why templates could not be compiled."""
    return [one for module in modules if has_errors(module.diagnostics) for one in module.diagnostics]


def compose_findings(context: BuildContext, modules: Mapping[str, Module]) -> list[Diagnostic]:
    """What a widget's own files say against each other: messages, imports, style. Without what compiling refused."""
    own = by_widget(context.files)
    return [
        one for widget in context.widgets for one in _composed(context, widget, own[widget.name], modules)
    ]


def all_findings(context: BuildContext, modules: Mapping[str, Module], kept: Kept) -> list[Diagnostic]:
    """`compose_findings` and all rules over each widget's files, without what their authors silenced."""
    own = by_widget(context.files)
    shared = [name for name in own if name[0] == "_"]
    common = [file for name in shared for file in own[name].values()]
    far = reaching(context.widgets, context.scripts)
    found: list[Diagnostic] = []
    for widget in context.widgets:
        files = context.files.values() if widget.name in far else [*own[widget.name].values(), *common]
        languages = ",".join(context.workspace.languages)
        key = digest("widget", widget.name, languages, str(context.dialect), *map(_identity, files))
        found += kept.of(key, lambda widget=widget: _looked_at(context, widget, own[widget.name], modules))  # type: ignore[misc]
        found += _rules(context, own[widget.name], kept, head=_path_of(widget, widget.head))
    for name in shared:
        found += _rules(context, own[name], kept)
    return found


def _identity(file: SourceFile) -> str:
    return f"{file.path} {file.sha256}"


def without_repeated(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Each fault by the rule that says most of it: what is no script is the bundler's to say, too."""
    every = list(dict.fromkeys(found))
    unread = {one.place.path for one in every if one.rule == "script-error" and one.place}
    refused = {one.place.path for one in every if one.rule in _REFUSED and one.place}
    return [
        one
        for one in every
        if not (one.rule == "script-syntax" and one.place and one.place.path in unread)
        and not (one.rule == _MISUSE and one.place and one.place.path in refused)
    ]


def _looked_at(
    context: BuildContext, widget: Widget, files: Mapping[str, SourceFile], modules: Mapping[str, Module]
) -> list[Diagnostic]:
    found = _composed(context, widget, files, modules)
    scripts = [context.scripts[path] for path in files if path in context.scripts]
    refused = any(has_errors(modules[path].diagnostics) for path in files if path in modules)
    if not (refused or has_errors(found) or any(script.facts.broken for script in scripts)):
        uses = _uses(context, files, modules)
        found += unused_messages(widget, uses, scripts)
    found += _calls_of_templates(context, widget, scripts, modules)
    found += _plain_texts(widget, files)
    path = f"widgets/{widget.name}/states.toml"
    found += unreachable_states(widget, path, files[path].text) if path in files else ()
    return without_ignored(found, lambda path: context.files[path].text if path in context.files else "")


def _path_of(widget: Widget, file: Path | None) -> str | None:
    return None if file is None else f"widgets/{widget.name}/{file.relative_to(widget.folder).as_posix()}"


def _rules(
    context: BuildContext, files: Mapping[str, SourceFile], kept: Kept, *, head: str | None = None
) -> Iterator[Diagnostic]:
    """The rules over scripts, file by file. `head` is the path of the head script."""
    for path, file in files.items():
        if path.endswith(ENDINGS):
            key = digest("file", path, str(context.dialect), file.sha256, *["head"] * (path == head))
            yield from kept.of(key, lambda file=file: _checked(context, file))  # type: ignore[misc]


def _checked(context: BuildContext, file: SourceFile) -> list[Diagnostic]:
    script = context.scripts.get(file.path) or _page(context, file)
    return without_ignored(check_file(script).diagnostics, lambda _path: script.text)


def _page(context: BuildContext, file: SourceFile) -> ScriptFile:
    """A page or a template: its scripts are in markup."""
    text = file.content.decode("utf-8", "replace").removeprefix("\ufeff")
    return ScriptFile(path=file.path, text=text, dialect=context.dialect)


def _composed(
    context: BuildContext, widget: Widget, files: Mapping[str, SourceFile], modules: Mapping[str, Module]
) -> list[Diagnostic]:
    own = {path: file.text for path, file in files.items() if path.endswith(TEXT_ENDINGS)}
    scripts = [context.scripts[path] for path in own if path in context.scripts]
    uses = _uses(context, files, modules)
    mine = (modules[path] for path in own if path in modules)
    found = [one for module in mine if not has_errors(module.diagnostics) for one in module.diagnostics]
    found += missing_messages(widget, uses, own)
    found += missing_arguments(widget, uses, own)
    found += [one for script in scripts for one in import_findings(script, exported())]
    found += [
        one for path, text in own.items() if path.endswith(".css") for one in brace_findings(path, text)
    ]
    script = context.scripts.get(f"widgets/{widget.name}/{widget.script.name}")
    found += default_export_findings(script) if script else ()
    return found


def _uses(context: BuildContext, files: Iterable[str], modules: Mapping[str, Module]) -> list[MessageUse]:
    paths = list(files)
    uses = [use for path in paths if path in modules for use in modules[path].messages]
    scripts = (context.scripts[path] for path in paths if path in context.scripts)
    return uses + [use for script in scripts for use in script_uses(script)]


def _calls_of_templates(
    context: BuildContext, widget: Widget, scripts: Iterable[ScriptFile], modules: Mapping[str, Module]
) -> Iterable[Diagnostic]:
    """Variables and fields that are missing: they are printed as nothing, as in Jinja2."""
    schema = widget.data_schema
    records = records_with_data(None if schema is None else read_schema(schema)[0])
    reads = {path: module.reads for path, module in modules.items() if module.reads is not None}
    texts = {path: file.text for path, file in context.files.items() if path.endswith(TEMPLATE_ENDING)}
    found: dict[Diagnostic, None] = {}
    for script in scripts:
        found |= dict.fromkeys(schema_findings(script) if schema is None else ())
        found |= dict.fromkeys(variable_findings(script, reads, texts))
        found |= dict.fromkeys(payload_findings(script, reads, texts, records=records))
    return found


def _plain_texts(widget: Widget, files: Mapping[str, SourceFile]) -> list[Diagnostic]:
    templates = (file for path, file in files.items() if path.endswith(TEMPLATE_ENDING))
    return [one for file in templates for one in plain_texts(widget, file.path, file.text)]
