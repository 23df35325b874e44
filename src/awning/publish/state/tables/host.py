"""The tables of the app's own server (`awning host`).

installation   one row per instance, by its keyed hash, with the time of each finished step. The row of a removed
               instance is marked as removed and has no authCode. `sealed_by` is as in the inventory's tables
session        one row per open settings page, with a digest of the cookie's value
turn           one row per instance that a worker works on. The worker regularly raises a number in the row
"""

from sqlalchemy import Column, Float, Integer, MetaData, String, Table

METADATA = MetaData()
STEPS = ("installed_at", "configured_at", "published_at", "announced_at", "removing_at", "removed_at")
INSTALLATION = Table(
    "installation",
    METADATA,
    Column("key", String, primary_key=True),
    Column("auth_code", String),
    Column("sealed_by", String, index=True),
    Column("url", String, index=True),
    Column("brand", String),
    Column("begun_at", Float, nullable=False),
    *(Column(step, Float) for step in STEPS),
)
SESSION = Table(
    "session",
    METADATA,
    Column("id", String, primary_key=True),
    Column("digest", String, nullable=False),
    Column("key", String, nullable=False, index=True),
    Column("language", String, nullable=False),
    Column("return_link", String),
    Column("begun_at", Float, nullable=False, index=True),
)
TURN = Table(
    "turn",
    METADATA,
    Column("key", String, primary_key=True),
    Column("holder", String, nullable=False),
    Column("beat", Integer, nullable=False),
)
