"""Moves, positions, events and game records as text (RECORD.md)."""
