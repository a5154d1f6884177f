"""A server whose clients, disk, bots and power fail."""
