"""Attacks on a real server, each measured by what honest people notice of it."""
