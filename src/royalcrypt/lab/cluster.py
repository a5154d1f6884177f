"""A Ray cluster as a worker pool (``pip install royalcrypt[ray]``).

Every piece of work is one Ray task. It is retried if its worker or machine is lost; its exceptions are
raised here. Every machine needs the same package: a worker with different sources rejects tasks, because
different sources could give different results.
"""

import hashlib
import logging
import os
import pickle
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from royalcrypt.lab.worker_pools import Done, Piece, WorkerPool
from royalcrypt.notation.reasons import Reason, Refusal

AUTO = "auto"
ADDRESS = re.compile(r"(ray://)?(?P<host>[^\s:/]+|\[[0-9a-fA-F:]+\]):(?P<port>[0-9]{1,5})")
MOST_RETRIES = 100
"""The most retries of a task; if all attempts crash their workers, the task is considered faulty."""
SECONDS_TO_CONNECT, SECONDS_TO_ANSWER = 3, 30
PACKAGE = Path(__file__).parents[1]
NO_USAGE_STATS = {"RAY_USAGE_STATS_ENABLED": "0"}
CONNECT = "import sys, ray; ray.init(sys.argv[1], log_to_driver=False, logging_level='ERROR'); ray.shutdown()"


class RayPool(WorkerPool):
    """A worker pool with all processors of a Ray cluster."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._run = ray.remote(max_retries=MOST_RETRIES)(with_same_sources)
        self.size = max(1, int(ray.cluster_resources().get("CPU", 1)))

    def submit(self, task: Callable[[Piece], Done], piece: Piece) -> Any:
        return self._run.remote(digest_of_sources(), task, packed(piece))

    def result(self, handle: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return unpacked(self._ray.get(handle))
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
    """Pickle an object here, because arrays that Ray transfers itself are read-only."""
    return pickle.dumps(thing, pickle.HIGHEST_PROTOCOL)


def unpacked(thing: bytes) -> Any:
    return pickle.loads(thing)  # noqa: S301 (packed by ourselves)


@cache
def digest_of_sources() -> str:
    """A digest of all source files that may affect results."""
    digest = hashlib.blake2b(digest_size=8)
    for source in sorted(PACKAGE.rglob("*")):
        if source.suffix in (".py", ".npy"):
            digest.update(f"\0{source.relative_to(PACKAGE)}\0".encode() + source.read_bytes())
    return digest.hexdigest()


@contextmanager
def cluster_at(address: str) -> Generator[RayPool]:
    """Connect to the cluster at ``address`` (``auto``: the local one). An existing connection is reused."""
    if find_spec("ray") is None:
        raise Refusal(Reason.NO_RAY)
    os.environ.update(NO_USAGE_STATS | os.environ)
    import ray as library

    ray: Any = library
    if ray.is_initialized():
        yield RayPool(ray)
        return
    check_address(ray, address)
    _connect(ray, address)
    try:
        yield RayPool(ray)
    finally:
        ray.shutdown()


def check_address(ray: Any, address: str) -> None:
    """Refuse an address without a cluster. Ray itself retries for minutes and then exits the process."""
    if address != AUTO:
        _must_listen(ray, address)
    output = _connection_error(address)
    if output is None:
        return
    if re.search("Unauthenticated|AuthenticationError", output):
        raise Refusal(Reason.NO_CLUSTER_TOKEN, address=address)
    # The last line of a traceback, without the error's name; its first sentence describes the error.
    last = (output.strip().splitlines() or ["?"])[-1]
    raise _no_cluster(address, re.sub(r"^[\w.]+(Error|Exit): ", "", last).split(". ")[0])


def _connection_error(address: str) -> str | None:
    """The error output of a process that tries to connect; None if it connects."""
    try:
        done = subprocess.run(  # noqa: S603 (our own Python, and a validated address)
            [sys.executable, "-c", CONNECT, address],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=SECONDS_TO_ANSWER,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        return f"{error.stderr}\n{SECONDS_TO_ANSWER} s"
    return done.stderr if done.returncode else None


def _must_listen(ray: Any, address: str) -> None:
    found = ADDRESS.fullmatch(address)
    if found is None:
        raise Refusal(Reason.NOT_A_CLUSTER, address=address)
    host, port = found["host"].strip("[]"), int(found["port"])
    if host in ("localhost", "127.0.0.1"):
        host = ray.util.get_node_ip_address()  # Ray's own name for it.
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
    # Ray's messages about lost machines would be mixed with our output.
    ray._private.worker._worker_logs_enabled = False  # noqa: SLF001


def _no_cluster(address: str, why: str) -> Refusal:
    return Refusal(Reason.NO_CLUSTER, address=address, why=why.rstrip("."))


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
