"""A database that several processes share, on PostgreSQL."""
