"""The server's clock."""

import time


def wall_clock() -> int:
    """Return the current time in ms since 1970."""
    return time.time_ns() // 1_000_000
