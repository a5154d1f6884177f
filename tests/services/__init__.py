"""PostgreSQL and Redis from the system's packages, each in a folder of its own that goes away with it."""
