"""How long somebody waits who types ``royalcrypt serve``."""

import os
import socket
import subprocess
import sysconfig
import time
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import royalcrypt
from benchmarks.server.processes import PATIENCE, UNBOUNDED, serve_arguments

BETWEEN = 0.005


def seconds_to_answer(data: Path, *, is_cold: bool = False) -> float:
    """From the start of the process until its first answer has been read."""
    port = free_port()
    if is_cold:
        forget_files()
    environment = os.environ | UNBOUNDED | {"ROYALCRYPT_DATA": str(data), "ROYALCRYPT_PORT": str(port)}
    began = time.perf_counter()
    process = subprocess.Popen(serve_arguments(), env=environment, stdout=subprocess.DEVNULL)
    try:
        while not answers(port):
            if process.poll() is not None or time.perf_counter() - began > PATIENCE:
                raise ChildProcessError("the server did not start")
            time.sleep(BETWEEN)
        return time.perf_counter() - began
    finally:
        process.terminate()
        process.wait()


def answers(port: int) -> bool:
    asking = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        asking.request("GET", "/health")
        return asking.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        asking.close()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


def forget_files() -> None:
    """Let the system drop the program's files from memory, as after switching the machine on."""
    for folder in (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), royalcrypt.__path__[0]):
        for path in Path(folder).rglob("*"):
            if path.suffix in (".py", ".pyc", ".so") and path.is_file():
                descriptor = os.open(path, os.O_RDONLY)
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(descriptor)
