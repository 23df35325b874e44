"""Version 3: the database refuses an entry without a hash. An index finds the writes of one instance.

An older awning writes entries without hashes. If it still ran after the migration, it would break the chain of hashes.
"""

from sqlalchemy import Connection

SAID = "the journal is of a newer awning"
WRITES = "CREATE INDEX IF NOT EXISTS entry_writes ON entry (instance, run) WHERE kind = 'intent'"


def forward(connection: Connection) -> None:
    refuse = _in_postgres if connection.dialect.name == "postgresql" else _in_sqlite
    for statement in (WRITES, *refuse()):
        connection.exec_driver_sql(statement)


def _in_sqlite() -> tuple[str, ...]:
    when = "BEFORE INSERT ON entry WHEN NEW.chain IS NULL"
    return (f"CREATE TRIGGER IF NOT EXISTS entry_is_chained {when} BEGIN SELECT RAISE(ABORT, '{SAID}'); END",)


def _in_postgres() -> tuple[str, ...]:
    body = f"BEGIN RAISE EXCEPTION '{SAID}'; END"
    before = "BEFORE INSERT ON entry FOR EACH ROW WHEN (NEW.chain IS NULL)"
    return (
        f"CREATE OR REPLACE FUNCTION entry_is_refused() RETURNS trigger LANGUAGE plpgsql AS $${body}$$",
        f"CREATE OR REPLACE TRIGGER entry_is_chained {before} EXECUTE FUNCTION entry_is_refused()",
    )
