"""Novice makes people's mistakes, so that a child has a chance; it makes no silly ones."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from royalcrypt import Game, Move, View
from royalcrypt.bots import Budget, bot_named
from royalcrypt.lab.backends import plain_backend
from royalcrypt.lab.simulate import simulate
from royalcrypt.lab.summary import Summary
from royalcrypt.lab.tables import Setting
from royalcrypt.notation.moves import Action, Verb


def decisions(games: int, *, players: int | None = None) -> Iterator[tuple[View, Action]]:
    """What novice did, and what it saw then, in games of one to four with sides of all kinds."""
    rng, novice = random.Random(5), bot_named("novice")
    for number in range(games):
        sides = "".join(rng.choice("AB") for _ in range(6))
        game = Game.new(players=players or 1 + number % 4, collectors=sides, seed=number)
        while game.actor is not None:
            view = game.view(game.actor)
            move = novice.choose(view, Budget(seed=number))
            (action,) = move.actions
            yield view, action
            game.play(move)


def standing(*bots: str, games: int) -> Summary:
    setting = Setting(len(bots), bots, seed=11, collectors=None, is_swapped=True)
    summary = Summary(setting)
    for outcome in simulate(setting, games, plain_backend()):
        summary.add(outcome)
    return summary


def test_it_beats_random_most_of_the_time() -> None:
    found = standing("novice", "random", games=120).bots
    assert found["novice"].wins() > 0.8 * 120
    assert found["novice"].scores.mean() > found["random"].scores.mean() + 8


def test_it_loses_to_greedy_most_of_the_time_but_not_always() -> None:
    found = standing("novice", "greedy", games=120).bots
    assert 2 <= found["novice"].wins() < 0.25 * 120
    assert found["novice"].scores.mean() < found["greedy"].scores.mean() - 6


@pytest.mark.slow
def test_a_thousand_games_are_legal() -> None:
    """The game refuses any other move."""
    assert sum(action.verb is Verb.CLAIM for _, action in decisions(1000)) > 10_000


def test_it_never_passes_while_a_card_is_free() -> None:
    passes = 0
    for view, action in decisions(60):
        if action.verb is Verb.RECOVER and view.seat is not None and not view.seats[view.seat].exhausted:
            passes += 1
            assert view.form is not None
            reach = 6 * view.form.ready
            assert all(least is None or least > reach for least in view.form.least)
    assert passes > 10, "the Leader has a second turn with nothing left to do"


def test_it_makes_mistakes_with_tired_dice_but_recovers_in_the_end() -> None:
    found: Counter[tuple[int, bool]] = Counter()
    for view, action in decisions(80, players=2):
        if view.phase == "claim" and view.seat is not None and action.verb in (Verb.CLAIM, Verb.RECOVER):
            me = view.seats[view.seat]
            if me.ready and me.exhausted:
                found[me.exhausted, action.verb is Verb.RECOVER] += 1
    assert found[1, True] < found[1, False] / 3, "one tired die is forgotten"
    assert found[2, False] > 0, "and sometimes two"
    assert found[2, True] > found[2, False]


def test_it_is_braver_early_than_late() -> None:
    efforts: dict[bool, list[int]] = {True: [], False: []}
    for view, action in decisions(80, players=2):
        efforts[view.round <= 4] += [placed.effort for placed in action.place if not view.is_last_turn]
    early, late = (sum(efforts[is_early]) / len(efforts[is_early]) for is_early in (True, False))
    assert early > late + 0.3


def test_all_its_dice_often_go_on_one_favourite_and_often_they_do_not() -> None:
    three = [
        len(action.place)
        for view, action in decisions(40, players=2)
        if action.place and view.form is not None and view.form.ready == 3 and not view.form.one_card_only
    ]
    assert 0.25 < three.count(1) / len(three) < 0.75


def test_every_reward_is_used_sometimes_and_let_pass_sometimes() -> None:
    verbs = Counter(action.verb for _, action in decisions(120))
    for verb in (Verb.PEEK, Verb.MEND, Verb.TAKE, Verb.REROLL, Verb.DECLINE):
        assert verbs[verb] > 5, verb


def test_other_seeds_have_other_whims() -> None:
    view = Game.new(players=4, seed=1).view(0)
    moves = {str(bot_named("novice").choose(view, Budget(seed=seed))) for seed in range(50)}
    assert len(moves) > 15


def test_it_rather_takes_what_shines() -> None:
    """Two face-up cards of a type it has none of: four coins against one."""
    game = next(
        game
        for game in (Game.new(players=2, seed=seed) for seed in range(1000))
        if [slot.card.value for slot in game.view(0).row if slot.card is not None][:2] == [4, 1]
    )
    moves = [bot_named("novice").choose(game.view(0), Budget(seed=seed)) for seed in range(200)]
    assert sum(is_on(move, 0) for move in moves) > 190
    assert sum(is_on(move, 1) for move in moves) < 110


def is_on(move: Move, slot: int) -> bool:
    return any(placed.slot == slot for action in move.actions for placed in action.place)
