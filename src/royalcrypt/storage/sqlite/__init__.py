"""The SQLite backend: a database in one file, for one server process."""
