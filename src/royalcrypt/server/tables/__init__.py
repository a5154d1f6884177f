"""Loaded tables and what belongs to them."""
