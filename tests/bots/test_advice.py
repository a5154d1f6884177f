"""Advice: legal moves, best first, with sound figures and reasons, from what the seat knows alone."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import islice, product

import pytest

from royalcrypt import Game
from royalcrypt.bots.advice import Advice, advise, evaluate
from royalcrypt.bots.facts import MOST_FACTS, Fact, facts_about
from royalcrypt.bots.wording import fact_in_words, move_in_words
from royalcrypt.locales import LANGUAGES, catalogue
from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.views import View, view_of
from royalcrypt.rules.chance import game_key
from royalcrypt.rules.layout import copy_of
from royalcrypt.search.simulation import deal_hidden

SUM = pytest.approx(1, abs=1e-9)


def games(players: int, every: int) -> Iterator[Game]:
    """Some points of random games with random Collectors."""
    chance = random.Random(players)
    for seed in range(4):
        sides = "".join(chance.choice("AB") for _ in range(6))
        game = Game.new(players=players, seed=seed, collectors=sides)
        while game.actor is not None:
            if len(game.moves) % every == 0 or game.phase != "claim":
                yield game
            game.play(chance.choice(list(game.view(game.actor).moves())))


def acting(game: Game) -> View:
    return game.view(game.actor)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_advised_moves_are_legal_and_come_best_first_with_sound_figures(players: int) -> None:
    for game in islice(games(players, 5), 40 if players < 4 else 20):
        view = acting(game)
        advised = advise(view, 4)
        assert advised[0].behind == 0
        values = [advice.prospect.value(view.seat or 0) for advice in advised]
        assert values == sorted(values, reverse=True)
        assert [advice.behind for advice in advised] == pytest.approx([values[0] - value for value in values])
        for advice in advised:
            assert advice.move in set(view.moves())
            check_figures(advice, players)


def check_figures(advice: Advice, players: int) -> None:
    prospect = advice.prospect
    assert len(prospect.scores) == players
    assert all(0 <= score <= 120 for score in prospect.scores)
    assert all(0 <= chance <= 1 for chance in (*prospect.wins, *prospect.titles))
    if players > 1:
        assert sum(prospect.wins) == SUM
    elif prospect.is_exact:
        assert sum(prospect.titles) == SUM
    assert 1 <= len(advice.facts) <= MOST_FACTS


@pytest.mark.parametrize("players", [1, 2, 4])
def test_what_the_seat_does_not_know_plays_no_part(players: int) -> None:
    told = 0
    for game in islice(games(players, 7), 12):
        view = acting(game)
        other = copy_of(view.known)
        deal_hidden(other, *game_key(5, len(game.moves)))
        told += [*other.card_value] != [*game.state.card_value]
        assert advise(view_of(other, view.seat)) == advise(view)
    assert told > 3 or players == 1


@pytest.mark.parametrize("players", [1, 2, 3])
def test_every_seat_and_spectators_may_ask_what_to_expect(players: int) -> None:
    for game in islice(games(players, 9), 12):
        for seat in (None, *range(players)):
            prospect = evaluate(game.view(seat))
            assert len(prospect.scores) == players
            assert players == 1 or sum(prospect.wins) == SUM


def test_who_decides_may_expect_what_their_best_move_promises() -> None:
    for game in islice(games(1, 6), 12):
        view = acting(game)
        prospect, best = evaluate(view), advise(view, 1)[0].prospect
        assert (prospect.scores, prospect.titles) == (best.scores, best.titles)


def test_a_prospect_is_exact_only_if_every_move_was_looked_at() -> None:
    """Before the Ghost's last turn what a claim leads to is exact, but there are too many claims."""
    text = (
        "rc1 players=1 sides=ABABBA leader=1 phase=claim round=8 turn=1 order=2 decisions=25 pushed=0 "
        "chance=1/3 top=- race=0 row=b1x4,vb1x3,b1x1 seats=3+0,0+0 cards=I4aM3aP3a!/R3xR4x?I1x/T1x?R2aM1a/"
        "J1x?T2aR1x/P4xJ2a?0P2a!/T4xM2x?I2a/T3xI3aJ4a?0^1/J3.M4.?P1."
    )
    view = acting(Game.from_position(text))
    assert advise(view, 1)[0].prospect.is_exact
    assert not evaluate(view).is_exact


def test_once_it_is_over_the_result_is_told() -> None:
    game = Game.new(players=2, seed=3)
    chance = random.Random(3)
    while game.actor is not None:
        game.play(chance.choice(list(acting(game).moves())))
    result = game.result()
    assert result is not None
    prospect = evaluate(game.view(0))
    assert prospect.is_exact
    assert prospect.scores == tuple(result["scores"])
    assert [seat for seat, win in enumerate(prospect.wins) if win] == result["winners"]


def test_nobody_is_advised_out_of_turn() -> None:
    with pytest.raises(Refusal) as refusal:
        advise(Game.new(players=2, seed=1).view(1))
    assert refusal.value.reason is Reason.NOT_YOUR_TURN


def test_claims_on_the_same_cards_are_told_once() -> None:
    for game in islice(games(3, 4), 20):
        claimed = [
            frozenset(place.slot for place in action.place)
            for advice in advise(acting(game), 10)
            for action in advice.move.actions
            if action.place
        ]
        assert len(claimed) == len(set(claimed))


START = (
    "rc1 players=2 sides=AAAAAA leader=0 phase=claim round=2 turn={turn} order=2 decisions=4 pushed=0 "
    "chance=0/0 top=I race=0 "
)


def facts(text: str, move: str) -> dict[str, Fact]:
    game = Game.from_position(text)
    assert game.actor is not None
    return {fact.key: fact for fact in facts_about(game.view(game.actor), game.actor, Move.parse(move))}


def test_a_card_that_completes_a_pair_says_what_its_collector_pays() -> None:
    text = START.format(turn=0) + "row=-,-,v- seats=3+0,3+0 cards=P1aJ2bJ1x?/P3.M1.T2.?"
    gain = facts(text, "1:1x6")["gain"]
    assert gain.details["cards"] == ["P3"]
    assert gain.details["coins"] == 3
    assert gain.details["paid"] == 2  # R8.4A
    assert facts(text, "2:1x6")["gain"].details["paid"] == 0


def test_a_face_down_card_counts_what_is_expected() -> None:
    text = START.format(turn=0) + "row=-,-,v- seats=3+0,3+0 cards=P1aJ2bT4x/P3.M1.T2.?"
    gain = facts(text, "3:1x1")["gain"]
    assert gain.details["cards"] == ["T?"]
    assert gain.details["coins"] == 2  # of 1, 2 and 3


def test_the_leader_of_two_keeps_dice_for_the_last_turn() -> None:
    text = START.format(turn=0) + "row=-,-,v- seats=3+0,3+0 cards=P1aJ2bJ1x?/P4.M1.R1.?"
    assert facts(text, "2:1x1")["keeps"].details == {"dice": 2, "cards": ["P4"]}
    assert "keeps" not in facts(text, "2:3x1")


def test_who_is_pushed_out_is_named_and_that_nobody_pushes_back() -> None:
    text = START.format(turn=2) + "row=b2x2,-,v- seats=3+0,1+0p cards=P1aJ2bJ1x?/P4.M1.T1.?"
    found = facts(text, "1:1x5")
    assert found["pushes"].details["who"] == [1]
    assert found["pushes"].details["worth"] >= 4
    assert "last_turn" in found
    assert "risk" not in found


def test_a_card_that_another_wants_more_is_kept_from_them() -> None:
    cards = "cards=P1bP2bM4x?/P4.T1.R1.?/P3.M1.J1.?"
    text = START.format(turn=0).replace("round=2", "round=3") + f"row=-,-,v- seats=3+0,3+0 {cards}"
    text = text.replace("P4.T1.R1.?", "P4xT1xR1x?")
    found = facts(text, "1:3x2")
    assert found["denies"].details["who"] == [1]
    assert found["denies"].details["worth"] > 4
    assert "denies" not in facts(text.replace("seats=3+0,3+0", "seats=3+0,0+3"), "1:3x2")


def test_a_rival_without_dice_cannot_push_out_and_one_with_dice_may() -> None:
    poor = START.format(turn=0) + "row=-,-,v- seats=3+0,0+3 cards=P1aJ2bJ1x?/P4.M1.T1.?"
    rich = poor.replace("0+3", "3+0")
    assert "safe" in facts(poor, "1:3x1")
    assert 0 < facts(rich, "1:3x1")["risk"].details["chance"] < 1
    assert "safe" in facts(rich, "1:3x6")


def test_the_ghosts_odds_are_exact() -> None:
    text = (
        "rc1 players=1 sides=AAAAAA leader=0 phase=claim round=1 turn=0 order=2 decisions=0 pushed=0 "
        "chance=0/0 top=I race=0 row=-,v-,- seats=3+0,3+0 cards=P4.M1.?T1."
    )
    rolls = list(product(range(1, 7), repeat=3))
    beaten = [faces for faces in rolls if max(face * faces.count(face) for face in faces) > 4]  # R10.4
    found = facts(text, "1:1x4")["risk_exact"]
    assert found.details["chance"] == pytest.approx(len(beaten) / len(rolls))
    assert found.details["cards"] == ["P4"]


def test_dice_that_may_fail_are_counted_exactly() -> None:
    text = START.format(turn=2) + "row=-,-,v- seats=3+0,3+0 cards=P1aJ2bJ1x?/P4.M1.T1.?"
    assert facts(text, "1:3x3")["tires"].details["dice"] == pytest.approx(3 * 2 / 6)
    assert "untiring" in facts(text, "1:2x1")


@cache
def many_advised() -> list[tuple[View, Advice]]:
    found: list[tuple[View, Advice]] = []
    for players in (1, 2):
        for game in islice(games(players, 3), 40):
            found += [(acting(game), advice) for advice in advise(acting(game), 6)]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fact_and_move_has_words(language: str) -> None:
    said: set[str] = set()
    for view, advice in many_advised():
        assert move_in_words(view, advice.move, language)
        for fact in advice.facts:
            assert "{" not in fact_in_words(fact, language)
            said.add(fact.key)
    assert said >= {"gain", "recovers", "passes", "tires", "untiring", "risk", "risk_exact", "last_turn"}


def test_every_fact_in_the_catalogue_can_be_said() -> None:
    keys = {key.removeprefix("advice.fact.") for key in catalogue() if key.startswith("advice.fact.")}
    assert keys == {
        "gain", "gain_paid", "gain_hoped", "gain_paid_hoped", "keeps", "pushes", "pushes_ghost", "denies",
        "risk", "risk_exact", "safe", "last_turn", "tires", "untiring", "recovers", "passes", "mends",
        "last_mend", "peeks", "takes", "rerolls", "declines",
    }  # fmt: skip


def test_fractions_take_their_own_form() -> None:
    fact = Fact("tires", {"dice": 1.5})
    assert "1.5 dice" in fact_in_words(fact)
    assert "1,5 kości" in fact_in_words(fact, "pl")
    assert "1,5 dé" in fact_in_words(fact, "fr")
    assert "dés" not in fact_in_words(fact, "fr")
