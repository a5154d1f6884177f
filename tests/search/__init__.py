"""The compiled carrier."""
