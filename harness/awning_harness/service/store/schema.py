"""The tables. Times are ISO 8601 in UTC; a language of '' means every language."""

from awning_harness.service.reseller.tables import RESELLER_SCHEMA, RESELLER_TABLES

VERSION = 5

APPS_SCHEMA = """
CREATE TABLE website (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    brandname TEXT NOT NULL,
    languages TEXT NOT NULL,
    owner_email TEXT NOT NULL,
    owner_email_confirmed INTEGER NOT NULL,
    created TEXT NOT NULL
) STRICT;

CREATE TABLE app (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    manifest TEXT NOT NULL,
    secret BLOB,
    key_digest BLOB NOT NULL,
    default_head TEXT NOT NULL,
    default_body TEXT NOT NULL,
    head_url TEXT,
    body_url TEXT,
    approved INTEGER NOT NULL,
    waiting TEXT,
    waiting_secret BLOB,
    created TEXT NOT NULL
) STRICT;

CREATE TABLE instance (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app_id INTEGER NOT NULL REFERENCES app(id),
    website_id INTEGER NOT NULL REFERENCES website(id),
    code_digest BLOB NOT NULL UNIQUE,
    code BLOB NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('installing', 'installed', 'uninstalled')),
    created TEXT NOT NULL,
    changed TEXT NOT NULL
) STRICT;
CREATE INDEX instance_of_website ON instance (website_id, app_id);

CREATE TABLE snippet (
    instance_id INTEGER NOT NULL REFERENCES instance(id),
    place TEXT NOT NULL CHECK (place IN ('head', 'body')),
    language TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (instance_id, place, language)
) STRICT, WITHOUT ROWID;

CREATE TABLE app_data (
    instance_id INTEGER PRIMARY KEY REFERENCES instance(id),
    json TEXT NOT NULL
) STRICT;

CREATE TABLE cached_default (
    website_id INTEGER NOT NULL REFERENCES website(id),
    app_id INTEGER NOT NULL REFERENCES app(id),
    head TEXT NOT NULL,
    body TEXT NOT NULL,
    since TEXT NOT NULL,
    PRIMARY KEY (website_id, app_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE install_request (
    token TEXT PRIMARY KEY,
    app_id INTEGER NOT NULL REFERENCES app(id),
    website_id INTEGER NOT NULL REFERENCES website(id),
    language TEXT NOT NULL,
    created TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""

SCHEMA = APPS_SCHEMA + RESELLER_SCHEMA

TABLES = (
    *RESELLER_TABLES,
    "install_request",
    "cached_default",
    "app_data",
    "snippet",
    "instance",
    "app",
    "website",
    "setting",
)
"""In the order in which they can be emptied."""
