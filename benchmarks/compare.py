"""CPU time of another checkout and of this one, in alternating pairs: ``python -m benchmarks.compare OTHER``.

Each subject runs in one process per checkout, which warms up first and stays on one core. The result is the
median ratio of this checkout to the other one, with its 96 % interval (second smallest and largest of nine).
"""

import argparse
import contextlib
import io
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
TABLES, RATE, SECONDS = 100, 250, 4.0
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


class Checkout:
    def __init__(self, root: Path, core: int) -> None:
        environment = os.environ | {"PYTHONPATH": str(root / "src"), "OMP_NUM_THREADS": "1"}
        allowed = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {core})
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__)), "--serve", str(root)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        os.sched_setaffinity(0, allowed)

    def seconds(self, name: str) -> float:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(name + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

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


@contextlib.contextmanager
def loaded_server(root: Path, prepared: Path, tables: list[dict[str, Any]]) -> Generator[Callable[[], float]]:
    """A server of one checkout with people at its tables; gives the CPU seconds of a command."""
    from benchmarks.server import processes

    for_server, for_crowd = processes.cores()
    with contextlib.ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "data"
        shutil.copytree(prepared, data)
        before = os.environ.get("PYTHONPATH", "")
        os.environ["PYTHONPATH"] = str(root / "src")
        server = stack.enter_context(processes.our_server(data, for_server))
        os.environ["PYTHONPATH"] = before
        crowd = stack.enter_context(processes.crowd_at(for_crowd, server.host))
        crowd.tell("seat_live", tables=tables)
        crowd.tell("connect", first=0, last=len(tables))
        crowd.tell("watch")

        def cost() -> float:
            busy = server.busy()
            commands = crowd.run(RATE, SECONDS, 1).all
            return (server.busy() - busy) / commands

        yield cost


def compare_servers(other: Path) -> None:
    from benchmarks.server.prepare import prepare

    with tempfile.TemporaryDirectory() as place:
        prepared = Path(place) / "prepared"
        tables = prepare(prepared, TABLES)
        with loaded_server(ROOT, prepared, tables) as mine, loaded_server(other, prepared, tables) as theirs:
            compare("server", mine, theirs)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare", description=__doc__)
    parser.add_argument("other", type=Path, help="the folder of the other checkout")
    parser.add_argument("subjects", nargs="*", metavar="subject", help=", ".join([*WORK, "server"]))
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.serve:
        serve_subjects()
        return
    chosen = wanted.subjects or [*WORK, "server"]
    core = max(os.sched_getaffinity(0))
    mine, theirs = Checkout(ROOT, core), Checkout(wanted.other.resolve(), core)
    for name in chosen:
        if name != "server":
            compare(name, partial(mine.seconds, name), partial(theirs.seconds, name))
    mine.close()
    theirs.close()
    if "server" in chosen:
        compare_servers(wanted.other.resolve())


if __name__ == "__main__":
    main()
