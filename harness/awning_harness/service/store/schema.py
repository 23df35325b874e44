"""The tables of the simulated service. Times are ISO 8601 in UTC; an empty language means every language.

In the tables of resellers, months are written `2026-03`. Money is in cents or, in `cost_millionths`, in millionths of
the currency's unit.
"""

import re

VERSION = 5

SCHEMA = """
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

CREATE TABLE reseller (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    email TEXT NOT NULL UNIQUE,
    password BLOB NOT NULL,
    approved INTEGER NOT NULL,
    fee_paid INTEGER NOT NULL,
    priced INTEGER NOT NULL,
    default_limit INTEGER NOT NULL,
    balance_cents INTEGER NOT NULL DEFAULT 0,
    created TEXT NOT NULL
) STRICT;

CREATE TABLE reseller_setting (
    reseller_id INTEGER NOT NULL REFERENCES reseller(id),
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (reseller_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE reseller_token (
    digest BLOB PRIMARY KEY,
    reseller_id INTEGER NOT NULL REFERENCES reseller(id),
    created TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE reseller_website (
    website_id INTEGER PRIMARY KEY REFERENCES website(id),
    reseller_id INTEGER NOT NULL REFERENCES reseller(id),
    user_name TEXT NOT NULL,
    country TEXT NOT NULL,
    unsubscribed INTEGER NOT NULL,
    alias TEXT NOT NULL,
    type INTEGER NOT NULL,
    modified TEXT NOT NULL,
    accessed TEXT,
    status INTEGER NOT NULL,
    plan TEXT NOT NULL CHECK (plan IN ('free', 'premium', 'premiumplus', 'premiumpro')),
    ai_limit INTEGER NOT NULL,
    extra INTEGER NOT NULL DEFAULT 0,
    extra_until TEXT
) STRICT;
CREATE INDEX website_of_reseller ON reseller_website (reseller_id);

CREATE TABLE ai_usage (
    website_id INTEGER NOT NULL REFERENCES website(id),
    month TEXT NOT NULL,
    monthly INTEGER NOT NULL DEFAULT 0,
    extra INTEGER NOT NULL DEFAULT 0,
    cost_millionths INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (website_id, month)
) STRICT, WITHOUT ROWID;

CREATE TABLE ai_bill (
    reseller_id INTEGER NOT NULL REFERENCES reseller(id),
    month TEXT NOT NULL,
    cents INTEGER NOT NULL,
    PRIMARY KEY (reseller_id, month)
) STRICT, WITHOUT ROWID;

CREATE TABLE reseller_domain (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    website_id INTEGER NOT NULL REFERENCES website(id),
    domain TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE login_link (
    digest BLOB PRIMARY KEY,
    website_id INTEGER NOT NULL REFERENCES website(id),
    created TEXT NOT NULL,
    used INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID
"""

TABLES = tuple(reversed(re.findall(r"CREATE TABLE (\w+)", SCHEMA)))
"""All tables, in the order in which they can be emptied: a table comes before those that it refers to."""
