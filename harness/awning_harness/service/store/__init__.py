"""The service's SQLite database, in memory or in a file: its tables, and a module of queries for each kind of record.

It uses the standard library's `sqlite3`, not SQLAlchemy: importing that takes 0.4 s, nearly all of the half second in
which `awning service` must start, and a statement costs ten times as much. A simulator needs no other database.
"""

from awning_harness.service.store.database import Database

__all__ = ["Database"]
