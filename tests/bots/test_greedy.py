"""Greedy knows the odds and what Collectors pay."""

from fractions import Fraction
from itertools import product

import pytest

from royalcrypt import Game
from royalcrypt.bots import Budget, bot_named
from royalcrypt.bots.claims import SKIPPED_TOTAL, chances_to_keep, cheapest_push, ghost_rolls
from royalcrypt.bots.worth import Appraiser, odds_of_more
from royalcrypt.lab.backends import plain_backend
from royalcrypt.lab.simulate import simulate
from royalcrypt.lab.summary import Summary
from royalcrypt.lab.tables import Setting
from royalcrypt.rules.layout import copy_of
from royalcrypt.rules.scoring import count_scores


def win_share(players: int, games: int) -> float:
    bots = ("greedy",) + ("random",) * (players - 1)
    setting = Setting(players=players, bots=bots, seed=11, collectors=None, is_swapped=True)
    summary = Summary(setting)
    for outcome in simulate(setting, games, plain_backend()):
        summary.add(outcome)
    return summary.to_dict()["bots"]["greedy"]["win_share"]


@pytest.mark.parametrize(("players", "games", "least"), [(2, 100, 0.95), (3, 60, 0.8), (4, 80, 0.7)])
def test_greedy_beats_random_with_seats_swapped(players: int, games: int, least: float) -> None:
    assert win_share(players, games) >= least


def test_greedy_alone_is_affluent() -> None:
    scores = [
        outcome.scores[0] for outcome in simulate(Setting(1, ("greedy",), 5, "AAAAAA"), 60, plain_backend())
    ]
    assert sum(scores) / len(scores) > 45


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_the_ghosts_rolls_are_counted_in_full(dice: int) -> None:
    assert sum(ways for ways, _ in ghost_rolls(dice)) == 6**dice


def test_a_double_of_threes_goes_before_a_six_and_a_triple_is_one_group() -> None:
    rolls = {sums: ways for ways, sums in ghost_rolls(3)}
    assert rolls[6, 6] == 3  # 3 3 6 in any order
    assert rolls[18,] == 1
    assert rolls[6, 5, 4] == 6


@pytest.mark.parametrize("totals", [(0, 5, 0), (4, 0, SKIPPED_TOTAL), (18, 18, 18), (SKIPPED_TOTAL, 3, 6)])
@pytest.mark.parametrize("is_last", [False, True])
def test_what_the_ghost_takes_agrees_with_rolling_it_all_out(totals: tuple[int, ...], is_last: bool) -> None:
    kept = [Fraction(0)] * 3
    for faces in product(range(1, 7), repeat=3):
        row, taken = list(totals), set[int]()
        groups = sorted(((face * faces.count(face), faces.count(face)) for face in set(faces)), reverse=True)
        for total, _ in groups[:1] if is_last else groups:
            slot = next((slot for slot in range(3) if slot not in taken and row[slot] < total), None)
            if slot is not None:
                taken.add(slot)
        for slot in range(3):
            kept[slot] += Fraction(slot not in taken, 216)
    assert chances_to_keep(totals, 3, is_last=is_last) == pytest.approx([float(chance) for chance in kept])


def test_the_cheapest_push_spreads_effort_over_dice() -> None:
    assert cheapest_push(3, 1) == pytest.approx(3 / 6)  # one die of 4
    assert cheapest_push(3, 3) == pytest.approx(2 / 6)  # two dice of 2
    assert cheapest_push(6, 1) is None
    assert cheapest_push(0, 2) == 0


def test_odds_of_more_cards_are_a_distribution() -> None:
    assert sum(odds_of_more(5, 0.42)) == pytest.approx(1)
    assert odds_of_more(0, 0.42) == (1.0,)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("collectors", ["AAAAAA", "BBBBBB", "ABABAB", "BABABA"])
def test_at_the_end_a_collection_is_worth_just_what_it_scores(players: int, collectors: str) -> None:
    """Apart from rewards that only promise something, and from values that the viewer can but guess."""
    game = Game.new(players=players, collectors=collectors, seed=players)
    while game.actor is not None:
        game.play(bot_named("random").choose(game.view(game.actor), Budget(seed=players)))
    view, state = game.view(0), copy_of(game.state)
    count_scores(state)
    appraiser = Appraiser(view)
    promises = {0: "A", 2: "B", 3: "B", 4: "A"}
    for seat in range(players):
        result = game.result()
        assert result is not None
        bonuses = list(result["breakdown"][seat]["collectors"].values())
        for kind in range(6):
            if promises.get(kind) != collectors[kind]:
                column = appraiser.columns[seat][kind]
                coins = sum(card.value or 0 for card in view.seats[seat].cards if card.type == "IJMPRT"[kind])
                assert appraiser.worth(seat, kind, column) == pytest.approx(coins + bonuses[kind])


def test_on_the_last_turn_of_the_last_round_a_free_card_is_claimed_without_risk() -> None:
    for seed in range(20):
        game = Game.new(players=2, seed=seed)
        while game.actor is not None:
            view = game.view(game.actor)
            move = bot_named("greedy").choose(view, Budget())
            me = view.seats[game.actor]
            if view.is_last_turn and view.round == view.rounds and view.phase == "claim" and me.ready:
                free = [slot for slot in view.row if slot.holder is None]
                (action,) = move.actions
                if free and action.place and action.place[0].slot in {slot.slot for slot in free}:
                    assert action.place[0].effort == 1
                assert not free or action.place or me.exhausted
            game.play(move)
