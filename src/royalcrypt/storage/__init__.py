"""What a server stores, on SQLite or PostgreSQL."""
