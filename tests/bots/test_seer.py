"""Seer finds what is plainly best, and takes no more than its budget."""

import pytest

from royalcrypt import Game
from royalcrypt.bots import Budget, bot_named, bot_names, registry
from royalcrypt.lab.backends import plain_backend
from royalcrypt.lab.simulate import simulate
from royalcrypt.lab.summary import Summary
from royalcrypt.lab.tables import Setting
from royalcrypt.notation.reasons import Reason, Refusal
from tests.rules.tables import table


def chosen(game: Game, simulations: int = 2000, seed: int = 0) -> str:
    assert game.actor is not None
    return str(bot_named("seer").choose(game.view(game.actor), Budget(simulations, seed=seed)))


@pytest.mark.parametrize("seed", range(3))
def test_on_the_very_last_turn_it_claims_the_card_that_wins_without_risk(seed: int) -> None:
    """Four Remains are worth ten (R8.5B), one more coin is worth one, and nobody can push out any more."""
    game = table(
        sides="AAAABA",
        row="J4 R1 vM2",
        turn=2,
        collections=("R2 R3 R4 P1", "J2 J3 P3 P4 T4 I4"),
        last_round=True,
    )
    assert chosen(game, seed=seed) in {f"2:{dice}x1" for dice in (1, 2, 3)}


@pytest.mark.parametrize("seed", range(3))
def test_it_recovers_when_nothing_can_be_claimed_and_ready_dice_are_coins(seed: int) -> None:
    game = table(
        row="J4=b1x6 R1=b1x6 vM2=b1x6",
        turn=2,
        sides="AAAABA",
        exhausted=(2, 0),
        placed=(1,),
        collections=("R2 R3", "J2 T4"),
        last_round=True,
    )
    assert chosen(game, seed=seed) == "recover"


def test_alone_it_leaves_no_card_on_its_last_turn() -> None:
    game = table(players=1, row="J4 R2 vM2", turn=2, collections=("R3 R4",), last_round=True)
    assert chosen(game).split("x")[0] in {"1:1", "1:2", "1:3", "3:1", "3:2", "3:3"}


def test_it_beats_greedy_even_with_few_simulations() -> None:
    setting = Setting(2, ("seer", "greedy"), seed=11, is_swapped=True, simulations=400)
    summary = Summary(setting)
    for outcome in simulate(setting, 24, plain_backend()):
        summary.add(outcome)
    assert summary.to_dict()["bots"]["seer"]["win_share"] > 0.5


def test_without_a_compiler_it_is_neither_offered_nor_to_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "can_compile", lambda: False)
    monkeypatch.setattr(registry, "_loaded", {})
    assert "seer" not in bot_names()
    assert bot_named("greedy").name == "greedy"
    with pytest.raises(Refusal) as refusal:
        bot_named("seer")
    assert refusal.value.reason is Reason.NO_COMPILER


def test_time_that_is_up_still_gives_a_move() -> None:
    view = Game.new(players=4, seed=1).view(0)
    move = bot_named("seer").choose(view, Budget(simulations=10**6, seconds=0.0))
    assert str(move) in set(map(str, view.moves()))
