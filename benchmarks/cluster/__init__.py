"""Several server processes on one PostgreSQL and one Redis: what a command costs there, and how long it takes."""
