"""One attack on one server: start it, let honest people play, attack, and tell what happened."""

import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

import msgspec

from tests.attacks.client import Target
from tests.attacks.declaring import Attack
from tests.attacks.routes import Direct
from tests.attacks.urgency import POLITE, URGENT, set_urgency
from tests.attacks.witness import EVERY, Report, Wait
from tests.server.processes import PATIENCE, REAL, ROOT, Process, environment
from tests.services.processes import free_port

LIMIT = re.compile(r'^royalcrypt_limits_reached_total\{limit="(\w+)"\} (\S+)', re.MULTILINE)
SAMPLED = 0.05
"""Seconds between two looks at the server's files."""
EVE = "127.0.9.1"


class Length(NamedTuple):
    """How long an attack and what comes before and after it take, in seconds."""

    before: float
    attack: float
    after: float


@dataclass
class Outcome:
    """What an attack did. Times in ms, memory in MB."""

    attack: Attack
    waits: list[Wait]
    """During the attack."""
    calm: list[Wait]
    peak: float
    after: float
    files: int
    limits: dict[str, int]
    complaints: str
    broken: str
    seconds: float
    """Of the server's processor."""
    troubles: list[str] = field(default_factory=list)

    @property
    def p99(self) -> float:
        return percentile(self.waits, 99)

    @property
    def worst(self) -> float:
        return percentile(self.waits, 100)

    @property
    def applied(self) -> str:
        return ", ".join(sorted(self.limits)) or "-"

    @property
    def visit(self) -> float:
        """The longest step of a visitor."""
        return max(
            (1000 * (wait.until - wait.since) for wait in self.waits if wait.kind not in PLAYING), default=0
        )


PLAYING = ("ping", "move")


def percentile(waits: list[Wait], share: float) -> float:
    """Of the round trips of those who play.

    Nobody sends while waiting for an answer: who waited for long is counted once for each round trip that
    they would have begun meanwhile.
    """
    found: list[float] = []
    for wait in waits:
        if wait.kind in PLAYING:
            left = wait.until - wait.since
            found.append(left)
            while wait.kind == "ping" and (left := left - EVERY) > 0:
                found.append(left)
    found.sort()
    return 1000 * found[min(len(found) - 1, int(len(found) * share / 100))] if found else 0.0


class Sampler:
    """The most files that a process had open."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.files = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._sample)
        self._thread.start()

    def _sample(self) -> None:
        while not self._ended.wait(SAMPLED):
            with suppress(OSError):
                self.files = max(self.files, len(list(Path(f"/proc/{self.pid}/fd").iterdir())))

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()

    def memory(self, name: str) -> float:
        """MB; VmRSS now, VmHWM at most."""
        status = Path(f"/proc/{self.pid}/status").read_text("ascii")
        found = re.search(rf"^{name}:\s+(\d+) kB", status, re.MULTILINE)
        assert found
        return int(found[1]) / 1024

    def cpu(self) -> float:
        spent = Path(f"/proc/{self.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(spent[11]) + int(spent[12])) / 100


def run(
    attack: Attack,
    folder: Path,
    length: Length,
    route: Direct,
    meanwhile: Callable[[Process], object] = bool,
) -> Outcome:
    """``route`` is how people get to the server, to itself or through a proxy; ``meanwhile`` harms it."""
    with ExitStack() as stack:
        options = [part for name, value in attack.settings.items() for part in options_of(name, value)]
        port = free_port()
        server = stack.enter_context(
            Process(
                folder / "data", "serve", "--port", str(port), "--log-level", "warning", *options,
                program=REAL,
                ROYALCRYPT_COMPILED_BOTS=attack.settings.get("compiled_bots", "false"),
                **route.settings(),
            )
        )  # fmt: skip
        set_urgency(server.process.pid, URGENT)
        target = stack.enter_context(route.to(port))
        sampler = Sampler(server.process.pid)
        stack.callback(sampler.stop)
        witness = stack.enter_context(started("witness", target))
        assert witness.stdout
        assert witness.stdout.readline().strip() == "ready", witness.communicate()
        time.sleep(length.before)
        with started("attacker", target, attack.name) as attacker:
            assert attacker.stdout
            assert attacker.stdout.readline().strip() == "ready", attacker.communicate()
            spent, began = sampler.cpu(), time.monotonic()
            meanwhile(server)
            time.sleep(length.attack)
            ended, spent = time.monotonic(), sampler.cpu() - spent
            failed = attacker.poll()
            attacker.kill()
            said = attacker.stderr.read() if attacker.stderr and failed is not None else ""
        time.sleep(length.after)
        report = msgspec.json.decode(witness.communicate("")[0], type=Report)
        return Outcome(
            attack,
            waits=[wait for wait in report.waits if wait.until > began and wait.since < ended],
            calm=[wait for wait in report.waits if wait.until <= began],
            peak=sampler.memory("VmHWM"),
            after=sampler.memory("VmRSS"),
            files=sampler.files,
            limits=limits_reached(port),
            complaints=server.complaints() + said,
            broken=report.broken,
            seconds=spent / (ended - began),
            troubles=[
                f"{wait.kind}: {wait.trouble}" for wait in report.waits if wait.until > began and wait.trouble
            ],
        )


def options_of(name: str, value: str) -> list[str]:
    return [] if name == "compiled_bots" else ["--" + name.replace("_", "-"), value]


def limits_reached(port: int) -> dict[str, int]:
    """How often each limit of the server on this port was applied."""
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
        found = LIMIT.findall(answer.read().decode())
    return {name: int(float(count)) for name, count in found}


@contextmanager
def started(what: str, target: Target, *names: str) -> Generator[subprocess.Popen[str]]:
    """A witness or an attacker, in a process of its own, which ends here."""
    arguments = [*names[:1], msgspec.json.encode(target).decode(), *([EVE] if names else [])]
    with subprocess.Popen(
        [sys.executable, "-m", f"tests.attacks.{what}", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if what == "attacker" else None,
        text=True,
        cwd=ROOT,
        env=environment(ROOT / "nowhere"),
        start_new_session=True,
    ) as begun:
        try:
            set_urgency(begun.pid, POLITE if what == "attacker" else URGENT)
            yield begun
        finally:
            begun.kill()
