"""The simulated service's SQLite database, in memory or in a file: its tables and queries.

The queries of the Reseller API are in `service/reseller`.

The code uses the standard library's `sqlite3` and not SQLAlchemy. SQLAlchemy takes 0.4 s to import, but `awning
service` must start within half a second. A statement through SQLAlchemy also takes ten times as long. A simulator
needs no other database.
"""
