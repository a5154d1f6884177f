"""``python -m tests.attacks.attacker NAME TARGET ADDRESS``: one attack, until it is stopped."""

import asyncio
import os
import resource
import sys
from threading import Thread

import msgspec

from tests.attacks import by_http, by_socket  # isort: skip
from tests.attacks import by_account  # isort: skip
from tests.attacks.client import Attacker, Target
from tests.attacks.declaring import ATTACKS

ALL = (by_http, by_socket, by_account)
"""Importing them declares their attacks."""


def end_with_parent() -> None:
    """Nobody is left to stop the attack if the campaign was killed."""
    sys.stdin.read()
    os._exit(1)


def main() -> None:
    name, target, source = sys.argv[1:]
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    Thread(target=end_with_parent, daemon=True).start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    asyncio.run(ATTACKS[name].play(Attacker(msgspec.json.decode(target, type=Target), source)))


if __name__ == "__main__":
    main()
