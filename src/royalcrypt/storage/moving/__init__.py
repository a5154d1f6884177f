"""From a database file to PostgreSQL: copied, compared, and gone on with wherever it was cut short."""
