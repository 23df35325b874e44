"""What the service remembers: one SQLite database, in memory or in a file, one file of queries per noun.

The standard library's `sqlite3`, not SQLAlchemy: importing the latter takes 0.4 s, nearly all of the half
second in which `awning service` has to answer, and a statement through it costs ten times one without. Another
database is of no use to a simulator.
"""

from awning_harness.service.store.database import Database

__all__ = ["Database"]
