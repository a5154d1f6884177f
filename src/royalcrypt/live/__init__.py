"""Many live tables: commands in, entries stored, changes out (no web server, no SQL)."""
