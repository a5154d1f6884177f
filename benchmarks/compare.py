"""CPU time of another checkout and of this one, in alternating pairs: ``python -m benchmarks.compare OTHER``.

Each subject runs in one process per checkout, which warms up first and stays on one core. The result is the
median ratio of this checkout to the other one, with its 96 % interval (second smallest and largest of nine).
The subject ``server`` starts a new server for each run, and plays there with the checkout's own benchmark.
"""

import argparse
import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[1]
PAIRS = 9
LIMIT = 1.05
TABLES, RATE, SECONDS = 500, 500, 6.0
FIRST_TABLES = 50
"""Those whose sockets come before memory is weighed: the first ones bring in what all share."""
SERVER_PAIRS = 5
WORK: dict[str, Callable[[], object]] = {}


def subject(work: Callable[[], object]) -> Callable[[], object]:
    WORK[work.__name__] = work
    return work


def command(*arguments: str) -> None:
    from royalcrypt.cli import main

    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main(list(arguments))


def positions(players: int) -> list[Any]:
    """Views from one game of greedy bots."""
    from royalcrypt import Game
    from royalcrypt.bots import Budget, bot_named

    game, found = Game.new(players=players, collectors="ABBABA", seed=players), []
    while game.actor is not None:
        found.append(game.view(game.actor))
        game.play(bot_named("greedy").choose(found[-1], Budget()))
    return found


def choose(bot: str, players: int, step: int) -> None:
    from royalcrypt.bots import Budget, bot_named

    for view in positions(players)[::step]:
        bot_named(bot).choose(view, Budget(seed=1))


@subject
def rules_compiled() -> None:
    for players in ("1", "2", "4"):
        command("simulate", "--players", players, "--bots", "random", "--games", "40000", "--seed", "1")


@subject
def rules_plain() -> None:
    for players in (2, 3, 4):
        choose("random", players, 1)
        choose("novice", players, 1)


@subject
def search() -> None:
    choose("seer", 2, 2)
    choose("seer", 4, 4)


@subject
def values() -> None:
    for _ in range(5):
        choose("heir", 2, 1)
        choose("heir", 4, 1)
    choose("regent", 2, 3)
    choose("sovereign", 2, 12)


@subject
def envs_many() -> None:
    import gymnasium
    import numpy as np

    from royalcrypt.envs import royalcrypt_v1

    alone = gymnasium.make_vec(
        "royalcrypt.envs:RoyalCrypt/OnlyChild-v1", num_envs=512, collectors="random", copy=False
    )
    company = royalcrypt_v1.vector_env(512, players=3, collectors="random", leader=None, copy=False)
    rng = np.random.default_rng(1)
    for env in (alone, company):
        observations, _ = env.reset(seed=1)
        for _ in range(150):
            mask = observations["action_mask"]
            chosen = np.argmax(rng.random(mask.shape, np.float32) * mask, axis=1)
            observations, *_ = env.step(chosen)


@subject
def envs_one() -> None:
    from royalcrypt.envs import royalcrypt_v1

    env = royalcrypt_v1.env(players=3)
    for seed in range(4):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            observation, _, ended, cut_off, _ = env.last()
            env.step(None if ended or cut_off else env.action_space(agent).sample(observation["action_mask"]))


def serve_subjects() -> None:
    """The process of one checkout: reads names of subjects, answers with seconds of CPU time."""
    for name in map(str.strip, sys.stdin):
        began = time.process_time()
        WORK[name]()
        print(time.process_time() - began, flush=True)


def serve_servers() -> None:
    """The process of one checkout: for each line it reads, measures a new server."""
    from benchmarks.server.prepare import prepare

    with tempfile.TemporaryDirectory() as place:
        prepared = Path(place) / "prepared"
        tables = prepare(prepared, TABLES, most_moves=8)
        for _ in sys.stdin:
            data = shutil.copytree(prepared, Path(place) / "data")
            print(json.dumps(measure_server(data, tables)), flush=True)
            shutil.rmtree(data)


def measure_server(data: Path, tables: list[dict[str, Any]]) -> dict[str, float]:
    """Uses only what the benchmark of each checkout has."""
    from benchmarks.server import processes

    for_server, for_crowd = processes.cores()
    with (
        processes.our_server(data, for_server) as server,
        processes.crowd_at(for_crowd, server.host) as crowd,
    ):
        crowd.tell("seat_live", tables=tables)
        crowd.tell("connect", first=0, last=FIRST_TABLES)
        empty = server.memory()
        crowd.tell("connect", first=FIRST_TABLES, last=len(tables))
        idle = server.memory()
        crowd.tell("watch")
        watched = server.memory()
        busy = server.busy()
        step = crowd.run(RATE, SECONDS, 1)
        return {
            "CPU of a command, µs": (server.busy() - busy) / step.all * 1e6,
            "bytes of an update": step.message,
            "seen by all, p50, ms": step.seen_p50,
            "seen by all, p99, ms": step.seen_p99,
            "memory of a connection, KiB": (idle - empty) / 1024 / 4 / (len(tables) - FIRST_TABLES),
            "memory of a table, KiB": (watched - idle) / 1024 / len(tables),
        }


class Checkout:
    """A process that runs subjects with a checkout's own modules."""

    def __init__(self, root: Path, role: str, cores: set[int]) -> None:
        path = os.pathsep.join((str(root / "src"), str(root)))
        environment = os.environ | {"PYTHONPATH": path, "OMP_NUM_THREADS": "1"}
        allowed = os.sched_getaffinity(0)
        os.sched_setaffinity(0, cores)
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(Path(__file__)), role, str(root)],
            cwd=root,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        os.sched_setaffinity(0, allowed)

    def ask(self, what: str) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def compare(name: str, mine: Callable[[], float], other: Callable[[], float]) -> None:
    for warm_up in (mine, other):
        warm_up()
    ratios: list[float] = []
    for number in range(PAIRS):
        first, second = (mine, other) if number % 2 else (other, mine)
        found = {first: first(), second: second()}
        ratios.append(found[mine] / found[other])
    ratios.sort()
    verdict = "met" if median(ratios) <= LIMIT else "MISSED"
    print(
        f"{name:16} {median(ratios):.3f}  [{ratios[1]:.3f}, {ratios[-2]:.3f}]  at most {LIMIT}: {verdict}",
        flush=True,
    )


def compare_servers(mine: Checkout, other: Checkout) -> None:
    rounds: list[tuple[dict[str, float], dict[str, float]]] = []
    for _ in range(SERVER_PAIRS):
        rounds.append((mine.ask("server"), other.ask("server")))
        print(f"server, pair {len(rounds)} of {SERVER_PAIRS}", file=sys.stderr)
    for name in rounds[0][0]:
        ours, theirs = (median(each[side][name] for each in rounds) for side in (0, 1))
        ratios = sorted(one[name] / another[name] for one, another in rounds)
        values = ", ".join(f"{ratio:.3f}" for ratio in ratios)
        print(f"server: {name:28} {ours:8.1f} beside {theirs:8.1f}: {median(ratios):.3f}  ({values})")


@contextlib.contextmanager
def checkouts(other: Path, role: str, cores: set[int]) -> Generator[tuple[Checkout, Checkout]]:
    """This one and the other one."""
    found = Checkout(ROOT, role, cores), Checkout(other.resolve(), role, cores)
    yield found
    for each in found:
        each.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare", description=__doc__)
    parser.add_argument("other", type=Path, help="the folder of the other checkout")
    parser.add_argument("subjects", nargs="*", metavar="subject", help=", ".join([*WORK, "server"]))
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--serve-servers", action="store_true", help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.serve:
        serve_subjects()
        return
    if wanted.serve_servers:
        serve_servers()
        return
    chosen = wanted.subjects or [*WORK, "server"]
    core = max(os.sched_getaffinity(0))
    with checkouts(wanted.other, "--serve", {core}) as (mine, theirs):
        for name in chosen:
            if name != "server":
                compare(name, partial(mine.ask, name), partial(theirs.ask, name))
    if "server" in chosen:
        with checkouts(wanted.other, "--serve-servers", os.sched_getaffinity(0)) as (mine, theirs):
            compare_servers(mine, theirs)


if __name__ == "__main__":
    main()
