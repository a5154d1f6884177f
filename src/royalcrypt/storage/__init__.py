"""Persistent storage of a server, on SQLite or PostgreSQL."""
