"""Bots that fail in their own ways, each in place of ``greedy``; simpler ones stay as they are."""

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from royalcrypt.server.bots.pool import choose_move

BAD = "greedy"
IMMUTABLE = 600.0


def _instead(name: str, packed: bytes, seed: int, do: Callable[[], Any]) -> str:
    return do() if name == BAD else choose_move(name, packed, seed)


def _raise(error: BaseException) -> None:
    raise error


class Unreadable(Exception):  # noqa: N818
    """Cannot be sent to another process."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()


def raising(name: str, packed: bytes, seed: int) -> str:
    return _instead(name, packed, seed, lambda: _raise(ValueError("no idea")))


def unreadable(name: str, packed: bytes, seed: int) -> str:
    return _instead(name, packed, seed, lambda: _raise(Unreadable()))


def exiting(name: str, packed: bytes, seed: int) -> str:
    return _instead(name, packed, seed, sys.exit)


def interrupting(name: str, packed: bytes, seed: int) -> str:
    return _instead(name, packed, seed, lambda: _raise(KeyboardInterrupt()))


def interrupted_before_it_thinks(*_: object) -> str:
    """In place of all that a worker does: Ctrl-C reached it in between."""
    raise KeyboardInterrupt


def cancelling(name: str, packed: bytes, seed: int) -> str:
    return _instead(name, packed, seed, lambda: _raise(asyncio.CancelledError()))


def silent(name: str, packed: bytes, seed: int) -> str:
    return _instead(name, packed, seed, lambda: None)


def empty(name: str, packed: bytes, seed: int) -> str:
    return _instead(name, packed, seed, str)


def babbling(name: str, packed: bytes, seed: int) -> str:
    return _instead(name, packed, seed, lambda: "the left one, \udcff please")


def cheating(name: str, packed: bytes, seed: int) -> str:
    """More dice than anybody has."""
    return _instead(name, packed, seed, lambda: "1:3x6 2:3x6 3:3x6")


def greedy_for_turns(name: str, packed: bytes, seed: int) -> str:
    """A legal turn, and another."""
    return _instead(name, packed, seed, lambda: "recover; recover")


def shouting(name: str, packed: bytes, seed: int) -> str:
    """Writes where the answers go."""
    return _instead(name, packed, seed, lambda: os.write(1, b"look at me\n") and "recover")


def leaving(name: str, packed: bytes, seed: int) -> str:
    return _instead(name, packed, seed, lambda: os._exit(3))


def dying(name: str, packed: bytes, seed: int) -> str:
    return _instead(name, packed, seed, lambda: os.kill(os.getpid(), signal.SIGKILL))


def hanging(name: str, packed: bytes, seed: int) -> str:
    return _instead(name, packed, seed, lambda: time.sleep(IMMUTABLE))


def never_thinking(name: str, packed: bytes, seed: int) -> str:
    """None of them answers; once one is asked, the file that the environment's ASKED names is there."""
    if "ASKED" in os.environ:
        Path(os.environ["ASKED"]).touch()
    time.sleep(IMMUTABLE)
    return name


AT_ONCE = (
    raising,
    unreadable,
    exiting,
    interrupting,
    cancelling,
    silent,
    empty,
    babbling,
    cheating,
    greedy_for_turns,
)
DEADLY = (shouting, leaving, dying)
"""These cost a worker process each time."""


def moody(name: str, packed: bytes, seed: int) -> str:
    """Fails in any way but one, and seldom dies of it."""
    way = DEADLY[seed // 20 % len(DEADLY)] if seed % 20 == 0 else AT_ONCE[seed % len(AT_ONCE)]
    return way(name, packed, seed)
