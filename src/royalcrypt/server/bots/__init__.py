"""Bots, analyses and what-if lines in other processes."""
