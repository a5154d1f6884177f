"""Schema versions, one file each, whose name starts with the version's number."""
