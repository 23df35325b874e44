"""Where the publisher stores what it knows: a directory of SQLite files, or a PostgreSQL database."""
