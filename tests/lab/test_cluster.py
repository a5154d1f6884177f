"""A real Ray cluster of two nodes: the same results as alone, whoever is lost on the way."""

import json
import os
import signal
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from secrets import token_hex
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

from royalcrypt.cli import main
from royalcrypt.lab import cluster, training
from royalcrypt.lab.backends import compiled_backend, plain_backend
from royalcrypt.lab.cluster import RayPool, cluster_at
from royalcrypt.lab.simulate import simulate
from royalcrypt.lab.tables import Outcome, Setting
from royalcrypt.lab.training import QUICK, THREADS, Training, TrainingPlan
from royalcrypt.notation.reasons import Reason, Refusal
from tests.lab.tasks import die, double, double_slowly, fail, refuse

NODE = {"num_cpus": 1, "object_store_memory": 80 * 1024 * 1024}
HEAD_IP, NODE_IP = "127.0.0.2", "127.0.0.3"
"""Not 127.0.0.1, which Ray takes for another address of this machine."""


class Machines:
    """A head, and a node that can be lost and replaced."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster as LocalCluster

        head = NODE | {"node_ip_address": HEAD_IP, "include_dashboard": False}
        self._cluster: Any = LocalCluster(initialize_head=True, head_node_args=head)
        self._node: Any = None
        self.address: str = self._cluster.address
        self.add()

    def add(self) -> None:
        self._node = self._cluster.add_node(**NODE, node_ip_address=NODE_IP)

    def workers(self) -> list[int]:
        """Processes of the node that can be lost."""
        (raylet,) = self._node.all_processes["raylet"]
        pid = raylet.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def lose(self) -> None:
        """As if somebody pulled the plug."""
        (raylet,) = self._node.all_processes["raylet"]
        for pid in (*self.workers(), raylet.process.pid):
            os.kill(pid, signal.SIGKILL)
        self._cluster.worker_nodes.discard(self._node)

    def close(self) -> None:
        self._cluster.shutdown()


@pytest.fixture(scope="module")
def machines() -> Iterator[Machines]:
    made = Machines()
    yield made
    made.close()


@pytest.fixture(scope="module")
def pool(machines: Machines) -> Iterator[RayPool]:
    """Connected once: what asks for a cluster meanwhile gets this one."""
    with cluster_at(machines.address) as found:
        yield found


def test_without_its_token_nobody_is_let_in(machines: Machines, monkeypatch: pytest.MonkeyPatch) -> None:
    import ray

    monkeypatch.setenv("RAY_AUTH_TOKEN", token_hex(32))
    monkeypatch.setattr(cluster, "SECONDS_TO_ANSWER", 8)
    with pytest.raises(Refusal) as refused:
        cluster.check_address(ray, machines.address)
    assert refused.value.reason is Reason.NO_CLUSTER_TOKEN


def test_results_come_in_the_order_of_the_pieces(pool: RayPool) -> None:
    assert pool.size == 2
    assert list(pool.map(double, range(40))) == [2 * number for number in range(40)]
    assert list(islice(pool.map(double, iter(range(10**9))), 3)) == [0, 2, 4], "no more than needed is begun"
    assert list(pool.map(double, [])) == []


def test_what_a_task_raises_is_raised_here(pool: RayPool) -> None:
    work = pool.map(fail, range(5))
    assert [next(work), next(work)] == [0, 1]
    with pytest.raises(ZeroDivisionError, match="two"):
        next(work)
    with pytest.raises(Refusal) as refused:
        list(pool.map(refuse, [7]))
    assert (refused.value.reason, refused.value.details) == (Reason.WRONG_SEED, {"seed": "7"})


def test_a_piece_that_ends_every_worker_is_given_up(pool: RayPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "MOST_RETRIES", 1)
    with cluster_at("auto") as fragile, pytest.raises(Refusal) as refused:
        list(fragile.map(die, [1]))
    assert refused.value.reason is Reason.CLUSTER_FAILED


def test_machines_with_other_sources_do_not_work(pool: RayPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "digest_of_sources", lambda: "of another version")
    with pytest.raises(Refusal) as refused:
        list(pool.map(double, [1]))
    assert refused.value.reason is Reason.OTHER_SOURCES


def test_a_simulation_on_the_cluster_is_the_same(pool: RayPool) -> None:
    strong = Setting(3, ("greedy", "novice", "random"), seed=3, collectors=None, is_swapped=True)
    assert list(simulate(strong, 40, plain_backend(), pool=pool)) == list(
        simulate(strong, 40, plain_backend())
    )
    random = Setting(2, ("random", "random"), seed=3)
    assert list(simulate(random, 5_500, compiled_backend(), pool=pool)) == list(
        simulate(random, 5_500, compiled_backend())
    )


def test_a_training_on_the_cluster_gives_the_same_weights_though_a_node_is_lost(
    machines: Machines, pool: RayPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "DEALS", 8)
    plan = TrainingPlan(seed=5, games=2 * THREADS * QUICK.games, careful=0)
    alone, spread = Training(plan), Training(plan)
    alone.run(lambda: None)

    def lose_one_after_the_first_round() -> None:
        if spread.games == THREADS * QUICK.games:
            machines.lose()

    spread.run(lose_one_after_the_first_round, pool)
    machines.add()
    assert np.array_equal(alone.learner.weights, spread.learner.weights)
    assert alone.curve == spread.curve


def test_pieces_of_a_lost_node_are_done_again(machines: Machines, pool: RayPool, tmp_path: Path) -> None:
    is_lost = Event()

    def begun_by(pid: int) -> bool:
        return any(note.name.endswith(f"-{pid}") for note in tmp_path.iterdir())

    def lose_it_when_it_works() -> None:
        while not any(begun_by(pid) for pid in machines.workers()):
            time.sleep(0.02)
        machines.lose()
        is_lost.set()

    def pieces() -> Iterator[tuple[int, str]]:
        while not is_lost.is_set() or len(given) < 10:
            given.append(len(given))
            yield given[-1], str(tmp_path)

    given: list[int] = []
    watcher = Thread(target=lose_it_when_it_works)
    watcher.start()
    found = list(pool.map(double_slowly, pieces()))
    watcher.join()
    machines.add()
    assert found == [2 * number for number in given]
    assert len(list(tmp_path.iterdir())) > len(given), "some were begun twice"


def test_a_simulation_that_loses_a_node_is_the_same(
    machines: Machines, pool: RayPool, capsys: pytest.CaptureFixture[str]
) -> None:
    setting = Setting(2, ("greedy", "novice"), seed=8, collectors=None)
    found: list[Outcome] = []
    for outcome in simulate(setting, 200, plain_backend(), pool=pool):
        if len(found) == 20:
            machines.lose()
        found.append(outcome)
    machines.add()
    assert found == list(simulate(setting, 200, plain_backend()))
    assert capsys.readouterr().out == "", "nor does Ray write into what we print"


@pytest.mark.parametrize(
    "command",
    [
        ["simulate", "--bots", "greedy", "--games", "20", "--json"],
        ["tournament", "--deals", "8", "--players", "3", "--json", "-"],
    ],
    ids=lambda command: command[0],
)
def test_commands_work_on_the_cluster(
    command: list[str], machines: Machines, pool: RayPool, capsys: pytest.CaptureFixture[str]
) -> None:
    told: list[object] = []
    for more in ([], ["--ray", machines.address]):
        assert main([*command, *more]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        told.append(json.loads(out))
    assert told[0] == told[1]
