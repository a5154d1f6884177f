"""Hidden cards dealt anew are any that the viewer could expect, and nothing else changes."""

import random
from collections import Counter
from typing import Any, cast

import numpy as np
import pytest

from royalcrypt import Game
from royalcrypt.bots import Budget, bot_named
from royalcrypt.notation.cards import LETTERS
from royalcrypt.play.views import View
from royalcrypt.rules.cards import COPIES, kind_of
from royalcrypt.rules.chance import game_key
from royalcrypt.rules.layout import KINDS, State, copy_of, dump, numbers_of
from royalcrypt.rules.views import conceal
from royalcrypt.search.backend import STATE
from royalcrypt.search.compilation import compiled
from royalcrypt.search.simulation import deal_hidden

SAMPLES = 1200


def record_of(state: State) -> State:
    return cast("State", cast("Any", np.array(numbers_of(state), np.int16)).view(STATE)[0])


def views(players: int, seed: int) -> list[View]:
    """Of everybody, at every decision of a random game."""
    rng = random.Random(seed)
    game = Game.new(players=players, collectors="".join(rng.choice("AB") for _ in range(6)), seed=seed)
    found: list[View] = []
    while game.actor is not None:
        found += [game.view(seat) for seat in range(players)]
        game.play(bot_named("random").choose(game.view(game.actor), Budget(seed=seed)))
    return found


def hidden_in(known: State) -> list[int]:
    return [card for card in range(known.drawn) if known.card_value[card] == 0]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_every_card_is_somewhere_once_and_the_deck_is_what_is_unseen(players: int) -> None:
    for number, view in enumerate(views(players, players)):
        dealt = copy_of(view.known)
        deal_hidden(dealt, *game_key(1, number))
        assert not hidden_in(dealt)
        assert sum(dealt.unseen) == dealt.deck
        lying = Counter(kind_of(dealt.card_type[card], dealt.card_value[card]) for card in range(dealt.drawn))
        assert [lying[kind] + dealt.unseen[kind] for kind in range(KINDS)] == [
            COPIES[dealt.seats][kind % 4] for kind in range(KINDS)
        ]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_what_the_viewer_does_not_know_is_concealed_again(players: int) -> None:
    hidden = 0
    for number, view in enumerate(views(players, players + 10)):
        assert view.seat is not None
        dealt = copy_of(view.known)
        deal_hidden(dealt, *game_key(2, number))
        hidden += len(hidden_in(view.known))
        conceal(dealt, view.seat)
        assert dump(dealt) == dump(view.known)
    assert hidden > 10


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_both_carriers_deal_alike(players: int) -> None:
    for number, view in enumerate(views(players, players + 20)):
        plain, record = copy_of(view.known), record_of(view.known)
        deal_hidden(plain, *game_key(3, number))
        compiled(deal_hidden)(record, *game_key(3, number))
        assert dump(plain) == dump(record)


@pytest.mark.parametrize("players", [2, 4])
def test_values_come_as_often_as_the_viewer_believes(players: int) -> None:
    """R11.5, for each hidden card of the position with the most of them."""
    view = max(views(players, 5), key=lambda view: len(hidden_in(view.known)))
    hidden = hidden_in(view.known)
    assert len(hidden) >= 2
    counts = {card: Counter[int]() for card in hidden}
    for number in range(SAMPLES):
        dealt = copy_of(view.known)
        deal_hidden(dealt, *game_key(4, number))
        for card in hidden:
            counts[card][dealt.card_value[card]] += 1
    for card in hidden:
        odds = view.unseen[LETTERS[view.known.card_type[card]]]
        for value in range(1, 5):
            believed = odds[value - 1] / sum(odds)
            assert counts[card][value] / SAMPLES == pytest.approx(believed, abs=0.06)
            assert (counts[card][value] > 0) == (believed > 0)
