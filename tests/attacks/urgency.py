"""Who goes first on a machine that also does other things."""

import os
from contextlib import suppress
from pathlib import Path

URGENT, POLITE = -15, -5
"""Niceness of servers and honest people, and of attackers, as far as the system allows.

What an attack does to the server is measured, not what it and other programs take of the machine.
"""


def set_urgency(pid: int, niceness: int) -> None:
    """Of a process that leads a session, and of what it starts; only root may make one more urgent."""
    with suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(str(niceness), "ascii")
    with suppress(OSError):
        os.setpriority(os.PRIO_PGRP, pid, niceness)
