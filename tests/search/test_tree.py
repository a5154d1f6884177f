"""The search tree keeps its books, and is the same for the same seed."""

import random

import pytest

from royalcrypt import Game
from royalcrypt.bots import Budget, bot_named
from royalcrypt.play.views import View
from royalcrypt.rules.layout import copy_of
from royalcrypt.rules.phases import CLAIM
from royalcrypt.rules.turns import apply, is_under_way
from royalcrypt.search import tree as tree_search
from royalcrypt.search.tree import SearchLimits, Tree, best_action


def decisions(players: int, seed: int) -> list[View]:
    """Whatever the decider sees, at every decision of a random game."""
    rng = random.Random(seed)
    game = Game.new(players=players, collectors="".join(rng.choice("AB") for _ in range(6)), seed=seed)
    found: list[View] = []
    while game.actor is not None:
        found.append(game.view(game.actor))
        game.play(bot_named("random").choose(found[-1], Budget(seed=seed)))
    return found


def grown(view: View, limits: SearchLimits) -> Tree:
    assert view.seat is not None
    return Tree(view.known, view.seat, limits)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_every_simulation_tries_one_legal_action_of_the_root(players: int) -> None:
    for view in decisions(players, players):
        tree = grown(view, SearchLimits(60))
        visits = tree.visits(view.known)
        assert tuple(visits) == view.actions
        assert sum(visits.values()) == tree.nodes[0].visits == tree.search.simulations == 60


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_what_is_won_adds_up(players: int) -> None:
    """The shares of a node are those of its edges, and never more than one a visit."""
    for view in decisions(players, players + 5)[::7]:
        tree = grown(view, SearchLimits(200))
        for index in range(tree.search.nodes):
            node = tree.nodes[index]
            mine = tree.edges[node.first_edge : node.first_edge + node.edge_count]
            assert mine["visits"].sum() == node.visits
            assert mine["won"].sum() == pytest.approx(node.won, rel=1e-3)
            assert 0 <= node.won <= node.visits
            assert (mine["available"] >= mine["visits"]).all()


def test_another_seed_finds_another_tree_and_the_same_seed_the_same() -> None:
    view = decisions(2, 1)[0]
    trees = [grown(view, SearchLimits(300, seed=seed)).edges.tobytes() for seed in (1, 1, 2)]
    assert trees[0] == trees[1] != trees[2]


def test_time_cuts_a_search_off_but_lets_it_find_something() -> None:
    view = decisions(2, 1)[0]
    tree = grown(view, SearchLimits(100_000, seconds=0.0))
    assert tree.search.simulations == tree_search.SIMULATIONS_PER_CHECK
    assert sum(tree.visits(view.known).values()) == tree_search.SIMULATIONS_PER_CHECK


def test_a_tree_without_room_for_more_edges_still_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_search, "EDGES_AT_MOST", 100)
    view = decisions(2, 1)[0]
    tree = grown(view, SearchLimits(500))
    assert tree.search.edges <= 100
    assert sum(tree.visits(view.known).values()) == 500


@pytest.mark.parametrize("players", [1, 2, 4])
def test_a_claim_of_several_cards_is_found_in_one_tree_or_anew(players: int) -> None:
    """With one simulation no tree goes on below its root, so each further decision is searched for anew."""
    lengths: set[int] = set()
    for view in decisions(players, 3):
        assert view.seat is not None
        for simulations in (1, 150):
            codes = best_action(view.known, view.seat, SearchLimits(simulations))
            state = copy_of(view.known)
            for code in codes:
                apply(state, view.seat, code)
            assert not is_under_way(state, view.seat)
            if view.known.phase == CLAIM:
                lengths.add(len(codes))
    assert len(lengths) > 1
