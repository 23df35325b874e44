"""The table of probes: what `awning probe` has to put back, a row for each instance and target while it is changed."""

from sqlalchemy import Column, Float, MetaData, String, Table, Text

METADATA = MetaData()
PROBE_RESTORE = Table(
    "probe_restore",
    METADATA,
    Column("key", String, primary_key=True),
    Column("target", String, primary_key=True),
    Column("language", String, primary_key=True),
    Column("base_url", String, nullable=False),
    Column("before", Text),
    Column("written_at", Float, nullable=False),
)
"""`before` is the JSON of what was read. It is null when nothing was set, which no call can bring back.

The empty language stands for the website-wide snippet. `written_at` is when a probe wrote last, in seconds since 1970.
"""
