"""Several server processes on one PostgreSQL and one Redis: what a command costs, and how long it takes."""
