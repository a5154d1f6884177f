"""Hours under a steady load: memory, open files, threads, tasks and answer times stay flat."""

import asyncio
import os
import random
import sys
from pathlib import Path

import pytest

from tests.server.faults.soak import BOUNDS, Sample, Soak, SoakHost, growths, leaking
from tests.server.processes import Process

MINUTES = float(os.environ.get("ROYALCRYPT_SOAK_MINUTES", "10"))
PLANTED_MINUTES = 1.0
PROGRAM = [sys.executable, "-m", "tests.server.faults.with_leaks"]
OPTIONS = ("serve", "--port", "0", "--bot-pause", "0.1", "--no-rate-limits", "--log-level", "error",
           "--max-connections-per-address", "5000")  # fmt: skip
QUANTITY_OF: dict[str, str] = dict(zip(("memory", "files", "threads", "tasks", "time"), BOUNDS, strict=True))


def soak(folder: Path, minutes: float, **environment: str) -> Soak:
    tasks = folder / "tasks.json"
    with Process(folder / "data", *OPTIONS, program=PROGRAM, TASKS=str(tasks), **environment) as server:
        load = Soak(SoakHost(server.url), server.process.pid, tasks)
        asyncio.run(load.run(minutes * 60))
        assert server.end() == 0
        assert server.complaints() == ""
    return load


def report(load: Soak) -> None:
    seconds = load.samples[-1].at - load.samples[0].at
    counts = {
        "seconds": round(seconds), "games": load.games, "moves": load.moves, "sockets cut off": load.cut_off,
        "reads": load.reads, "people deleted": load.deleted,
        "broken requests": load.broken,
    }  # fmt: skip
    for name, number in counts.items():
        print(f"{name:>16} {number}")  # noqa: T201 (shown by pytest -s)
    for name, (mean, growth, most) in growths(load.samples).items():
        print(f"{name:>16} {mean:8.1f}, in the second half {growth:+.2f} of at most {most:+.1f}")  # noqa: T201


def samples(seed: int = 1, **slopes: float) -> list[Sample]:
    """An hour of noise, in which these quantities grow by so much."""
    chance = random.Random(seed)

    def value(name: str, mean: float, noise: float, at: float) -> float:
        return mean + chance.gauss(0, noise) + slopes.get(name, 0.0) * at / 3600

    return [
        Sample(
            at,
            value("memory", 100, 2, at),
            round(value("files", 60, 5, at)),
            round(value("threads", 9, 0.4, at)),
            round(value("tasks", 80, 8, at)),
            [value("time", 8, 1, at) * chance.expovariate(1) for _ in range(50)],
        )
        for at in range(0, 3600, 5)
    ]


def test_the_soaks_instrument_sees_growth_and_no_growth_in_noise() -> None:
    assert [leaking(samples(seed)) for seed in range(5)] == [[]] * 5
    for kind, slope in (("memory", 24), ("files", 40), ("threads", 12), ("tasks", 24), ("time", 60)):
        assert leaking(samples(**{kind: slope})) == [QUANTITY_OF[kind]]


@pytest.mark.faults
@pytest.mark.parametrize("leak", QUANTITY_OF)
def test_a_planted_leak_is_seen(leak: str, tmp_path: Path) -> None:
    load = soak(tmp_path, PLANTED_MINUTES, LEAK=leak)
    report(load)
    assert QUANTITY_OF[leak] in leaking(load.samples)


@pytest.mark.faults
def test_under_a_steady_load_nothing_grows(tmp_path: Path) -> None:
    load = soak(tmp_path, MINUTES)
    report(load)
    assert load.games > MINUTES
    assert load.broken <= 3 + load.games / 100
    assert leaking(load.samples) == []
