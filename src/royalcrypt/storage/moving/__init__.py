"""Transfer of a database file to PostgreSQL: copies, compares, and resumes after an interruption."""
