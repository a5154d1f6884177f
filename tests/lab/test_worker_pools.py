"""Whoever does the work, the same comes out, in the same order."""

import pickle
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from itertools import islice

import pytest

from royalcrypt.lab.worker_pools import WorkerPool, thread_pool, worker_pool
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.rulings import IllegalAction
from tests.lab.tasks import double, fail, refuse

CREWS: dict[str, Callable[[], AbstractContextManager[WorkerPool]]] = {
    "alone": lambda: worker_pool(1),
    "threads": lambda: thread_pool(2),
    "processes": lambda: worker_pool(2),
}


@pytest.fixture(scope="module", params=CREWS, ids=str)
def pool(request: pytest.FixtureRequest) -> Iterator[WorkerPool]:
    with CREWS[request.param]() as found:
        yield found


def test_results_come_in_the_order_of_the_pieces(pool: WorkerPool) -> None:
    assert list(pool.map(double, range(40))) == [2 * number for number in range(40)]
    assert list(islice(pool.map(double, iter(range(10**9))), 3)) == [0, 2, 4], "no more than needed is begun"
    assert list(pool.map(double, [])) == []


def test_what_a_task_raises_is_raised_here(pool: WorkerPool) -> None:
    work = pool.map(fail, range(5))
    assert [next(work), next(work)] == [0, 1]
    with pytest.raises(ZeroDivisionError, match="two"):
        next(work)
    with pytest.raises(Refusal) as refused:
        list(pool.map(refuse, [7]))
    assert (refused.value.reason, refused.value.details) == (Reason.WRONG_SEED, {"seed": "7"})


def test_refusals_keep_their_kind_and_words_on_the_way() -> None:
    refusal = IllegalAction(Reason.WRONG_SEED, seed="7")
    again = pickle.loads(pickle.dumps(refusal))
    assert type(again) is IllegalAction
    assert (again.reason, again.details, str(again)) == (refusal.reason, refusal.details, str(refusal))
