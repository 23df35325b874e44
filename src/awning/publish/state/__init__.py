"""Stores the state of the publisher: in a directory of SQLite files, or in a PostgreSQL database."""
