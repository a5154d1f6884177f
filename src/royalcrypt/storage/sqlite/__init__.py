"""A database in one file, for one server process."""
