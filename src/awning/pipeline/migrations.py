"""The migrations of app data in a build: tried on the examples that the author gives."""

from collections.abc import Mapping

from awning.bundle import Output
from awning.data_migration import DataMigration, MigrationEngine, example_faults, missing_engine
from awning.data_schema import read_app_schema
from awning.diagnostics import Diagnostic
from awning.pipeline.cache.memory import Memory, ResultKind, hash_of
from awning.pipeline.read import SourceSet
from awning.pipeline.stage import MIGRATIONS

FAULTS: ResultKind[tuple[Diagnostic, ...]] = ResultKind("migrations", tuple[Diagnostic, ...], on_disk=True)


def migration_findings(
    sources: SourceSet, outputs: Mapping[str, Output], memory: Memory
) -> tuple[Diagnostic, ...]:
    """Return the errors of the examples. Without an engine on this machine, nothing is tried."""
    output = outputs.get(MIGRATIONS)
    if output is None or missing_engine() is not None:
        return ()
    names = sources.migrating
    schemas = {widget.name: widget.data_schema or {} for widget in sources.widgets if widget.name in names}
    files = (sources.hashes.get(f"widgets/{name}/data.schema.json", "") for name in names)
    key = hash_of("migrations", *names, *files, output.code.decode())

    def compute() -> tuple[Diagnostic, ...]:
        source_map = output.source_map.decode() if output.source_map else None
        engine = MigrationEngine(code=output.code.decode(), source_map=source_map)
        schema = read_app_schema({"properties": schemas})
        migration = DataMigration(schema=schema, engine=engine, widgets=frozenset(names))
        return tuple(example_faults(migration))

    return memory.memo(FAULTS, key, compute)
