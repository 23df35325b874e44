"""The migrations of app data in a build: tried on the author's examples, and missed where there is none."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from awning.bundle.request import Output
from awning.data_migration.engine import MigrationEngine
from awning.data_migration.migration import DataMigration, example_faults
from awning.data_schema import ANYTHING, SchemaPart, schema_version
from awning.data_schema.versions import FIRST, MIGRATION_FILE, VERSION_KEYWORD
from awning.diagnostics import Diagnostic, Place, Severity
from awning.line_process import missing_engine
from awning.pipeline.cache.memory import Memory, ResultKind, hash_of
from awning.pipeline.read import SourceSet
from awning.pipeline.stage import MIGRATIONS

_ABOUT = {
    MIGRATION_FILE: (re.compile(r"^export\b.*?\b(?=migrate\b)"), re.compile(r"\b(?=migrate\b)")),
    "data.schema.json": (re.compile(f'(?="{VERSION_KEYWORD}")'),),
}
"""Where a finding about a file is, if the author's line is not known: at the first match of the first of these."""
_ANY_DATA = SchemaPart(types=("object",), others=ANYTHING)
"""The data of a widget without a schema."""
FAULTS: ResultKind[tuple[Diagnostic, ...]] = ResultKind("migrations", tuple[Diagnostic, ...], on_disk=True)


def migration_findings(
    sources: SourceSet, outputs: Mapping[str, Output], memory: Memory
) -> tuple[Diagnostic, ...]:
    """Return the errors of the examples, and warnings of new versions without a function.

    Without an engine on this machine, nothing is tried.
    """
    findings = (*_without_function(sources), *_example_errors(sources, outputs, memory))
    return tuple(_with_line(finding, sources) for finding in findings)


def _with_line(finding: Diagnostic, sources: SourceSet) -> Diagnostic:
    """Return a finding about a whole file at the line of the function or of the version."""
    place = finding.place
    file = None if place is None else sources.files.get(place.path)
    if place is None or file is None or place.line:
        return finding
    for words in _ABOUT[place.path.rpartition("/")[2]]:
        for number, line in enumerate(file.text.split("\n"), 1):
            match = words.search(line)
            if match is not None:
                return replace(finding, place=replace(place, line=number, column=match.end() + 1))
    return finding


def _without_function(sources: SourceSet) -> Iterator[Diagnostic]:
    """Yield a warning for each widget with a later version of its data and no function that makes it."""
    parts = {
        widget.name: widget.data_part for widget in sources.widgets if widget.name not in sources.migrating
    }
    for name, part in sorted(parts.items()):
        version = FIRST if part is None else schema_version(part)
        if version == FIRST:
            continue
        yield Diagnostic(
            rule="data-migration",
            message=f'the data have version {version} ("x-version"), and no {MIGRATION_FILE} makes it of earlier ones: '
            "a publish would refuse each shop that has settings of the widget",
            place=Place(path=f"widgets/{name}/data.schema.json"),
            hint=f"export a function migrate from widgets/{name}/{MIGRATION_FILE}",
            severity=Severity.WARNING,
        )


def _example_errors(
    sources: SourceSet, outputs: Mapping[str, Output], memory: Memory
) -> tuple[Diagnostic, ...]:
    output = outputs.get(MIGRATIONS)
    if output is None or missing_engine() is not None:
        return ()
    names = sources.migrating
    parts = {each.name: each.data_part or _ANY_DATA for each in sources.widgets}
    files = (sources.hashes.get(f"widgets/{name}/data.schema.json", "") for name in names)
    key = hash_of("migrations", *names, *files, output.code.decode())

    def compute() -> tuple[Diagnostic, ...]:
        source_map = output.source_map.decode() if output.source_map else None
        engine = MigrationEngine(code=output.code.decode(), source_map=source_map)
        schema = SchemaPart(types=("object",), properties={name: parts[name] for name in names})
        migration = DataMigration(schema=schema, engine=engine, widgets=frozenset(names))
        return tuple(example_faults(migration))

    return memory.memo(FAULTS, key, compute)
