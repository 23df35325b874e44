"""Version 4: entries up to the newest checkpoint may be deleted. All other entries stay append-only.

Pruning writes its checkpoint first, in the same transaction, so it need not change a trigger.
"""

from sqlalchemy import Connection

SAID = "the journal is append-only"
NEWEST = "(SELECT COALESCE(MAX(seq), 0) FROM checkpoint)"


def forward(connection: Connection) -> None:
    allow = _in_postgres if connection.dialect.name == "postgresql" else _in_sqlite
    for statement in allow():
        connection.exec_driver_sql(statement)


def _in_sqlite() -> tuple[str, ...]:
    when = f"BEFORE DELETE ON entry WHEN OLD.seq > {NEWEST}"
    return (
        "DROP TRIGGER IF EXISTS entry_no_delete",
        f"CREATE TRIGGER entry_no_delete {when} BEGIN SELECT RAISE(ABORT, '{SAID}'); END",
    )


def _in_postgres() -> tuple[str, ...]:
    body = f"BEGIN IF OLD.seq > {NEWEST} THEN RAISE EXCEPTION '{SAID}'; END IF; RETURN OLD; END"
    changes = "BEFORE UPDATE OR TRUNCATE ON entry FOR EACH STATEMENT"
    deletions = "BEFORE DELETE ON entry FOR EACH ROW"
    return (
        f"CREATE OR REPLACE TRIGGER entry_no_change {changes} EXECUTE FUNCTION entry_is_kept()",
        f"CREATE OR REPLACE FUNCTION entry_is_not_pruned() RETURNS trigger LANGUAGE plpgsql AS $${body}$$",
        f"CREATE OR REPLACE TRIGGER entry_no_delete {deletions} EXECUTE FUNCTION entry_is_not_pruned()",
    )
