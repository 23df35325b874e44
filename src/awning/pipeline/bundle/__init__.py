"""Phase 6: bundles all entry points with esbuild (`awning.bundle`).

Only what a change reaches is bundled again.

outputs         runs esbuild for the entry points whose outputs are not remembered
author_places   moves the bundler's diagnostics to the author's own files
outside_files   files outside of widgets/: packages are allowed, all others refused
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

from awning.build_record import WHOLE_APP, build_mark
from awning.bundle import BundleRequest, Output
from awning.diagnostics import Diagnostic
from awning.errors import Faulty
from awning.jsrc import jsrc_root
from awning.pipeline.bundle.author_places import (
    author_path,
    in_author_line,
    in_workspace,
    with_missing_exports,
    with_near_files,
    with_style_imports,
)
from awning.pipeline.bundle.outputs import Bundler, bundle_changed
from awning.pipeline.bundle.outside_files import find_outside_faults, find_packages
from awning.pipeline.cache.memory import Memory
from awning.pipeline.read import SourceSet
from awning.pipeline.stage import Stage
from awning.snippet import joined_placeholder, spells_placeholder, written_placeholders

__all__ = ["Bundle", "Bundler", "bundle_stage"]

_UNKNOWN_PROPERTY = "[unsupported-css-property]"
"""How the bundler's warnings about misspelt properties end. In an author's file, the phase `inspect` reports them."""

_OTHER_CASE = "[different-path-case]"
"""How the bundler's warnings about a name in other letters end."""

_SOURCE_ENDINGS = (".ts", ".js", ".css", ".toml", ".json", ".j2")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """The outputs by the name of their entry point. With `fatal` diagnostics, no snippet can be built.

    `packages` are the paths of the files of node_modules that the outputs depend on, relative to the workspace.
    """

    outputs: Mapping[str, Output] = field(default_factory=dict)
    reads: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The files of the stage that are bundled into each output."""
    unresolved: frozenset[str] = frozenset()
    """The files with an import that nothing resolves, but which may be missing."""
    fatal: tuple[Diagnostic, ...] = ()
    others: tuple[Diagnostic, ...] = ()
    packages: frozenset[str] = frozenset()


def bundle_stage(
    sources: SourceSet,
    stage: Stage,
    bundler: Bundler,
    memory: Memory,
    *,
    minify: bool,
    source_maps: bool,
    reported: Iterable[Diagnostic] = (),
) -> Bundle:
    """Bundle all entry points.

    If `reported` has a `style-error` for a style sheet, the bundler's warnings about that style sheet are left out. Its
    warnings about misspelt properties in authors' style sheets are always left out (`pipeline/style/properties.py`).

    Raises as `bundler` does, except Faulty: the diagnostics of a Faulty become `fatal`.
    """
    root = sources.workspace.root
    request = BundleRequest(
        entry_points=stage.entry_points,
        root=stage.folder,
        jsrc=jsrc_root(),
        defines=_defines(sources, minify=minify),
        minify=minify,
        source_maps=source_maps,
        packages=root / "node_modules",
        to_source=partial(author_path, sources.files),
    )

    def author_diagnostic(diagnostic: Diagnostic) -> Diagnostic:
        diagnostic = with_near_files(in_author_line(diagnostic, sources.files), sources.files)
        return in_workspace(diagnostic, root, stage.folder)

    try:
        result = bundle_changed(request, stage, bundler, memory)
    except Faulty as error:
        fatal = with_style_imports(with_missing_exports(error.diagnostics, sources.widgets), reported)
        fatal = _without_doubled(fatal)
        return Bundle(fatal=tuple(author_diagnostic(diagnostic) for diagnostic in fatal))
    styles = {
        diagnostic.place.path
        for diagnostic in reported
        if diagnostic.rule == "style-error" and diagnostic.place
    }
    warnings = [
        author_diagnostic(diagnostic)
        for diagnostic in result.diagnostics
        if diagnostic.place is None
        or not (
            diagnostic.place.path in styles
            or (diagnostic.place.path in sources.files and diagnostic.message.endswith(_UNKNOWN_PROPERTY))
        )
    ]
    return Bundle(
        outputs=result.outputs,
        reads=result.reads,
        unresolved=result.unresolved,
        fatal=tuple(find_outside_faults(result.outside, root, stage.folder, sources.files)),
        others=(*warnings, *_find_placeholder_faults(sources, result.outputs)),
        packages=find_packages(result.outside, root),
    )


def _defines(sources: SourceSet, *, minify: bool) -> dict[str, str]:
    """Return the JavaScript of the constants in jsrc/runtime."""
    workspace, dialect = sources.workspace, sources.dialect
    return {
        "AWNING_GLOBAL": dialect.global_object,
        "AWNING_APP": json.dumps(sources.app, ensure_ascii=False),
        "AWNING_BEACON": json.dumps(workspace.beacon or ""),
        "AWNING_BEACON_SAMPLE_RATE": json.dumps(workspace.beacon_sample_rate or 0),
        "AWNING_BUILD": json.dumps(build_mark(workspace.languages)),
        "AWNING_DEV": json.dumps(not minify),
        "AWNING_KILL_SWITCH": json.dumps(workspace.kill_switch is not False),
        "AWNING_EVENT_PREFIX": json.dumps(dialect.event_prefix),
        "AWNING_PLACEHOLDER_PREFIX": json.dumps(dialect.placeholder_prefix),
    }


def _without_doubled(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics without the warnings about the case of a name that could not be resolved at all."""
    unresolved = {item.place for item in diagnostics if item.rule == "unresolved-import"}
    return tuple(
        item for item in diagnostics if not (item.message.endswith(_OTHER_CASE) and item.place in unresolved)
    )


def _find_placeholder_faults(sources: SourceSet, outputs: Mapping[str, Output]) -> list[Diagnostic]:
    """Return a diagnostic for each placeholder in bundled code, at its place in the sources of the widget.

    The service would replace such a placeholder in the middle of JavaScript or CSS.
    """
    faults: dict[Diagnostic, None] = {}
    by_widget = any(planned.unit != WHOLE_APP for planned in sources.planned_snippets)
    for planned in sources.planned_snippets:
        codes = [
            outputs[name].code.decode() for name in (planned.entry, *planned.style_entries) if name in outputs
        ]
        # A snippet of several widgets does not show which of them has the placeholder. If this build also makes
        # snippets of single widgets, only those are examined.
        told_apart = len(planned.compiled) == 1 or not by_widget
        if not told_apart or not any(spells_placeholder(code, sources.dialect) for code in codes):
            continue
        for widget in planned.compiled:
            files = sources.by_folder[widget.name].items()
            written = [
                diagnostic
                for path, file in files
                if path.endswith(_SOURCE_ENDINGS)
                for diagnostic in written_placeholders(path, file.text, sources.dialect)
            ]
            if not written and len(planned.compiled) == 1:
                written = [joined_placeholder(f"widgets/{widget.name}/widget.ts", sources.dialect)]
            faults |= dict.fromkeys(written)
    return list(faults)
