"""What an app uses, for the assumptions that it depends on: events, fields, calls, placeholders and others.

The names are those of `awning.contract.assumptions.subjects`. They come from the widgets' scripts and templates, the
manifest, and what awning itself calls. A script is taken to read a field of its slots' payloads that it names anywhere.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path

from awning.contract.assumptions.subjects import FUNCTIONS, Uses
from awning.contract.endpoints import ENDPOINTS
from awning.contract.payloads import PAGE_ARGUMENT, PayloadField
from awning.contract.payloads import RECORDS as PAYLOADS
from awning.contract.slots import SLOTS, Slot
from awning.pipeline.build_session import build_session
from awning.pipeline.compile import compile_templates
from awning.pipeline.read import SourceSet, read_sources
from awning.script.file import ScriptFile
from awning.script.names import text_keys
from awning.template.compiled_template import CompiledTemplate
from awning.template.types import Type
from awning.workspace.model import Profile, Widget

TOOLKIT, MANIFEST = "awning", "manifest.toml"
"""The users of what awning calls for the app, and of the manifest's fields."""
_OF_DATA = {"set_data", "get_data"}


def find_uses(root: Path, environ: Mapping[str, str] = os.environ) -> Uses:
    """Return what the app of the workspace at `root` uses, with what in the app uses it.

    Raises Faulty and ConfigurationError as `read_workspace` and `read_sources` do.
    """
    with build_session(root, lasts=False, writes=False) as session:
        workspace = session.read_workspace(environ)
        sources = read_sources(workspace, session.sources)
        modules = compile_templates(sources.files, session.memory, dialect=sources.dialect)
        users: dict[str, list[str]] = {}
        for user, names in _all_uses(sources, modules):
            for name in names:
                users.setdefault(name, []).append(user)
    return {name: tuple(dict.fromkeys(listed)) for name, listed in users.items()}


def _all_uses(
    sources: SourceSet, modules: Mapping[str, CompiledTemplate]
) -> Iterator[tuple[str, Iterable[str]]]:
    workspace = sources.workspace
    has_data = any(planned.reads_app_data for planned in sources.planned_snippets)
    yield MANIFEST, (f"manifest:{name}" for name in workspace.manifest)
    yield TOOLKIT, (*_calls(workspace.profile, has_data=has_data), "page:address", "request:version")
    for widget in sources.widgets:
        yield widget.name, _uses_of(widget, sources, modules)


def _calls(profile: Profile, *, has_data: bool) -> Iterator[str]:
    """Yield the calls that awning makes for the app."""
    for endpoint in ENDPOINTS:
        is_head = endpoint.operation.endswith("_head_snippet")
        if (profile.head_snippets if is_head else not endpoint.observed) and (
            has_data or endpoint.operation not in _OF_DATA
        ):
            yield f"call:{endpoint.operation}"


def _uses_of(widget: Widget, sources: SourceSet, modules: Mapping[str, CompiledTemplate]) -> Iterator[str]:
    slots = [SLOTS[name] for name in widget.slots]
    scripts = _scripts_of(widget, sources)
    names = frozenset[str]().union(*(script.facts.names for script in scripts))
    yield from (f"event:{event.short_name}" for slot in slots for event in slot.events)
    yield "place:body"
    if widget.head or "head" in widget.verbatim:
        yield "place:head"
    if widget.name in sources.raw:
        yield from _raw_uses(scripts, names, sources)
    else:
        yield from (f"function:{name}" for name in FUNCTIONS)
        yield "placeholder:language"
        if any(planned.reads_app_data for planned in sources.planned_snippets if widget in planned.widgets):
            yield "placeholder:app_data"
    roots = [field for slot in slots for field in _roots(slot)]
    properties = _properties(scripts, {field.name for field in roots})
    for slot in slots:
        for field in (*_roots(slot), *slot.payload.update_fields):
            yield from _named_fields(field, properties)
    reads = (module.reads or () for path, module in modules.items() if path.split("/")[1] == widget.name)
    for variable in (variable for listed in reads for variable in listed):
        for field in roots:
            if field.name == variable.name:
                yield from _read_fields(variable.type, field)


def _raw_uses(scripts: Iterable[ScriptFile], names: frozenset[str], sources: SourceSet) -> Iterator[str]:
    """Yield what a widget uses that does without the runtime, which would use it in one way only."""
    yield from (f"{kind}:{name}" for name in FUNCTIONS if name in names for kind in ("function", "raw"))
    yield "page:order"
    if "page" in names:
        yield "global:page"
    texts = [script.text for script in scripts]
    dialect = sources.dialect
    known = {"app_data": dialect.app_data_placeholder, "language": dialect.language_placeholder}
    yield from (f"placeholder:{name}" for name, text in known.items() if any(text in each for each in texts))
    rest = "".join(texts)
    for text in known.values():
        rest = rest.replace(text, "")
    if f"{{{{{dialect.placeholder_prefix}" in rest:
        yield "placeholder:other"
    if "{%%%" in rest:
        yield "placeholder:version"


def _scripts_of(widget: Widget, sources: SourceSet) -> list[ScriptFile]:
    """Return the scripts of a widget, with those of shared folders that it may import."""
    own = {file.name for file in widget.verbatim.values()}
    scripts = {**sources.scripts, **sources.pages}
    return [
        script
        for path, script in scripts.items()
        if widget.name in sources.using(path)
        or path.split("/")[1].startswith("_")
        or (path.split("/")[1] == widget.name and path.rpartition("/")[2] in own)
    ]


def _roots(slot: Slot) -> Iterator[PayloadField]:
    """Yield the arguments of the slot's render functions, and the fields of its event parameter."""
    yield from (argument.field for argument in slot.payload.arguments)
    yield PAGE_ARGUMENT
    yield from slot.payload.parameter


def _properties(scripts: Iterable[ScriptFile], roots: AbstractSet[str]) -> frozenset[str]:
    """Return the names of properties in scripts. `{ page }` in a pattern is one of `roots`, not a property of it."""
    names: set[str] = set()
    for script in scripts:
        nodes = script.tree.nodes_by_type()
        names |= {node.text for node in nodes.get("property_identifier", ())}
        names |= {node.text for node in nodes.get("shorthand_property_identifier_pattern", ())} - roots
        names |= {key.text for key in text_keys(nodes)}
    return frozenset(names)


def _named_fields(field: PayloadField, names: frozenset[str]) -> Iterator[str]:
    """Yield the fields of a value that a script names."""
    for inner in PAYLOADS.get(field.record or "", ()):
        if inner.name in names:
            yield f"field:{field.record}.{inner.name}"
            yield from _named_fields(inner, names)


def _read_fields(read: Type, field: PayloadField) -> Iterator[str]:
    """Yield the fields of a value that a template reads."""
    read = read.element or read
    inner_reads = {variable.name: variable.type for variable in read.fields}
    for inner in PAYLOADS.get(field.record or "", ()):
        if inner.name in inner_reads or read.open:
            yield f"field:{field.record}.{inner.name}"
            yield from _read_fields(inner_reads.get(inner.name, read), inner)
