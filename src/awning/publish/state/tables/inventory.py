"""The tables of the inventory: instances, removed instances, acknowledged differences.

`auth_code` is plain, or encrypted with the key whose id is `sealed_by`. `key` is the keyed hash of the authCode, by
which instances are looked up.
"""

from sqlalchemy import Column, Index, Integer, MetaData, String, Table

METADATA = MetaData()
INSTANCE = Table(
    "instance",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("auth_code", String, nullable=False, unique=True),
    Column("name", String, unique=True),
    Column("languages", String, nullable=False, default=""),
    Column("labels", String, nullable=False, default=""),
    Column("added_at", String, nullable=False),
    Column("key", String, nullable=False),
    Column("website_url", String),
    Column("website_languages", String),
    Column("refreshed_at", String),
    Column("pinned", Integer),
    Column("sealed_by", String, index=True),
    sqlite_autoincrement=True,
)

REMOVED = Table(
    "removed",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("auth_code", String, nullable=False, unique=True),
    Column("name", String),
    Column("languages", String, nullable=False, default=""),
    Column("labels", String, nullable=False, default=""),
    Column("added_at", String, nullable=False),
    Column("removed_at", String, nullable=False),
    Column("key", String, nullable=False),
    Column("pinned", Integer),
    Column("sealed_by", String, index=True),
)
for table in (INSTANCE, REMOVED):
    Index(f"{table.name}_key", table.c.key, unique=True)
COMMON_COLUMNS = ("auth_code", "name", "languages", "labels", "added_at", "key", "pinned", "sealed_by")
"""The columns that the tables `instance` and `removed` share."""
ACKNOWLEDGED = Table(
    "acknowledged",
    METADATA,
    Column("key", String, primary_key=True),
    Column("language", String, primary_key=True),
    Column("owner", String, nullable=False),
    Column("until", String, nullable=False),
    Column("reason", String, nullable=False),
    Column("at", String, nullable=False),
)
