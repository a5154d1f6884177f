"""The database's history, as Alembic reads it. A version is never altered after it was published."""
