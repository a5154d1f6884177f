"""Ray: the same work on the machines of a cluster (``pip install royalcrypt[ray]``).

Every piece is one task of Ray's. Whose worker or machine is lost is done again; what a task itself raises is
raised here. Every machine needs the same package: a worker whose sources differ refuses to work, as other
sources could give other results.
"""

import hashlib
import logging
import os
import pickle
import re
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from royalcrypt.notation.reasons import Reason, Refusal

Piece = TypeVar("Piece")
Done = TypeVar("Done")
AUTO = "auto"
ADDRESS = re.compile(r"(ray://)?(?P<host>[^\s:/]+|\[[0-9a-fA-F:]+\]):(?P<port>[0-9]{1,5})")
AHEAD = 4
"""Pieces in hand for each who works."""
LOST_AT_MOST = 100
"""Times that one piece is begun anew; where each try ends a worker, the fault is the piece's."""
SECONDS_TO_CONNECT, SECONDS_TO_ANSWER = 3, 30
PACKAGE = Path(__file__).parents[1]
NO_TELLING = {"RAY_USAGE_STATS_ENABLED": "0"}
TRIAL = "import sys, ray; ray.init(sys.argv[1], log_to_driver=False, logging_level='ERROR'); ray.shutdown()"


class Cluster:
    """All processors of a cluster of Ray's."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self.size = max(1, int(ray.cluster_resources().get("CPU", 1)))

    def do(self, task: Callable[[Piece], Done], pieces: Iterable[Piece]) -> Iterator[Done]:
        remote = self._ray.remote(max_retries=LOST_AT_MOST)(with_same_sources)
        left, sources = iter(pieces), digest_of_sources()

        def hand_out(count: int) -> None:
            waiting.extend(remote.remote(sources, task, packed(piece)) for piece in islice(left, count))

        waiting: deque[Any] = deque()
        hand_out(self.size * AHEAD)
        while waiting:
            done = self._result(waiting.popleft())
            hand_out(1)
            yield done

    def _result(self, promised: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return unpacked(self._ray.get(promised))
        except errors.RayTaskError as error:
            if isinstance(error.cause, Exception):
                raise error.cause from None
            raise
        except errors.RayError as error:
            raise Refusal(Reason.CLUSTER_FAILED, why=_first_line(error)) from None


def with_same_sources(sources: str, task: Callable[[Any], Any], piece: bytes) -> bytes:
    if digest_of_sources() != sources:
        raise Refusal(Reason.OTHER_SOURCES, node=socket.gethostname())
    return packed(task(unpacked(piece)))


def packed(thing: Any) -> bytes:
    """Arrays that Ray itself hands over cannot be written to, unlike those that processes get."""
    return pickle.dumps(thing, pickle.HIGHEST_PROTOCOL)


def unpacked(thing: bytes) -> Any:
    return pickle.loads(thing)  # noqa: S301 (of our own making)


@cache
def digest_of_sources() -> str:
    """Of all that results may depend on."""
    digest = hashlib.blake2b(digest_size=8)
    for source in sorted(PACKAGE.rglob("*")):
        if source.suffix in (".py", ".npy"):
            digest.update(f"\0{source.relative_to(PACKAGE)}\0".encode() + source.read_bytes())
    return digest.hexdigest()


@contextmanager
def cluster_at(address: str) -> Generator[Cluster]:
    """Those at ``address``, or with ``auto`` of the cluster that runs here; a connection at hand is used."""
    if find_spec("ray") is None:
        raise Refusal(Reason.NO_RAY)
    os.environ.update(NO_TELLING | os.environ)
    import ray as library

    ray: Any = library
    if ray.is_initialized():
        yield Cluster(ray)
        return
    must_answer(ray, address)
    _connect(ray, address)
    try:
        yield Cluster(ray)
    finally:
        ray.shutdown()


def must_answer(ray: Any, address: str) -> None:
    """Refuse what nobody answers at. Ray itself tries for minutes, talks meanwhile, and ends the process."""
    if address != AUTO:
        _must_listen(ray, address)
    try:
        trial = subprocess.run(  # noqa: S603 (a Python of ours, and an address that has a form)
            [sys.executable, "-c", TRIAL, address],
            capture_output=True,
            check=False,
            text=True,
            timeout=SECONDS_TO_ANSWER,
        )
    except subprocess.TimeoutExpired:
        raise _no_cluster(address, f"{SECONDS_TO_ANSWER} s") from None
    if trial.returncode:
        lines = trial.stderr.strip().splitlines() or [str(trial.returncode)]
        # The last line of a traceback, without the error's name; its first sentence says what is wrong.
        raise _no_cluster(address, re.sub(r"^[\w.]+(Error|Exit): ", "", lines[-1]).split(". ")[0])


def _must_listen(ray: Any, address: str) -> None:
    found = ADDRESS.fullmatch(address)
    if found is None:
        raise Refusal(Reason.NOT_A_CLUSTER, address=address)
    host, port = found["host"].strip("[]"), int(found["port"])
    if host in ("localhost", "127.0.0.1"):
        host = ray.util.get_node_ip_address()  # Which Ray takes for it.
    try:
        socket.create_connection((host, port), SECONDS_TO_CONNECT).close()
    except (OSError, OverflowError) as error:
        raise _no_cluster(address, str(getattr(error, "strerror", None) or error)) from None


def _connect(ray: Any, address: str) -> None:
    paths = (str(PACKAGE.parent), str(Path.cwd()), os.environ.get("PYTHONPATH", ""))
    ray.init(
        address,
        runtime_env={"env_vars": {"PYTHONPATH": os.pathsep.join(filter(None, paths))}},
        log_to_driver=False,
        logging_level=logging.ERROR,
    )
    # What Ray tells of machines that were lost would stand amid our own output.
    ray._private.worker._worker_logs_enabled = False  # noqa: SLF001


def _no_cluster(address: str, why: str) -> Refusal:
    return Refusal(Reason.NO_CLUSTER, address=address, why=why.rstrip("."))


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
