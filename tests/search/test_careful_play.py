"""Careful games: what was found out about every candidate is noted, beside what any game teaches."""

from typing import Any

import numpy as np
import pytest

from royalcrypt.lab.training import CAREFUL, SelfPlayer, TrainingPlan
from royalcrypt.rules.layout import SEATS
from royalcrypt.search.network import learned_weights
from royalcrypt.search.network_training import predict_all
from royalcrypt.search.self_play import CANDIDATES, EXPLORED_OFFSET, FINAL, LONGEST_CAREFUL_GAME

PLAN = TrainingPlan(seed=3, trust=1.0)


def played(players: int, games: int, daring: int = 0) -> tuple[Any, Any, Any]:
    player = SelfPlayer()
    notes = player.play(CAREFUL, learned_weights(), PLAN, range(games), players, daring)
    return player.samples[:notes], player.targets[:notes], player._samples["owner"][:notes]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_candidates_are_noted_and_so_is_what_came_of_the_game(players: int) -> None:
    samples, targets, owners = played(players, 2)
    assert len(owners) < 2 * CAREFUL.most_samples
    assert len(owners) < LONGEST_CAREFUL_GAME
    settled = owners == FINAL
    assert settled.sum() > 40
    assert {int(owner) for owner in owners[~settled]} == set(range(players))
    assert ((targets[:, 0] >= 0) & (targets[:, 0] <= 1)).all()
    came = set(targets[~settled, 0].tolist())
    assert came <= {0.0, 0.25, 0.5, 1.0} | {float(np.float32(1 / 3))}, "all trust is in the end"
    said = predict_all(learned_weights(), samples[settled])[:, 0]
    assert np.corrcoef(said, targets[settled, 0])[0, 1] > 0.8, "what is tried out is near what was expected"


def test_candidates_of_one_decision_differ() -> None:
    samples, targets, owners = played(2, 1)
    first = int(np.flatnonzero(owners == FINAL)[0])
    assert len(np.unique(samples[first : first + CANDIDATES], axis=0)) == CANDIDATES
    assert len(set(targets[first : first + CANDIDATES, 0].tolist())) > 1


def test_daring_players_take_other_candidates_and_what_was_before_is_not_blamed() -> None:
    assert EXPLORED_OFFSET == SEATS
    _, _, owners = played(2, 2, daring=2)
    assert (owners >= EXPLORED_OFFSET).any()
    _, _, owners = played(2, 2)
    assert not (owners >= EXPLORED_OFFSET).any()
