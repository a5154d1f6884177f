"""Loaded tables, and the server's features around them: bots, orders, seals, daily games, statistics."""
