"""Logs, metrics, backups and shutdown."""
