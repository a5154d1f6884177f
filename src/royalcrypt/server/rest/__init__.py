"""The REST interface: everything but play itself."""
