"""Tasks that processes and machines of a cluster can be given."""

import os
import signal
import time
from pathlib import Path

from royalcrypt.notation.reasons import Reason, Refusal


def double(number: int) -> int:
    return 2 * number


def double_slowly(piece: tuple[int, str]) -> int:
    """Whoever begins notes it in a folder; the same piece may be begun again by another."""
    number, folder = piece
    Path(folder, f"{number}-{os.getpid()}").touch()
    time.sleep(0.5)
    return 2 * number


def fail(number: int) -> int:
    if number == 2:
        raise ZeroDivisionError("two")
    return number


def refuse(number: int) -> int:
    raise Refusal(Reason.WRONG_SEED, seed=str(number))


def die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number
