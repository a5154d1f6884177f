"""Many server processes on one PostgreSQL and one Redis, behind one address; and what may become of them."""
