"""Operations: logs, metrics, backups and shutdown."""
