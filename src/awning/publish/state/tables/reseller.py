"""The table of the changes that `awning reseller` makes: a row for each, written before its call and after it."""

from sqlalchemy import Column, Float, Integer, MetaData, String, Table, Text

METADATA = MetaData()
RESELLER_CHANGE = Table(
    "reseller_change",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("began_at", Float, nullable=False),
    Column("operator", String, nullable=False),
    Column("service", String, nullable=False),
    Column("account", String, nullable=False),
    Column("operation", String, nullable=False),
    Column("website", Integer),
    Column("old", Text),
    Column("new", Text),
    Column("outcome", String),
    Column("reason", Text),
)
"""`began_at` is in seconds since 1970. `website` is null for a change of the account itself.

`old` and `new` are JSON, null when the value is not known or is a secret. `outcome` is null until the call has ended.
"""
