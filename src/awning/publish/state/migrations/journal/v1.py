"""Version 1: append-only entries, and the texts of the snippets that the entries refer to."""

from sqlalchemy import Column, Connection, Integer, MetaData, String, Table, Text

from awning.publish.state.layout import make

METADATA = MetaData()
ENTRY = Table(
    "entry",
    METADATA,
    Column("seq", Integer, primary_key=True),
    Column("at", String, nullable=False),
    Column("run", Integer, nullable=False, index=True),
    Column("kind", String, nullable=False),
    Column("instance", String),
    Column("language", String),
    Column("place", String),
    Column("outcome", String),
    Column("before", String),
    Column("after", String),
    Column("note", Text),
    sqlite_autoincrement=True,
)
SNIPPET = Table(
    "snippet", METADATA, Column("sha256", String, primary_key=True), Column("text", Text, nullable=False)
)
CHANGES = ("UPDATE", "DELETE")
SAID = "the journal is append-only"


def forward(connection: Connection) -> None:
    make(connection, [ENTRY, SNIPPET])
    refuse = _in_postgres if connection.dialect.name == "postgresql" else _in_sqlite
    for statement in refuse():
        connection.exec_driver_sql(statement)


def _in_sqlite() -> tuple[str, ...]:
    return tuple(
        f"CREATE TRIGGER IF NOT EXISTS entry_no_{change.lower()} BEFORE {change} ON entry "
        f"BEGIN SELECT RAISE(ABORT, '{SAID}'); END"
        for change in CHANGES
    )


def _in_postgres() -> tuple[str, ...]:
    refuse = f"BEGIN RAISE EXCEPTION '{SAID}'; END"
    before = "BEFORE UPDATE OR DELETE OR TRUNCATE ON entry FOR EACH STATEMENT"
    return (
        f"CREATE OR REPLACE FUNCTION entry_is_kept() RETURNS trigger LANGUAGE plpgsql AS $${refuse}$$",
        f"CREATE OR REPLACE TRIGGER entry_no_change {before} EXECUTE FUNCTION entry_is_kept()",
    )
