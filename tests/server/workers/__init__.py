"""Bot-workers on a real Redis."""
