"""Candidates are whole legal actions, and are compared with the same luck."""

import random
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from royalcrypt import Game
from royalcrypt.bots import Budget, bot_named
from royalcrypt.play.views import View
from royalcrypt.rules.chance import game_key
from royalcrypt.rules.layout import State, copy_of, dump, no_options
from royalcrypt.rules.turns import apply, is_claiming, is_under_way
from royalcrypt.rules.views import conceal
from royalcrypt.search.backend import record_of
from royalcrypt.search.candidates import assume_knowledge, digest_of, play_and_cache, reply
from royalcrypt.search.compilation import compiled
from royalcrypt.search.features import END
from royalcrypt.search.network import LAYER, SCORE_AT, WIN_AT, begin, evaluate, evaluate_next
from royalcrypt.search.network_training import initial_weights
from royalcrypt.search.rollouts import REPLIES, RolloutPlan, RolloutSearch, compare
from royalcrypt.search.simulation import deal_hidden
from royalcrypt.search.workspace import (
    BEAM,
    BOARD,
    CACHED_REPLIES,
    CANDIDATE,
    GAME,
    KNOWN,
    LONGEST_ACTION,
    PLAYED,
    ROOT,
)


def decisions(players: int, seed: int) -> list[View]:
    """Whatever the decider sees, at every decision of a game of beginners."""
    rng = random.Random(seed)
    game = Game.new(players=players, collectors="".join(rng.choice("AB") for _ in range(6)), seed=seed)
    found: list[View] = []
    while game.actor is not None:
        found.append(game.view(game.actor))
        game.play(bot_named("novice").choose(found[-1], Budget(seed=seed)))
    return found


def after(known: State, codes: list[int]) -> State:
    state = copy_of(known)
    for index, code in enumerate(codes):
        assert index == 0 or is_under_way(state, known.actor), "an action ends only once"
        apply(state, known.actor, code)
    return state


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_candidates_are_whole_legal_actions_each_once_and_best_first(players: int) -> None:
    chooser = RolloutSearch()
    for view in decisions(players, players):
        legal = {str(move) for move in view.moves()}
        found = chooser.candidates(view.known, 12)
        assert len(found) == min(12, len(legal)) or len(legal) > 12
        assert len({tuple(one.codes) for one in found}) == len(found)
        assert [one.value for one in found] == sorted((one.value for one in found), reverse=True)
        for one in found:
            assert not is_under_way(after(view.known, one.codes), view.known.actor)
            assert 0 <= one.win <= 1


@pytest.mark.parametrize("players", [1, 2, 4])
def test_fewer_candidates_are_the_best_of_many(players: int) -> None:
    chooser = RolloutSearch()
    for view in decisions(players, 7)[::3]:
        many = chooser.candidates(view.known, 12)
        assert chooser.candidates(view.known, 3) == many[:3]


def listed_by(chooser: RolloutSearch, view: View, most: int) -> Any:
    chooser._work.board[KNOWN] = record_of(view.known)
    return chooser._best(most)


def tried(chooser: RolloutSearch, view: View, copies: int, tries: int, seed: int = 1) -> Any:
    """The best candidate several times, compared with itself."""
    listed = listed_by(chooser, view, 1)
    found: Any = np.repeat(listed, copies).astype(CANDIDATE)
    chooser._work.board[ROOT] = chooser._work.board[KNOWN]
    chooser._roll_out(found, 0, tries, game_key(seed, view.known.decisions))
    return found


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_equal_candidates_meet_equal_luck(players: int) -> None:
    chooser, totals = RolloutSearch(), set[float]()
    for view in decisions(players, 3)[::2]:
        found = tried(chooser, view, copies=3, tries=5)
        assert list(found["tries"]) == [5, 5, 5]
        assert len(set(found["wins"])) == 1
        totals |= {float(found["wins"][0]), float(tried(chooser, view, 1, 5, seed=2)["wins"][0])}
    assert len(totals) > 6, "other seeds bring other luck"


def test_comparing_gives_up_the_worse_half_each_time() -> None:
    view = decisions(4, 2)[0]
    left = [
        len(RolloutSearch().compared(view.known, RolloutPlan(16, 16, halvings=halvings)))
        for halvings in range(4)
    ]
    assert left == [16, 8, 4, 2]


def test_whoever_has_no_time_takes_the_first_candidate() -> None:
    view = decisions(2, 2)[0]
    chooser = RolloutSearch()
    first = chooser.candidates(view.known, 5)[0]
    assert chooser.compared(view.known, RolloutPlan(5, 100, seconds=-1))[0] == first


@pytest.mark.parametrize("players", [1, 2, 4])
def test_whoever_thinks_ahead_finds_whole_legal_actions_and_always_the_same(players: int) -> None:
    changed = 0
    for view in decisions(players, 9)[::3]:
        lookahead = RolloutPlan(8, 32, halvings=1, lookahead=4)
        chooser = RolloutSearch()
        found = chooser.compared(view.known, lookahead)
        root: Any = record_of(view.known)
        assert np.array_equal(chooser._work.board[ROOT], root)
        assert found == RolloutSearch().compared(view.known, lookahead)
        for one in found:
            assert not is_under_way(after(view.known, one.codes), view.known.actor)
        changed += found != RolloutSearch().compared(view.known, replace(lookahead, lookahead=0))
    assert changed > 0


def test_a_claim_that_follows_is_remembered_and_taken_in_every_try() -> None:
    view = next(one for one in decisions(2, 2) if is_claiming(one.known) and one.known.turn == 0)
    chooser = RolloutSearch()
    best = listed_by(chooser, view, 1)
    chooser._work.board[ROOT] = chooser._work.board[GAME] = chooser._work.board[KNOWN]
    assert compiled(play_and_cache)(chooser._work, best), "the other one is next"
    theirs = chooser._work.board[ROOT].copy()
    assert theirs["actor"] == 1
    liked, *others = chooser._best(REPLIES)
    totals: list[float] = []
    for reply_to_it in (liked, others[-1]):
        chooser._work.board[GAME] = theirs
        compiled(play_and_cache)(chooser._work, reply_to_it.reshape(1))
        totals.append(float(tried(chooser, view, 1, 20)["wins"][0]))
    assert totals[0] < totals[1], "what the other likes is worse than what they like less"


def test_what_sets_positions_apart_is_enough_to_judge_them() -> None:
    weights = initial_weights(5)
    chance = np.random.default_rng(5)
    before: Any = chance.random(END).astype(np.float32)
    whole: Any = np.zeros(LAYER, np.float32)
    step: Any = np.zeros(LAYER, np.float32)
    begin(before, weights, step)
    numbers: Any = (chance.random(END) * (chance.random(END) < 0.1)).astype(np.float32)
    for _ in range(3):
        numbers[chance.integers(0, END, 9)] = chance.random(9)
        evaluate(numbers, weights, whole)
        evaluate_next(numbers, before, weights, step)
        assert step[[WIN_AT, SCORE_AT]] == pytest.approx(whole[[WIN_AT, SCORE_AT]], abs=1e-4)


def test_decisions_that_look_alike_are_alike() -> None:
    """Within a round; whoever decides knows the same, may do the same, and so does the same."""
    for players in (1, 2, 3, 4):
        seen: dict[tuple[int, int], Any] = {}
        for view in decisions(players, 11):
            key = (view.round, digest_of(view.known))
            assert seen.setdefault(key, dump(view.known)) == dump(view.known)
        assert len(seen) > 10


def answered(desk: RolloutSearch) -> list[int]:
    """What a player does who is thought of by another."""
    compiled(reply)(desk._work, desk.weights)
    action = desk._work.under_way[0]
    return [int(code) for code in action["codes"][: action["steps"]]]


@pytest.mark.parametrize("players", [1, 2, 4])
def test_a_reply_promises_most_and_is_remembered(players: int) -> None:
    desk = RolloutSearch()
    for view in decisions(players, 5):
        desk._work.replies["digest"] = 0
        desk._work.board[KNOWN] = record_of(view.known)
        liked = answered(desk)
        assert liked in [one.codes for one in RolloutSearch().candidates(view.known, 64)]
        desk.weights = initial_weights(3)
        assert answered(desk) == liked
        desk.weights = RolloutSearch().weights


@pytest.mark.parametrize("players", [2, 3, 4])
def test_claims_of_others_are_the_same_whatever_is_hidden_and_always_legal(players: int) -> None:
    """Whoever thinks of them knows neither the cards they hold nor those they peeked at (R11.2)."""
    desk, claims = RolloutSearch(), 0
    for view in decisions(players, 6):
        thinker = (view.known.actor + 1) % players
        looks = set[int]()
        for deal in range(4):
            whole = copy_of(view.known)
            conceal(whole, thinker)
            deal_hidden(whole, *game_key(deal, 1))
            desk._work.board[PLAYED] = record_of(whole)
            assume_knowledge(desk._work.board, thinker)
            looks.add(compiled(digest_of)(desk._work.board[KNOWN]))
            assert not is_under_way(after(whole, answered(desk)), whole.actor)
        if is_claiming(view.known):
            claims += 1
            assert len(looks) == 1
    assert claims > 10


def test_both_carriers_play_the_same_rounds_out() -> None:
    """With few dice and a network of few words, for a plain one takes its time."""
    view = next(one for one in decisions(2, 2) if one.round == 8 and len(one.actions) < 12)
    weights = initial_weights(4)
    chooser = RolloutSearch(weights)
    found: Any = listed_by(chooser, view, 2)
    plain: Any = found.copy()
    chooser._work.board[ROOT] = chooser._work.board[KNOWN]
    key = game_key(3, 1)
    chooser._roll_out(found, 0, 2, key)
    memory: Any = [SimpleNamespace(look=0, action=Row(1)) for _ in range(CACHED_REPLIES)]
    board: Any = PlainBoard(BOARD)
    board[ROOT] = copy_of(view.known)
    candidates: Any = Row(2)
    for index, one in enumerate(plain):
        candidates[index] = candidate([int(code) for code in one["codes"]], int(one["steps"]))
    work: Any = SimpleNamespace(
        board=board,
        options=no_options(),
        numbers=[0.0] * END,
        before=[0.0] * END,
        layer=[0.0] * LAYER,
        begun=Row(2 * BEAM),
        under_way=Row(1),
        replies=memory,
    )
    compare(work, candidates, 2, 0, 2, weights.tolist(), *key)
    assert [one.wins for one in candidates] == pytest.approx(list(found["wins"]), abs=1e-4)


def candidate(codes: list[int], steps: int = 0) -> SimpleNamespace:
    return SimpleNamespace(
        codes=codes, steps=steps, win=0.0, score=0.0, value=0.0, tries=0, wins=0.0, scores=0.0
    )


class Row(list[Any]):
    """Plain candidates; putting one in copies it, as it does with records."""

    def __init__(self, length: int) -> None:
        super().__init__([candidate([0] * LONGEST_ACTION) for _ in range(length)])

    def __setitem__(self, index: Any, one: Any) -> None:
        super().__setitem__(index, SimpleNamespace(**{**vars(one), "codes": list(one.codes)}))


class PlainBoard(list[Any]):
    """A row of plain states; putting one in copies it."""

    def __init__(self, states: int) -> None:
        super().__init__([None] * states)

    def __setitem__(self, index: Any, state: Any) -> None:
        super().__setitem__(index, copy_of(state))
