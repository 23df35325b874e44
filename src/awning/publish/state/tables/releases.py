"""The tables of the releases: releases, the paths of their files, and the contents of the files by their hashes."""

from sqlalchemy import Column, Integer, MetaData, String, Table, Text

METADATA = MetaData()
RELEASE = Table(
    "release",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("content", String, nullable=False, unique=True),
    Column("fingerprint", String, nullable=False, index=True),
    Column("created_at", String, nullable=False),
    Column("created_by", String, nullable=False),
    Column("revision", String),
    Column("note", Text, nullable=False, default=""),
)
FILE = Table(
    "release_file",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("path", String, primary_key=True),
    Column("sha256", String, nullable=False),
)
TEXT = Table(
    "release_text",
    METADATA,
    Column("sha256", String, primary_key=True),
    Column("page_sha256", String, nullable=False),
    Column("text", Text, nullable=False),
)
