"""Moves, positions, events and records as text."""
