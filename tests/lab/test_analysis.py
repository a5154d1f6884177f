"""A recorded game is judged by what each seat knew, and what came of it adds up."""

import json
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from math import inf

import pytest

from royalcrypt import Game
from royalcrypt.bots import Budget, bot_named
from royalcrypt.lab.analysis import Analysis, Split, analyse
from royalcrypt.lab.attribution import BOUNDS, Grade, GradedDecision, Step, StepCause, steps_of
from royalcrypt.lab.evaluation import EvaluationBudget, PositionEvaluator
from royalcrypt.lab.worker_pools import worker_pool
from royalcrypt.notation.moves import Move, Verb
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.playback import Playback
from royalcrypt.play.replay import recorded_chance, replay
from royalcrypt.rules.chance import game_key
from royalcrypt.rules.layout import State, copy_of, dump
from royalcrypt.rules.views import conceal
from royalcrypt.search.forecasts import is_last_turn_of_game
from royalcrypt.search.simulation import deal_hidden

LITTLE = EvaluationBudget.of(16)
SIDES = {1: "BABABB", 2: "ABBBAA", 3: "BBABBA", 4: "AABABB"}


@cache
def played(name: str, players: int, seed: int = 3, sides: str | None = None, moves: float = inf) -> Record:
    game = Game.new(players=players, seed=seed, collectors=sides or SIDES[players])
    while game.actor is not None and len(game.moves) < moves:
        game.play(bot_named(name).choose(game.view(game.actor), Budget(simulations=100)))
    return game.record()


@cache
def judged(name: str, players: int, seed: int = 3, moves: float = inf) -> Analysis:
    return analyse(played(name, players, seed, moves=moves), budget=LITTLE)


def with_planted(seed: int, is_there: Callable[[State], bool], planted: str) -> tuple[Record, int]:
    """A game of two greedy players in which one of them makes this move, and its number."""
    game, number = Game.new(players=2, seed=seed), 0
    while game.actor is not None:
        if not number and is_there(game.state):
            game.play(planted)
            number = len(game.moves)
        else:
            game.play(bot_named("greedy").choose(game.view(game.actor), Budget()))
    return game.record(), number


def decision_at(analysis: Analysis, move: int) -> GradedDecision:
    return next(decision for decision in analysis.decisions if decision.move == move)


def added_up(split: Split) -> float:
    return split.expected + split.decisions + split.dice + split.reveals + split.rivals + split.doubt


def test_to_recover_with_three_ready_dice_on_the_last_turn_is_found_to_give_the_game_away() -> None:
    def could_claim(state: State) -> bool:
        return is_last_turn_of_game(state) and state.players[state.actor].ready == 3

    record, number = with_planted(37, could_claim, "recover")
    found = decision_at(analyse(record, budget=LITTLE), number)
    assert found.grade is Grade.BLUNDER
    assert found.played == Move.parse("recover")
    assert found.best.actions[0].verb is Verb.CLAIM
    assert found.best.actions[0].place[0].slot == 2
    assert found.lost == pytest.approx(1.0)
    assert found.lost_coins > 3
    assert found.facts[0].key == "gain"


def test_effort_that_only_risks_dice_is_found_wasteful() -> None:
    """On a round's last turn nobody can push out any more, and one die of effort 1 claims a free card."""
    game = Game.new(players=2, seed=2)
    for move in ("recover", "recover", "1:3x6"):
        game.play(move)
    found = decision_at(analyse(game.record(), budget=EvaluationBudget.of(64)), 3)
    assert found.grade in (Grade.MISTAKE, Grade.BLUNDER)
    assert [place.effort for place in found.best.actions[0].place] == [1]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_what_was_expected_and_all_that_changed_it_make_what_came(players: int) -> None:
    record, found = played("novice", players), judged("novice", players)
    assert record.result is not None
    for seat in range(players):
        wins, coins = found.wins[seat], found.coins[seat]
        assert added_up(wins) == pytest.approx(wins.final, abs=1e-9)
        assert added_up(coins) == pytest.approx(coins.final, abs=1e-9)
        assert coins.final == record.result["scores"][seat]
        lost = sum(decision.lost_coins for decision in found.decisions if decision.seat == seat)
        assert coins.decisions == pytest.approx(-lost, abs=1e-6)
        if players == 1:
            assert wins.final == (record.result["title"] == "magnificent")
            assert wins.rivals == coins.rivals == 0
        else:
            winners = record.result["winners"]
            assert wins.final == pytest.approx((seat in winners) / len(winners))
            lost = sum(decision.lost for decision in found.decisions if decision.seat == seat)
            assert wins.decisions == pytest.approx(-lost, abs=1e-6)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_every_move_is_a_moment_and_every_decision_is_judged(players: int) -> None:
    record, found = played("novice", players), judged("novice", players)
    moves = replay(record).moves
    assert [moment.move for moment in found.moments] == list(range(len(moves) + 1))
    assert found.moments[-1].move == Playback(record).moments[-1].move
    assert [(decision.seat, decision.played) for decision in found.decisions] == moves
    assert found.is_over
    for moment in found.moments:
        assert all(0 <= win <= 1 for win in moment.wins)
        assert len(moment.wins) == len(moment.scores) == players
    for decision in found.decisions:
        assert decision.lost >= 0
        assert (decision.best == decision.played) == (decision.lost == 0)


def test_strong_players_lose_far_less_by_their_decisions_than_a_novice() -> None:
    def lost(name: str) -> float:
        found = analyse(played(name, 2), budget=EvaluationBudget.of(64))
        return sum(decision.lost for decision in found.decisions) / len(found.decisions)

    assert lost("regent") < lost("novice") / 3


def other_deal(state: State, seat: int, number: int) -> State:
    """The same to the seat, with other cards where it does not know them."""
    other = copy_of(state)
    conceal(other, seat)
    deal_hidden(other, *game_key(number, 0))
    return other


@pytest.mark.parametrize("players", [2, 4])
def test_cards_that_a_seat_does_not_know_play_no_part_in_its_judgement(players: int) -> None:
    record = played("novice", players)
    game = replay(record)
    compared = 0
    for step in steps_of(game.start, game.moves, recorded_chance(record)):
        if step.cause is StepCause.CHOICE and step.before.round_number in (3, 6):
            deals = [other_deal(step.before, step.seat, number) for number in range(2)]
            if dump(deals[0]) != dump(deals[1]):
                found = [PositionEvaluator(LITTLE).compare(deal, step.seat, step.codes) for deal in deals]
                assert (
                    found[0]
                    == found[1]
                    == PositionEvaluator(LITTLE).compare(step.before, step.seat, step.codes)
                )
                assert PositionEvaluator(LITTLE).of(deals[0], step.seat) == PositionEvaluator(LITTLE).of(
                    deals[1], step.seat
                )
                compared += 1
    assert compared >= 3


def test_an_analysis_does_not_depend_on_the_worker_pool() -> None:
    record = played("novice", 2, moves=7)
    told: list[int] = []
    once = analyse(record, budget=LITTLE, on_round=told.append)
    with worker_pool(2) as crew:
        again = analyse(record, budget=LITTLE, pool=crew)
    assert once == again
    assert sum(told) == replay(record).round
    assert json.dumps(once.to_dict()) == json.dumps(again.to_dict())


def test_an_unfinished_game_is_looked_at_as_far_as_it_goes() -> None:
    found = judged("novice", 2, moves=7)
    assert not found.is_over
    assert len(found.decisions) == 7
    assert [split.final for split in found.wins] == pytest.approx(list(found.moments[-1].wins))
    for split in (*found.wins, *found.coins):
        assert added_up(split) == pytest.approx(split.final, abs=1e-9)


def test_a_game_without_a_move_has_only_its_first_row() -> None:
    found = analyse(Game.new(players=3, seed=1).record(), budget=LITTLE)
    assert found.decisions == ()
    assert [moment.move for moment in found.moments] == [0]
    assert all(split.decisions == split.dice == split.rivals == 0 for split in found.wins)


def test_what_is_done_out_of_turn_is_not_judged_and_is_counted_as_doubt() -> None:
    """Remains A may be used at any time (R9.1)."""
    game = Game.new(players=2, seed=11)
    is_mended = False
    while game.actor is not None and not is_mended:
        other = 1 - game.actor
        if any(action.verb is Verb.MEND for move in game.view(other).moves() for action in move.actions):
            game.play("mend", seat=other)
            is_mended = True
        else:
            game.play(bot_named("greedy").choose(game.view(game.actor), Budget()))
    assert is_mended
    found = analyse(game.record(), budget=LITTLE)
    assert len(found.decisions) == len(game.moves) - 1
    assert found.moments[-1].move == len(game.moves)
    for split in (*found.wins, *found.coins):
        assert added_up(split) == pytest.approx(split.final, abs=1e-9)


def test_json_tells_moves_grades_and_reasons_in_the_words_of_a_language() -> None:
    found = judged("novice", 2)
    told = found.to_dict("pl")
    assert json.loads(json.dumps(told)) == told
    assert set(told) == {"players", "seats", "names", "is_over", "decisions", "moments", "wins", "coins"}
    first = told["decisions"][0]
    assert Move.parse(first["best"]) == found.decisions[0].best
    assert first["grade"] in set(Grade)
    assert first["best_words"] != found.to_dict("en")["decisions"][0]["best_words"]
    assert all(fact["words"] for decision in told["decisions"] for fact in decision["facts"])


def test_one_seat_can_be_looked_at_alone() -> None:
    whole = judged("novice", 3)
    found = whole.of_seat(1)
    assert found.seats == (1,)
    assert {decision.seat for decision in found.decisions} == {1}
    assert found.wins == (whole.wins[1],)
    assert [moment.wins[0] for moment in found.moments] == [moment.wins[1] for moment in whole.moments]


def test_grades_go_by_what_was_lost() -> None:
    found = [decision for players in (2, 3, 4) for decision in judged("novice", players).decisions]
    assert {decision.grade for decision in found} == set(Grade)
    for decision in found:
        expected = next((grade for most, grade in BOUNDS if decision.lost < most), Grade.BLUNDER)
        assert decision.grade is expected


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_steps_lead_from_the_first_card_to_the_end(players: int) -> None:
    record = played("novice", players)
    game = replay(record)
    steps = list(steps_of(game.start, game.moves, recorded_chance(record)))
    assert dump(steps[-1].after) == dump(game.state)
    for before, after in pairwise(steps):
        assert before.after is after.before
    assert sum(step.cause is StepCause.REVEAL for step in steps) == game.round
    choices = [(step.seat, Move.from_codes(list(step.codes))) for step in steps if step.codes]
    assert choices == game.moves
    assert all(_is_of_one_round(step) for step in steps)


def _is_of_one_round(step: Step) -> bool:
    """Whatever begins a round is a step of its own."""
    return step.before.round_number == step.after.round_number or step.cause is not StepCause.REVEAL


def test_a_viewers_record_is_refused() -> None:
    game = Game.new(players=2, seed=1)
    with pytest.raises(Refusal) as found:
        analyse(game.record_for(0), budget=LITTLE)
    assert found.value.reason is Reason.VIEWERS_RECORD
