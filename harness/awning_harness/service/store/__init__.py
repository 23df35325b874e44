"""The service's SQLite database, in memory or in a file: the tables, and a module of queries for each kind of record.

The queries use the standard library's `sqlite3` and not SQLAlchemy. SQLAlchemy takes 0.4 s to import, but `awning
service` must start within half a second. Its statements also take ten times as long. A simulator needs no other
database.
"""

from awning_harness.service.store.database import Database

__all__ = ["Database"]
