"""``python -m tests.attacks.attacker NAME TARGET ADDRESS``: one attack, until it is stopped."""

import asyncio
import resource
import sys

import msgspec

from tests.attacks import by_http, by_socket  # isort: skip
from tests.attacks import by_account  # isort: skip
from tests.attacks.client import Attacker, Target
from tests.attacks.declaring import ATTACKS

ALL = (by_http, by_socket, by_account)
"""Importing them declares their attacks."""


def main() -> None:
    name, target, source = sys.argv[1:]
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    asyncio.run(ATTACKS[name].play(Attacker(msgspec.json.decode(target, type=Target), source)))


if __name__ == "__main__":
    main()
