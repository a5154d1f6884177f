"""The PostgreSQL backend, for databases that several processes share."""
