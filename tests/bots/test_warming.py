"""Compiled code is made aside: what is ready, what never will be, and how the process ends."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from royalcrypt.bots.warming import WarmUp
from royalcrypt.rules.reveal import row_length
from royalcrypt.search import compilation
from tests.bots import guests

PATIENCE = 60.0


class Heard:
    """A warm-up, and what it told."""

    def __init__(self, *unready: str, says: str | None = None) -> None:
        self.ready: list[str] = []
        self.failures: list[tuple[list[str], str]] = []
        program = {} if says is None else {"program": (sys.executable, "-c", says)}
        self.warm_up = WarmUp(unready, **program)

    def begin(self, *names: str) -> None:
        self.warm_up.begin(
            names,
            on_ready=self.ready.append,
            on_failure=lambda failed, why: self.failures.append((failed, why)),
        )

    def ended(self, *names: str) -> "Heard":
        self.begin(*names)
        wait_until(lambda: not self.warm_up.is_under_way)
        self.warm_up.close()
        return self


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def forget() -> None:
    compilation.cache_directory.cache_clear()
    compilation.can_store.cache_clear()


@pytest.fixture(autouse=True)
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty place for compiled code, here and in the processes that are started."""
    monkeypatch.setenv(compilation.CACHE_VARIABLE, str(tmp_path / "caches"))
    forget()
    yield tmp_path / "caches"
    forget()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where other packages are installed."""
    monkeypatch.syspath_prepend(tmp_path / "packages")
    return tmp_path / "packages"


def test_code_made_aside_is_loaded_by_whoever_comes_later(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guests.install(folder, counting=guests.COUNTING)
    assert not compilation.is_compiled(row_length)
    heard = Heard("counting").ended("counting")
    assert (heard.ready, heard.failures) == (["counting"], [])
    assert heard.warm_up.is_ready("counting")

    def compile_again(twin: object) -> None:
        pytest.fail("it was not loaded")

    monkeypatch.setattr(compilation, "_entries", {})
    monkeypatch.setattr(compilation, "_compile_callees", compile_again)
    assert compilation.is_compiled(row_length)
    compilation.compiled(row_length)
    assert Heard("counting").ended("counting").ready == ["counting"]


def test_a_bot_that_cannot_be_compiled_keeps_no_other_from_it(folder: Path) -> None:
    guests.install(
        folder,
        impossible=guests.IMPOSSIBLE,
        broken=guests.BROKEN,
        plain=guests.PLAIN,
        counting=guests.COUNTING,
    )
    heard = Heard().ended("impossible", "broken", "plain", "counting")
    assert heard.ready == ["counting"], "the plain one was all the time"
    ((failed, why),) = heard.failures
    assert failed == ["impossible"], "the broken one is asked as ever, and fails as ever"
    assert why == heard.warm_up.why == "KeyError: <class 'str'>"
    assert not heard.warm_up.may_be_ready("impossible")
    assert heard.warm_up.may_be_ready("counting")


def test_where_nothing_can_be_kept_it_says_so_and_gives_up(caches: Path, folder: Path) -> None:
    guests.install(folder, counting=guests.COUNTING)
    caches.write_text("a file stands where the directory should be")
    heard = Heard("counting").ended("counting")
    ((failed, why),) = heard.failures
    assert (heard.ready, failed) == ([], ["counting"])
    assert compilation.CACHE_VARIABLE in why


def test_without_a_compiler_it_says_so_and_gives_up(folder: Path) -> None:
    folder.mkdir()
    (folder / "numba.py").write_text("raise ImportError('made for another processor')", "utf-8")
    ((failed, why),) = Heard("seer").ended("seer").failures
    assert failed == ["seer"]
    assert why == "ImportError: made for another processor (exit code 1)"


def test_what_was_ready_before_a_crash_stays_so() -> None:
    heard = Heard("seer", "heir", says="print('ready seer', flush=True); import os; os.abort()")
    ((failed, why),) = heard.ended("seer", "heir").failures
    assert (heard.ready, failed) == (["seer"], ["heir"])
    assert "exit code -6" in why
    assert heard.warm_up.may_be_ready("seer")
    assert not heard.warm_up.may_be_ready("heir")


def test_a_program_that_cannot_be_started_is_a_failure_as_well() -> None:
    heard = Heard("seer")
    heard.warm_up = WarmUp(("seer",), program=("/nowhere/python",))
    ((failed, why),) = heard.ended("seer").failures
    assert failed == ["seer"]
    assert "No such file" in why


def test_bots_of_others_are_not_ready_from_when_they_are_said_to_be_compiled(tmp_path: Path) -> None:
    go_on = tmp_path / "go on"
    heard = Heard(
        "seer",
        says=f"""
import pathlib, time
print("compiling guest", flush=True)
while not pathlib.Path({str(go_on)!r}).exists():
    time.sleep(0.01)
print("ready guest", flush=True)
print("ready seer", flush=True)
""",
    )
    assert heard.warm_up.is_ready("guest")
    heard.begin("seer", "guest")
    wait_until(lambda: not heard.warm_up.is_ready("guest"))
    assert heard.warm_up.may_be_ready("guest")
    assert not heard.warm_up.is_ready("seer")
    assert heard.warm_up.is_ready("greedy")
    go_on.touch()
    wait_until(lambda: not heard.warm_up.is_under_way)
    assert (heard.ready, heard.failures) == (["guest", "seer"], [])


def test_it_makes_way_for_others_and_ends_when_it_is_told_to(folder: Path) -> None:
    guests.install(folder, hanging=guests.HANGING)
    heard = Heard("hanging")
    heard.begin("hanging")
    process = heard.warm_up._process
    assert process is not None
    own = os.getpriority(os.PRIO_PROCESS, 0)
    wait_until(lambda: os.getpriority(os.PRIO_PROCESS, process.pid) > own)
    heard.warm_up.close()
    assert process.returncode is not None
    assert not heard.warm_up.is_under_way
    assert heard.failures == [], "nobody is told of an end that somebody wanted"
    heard.warm_up.close()


def test_it_ends_with_whoever_started_it(folder: Path) -> None:
    guests.install(folder, hanging=guests.HANGING)
    started = """
import os
from royalcrypt.bots.warming import WarmUp
warm_up = WarmUp(("hanging",))
warm_up.begin(("hanging",))
print(warm_up._process.pid, flush=True)
os.kill(os.getpid(), 9)
"""
    path = os.pathsep.join([str(folder), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-c", started],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
        timeout=PATIENCE,
    )
    pid = int(done.stdout)
    wait_until(lambda: not is_alive(pid))


def is_alive(pid: int) -> bool:
    """Not so one that waits to be buried."""
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], check=False, capture_output=True, text=True)
    return bool(found.stdout.strip()) and not found.stdout.strip().startswith("Z")
