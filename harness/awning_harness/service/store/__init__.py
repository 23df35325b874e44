"""The service's SQLite database, in memory or in a file: its tables, and a module of queries for each kind of record.

It uses the standard library's `sqlite3` and not SQLAlchemy. SQLAlchemy takes 0.4 s to import, while `awning service`
must start within half a second, and its statements take ten times as long. A simulator needs no other database.
"""

from awning_harness.service.store.database import Database

__all__ = ["Database"]
